"""Quality of all methods on the packaged sample, and on the benchmark sets where they are at hand.

Sets are those of ``benchmark_sets.py``, with ``logical_forms.prompt_c.tsv`` and ``logical_forms.prompt_a.tsv``.

    python benchmarks/quality.py                 one table: method and logical forms by set, and cost a query; then what
                                                 differs from the figures that were measured independently, and targets
    python benchmarks/quality.py --markdown      the rows of docs/quality.md as Markdown
    python benchmarks/quality.py --write         all tables, into docs/quality.md and the README
    python benchmarks/quality.py --full [--methods dense,itlr,nsfl]     every method, every measure, cost on every set
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from benchmark_sets import FURTHER, SAMPLE, SETS, read_set
from measured_figures import QUESTIONS
from pages import README, ROOT, write
from quality_tables import (
    CAPTION,
    Cells,
    Row,
    cost_table,
    differences_table,
    few,
    further_markdown,
    further_table,
    markdown,
    measure_table,
    summary_table,
    targets_table,
)
from rich.console import Console

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import (
    Dataset,
    Method,
    Outcome,
    QuestionWithQuery,
    evaluate,
    get_method,
    load_sample,
)
from logical_retriever.evaluation.methods.base import Advance, Questions
from logical_retriever.evaluation.outcome import coarse_type
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.lab.methods import DEFAULT_METHODS
from logical_retriever.transform import CueQueryTransformer

NEGATION_TYPES = frozenset({"2in", "3in", "inp", "pin", "pni"})
"""ComLQ's query types that contain a negation."""

FORMLESS = ("dense", "dense+bm25", "bm25", "hybrid")
"""Methods that look at the question alone."""
PUBLISHED = ("itlr", "godel", "nsfl-fused", "positive-only", "geometric", "geometric-addition")
"""Methods of papers for which there are independent figures, with both recorded forms."""
OTHERS = ("deo", "nsfl", "product", "lukasiewicz", "hamacher")
DEFAULTS = ("calibrated", "calibrated-dense")
FORMS = ("prompt_c", "prompt_a", "cue")
"""Forms that a language model wrote to two prompts, and forms of the cue rules, which need no model."""
ROWS = (
    *((method, "-") for method in FORMLESS),
    *((method, "prompt_c") for method in (*PUBLISHED, *OTHERS)),
    *((method, "prompt_a") for method in PUBLISHED),
    *((method, form) for form in FORMS for method in DEFAULTS),
)
PAGE_ROWS = (
    *((method, "-") for method in FORMLESS),
    *((method, "prompt_c") for method in (*PUBLISHED[:-1], "deo", *DEFAULTS)),
    *((method, "cue") for method in DEFAULTS),
    *((method, "prompt_a") for method in (*PUBLISHED[:4], *DEFAULTS)),
)
FURTHER_METHODS = (*FORMLESS, "itlr", "nsfl-fused", "positive-only", *DEFAULTS)
PAGE = ROOT / "docs" / "quality.md"


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

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Once: the documents are the same."""
        if not self._prepared:
            self.method.prepare(prepared, bench, progress)
            self._prepared = True

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The method's own."""
        return self.method.texts(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The method's own."""
        key = (prepared.question.id, str(prepared.query))
        if key not in self._scores:
            self._scores[key] = self.method.score(prepared, view)
        return self._scores[key]


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    # A pipe has no width, and 80 columns would cut the tables.
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    said = Console(stderr=True, highlight=False, soft_wrap=True) if arguments.markdown else console
    embedder = RememberingEmbedder(SentenceTransformerEmbedder())
    started = time.perf_counter()
    outcomes: dict[tuple[str, str], Outcome] = {}
    for name in (SAMPLE, *SETS):
        run = _all_methods if arguments.full else _chosen_rows
        outcomes.update(run(name, arguments, embedder, said))
        print(f"{name}: {time.perf_counter() - started:.0f} s so far", file=sys.stderr)
    further = {} if arguments.full or arguments.markdown else _further(arguments, embedder, said)
    if arguments.full:
        _print_full(outcomes, tuple(arguments.methods.split(",")), console)
    else:
        _print_summary(outcomes, arguments, console)
    if arguments.write:
        _write(_columns(outcomes), further)
    if further:
        console.print(further_table(FURTHER_METHODS, further))
    for (name, form), outcome in outcomes.items():
        for note in (*outcome.problems, *(f"{failure.stage}: {failure.problem}" for failure in outcome.failures)):
            said.print(f"{name}, {form}: {note}", markup=False)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    said.print(f"{time.perf_counter() - started:.0f} s, {memory:.0f} MiB at most")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown, and nothing else")
    parser.add_argument(
        "--write", action="store_true", help="write the tables into README.md and docs/quality.md, too; needs all sets"
    )
    parser.add_argument("--full", action="store_true", help="every method and measure, with both recorded forms")
    parser.add_argument("--methods", default=",".join(DEFAULT_METHODS), help="with --full")
    parser.add_argument("--limit", type=int, default=None, help="evaluate the first so many questions of a set only")
    arguments = parser.parse_args()
    if arguments.write and (arguments.full or arguments.limit is not None):
        parser.error("--write takes neither --full nor --limit: the pages have the figures of a whole run")
    return arguments


def _print_summary(outcomes: dict[tuple[str, str], Outcome], arguments: argparse.Namespace, console: Console) -> None:
    columns, (cost, cells) = _columns(outcomes), _costs(outcomes)
    if arguments.markdown:
        print(markdown(PAGE_ROWS, columns))
    else:
        console.print(summary_table(ROWS, columns, cost, cells))
        whole = {name for name, _ in outcomes if name == SAMPLE or _questions(outcomes, name) == QUESTIONS[name]}
        if arguments.limit is None:
            console.print(differences_table(columns, whole))
            console.print(targets_table(columns, whole))


def _write(columns: dict[str, Cells], further: dict[str, dict[str, tuple[float, ...]]]) -> None:
    missing = [name for name in (*SETS, *(name for name, _ in FURTHER)) if name not in (*columns, *further)]
    if missing:
        sys.exit(f"Nothing is written: {', '.join(missing)} not at hand (set LOGICAL_RETRIEVER_DATA).")
    table = f"{CAPTION}\n\n{markdown(PAGE_ROWS, columns)}"
    write(PAGE, quality=table, further=further_markdown(FURTHER_METHODS, further))
    write(README, quality=few(columns, further))


def _questions(outcomes: dict[tuple[str, str], Outcome], name: str) -> int:
    return len(next(outcome for (own, _), outcome in outcomes.items() if own == name).prepared)


def _chosen_rows(
    name: str, arguments: argparse.Namespace, embedder: RememberingEmbedder, console: Console
) -> dict[tuple[str, str], Outcome]:
    """Outcomes of one set for the rows of the table, by set and form; none where its files are not at hand."""
    defaults = [Remembering(get_method(method)) for method in DEFAULTS]
    first = [*FORMLESS, *PUBLISHED, *OTHERS, *defaults]
    methods = {"prompt_c": first, "prompt_a": [*PUBLISHED, *defaults]}
    options = {"embedder": embedder, "limit": arguments.limit, "cutoffs": (10,), "baseline": None}
    if name == SAMPLE:
        # Nobody asked these questions: each is the wording of its logical form, and there is nothing to transform.
        return {(SAMPLE, "prompt_c"): evaluate(load_sample(), first, **options)}
    recorded = {form: _dataset(name, form, console) for form in FORMS if form != "cue"}
    found: dict[tuple[str, str], Outcome] = {}
    for form, dataset in recorded.items():
        if dataset is not None:
            found[name, form] = evaluate(dataset, methods[form], **options)
    dataset = recorded["prompt_c"]
    if dataset is not None:
        transformer = CueQueryTransformer()
        found[name, "cue"] = evaluate(dataset, defaults, transformer=transformer, transformer_name="cue", **options)
    return found


def _further(
    arguments: argparse.Namespace, embedder: RememberingEmbedder, console: Console
) -> dict[str, dict[str, tuple[float, ...]]]:
    """Figures of the further sets that are at hand, by set and method."""
    found: dict[str, dict[str, tuple[float, ...]]] = {}
    for name, form in FURTHER:
        dataset = _dataset(name, form, console)
        if dataset is None:
            continue
        options = {"embedder": embedder, "limit": arguments.limit, "cutoffs": (10,), "baseline": None}
        outcome = evaluate(dataset, FURTHER_METHODS, **options)
        found[name] = {}
        for method, result in outcome.methods.items():
            means = [result.mean(measure, outcome.prepared) for measure in ("nDCG@10", "WantedAboveUnwanted")]
            found[name][method] = tuple(mean for mean in means if mean is not None)
    return found


def _all_methods(
    name: str, arguments: argparse.Namespace, embedder: RememberingEmbedder, console: Console
) -> dict[tuple[str, str], Outcome]:
    methods = tuple(arguments.methods.split(","))
    if name == SAMPLE:
        return {(SAMPLE, "prompt_c"): evaluate(load_sample(), methods, embedder=embedder, limit=arguments.limit)}
    recorded = {form: _dataset(name, form, console) for form in FORMS if form != "cue"}
    return {
        (name, form): evaluate(dataset, methods, embedder=embedder, limit=arguments.limit)
        for form, dataset in recorded.items()
        if dataset is not None
    }


def _dataset(name: str, form: str, console: Console) -> Dataset | None:
    return read_set(name, form, say=lambda text: console.print(text, markup=False))


def _columns(outcomes: dict[tuple[str, str], Outcome]) -> dict[str, Cells]:
    """Figures by set: row of the table -> nDCG@10, and the set's second figure where it has one."""
    columns: dict[str, Cells] = {}
    for (name, form), outcome in outcomes.items():
        judged = any(result.values["WantedAboveUnwanted"] for result in outcome.methods.values())
        negations = [one for one in outcome.prepared if coarse_type(one) in NEGATION_TYPES]
        cells = columns.setdefault(name, {})
        for method, result in outcome.methods.items():
            figures = [result.mean("nDCG@10", outcome.prepared)]
            if judged:
                figures.append(result.mean("WantedAboveUnwanted", outcome.prepared))
            elif negations:
                figures.append(result.mean("nDCG@10", negations))
            cells[method, "-" if method in FORMLESS else form] = tuple(f for f in figures if f is not None)
    # The packaged sample is computed first and shown last.
    return {name: cells for name, cells in columns.items() if name != SAMPLE} | {SAMPLE: columns[SAMPLE]}


def _costs(outcomes: dict[tuple[str, str], Outcome]) -> tuple[str, dict[Row, float]]:
    """Milliseconds a query on the largest set; those of the first forms, since later ones reuse equal answers."""
    (name, _), largest = max(outcomes.items(), key=lambda item: len(item[1].dataset.documents))
    costs: dict[Row, float] = {}
    own = [(form, outcome) for (other, form), outcome in outcomes.items() if other == name]
    for form, outcome in own:
        for method, result in outcome.methods.items():
            if form == "prompt_c" or method in PUBLISHED:
                costs[method, "-" if method in FORMLESS else form] = result.cost.milliseconds
    return f"ms a query, {len(largest.dataset.documents):,} documents", costs


def _print_full(outcomes: dict[tuple[str, str], Outcome], methods: tuple[str, ...], console: Console) -> None:
    named = {name if name == SAMPLE else f"{name} {form[-1].upper()}": o for (name, form), o in outcomes.items()}
    console.print(measure_table("nDCG@10", "nDCG@10", named, methods))
    judged = {
        name: outcome
        for name, outcome in named.items()
        if any(result.values["WantedAboveUnwanted"] for result in outcome.methods.values())
    }
    if judged:
        console.print(measure_table("Wanted above unwanted", "WantedAboveUnwanted", judged, methods))
    console.print(cost_table(named, methods))


if __name__ == "__main__":
    main()
