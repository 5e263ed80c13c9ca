"""Quality of all methods on the packaged sample, and on the benchmark sets where they are at hand.

Sets are those of ``benchmark_sets.py``, with ``logical_forms.prompt_c.tsv`` and ``logical_forms.prompt_a.tsv``.

    python benchmarks/quality.py [--limit 100]   the tables of docs/benchmarks.md and of the README, as Markdown
    python benchmarks/quality.py --write         the same, written into these pages; needs all sets
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from benchmark_sets import FURTHER, SAMPLE, SETS, read_set
from pages import README, ROOT, write

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import (
    METHODS,
    BySemantics,
    JudgedQuery,
    Method,
    Outcome,
    PackageRetriever,
    View,
    Workbench,
    evaluate,
    get_method,
    load_sample,
)
from logical_retriever.evaluation.methods import Dense
from logical_retriever.evaluation.workbench import Array

sys.path.append(str(ROOT))  # lab/ stands beside the package
from lab.methods import DirectEmbeddingOptimization, Projection

Row = tuple[str, str]
"""A method and the origin of its logical forms; "-" for methods that look at the question alone."""
Cells = dict[Row, tuple[float, ...]]
"""Figures of one column: one number, or two."""

NEGATION_TYPES = frozenset({"2in", "3in", "inp", "pin", "pni"})
"""ComLQ's query types that contain a negation."""
FORMLESS = ("dense", "dense+bm25", "bm25", "hybrid")
"""Methods that look at the question alone."""
PUBLISHED = ("itlr", "godel", "nsfl-fused", "positive-only")
DEFAULTS = ("calibrated", "calibrated-dense")
FORMS = ("prompt_c", "prompt_a")
"""Logical forms that a language model wrote to two prompts."""
ROWS = (
    *((method, "-") for method in FORMLESS),
    *((method, "prompt_c") for method in (*PUBLISHED, "geometric", "deo", *DEFAULTS)),
    *((method, "prompt_a") for method in (*PUBLISHED, *DEFAULTS)),
)
FURTHER_METHODS = (*FORMLESS, "itlr", "nsfl-fused", "positive-only", *DEFAULTS)
PAGE = ROOT / "docs" / "benchmarks.md"
CAPTION = """\
nDCG@10 on the development halves of four benchmarks and on the packaged `three_term` sample, all-MiniLM-L6-v2, every
document scored. Behind the slash: the share of questions whose wanted document is above the unwanted one (excluir,
boolquestions_not), nDCG@10 of the questions with a negation (comlq). `dense`, `dense+bm25`, `bm25` and `hybrid` search
for the question as it is; forms are a language model's."""
FEW = {
    "dense": "plain dense retrieval",
    "dense+bm25": "dense and BM25, ranks joined",
    "itlr": "ITLR (arXiv 2503.17860)",
    "nsfl-fused": "NSFL, its operators on fused texts",
    "calibrated": "**logical-retriever**",
}
"""Methods of the README's table, in words for a reader who knows none of them."""
FEW_SETS = {
    "negconstraint": "exclusions: NegConstraint",
    "excluir": "ExcluIR",
    "ask exclusions": "as people say them",
    "comlq": "Boolean: ComLQ",
    "quest": "QUEST",
    "limit": "LIMIT",
    "ask traps and plain": "plain questions",
}
"""Sets of the README's table; a question of all but the last has something to exclude or to combine."""


class BM25(Method):
    """BM25 of the question over the corpus; a document that shares no word with it is not retrieved."""

    name = "bm25"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:  # noqa: ARG002
        """None: words are compared, not vectors."""
        return ()

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """BM25 scores, above 0 or ``-inf``."""
        scores = view.bench.lexical(prepared.question.text)[view.rows]
        return np.where(scores > 0, scores, -np.inf)


class Hybrid(Dense):
    """Reciprocal rank fusion of the dense and the BM25 ranking of the question.

    Score ``Σ 1 / (60 + rank)`` with ranks from 1; documents with equal scores share the best of their ranks, a document
    that a ranking does not retrieve gets nothing from it. Source: Cormack, Clarke and Büttcher, "Reciprocal rank
    fusion outperforms Condorcet and individual rank learning methods" (SIGIR 2009), k = 60.
    """

    name = "hybrid"

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Fused scores, in (0, 2/61]."""
        total = np.zeros(len(view.rows))
        for scores in (super().score(prepared, view), BM25().score(prepared, view)):
            ranks = 1 + np.searchsorted(np.sort(-scores), -scores)
            total += np.where(np.isfinite(scores), 1.0 / (60 + ranks), 0.0)
        return total


METHODS["bm25"], METHODS["hybrid"] = BM25, Hybrid
METHODS["godel"], METHODS["geometric"], METHODS["deo"] = (
    partial(BySemantics, "godel"),
    Projection,
    DirectEmbeddingOptimization,
)
METHODS["calibrated-dense"] = lambda: PackageRetriever("calibrated", "calibrated-dense", words=0.0)


class RememberingEmbedder:
    """Encodes each text once in the whole run: questions are the same under all forms."""

    def __init__(self, model: SentenceTransformerEmbedder) -> None:
        self._model = model
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, self._model.embed_queries(missing), strict=True))
        return np.stack([self._known[text] for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d)."""
        return self._model.embed_documents(texts)


class Remembering(Method):
    """A method that answers equal questions with equal queries once: most have the same query under all forms."""

    def __init__(self, method: Method) -> None:
        self.method = method
        self.name = method.name
        self._prepared = False
        self._scores: dict[tuple[str, str], Array] = {}

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:
        """Once: the documents are the same."""
        if not self._prepared:
            self.method.prepare(prepared, bench)
            self._prepared = True

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts that the method encodes."""
        return self.method.texts(prepared)

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the method's scores."""
        key = (prepared.question.id, str(prepared.query))
        if key not in self._scores:
            self._scores[key] = self.method.score(prepared, view)
        return self._scores[key]


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into README.md and docs/benchmarks.md")
    parser.add_argument("--limit", type=int, default=None, help="evaluate the first so many questions of a set only")
    arguments = parser.parse_args()
    if arguments.write and arguments.limit is not None:
        parser.error("--write takes no --limit: the pages have the figures of a whole run")
    embedder = RememberingEmbedder(SentenceTransformerEmbedder())
    started = time.perf_counter()
    columns: dict[str, Cells] = {}
    for name in (*SETS, SAMPLE):
        columns |= {name: cells} if (cells := figures(name, embedder, arguments.limit)) else {}
        print(f"{name}: {time.perf_counter() - started:.0f} s so far", file=sys.stderr)
    further = {}
    for name, form in FURTHER:
        further |= {name: cells} if (cells := further_figures(name, form, embedder, arguments.limit)) else {}
    if arguments.write:
        missing = [name for name in (*SETS, *(name for name, _ in FURTHER)) if name not in (*columns, *further)]
        if missing:
            sys.exit(f"Nothing is written: {', '.join(missing)} not at hand (set LOGICAL_RETRIEVER_DATA).")
        write(PAGE, quality=f"{CAPTION}\n\n{markdown(ROWS, columns)}", further=further_markdown(further))
        write(README, quality=few(columns, further))
    else:
        print(markdown(ROWS, columns), *([further_markdown(further)] if further else []), sep="\n\n")


def figures(name: str, embedder: RememberingEmbedder, limit: int | None) -> Cells:
    """Figures of one set by row of the table; none where its files are not at hand."""
    defaults = [Remembering(get_method(method)) for method in DEFAULTS]
    first = [*FORMLESS, *PUBLISHED, "geometric", "deo", *defaults]
    options = {"embedder": embedder, "limit": limit, "cutoffs": (10,), "baseline": None}
    if name == SAMPLE:
        # Nobody asked these questions: each is the wording of its logical form, and there is nothing to transform.
        return cells_of({"prompt_c": evaluate(load_sample(), first, **options)})
    datasets = {form: read_set(name, form) for form in FORMS}
    methods = {"prompt_c": first, "prompt_a": [*PUBLISHED, *defaults]}
    outcomes = {
        form: evaluate(dataset, methods[form], **options) for form, dataset in datasets.items() if dataset is not None
    }
    return cells_of(outcomes)


def cells_of(outcomes: Mapping[str, Outcome]) -> Cells:
    """Figures by row, from the outcomes of one set by form: nDCG@10, and the set's second figure where it has one."""
    cells: Cells = {}
    for form, outcome in outcomes.items():
        report(outcome, form)
        judged = any(result.values["WantedAboveUnwanted"] for result in outcome.methods.values())
        negations = [one for one in outcome.prepared if has_negation(one)]
        for method, result in outcome.methods.items():
            means = [result.mean("nDCG@10", outcome.prepared)]
            if judged:
                means.append(result.mean("WantedAboveUnwanted", outcome.prepared))
            elif negations:
                means.append(result.mean("nDCG@10", negations))
            cells[method, "-" if method in FORMLESS else form] = tuple(mean for mean in means if mean is not None)
    return cells


def has_negation(prepared: JudgedQuery) -> bool:
    """Whether a question has a type of ComLQ with a negation; "2in_1" is a variant of "2in"."""
    return re.sub(r"_\d+$", "", prepared.question.type or "") in NEGATION_TYPES


def further_figures(name: str, form: str, embedder: RememberingEmbedder, limit: int | None) -> Cells:
    """Figures of a further set by method; none where it is not at hand."""
    dataset = read_set(name, form)
    if dataset is None:
        return {}
    outcome = evaluate(dataset, FURTHER_METHODS, embedder=embedder, limit=limit, cutoffs=(10,), baseline=None)
    report(outcome, form)
    cells: Cells = {}
    for method, result in outcome.methods.items():
        means = [result.mean(measure, outcome.prepared) for measure in ("nDCG@10", "WantedAboveUnwanted")]
        cells[method, "-"] = tuple(mean for mean in means if mean is not None)
    return cells


def report(outcome: Outcome, form: str) -> None:
    """Print what could not be read or ranked."""
    files = (f"{len(cases)} {what}" for what, cases in outcome.bench.dataset.problems.items())
    for note in (*files, *(f"{failure['stage']}: {failure['problem']}" for failure in outcome.failures)):
        print(f"{outcome.bench.dataset.name}, {form}: {note}", file=sys.stderr)


def markdown(rows: Sequence[Row], columns: Mapping[str, Cells]) -> str:
    """Format the table of docs/benchmarks.md, with the best figures of each column in bold."""
    headings = ["method", "forms", *columns]
    lines = [f"| {' | '.join(headings)} |", f"|---|---|{'---:|' * len(columns)}"]
    for row in rows:
        form = "" if row[1] == "-" else row[1]
        lines.append(f"| {' | '.join((f'`{row[0]}`', form, *(_cell(row, own) for own in columns.values())))} |")
    return "\n".join(lines)


def further_markdown(columns: Mapping[str, Cells]) -> str:
    """Figures of further sets: a row a method."""
    lines = [f"| method | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    for method in FURTHER_METHODS:
        lines.append(f"| `{method}` | {' | '.join(_cell((method, '-'), own) for own in columns.values())} |")
    return "\n".join(lines)


def few(columns: Mapping[str, Cells], further: Mapping[str, Cells]) -> str:
    """Format the README's table: nDCG@10 of a few methods, by the forms of a language model and by gold forms."""
    own = {
        name: {method: values for (method, form), values in cells.items() if form in ("-", "prompt_c")}
        for name, cells in (*columns.items(), *further.items())
    }
    lines = [f"| nDCG@10 | {' | '.join(FEW_SETS.values())} |", f"|---|{'---:|' * len(FEW_SETS)}"]
    for method, said in FEW.items():
        values = [f"{own[name][method][0]:.2f}" if method in own[name] else "-" for name in FEW_SETS]
        lines.append(f"| {said} | {' | '.join(values)} |")
    return "\n".join(lines)


def _cell(row: Row, cells: Cells) -> str:
    if row not in cells:
        return "-"
    shown = []
    for place, figure in enumerate(cells[row]):
        best = max(f"{values[place]:.3f}" for values in cells.values())
        shown.append(f"**{figure:.3f}**" if f"{figure:.3f}" == best else f"{figure:.3f}")
    return " / ".join(shown)


if __name__ == "__main__":
    main()
