"""Whether answers can be believed: what is left out, what relevance means, and when nothing is found.

Tables over the sets of ``benchmark_sets.py``, with forms that a language model wrote ("prompt_c") or people did
("gold"), in memory, with all-MiniLM-L6-v2 where nothing else is said:

- exclusions: for plain dense retrieval and each ``exclusion=``, questions that show an unwanted passage among k, judged
  relevant passages that are left out, and nDCG of four;
- encoders: the same for k = 4 with the encoders of ``other_encoders.py``, and plain questions beside plain dense
  retrieval;
- demo: exclusions over the demo's corpus, with a verifier too, see ``demo_exclusions.py``;
- a second opinion: recorded verdicts of a language model on the exclusions of ``ask``;
- relevance: expected calibration error and area under the curve over the ten best of each question, judged relevant
  passages and others of a set weighing alike; unjudged passages count as not relevant;
- abstention: for several least relevances, how many questions foreign to a corpus return nothing, and how many
  questions of its own lose all of the relevant passages that are among the four best.

    python benchmarks/answers.py [--limit 200] [--tables exclusions,encoders]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from abstention import abstention
from benchmark_sets import data_folder, read_set
from demo_exclusions import demo_table
from other_encoders import other_encoders
from rich.console import Console
from rich.table import Table

from logical_retriever import LogicalRetriever, Verdict
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import JudgedQuery
from logical_retriever.evaluation.run import read_question
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.query import negative_terms
from logical_retriever.stores import InMemoryStore

SETS = (
    ("negconstraint", "prompt_c"),
    ("excluir", "prompt_c"),
    ("boolquestions_not", "prompt_c"),
    ("quest", "prompt_c"),
    ("limit", "gold"),
    ("ask exclusions", "gold"),
    ("ask traps and plain", "gold"),
    ("comlq", "prompt_c"),
)
WAYS = ("rank", "drop", "strict")
ENCODED = ("ask exclusions", "boolquestions_not", "excluir", "limit")
PLAIN = "ask traps and plain"
LABELS = {
    "A": Verdict(has=0.97, denies=0.01, open=0.01, absent=0.01, about=0.97),
    "M": Verdict(has=0.01, denies=0.01, open=0.97, absent=0.01, about=0.03),
    "N": Verdict(has=0.01, denies=0.01, open=0.01, absent=0.97, about=0.03),
}
"""Recorded answers, about the term, mentioning it or neither, as verdicts as certain as a chat model's."""
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
FOREIGN = (
    ("negconstraint", "boolquestions_not"),
    ("excluir", "ask traps and plain"),
    ("boolquestions_not", "excluir"),
    ("quest", "ask exclusions"),
    ("ask exclusions", "quest"),
    ("ask traps and plain", "excluir"),
    ("comlq", "boolquestions_not"),
    ("limit", "ask exclusions"),
)
"""Whose questions are asked of a corpus that cannot answer them."""
BEST = 10
SHOWN = 4
Array = npt.NDArray[np.float64]
Answers = tuple[Sequence[Sequence[str]], Sequence[set[str]]]


@dataclass
class Corpus:
    """A set with its retriever and its questions."""

    retriever: LogicalRetriever
    bench: Workbench
    questions: Sequence[JudgedQuery]


def read(name: str, form: str, embedder: SentenceTransformerEmbedder, limit: int) -> Corpus | None:
    """Read a set with at most ``limit`` questions, spread evenly over its file."""
    dataset = read_set(name, form)
    if dataset is None:
        return None
    prepared = [JudgedQuery(one, read_question(one, None)) for one in dataset.questions]
    return over(Workbench(dataset, embedder), prepared[:: -(-len(prepared) // limit) or 1])


def over(bench: Workbench, questions: Sequence[JudgedQuery]) -> Corpus:
    """Questions over a corpus whose encoder has encoded them."""
    bench.encode(text for one in questions for text in (*one.query.terms(), one.question.text))
    store = InMemoryStore(bench.dataset.documents, bench.document_vectors)
    return Corpus(LogicalRetriever(store, bench, k=BEST), bench, questions)


def exclusions_table(corpora: Mapping[str, Corpus], ks: Sequence[int] = (4, 10, 20), title: str = "MiniLM") -> Table:
    """Unwanted passages shown, relevant ones left out, and nDCG@4, by set and by way to exclude."""
    table = Table(title=f"Questions with an exclusion, {title}: dense / rank / drop / strict")
    for heading in ("", *(f"unwanted within {k}" for k in ks), "relevant left out, %", f"nDCG@{SHOWN}"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, corpus in corpora.items():
        questions = [one for one in corpus.questions if negative_terms(one.query)]
        if not questions or name in ("comlq", "quest"):  # whose negations are facts, and whose unwanted are not judged
            continue
        ways = [_by_dense(corpus, questions, max(ks)), *(_searched(corpus, questions, max(ks), way) for way in WAYS)]
        rows = [
            [f"{_shows_unwanted(questions, ids, k):.3f}" for k in ks]
            + [f"{100 * _lost(questions, out):.1f}", f"{_gain(questions, ids, SHOWN):.3f}"]
            for ids, out in ways
        ]
        table.add_row(f"{name} ({len(questions)})", *(" / ".join(cells) for cells in zip(*rows, strict=True)))
    return table


def _searched(corpus: Corpus, questions: Sequence[JudgedQuery], k: int, way: str) -> Answers:
    """Search every question; return the ids shown and the ids left out."""
    requests = [one.read for one in questions]
    results = corpus.retriever.search_many(requests, k=k, exclusion=way)
    shown = [[str(document.id) for document in result.documents] for result in results]
    return shown, [{str(one.id) for one in result.left_out} for result in results]


def _by_dense(corpus: Corpus, questions: Sequence[JudgedQuery], k: int) -> Answers:
    return [_dense(corpus, one, k) for one in questions], [set() for _ in questions]


def _shows_unwanted(questions: Sequence[JudgedQuery], answers: Sequence[Sequence[str]], k: int) -> float:
    unwanted = [one.question.violations - one.question.relevant for one in questions]
    return float(np.mean([bool(set(ids[:k]) & bad) for ids, bad in zip(answers, unwanted, strict=True)]))


def _lost(questions: Sequence[JudgedQuery], out: Sequence[set[str]]) -> float:
    """Return the share of the judged relevant passages that is left out."""
    pairs = [(one.question.relevant - one.question.violations, gone) for one, gone in zip(questions, out, strict=True)]
    return sum(len(wanted & gone) for wanted, gone in pairs) / max(1, sum(len(wanted) for wanted, _ in pairs))


def encoders_tables(corpora: Mapping[str, Corpus]) -> list[Table]:
    """Exclusions with other encoders, and their plain questions beside plain dense retrieval."""
    encoders = {"MiniLM": corpora}
    for title, encoder in other_encoders().items():
        sets = {name: corpora[name] for name in (*ENCODED, PLAIN) if name in corpora}
        encoders[title] = {name: over(encoder(corpus.bench), corpus.questions) for name, corpus in sets.items()}
    plain = Table(title=f"Plain questions of ask, nDCG@{BEST}")
    for heading in ("encoder", "questions", "dense", "logical", "logical, words=0"):
        plain.add_column(heading, justify="left" if heading == "encoder" else "right")
    for title, sets in encoders.items():
        questions = [one for one in sets[PLAIN].questions if not negative_terms(one.query)] if PLAIN in sets else []
        if questions:
            requests = [one.read for one in questions]
            dense = [_dense(sets[PLAIN], one, BEST) for one in questions]
            ways = [dense] + [
                [
                    [str(document.id) for document in result.documents]
                    for result in sets[PLAIN].retriever.search_many(requests, words=words)
                ]
                for words in (None, 0.0)
            ]
            plain.add_row(title, str(len(questions)), *(f"{_gain(questions, ids, BEST):.3f}" for ids in ways))
    names = [title for title in encoders if title != "MiniLM"]
    return [*(exclusions_table(encoders[title], (SHOWN,), title) for title in names), plain]


class Recorded:
    """The verdicts of one question.

    Attributes:
        unknown: Whether it was asked about a pair without one.
    """

    name = "recorded"

    def __init__(self, verdicts: Mapping[tuple[str, str], Verdict]) -> None:
        self.verdicts = verdicts
        self.unknown = False

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Verdict | None]:
        """Return the recorded verdicts; None for a pair without one."""
        found = [self.verdicts.get(pair) for pair in zip(terms, passages, strict=True)]
        self.unknown |= None in found
        return found


def recorded(texts: Mapping[str, str]) -> dict[str, Recorded]:
    """Read the recorded verdicts on the exclusions of ``ask``, by question.

    Args:
        texts: The passages by id.
    """
    verdicts: dict[str, dict[tuple[str, str], Verdict]] = {}
    for line in (data_folder() / "ask" / "verdicts.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, term, id, label = line.split("\t")
        verdicts.setdefault(question, {})[term, texts[id]] = LABELS[label]
    return {question: Recorded(own) for question, own in verdicts.items()}


def verified_table(corpus: Corpus) -> Table:
    """Tabulate what a verifier with recorded verdicts changes, and how often it is called."""
    texts = {one.id: one.text for one in corpus.bench.dataset.documents}
    verifiers = recorded(texts)
    table = Table(title=f"A second opinion, {len(corpus.questions)} exclusions of ask, k = {SHOWN}")
    for heading in ("", "unwanted", f"nDCG@{SHOWN}", "calls", "passages read", "without a recorded verdict"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in ("without", "with"):
        found, calls, documents, unknown = [], 0, 0, 0
        for one in corpus.questions:
            verifier = verifiers.get(one.question.id, Recorded({}))
            result = corpus.retriever.search(one.read, k=SHOWN, verify=verifier if name == "with" else False)
            found.append([str(document.id) for document in result.documents])
            opinion = result.second_opinion
            calls, documents = (
                calls + (opinion.calls if opinion else 0),
                documents + (opinion.documents if opinion else 0),
            )
            unknown += verifier.unknown
        unwanted = _shows_unwanted(corpus.questions, found, SHOWN)
        gain = _gain(corpus.questions, found, SHOWN)
        count = len(corpus.questions)
        table.add_row(
            name,
            f"{unwanted:.3f}",
            f"{gain:.3f}",
            f"{calls / count:.2f}",
            f"{documents / count:.1f}",
            f"{unknown} questions",
        )
    return table


def _dense(corpus: Corpus, one: JudgedQuery, k: int) -> list[str]:
    """Return the ids of the k passages nearest to the question's vector."""
    cosines = corpus.bench.products(corpus.bench.vectors([one.question.text]))[0]
    return [corpus.bench.dataset.documents[i].id for i in np.argsort(-cosines, kind="stable")[:k]]


def _gain(questions: Sequence[JudgedQuery], answers: Sequence[Sequence[str]], k: int) -> float:
    """Mean nDCG of the k best."""
    discounts = 1.0 / np.log2(np.arange(2, k + 2))
    gains = [
        sum(discount for discount, id in zip(discounts, ids, strict=False) if id in one.question.relevant)
        / discounts[: len(one.question.relevant)].sum()
        for one, ids in zip(questions, answers, strict=True)
    ]
    return float(np.mean(gains))


def relevance_table(corpora: Mapping[str, Corpus]) -> Table:
    """Calibration of relevance over the best of each question, and its area under the curve."""
    table = Table(
        title=f"Relevance of the {BEST} best: share judged relevant by relevance, error, area under the curve"
    )
    edges = np.linspace(0.0, 1.0, 6)
    headings = [f"{low:.1f}-{high:.1f}" for low, high in pairwise(edges)]
    for heading in ("set", *headings, "ECE", "AUROC", "by score, per question"):
        table.add_column(heading, justify="left" if heading == "set" else "right")
    pooled: list[tuple[Array, npt.NDArray[np.bool_]]] = []
    for name, corpus in corpora.items():
        values, labels, within = [], [], []
        for one in corpus.questions:
            found = corpus.retriever.search(one.read, exclusion="rank").documents
            own = np.array([document.relevance for document in found])
            right = np.array([document.id in one.question.relevant for document in found])
            values.append(own)
            labels.append(right)
            if right.any() and not right.all():
                within.append(_area(own, right))
        flat, right = np.concatenate(values), np.concatenate(labels)
        pooled.append((flat, right))
        table.add_row(name, *_reliability(flat, right, edges), f"{_area(flat, right):.3f}", f"{np.mean(within):.3f}")
    flat, right = (np.concatenate(parts) for parts in zip(*pooled, strict=True))
    table.add_row("all", *_reliability(flat, right, edges), f"{_area(flat, right):.3f}", "")
    return table


def abstention_table(corpora: Mapping[str, Corpus], embedder: SentenceTransformerEmbedder, limit: int) -> Table:
    """Foreign questions that return nothing / own questions that lose the relevant passages of their answer."""
    table = Table(title="Foreign questions that return nothing / own that lose their answer, by least relevance")
    table.add_column("corpus, foreign questions")
    for least in LEAST:
        table.add_column(f"{least}", justify="right")
    for name, other in FOREIGN:
        if name in corpora and other in corpora:
            sets = (corpora[one].bench.dataset for one in (name, other))
            found = abstention(*sets, embedder=embedder, least=LEAST, limit=limit)
            table.add_row(f"{name}, {other}", *(f"{100 * one.empty:.0f} / {100 * one.lost:.0f}" for one in found))
    return table


def _reliability(values: Array, right: npt.NDArray[np.bool_], edges: Array) -> list[str]:
    """Share judged relevant in each bin, both kinds weighing alike, and the expected calibration error."""
    weights = np.where(right, 0.5 / max(right.sum(), 1), 0.5 / max((~right).sum(), 1))
    bins = np.clip(np.digitize(values, edges) - 1, 0, len(edges) - 2)
    cells, error = [], 0.0
    for b in range(len(edges) - 1):
        here = bins == b
        weight = weights[here].sum()
        if not weight:
            cells.append("-")
            continue
        share = weights[here & right].sum() / weight
        error += weight * abs(share - (weights[here] * values[here]).sum() / weight)
        cells.append(f"{share:.2f}")
    return [*cells, f"{error:.3f}"]


def _area(values: Array, right: npt.NDArray[np.bool_]) -> float:
    """Area under the ROC curve: how often a relevant passage stands above another, ties for half."""
    above, below = values[right][:, None], values[~right][None]
    return float((above > below).mean() + 0.5 * (above == below).mean())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=200, help="questions a set, spread over the file")
    parser.add_argument("--tables", default="exclusions,encoders,demo,verify,relevance,abstention")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    embedder = SentenceTransformerEmbedder()
    read_sets = {name: read(name, form, embedder, arguments.limit) for name, form in SETS}
    corpora = {name: corpus for name, corpus in read_sets.items() if corpus is not None}
    tables = {
        "exclusions": lambda: [exclusions_table(corpora)],
        "encoders": lambda: encoders_tables(corpora),
        "demo": lambda: [demo_table(embedder)],
        "verify": lambda: [verified_table(corpora["ask exclusions"])] if "ask exclusions" in corpora else [],
        "relevance": lambda: [relevance_table(corpora)],
        "abstention": lambda: [abstention_table(corpora, embedder, arguments.limit)],
    }
    for name in arguments.tables.split(","):
        for table in tables[name]():
            console.print(table)


if __name__ == "__main__":
    main()
