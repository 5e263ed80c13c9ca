"""How much of a store the threshold algorithm reads until the best ten are proved, and what a fixed union finds.

For every set below DATA_DIR (BEIR's layout, with ``logical_forms.<prompt>.tsv`` and document vectors), questions whose
logical form has an operator are searched through real stores by their LangChain adapters, never by a scan; the truth is
the ranking of all documents. Then 20,000 synthetic documents in 200 clusters, the hard case, with and without a budget.

    python benchmarks/search_depth.py DATA_DIR [--limit 100] [--store faiss,chroma] [--markdown]
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmark_sets import SETS, VECTORS
from remote_store import RemoteStore
from vector_stores import KINDS, GivenEmbeddings, identity, opened

from langchain_logical_retriever.stores import as_store
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import load_dataset
from logical_retriever.query import LogicalQuery, Term, has_logic, parse
from logical_retriever.search import (
    MAX_CANDIDATES,
    Problem,
    SearchOptions,
    StatisticsCache,
    open_ended,
    plan_search,
    run_search,
)
from logical_retriever.semantics import Evidence, Semantics, get_semantics
from logical_retriever.stores import InMemoryStore, Store, StoredDocument
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.vectors import cosines, unit

UNIONS = (50, 100, 500)
K = 10
SHAPES = (("A AND NOT B", 1, 1), ("A AND B", 2, 0), ("A AND B AND NOT C", 2, 1), ("A AND B AND C AND NOT D", 3, 1))
BUDGETS = (None, 1000)
CLOSE = 1e-6
"""Scores closer than float32 cosines can tell apart count as equal."""

COLUMNS = ("read", "p90", "most", "recall", "proved", "exact", "calls", "gap", *(f"N={n}" for n in UNIONS))

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """A query with the vectors of its texts."""

    query: LogicalQuery
    question: str | None
    vector: Callable[[str], Vectors]


@dataclass(frozen=True)
class Measured:
    """Cost and findings of one search."""

    share: float
    recall: float
    unions: tuple[float, ...]
    proved: bool
    exact: bool
    calls: int
    gap: float


@dataclass
class Table:
    """Rows as they are measured, in columns of text or in Markdown.

    Attributes:
        markdown: Whether to print Markdown.
        by_store: What was measured of all sets, by store and semantics.
    """

    markdown: bool
    by_store: dict[tuple[str, str], list[Measured]] = field(default_factory=dict)

    def head(self, title: str) -> None:
        """A title and the names of the columns."""
        print(f"\n**{title}**\n" if self.markdown else f"\n{title}")
        self._print("", COLUMNS)
        if self.markdown:
            print("|---|" + "---:|" * len(COLUMNS))

    def row(self, name: str, measured: Sequence[Measured]) -> None:
        """Means over questions."""
        if not measured:
            return self._print(name, ("no question",))
        shares = np.array([one.share for one in measured])
        means = [np.mean([getattr(one, key) for one in measured]) for key in ("proved", "exact", "calls", "gap")]
        recall = np.mean([one.recall for one in measured])
        unions = np.mean([one.unions for one in measured], axis=0)
        cells = [f"{shares.mean():.2%}", f"{np.percentile(shares, 90):.2%}", f"{shares.max():.2%}", f"{recall:.3f}"]
        cells += [f"{means[0]:.1%}", f"{means[1]:.1%}", f"{means[2]:.1f}", f"{means[3]:.3f}"]
        return self._print(name, (*cells, *(f"{union:.3f}" for union in unions)))

    def _print(self, name: str, cells: Sequence[str]) -> None:
        if self.markdown:
            print(f"| {name} | {' | '.join(cells)} |")
        else:
            print(f"{name:44}" + "".join(f"{cell:>9}" for cell in cells))


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    table = Table(arguments.markdown)
    started = time.perf_counter()
    print(f"Best {K}. Read: share of the documents whose vectors were read; N: recall of a union of lists of N.")
    for name in filter(None, arguments.sets.split(",")):
        _dataset(Path(arguments.data) / name, arguments, table)
    if table.by_store:
        table.head("all sets together")
        for (kind, name), measured in table.by_store.items():
            table.row(f"{kind}, {name}", measured)
    if not arguments.no_synthetic:
        _synthetic(arguments, table)
    print(f"\n{time.perf_counter() - started:.0f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", metavar="DATA_DIR")
    parser.add_argument("--sets", default=",".join(SETS), help="none of them: --sets ''")
    parser.add_argument("--prompt", default="prompt_c")
    parser.add_argument("--semantics", default="itlr,calibrated")
    parser.add_argument("--store", default=",".join(("exact", *KINDS)), help="exact is this package's, unscanned")
    parser.add_argument("--limit", type=int, default=100, help="questions per set, taken evenly")
    parser.add_argument("--no-synthetic", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def _dataset(folder: Path, arguments: argparse.Namespace, table: Table) -> None:
    if not folder.is_dir():
        print(f"{folder} does not exist: skipped")
        return
    data = load_dataset(
        folder, logical_forms=folder / f"logical_forms.{arguments.prompt}.tsv", vectors=folder / VECTORS
    )
    if data.vectors is None:
        raise SystemExit(f"{folder} has no vectors")
    queries = [(parse(question.form), question.text) for question in data.questions if question.form]
    logical = [(query, text) for query, text in queries if has_logic(query)]
    closed = [(query, text) for query, text in logical if not open_ended(query)]
    closed = closed[:: max(1, len(closed) // arguments.limit)][: arguments.limit]
    encoded = _encoded([text for query, question in closed for text in (*query.terms(), question)], folder.name)
    cases = [Case(query, question, encoded.__getitem__) for query, question in closed]
    texts = [document.text for document in data.documents]
    vectors = np.asarray(data.vectors, dtype=np.float32)
    here = InMemoryStore([StoredDocument(identity(i), text) for i, text in enumerate(texts)], vectors)
    table.head(f"{folder.name}, {arguments.prompt}: {len(texts)} documents, {len(cases)} questions")
    for kind in arguments.store.split(","):
        with _store(kind, texts, vectors) as store:
            for name in arguments.semantics.split(","):
                measured = _measure(cases, store, here, get_semantics(name))
                table.by_store.setdefault((kind, name), []).extend(measured)
                table.row(f"{kind}, {name}", measured)


@contextmanager
def _store(kind: str, texts: Sequence[str], vectors: Vectors) -> Iterator[Store]:
    """A store with these documents that is not scanned."""
    if kind == "exact":
        yield RemoteStore([StoredDocument(identity(i), text) for i, text in enumerate(texts)], vectors)
        return
    with opened(kind, texts, vectors, GivenEmbeddings({"": vectors[0]})) as vectorstore:
        yield WithoutScan(as_store(vectorstore))


def _encoded(texts: Sequence[str], name: str) -> dict[str, Vectors]:
    """Vectors by text, encoded once per machine."""
    texts = list(dict.fromkeys(texts))
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    cache = Path(tempfile.gettempdir()) / f"logical-retriever-{name}-{digest}.npy"
    if not cache.exists():
        np.save(cache, SentenceTransformerEmbedder().embed_documents(texts))
    return dict(zip(texts, np.load(cache), strict=True))


def _measure(
    cases: Sequence[Case],
    store: Store,
    here: InMemoryStore,
    semantics: Semantics,
    **options: int | None,
) -> list[Measured]:
    statistics = StatisticsCache()
    return [_searched(case, store, here, semantics, statistics, options) for case in cases]


def _searched(
    case: Case,
    store: Store,
    here: InMemoryStore,
    semantics: Semantics,
    statistics: StatisticsCache,
    options: dict[str, int | None],
) -> Measured:
    limit = options.get("max_candidates", MAX_CANDIDATES)
    problem = Problem.of(case.query, semantics, case.question)
    plan = plan_search(problem, store, SearchOptions(k=K, evidence="dense", max_candidates=limit, pushdown="never"))
    rows = np.array([case.vector(text) for text in plan.texts])
    result = run_search(problem.encoded(plan.texts, rows), plan, store, statistics)
    (everything,) = here.scan()
    sample = statistics.get(store, here.count()) if semantics.calibrated else None
    nulls = sample.nulls.of(unit(rows)) if sample is not None else None
    evidence = Evidence(plan.texts, cosines(rows, everything.vectors), nulls, question=case.question)
    scores = semantics.compose(case.query, evidence).scores
    truth = dict(zip(everything.ids, scores.tolist(), strict=True))
    threshold = float(np.sort(scores)[-K]) - CLOSE
    lists = here.search(np.array([case.vector(text) for text in plan.wanted_texts]), max(UNIONS))
    return Measured(
        share=result.candidates / here.count(),
        recall=sum(truth[document.id] >= threshold for document in result.documents) / K,
        unions=tuple(_union_recall([ids[:n] for ids in lists], truth, threshold) for n in UNIONS),
        proved=result.proved,
        exact=result.exact,
        calls=result.store_calls,
        gap=0.0 if result.gap is None else result.gap,
    )


def _union_recall(lists: Sequence[Sequence[str]], truth: dict[str, float], threshold: float) -> float:
    found = {id for ids in lists for id in ids if truth[id] >= threshold}
    return min(1.0, len(found) / K)


def _synthetic(
    arguments: argparse.Namespace, table: Table, count: int = 20_000, dimension: int = 384, queries: int = 25
) -> None:
    """Clusters far apart: no document is near two terms, so that lists tell little about what they leave out."""
    rng = np.random.default_rng(7)
    centres = _unit(rng.normal(size=(200, dimension)))
    vectors = _unit(centres[rng.integers(200, size=count)] + rng.normal(size=(count, dimension)) / dimension**0.5)
    documents = [StoredDocument(f"{i:05}", "") for i in range(count)]
    store = RemoteStore(documents, vectors)
    here = InMemoryStore(documents, vectors)
    table.head(f"synthetic: {count} documents around 200 centres, {queries} queries a row")
    for name in arguments.semantics.split(","):
        for shape, positives, negated in SHAPES:
            cases = list(_clustered(rng, centres, positives, negated, queries))
            for budget in BUDGETS:
                label = f"{name}, {shape}" + (f", budget {budget}" if budget is not None else "")
                table.row(label, _measure(cases, store, here, get_semantics(name), max_candidates=budget))


def _clustered(rng: np.random.Generator, centres: Vectors, positives: int, negated: int, count: int) -> Iterator[Case]:
    """Terms near random centres; a negated term shares the centre of a wanted one half the time."""
    for _ in range(count):
        chosen = list(rng.choice(len(centres), positives + negated, replace=False))
        if negated and rng.random() < 0.5:
            chosen[-1] = chosen[0]
        rows = _unit(centres[chosen] + rng.normal(size=(len(chosen), centres.shape[1])) / centres.shape[1] ** 0.5)
        terms = [Term(f"t{i}") for i in range(len(chosen))]
        query: LogicalQuery = terms[0]
        for i, term in enumerate(terms[1:], start=1):
            query = query & (term if i < positives else ~term)
        vectors = {term.text: row for term, row in zip(terms, rows, strict=True)}
        yield Case(query, None, vectors.__getitem__)


def _unit(rows: npt.NDArray[np.float64]) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


if __name__ == "__main__":
    main()
