"""How the default's constants do on sets that had no part in choosing them.

For every set, constants are chosen on the other sets: beginning at the shipped ones, one constant at a time is moved
along a grid as long as the mean over these sets rises. What they reach on the set left out is printed beside what the
shipped constants and those chosen on all sets reach. A set's figure is the mean of nDCG@10 and, where there is one, of
its second figure in benchmarks/quality.py. Evidence is computed once: that of the documents that are best by vectors,
and of those that are best with words, under the shipped constants.

Sets are those of benchmarks/quality.py, with prompt_c forms, and its further sets.

    python benchmarks/leave_one_out.py [--sweeps 2] [--limit 200] [--moves]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt
from benchmark_sets import FURTHER, SAMPLE, SETS, read_set
from quality import has_negation
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import Dataset, JudgedQuery
from logical_retriever.evaluation.run import read_question
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lexical import WordIndex, own_words
from logical_retriever.options import DEFAULT_FETCH_K, SearchOptions
from logical_retriever.query import LogicalQuery
from logical_retriever.scoring import CalibratedConstants, CalibratedSemantics, Evidence
from logical_retriever.search.question import Question as SearchedQuestion
from logical_retriever.search.statistics import StoreStatistics
from logical_retriever.stores import InMemoryStore

K = 10
GRID: dict[str, tuple[float, ...]] = {
    "lexical": (1.0, 1.2, 1.4, 1.6, 1.8),
    "asked": (0.0, 0.15, 0.3, 0.5, 0.8),
    "asked_lexical": (0.0, 0.1, 0.2, 0.3, 0.5),
    "onset_lexical": (-0.5, 0.0, 0.5, 1.0, 1.5),
    "onset": (1.0, 2.0, 3.0, 4.0, 5.0),
    "exclusion": (0.4, 0.5, 0.6, 0.75, 1.0),
}

Figures = tuple[float, ...]
Scored = Callable[[CalibratedConstants], Mapping[str, Figures]]


@dataclass(frozen=True)
class Case:
    """One question with everything that scores are made of.

    Attributes:
        query: What is searched for.
        evidence: Of the n documents that may be in the answer.
        gains: Shape (n,): relevance grades.
        ideal: Discounted gain of the best possible ranking.
        wanted: Positions of relevant documents among the n.
        unwanted: Positions of documents about what is excluded.
        judged: Whether wanted-above-unwanted is defined.
        negated: Whether its type has a negation.
    """

    query: LogicalQuery
    evidence: Evidence
    gains: npt.NDArray[np.float64]
    ideal: float
    wanted: npt.NDArray[np.intp]
    unwanted: npt.NDArray[np.intp]
    judged: bool
    negated: bool


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweeps", type=int, default=2, help="times that every constant is moved")
    parser.add_argument("--moves", action="store_true", help="print what every single move from the shipped ones does")
    parser.add_argument("--limit", type=int, default=None, help="questions a set")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    embedder = SentenceTransformerEmbedder()
    started = time.perf_counter()
    cases: dict[str, list[Case]] = {}
    for name, form in (*((name, "prompt_c") for name in (*SETS, SAMPLE)), *FURTHER):
        dataset = read_set(name, form)
        if dataset is None:
            continue
        cases[name] = cases_of(replace(dataset, questions=dataset.questions[: arguments.limit]), embedder)
        print(f"{name}: {time.perf_counter() - started:.0f} s so far", file=sys.stderr)
    known: dict[CalibratedConstants, Mapping[str, Figures]] = {}

    def scored(constants: CalibratedConstants) -> Mapping[str, Figures]:
        if constants not in known:
            known[constants] = {name: figures(own, constants) for name, own in cases.items()}
        return known[constants]

    shipped = scored(CalibratedConstants())
    if arguments.moves:
        console.print(_moves(scored, tuple(cases)))
        return
    everywhere = chosen(scored, tuple(cases), arguments.sweeps)
    table = Table(title="The default with constants chosen on other sets", title_justify="left")
    for heading in ("set", "shipped", "chosen on all sets", "chosen on the others", "what they are"):
        table.add_column(heading, no_wrap=heading != "what they are")
    for name in cases:
        others = chosen(scored, tuple(other for other in cases if other != name), arguments.sweeps)
        found = (shipped[name], scored(everywhere)[name], scored(others)[name])
        table.add_row(name, *map(_shown, found), _moved(others))
    console.print(table)
    console.print(f"Chosen on all sets: {_moved(everywhere)}.")
    console.print(f"{len(known)} settings, {time.perf_counter() - started:.0f} s")


def chosen(scored: Scored, sets: Sequence[str], sweeps: int) -> CalibratedConstants:
    """Constants that are best on the mean over some sets, found one constant at a time."""

    def worth(constants: CalibratedConstants) -> float:
        return float(np.mean([np.mean(scored(constants)[name]) for name in sets]))

    best = CalibratedConstants()
    for _ in range(sweeps):
        for constant, values in GRID.items():
            # The first of equals, and the current one before all: what makes no difference stays as it is.
            best = max((best, *(replace(best, **{constant: value}) for value in values)), key=worth)
    return best


def figures(cases: Sequence[Case], constants: CalibratedConstants) -> Figures:
    """nDCG@10 over the cases, and the set's second figure where it has one."""
    semantics = CalibratedSemantics(constants)
    discounts = 1.0 / np.log2(np.arange(2, K + 2))
    quality, negated, above = [], [], []
    for case in cases:
        scores = semantics.compose(case.query, case.evidence)
        gains = case.gains[np.argsort(-scores, kind="stable")[:K]]
        quality.append(float(gains @ discounts[: len(gains)]) / case.ideal if case.ideal else 0.0)
        if case.negated:
            negated.append(quality[-1])
        if case.judged:
            best, worst = scores[case.wanted].max(initial=-np.inf), scores[case.unwanted].max(initial=-np.inf)
            above.append(float(best > worst))
    second = above or negated
    return (float(np.mean(quality)), *([float(np.mean(second))] if second else []))


def cases_of(dataset: Dataset, embedder: SentenceTransformerEmbedder) -> list[Case]:
    """Evidence for every question of a set."""
    bench = Workbench(dataset, embedder)
    semantics = CalibratedSemantics()
    store = InMemoryStore(bench.dataset.documents, bench.document_vectors)
    statistics = StoreStatistics(store, embedder).current(store.count())
    if statistics is None:
        raise ValueError(dataset.name)
    words = WordIndex.of(document.text for document in dataset.documents)
    prepared = [JudgedQuery(one, read_question(one, None)) for one in dataset.questions]
    readings = [one.read for one in prepared]
    made = [
        (SearchedQuestion.of(one, SearchOptions(semantics=semantics)).scored, None if one.written else one.question)
        for one in readings
    ]
    bench.encode(text for query, question in made for text in semantics.texts(query, question))
    cases = []
    for one, (query, question) in zip(prepared, made, strict=True):
        texts = semantics.texts(query, question)
        vectors = bench.vectors(texts)
        cosines, nulls = bench.products(vectors), statistics.null_model.of(vectors)
        rows = bench.view(one.question).rows
        lexical = {
            bag: statistics.word_statistics.evidence(own_words(bag.text, bag.without, bag.keeping), words)
            for bag in semantics.bags(query, question)
        }
        if one.question.candidates is None:
            known = [Evidence(texts, cosines, nulls, own, question) for own in ({}, lexical)]
            best = [np.argsort(-semantics.compose(query, own), kind="stable")[:DEFAULT_FETCH_K] for own in known]
            rows = np.unique(np.concatenate(best))
        lexical = {bag: values[rows] for bag, values in lexical.items()}
        places = {dataset.documents[row].id: place for place, row in enumerate(rows)}
        cases.append(_case(one, query, Evidence(texts, cosines[:, rows], nulls, lexical, question), places))
    return cases


def _case(one: JudgedQuery, query: LogicalQuery, evidence: Evidence, places: Mapping[str, int]) -> Case:
    gains = np.zeros(len(places))
    for document, grade in one.question.relevance.items():
        if document in places:
            gains[places[document]] = grade
    best = np.sort(np.array([*one.question.relevance.values(), 0.0], dtype=np.float64))[::-1][:K]
    wanted, unwanted = (
        np.array([places[document] for document in documents if document in places], dtype=np.intp)
        for documents in (one.question.relevant, one.question.violations)
    )
    return Case(
        query,
        evidence,
        gains,
        float(best @ (1.0 / np.log2(np.arange(2, len(best) + 2)))),
        wanted,
        unwanted,
        judged=bool(one.question.relevant and one.question.violations),
        negated=has_negation(one),
    )


def _moves(scored: Scored, sets: Sequence[str]) -> Table:
    table = Table(title="One constant moved, the others as shipped", title_justify="left")
    for heading in ("constant", *sets):
        table.add_column(heading, no_wrap=True)
    table.add_row("as shipped", *(_shown(scored(CalibratedConstants())[name]) for name in sets), end_section=True)
    for constant, values in GRID.items():
        for value in values:
            moved = replace(CalibratedConstants(), **{constant: value})
            if moved != CalibratedConstants():
                table.add_row(f"{constant} {value:g}", *(_shown(scored(moved)[name]) for name in sets))
    return table


def _shown(figures: Figures) -> str:
    return " / ".join(f"{figure:.3f}" for figure in figures)


def _moved(constants: CalibratedConstants) -> str:
    shipped = asdict(CalibratedConstants())
    moved = [f"{name} {value:g}" for name, value in asdict(constants).items() if value != shipped[name]]
    return ", ".join(moved) if moved else "as shipped"


if __name__ == "__main__":
    main()
