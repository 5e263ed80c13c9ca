"""How much of a store the threshold algorithm reads until the best ten are proved, and what a fixed union finds.

For every set below DATA_DIR (BEIR's layout, with ``logical_forms.<prompt>.tsv`` and document vectors), every question
whose logical form has an operator is searched through a store that is never scanned; the truth is the ranking of all
documents. Then 20,000 synthetic documents in 200 clusters, the hard case, with and without a budget.

    python benchmarks/search_depth.py DATA_DIR [--limit 200] [--store exact,chroma] [--semantics itlr,calibrated]
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import load_dataset
from logical_retriever.query import LogicalQuery, Term, has_logic, parse
from logical_retriever.search import StatisticsCache, open_ended, plan_search, run_search
from logical_retriever.semantics import Evidence, Semantics, get_semantics
from logical_retriever.stores import ChromaStore, InMemoryStore, Store, StoredDocument
from logical_retriever.testing.searching import RemoteStore
from logical_retriever.vectors import cosines, unit

SETS = ("negconstraint", "excluir", "boolquestions_not", "comlq")
PROMPTS = ("prompt_a", "prompt_c")
VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"
UNIONS = (50, 100, 500)
K = 10
SHAPES = (("A AND NOT B", 1, 1), ("A AND B", 2, 0), ("A AND B AND NOT C", 2, 1), ("A AND B AND C AND NOT D", 3, 1))
BUDGETS = (None, 1000)
CLOSE = 1e-6
"""Scores closer than float32 cosines can tell apart count as equal."""

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    """A query with the vectors of its texts."""

    query: LogicalQuery
    question: str | None
    vector: Callable[[str], Vectors]


@dataclass(frozen=True)
class Measured:
    """What one search cost and found."""

    share: float
    recall: float
    unions: tuple[float, ...]
    proved: bool
    exact: bool
    calls: int
    gap: float


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    started = time.perf_counter()
    print(f"best {K}; share: part of the store that was read; p90 over questions; recall against scoring everything")
    for name in filter(None, arguments.sets.split(",")):
        for prompt in arguments.prompts.split(","):
            _dataset(Path(arguments.data) / name, prompt, arguments)
    if not arguments.no_synthetic:
        _synthetic(arguments)
    print(f"\n{time.perf_counter() - started:.0f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", metavar="DATA_DIR")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--prompts", default=",".join(PROMPTS))
    parser.add_argument("--semantics", default="itlr,product,calibrated")
    parser.add_argument("--store", default="exact", help="exact, chroma, or both, separated by a comma")
    parser.add_argument("--limit", type=int, default=None, help="questions per set")
    parser.add_argument("--no-synthetic", action="store_true")
    return parser.parse_args()


def _dataset(folder: Path, prompt: str, arguments: argparse.Namespace) -> None:
    if not folder.is_dir():
        print(f"{folder} does not exist: skipped")
        return
    data = load_dataset(folder, logical_forms=folder / f"logical_forms.{prompt}.tsv", vectors=folder / VECTORS)
    if data.vectors is None:
        raise SystemExit(f"{folder} has no vectors")
    queries = [(parse(question.form), question.text) for question in data.questions[: arguments.limit] if question.form]
    logical = [(query, text) for query, text in queries if has_logic(query)]
    closed = [(query, text) for query, text in logical if not open_ended(query)]
    encoded = _encoded([text for query, question in closed for text in (*query.terms(), question)], folder.name, prompt)
    cases = [Case(query, question, encoded.__getitem__) for query, question in closed]
    documents = [StoredDocument(document.id, document.text) for document in data.documents]
    print(
        f"\n{folder.name}, {prompt}: {len(documents)} documents, {len(cases)} questions"
        f" ({len(logical) - len(closed)} more are scanned: documents about none of their terms answer them)"
    )
    _header()
    vectors = np.asarray(data.vectors, dtype=np.float32)
    for kind in arguments.store.split(","):
        with _store(kind, documents, vectors) as store:
            for name in arguments.semantics.split(","):
                _row(f"{kind} {name}", _measure(cases, store, documents, vectors, get_semantics(name)))


def _encoded(texts: Sequence[str], name: str, prompt: str) -> dict[str, Vectors]:
    """Vectors by text, encoded once per machine."""
    texts = list(dict.fromkeys(texts))
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    cache = Path(tempfile.gettempdir()) / f"logical-retriever-{name}-{prompt}-{digest}.npy"
    if not cache.exists():
        np.save(cache, SentenceTransformerEmbedder().embed_documents(texts))
    return dict(zip(texts, np.load(cache), strict=True))


class _store:  # a context manager that reads as a function
    """A store that is not scanned, filled with these documents."""

    def __init__(self, kind: str, documents: Sequence[StoredDocument], vectors: Vectors) -> None:
        self.kind, self.documents, self.vectors = kind, documents, vectors
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def __enter__(self) -> Store:
        if self.kind == "exact":
            return RemoteStore(self.documents, self.vectors)
        import chromadb

        client = chromadb.PersistentClient(self.folder.name)
        configuration = {"hnsw": {"space": "cosine"}}
        collection = client.create_collection("docs", embedding_function=None, configuration=configuration)
        for start in range(0, len(self.documents), 5000):
            part = self.documents[start : start + 5000]
            collection.add(
                ids=[document.id for document in part],
                documents=[document.text for document in part],
                embeddings=self.vectors[start : start + 5000],
            )
        return ChromaStore(collection)

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _measure(
    cases: Sequence[Case],
    store: Store,
    documents: Sequence[StoredDocument],
    vectors: Vectors,
    semantics: Semantics,
    **options: int | None,
) -> list[Measured]:
    here = InMemoryStore(documents, vectors)
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
    plan = plan_search(
        case.query,
        store=store,
        semantics=semantics,
        k=K,
        evidence="dense",
        question=case.question,
        max_candidates=options.get("max_candidates"),
    )
    rows = np.array([case.vector(text) for text in plan.texts])
    result = run_search(case.query, plan, rows, store=store, semantics=semantics, statistics=statistics, k=K)
    (everything,) = here.scan()
    sample = statistics.get(store, here.count()) if semantics.calibrated else None
    nulls = sample.nulls.of(unit(rows)) if sample is not None else None
    evidence = Evidence(plan.texts, cosines(rows, everything.vectors), nulls, question=case.question)
    scores = semantics.compose(case.query, evidence).scores
    truth = dict(zip(everything.ids, scores.tolist(), strict=True))
    threshold = float(np.sort(scores)[-K]) - CLOSE
    lists = here.search(np.array([case.vector(text) for text in plan.probes]), max(UNIONS))
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


def _header() -> None:
    unions = "".join(f"{f'N={n}':>8}" for n in UNIONS)
    print(
        f"{'':34}{'share':>8}{'p90':>8}{'most':>8}{'recall':>8}{'proved':>8}{'exact':>8}{'calls':>7}{'gap':>8}{unions}"
    )


def _row(name: str, measured: Sequence[Measured]) -> None:
    if not measured:
        print(f"{name:34} no question")
        return
    shares = np.array([one.share for one in measured])
    means = [np.mean([getattr(one, key) for one in measured]) for key in ("recall", "proved", "exact", "calls", "gap")]
    unions = np.mean([one.unions for one in measured], axis=0)
    print(
        f"{name:34}{shares.mean():8.2%}{np.percentile(shares, 90):8.2%}{shares.max():8.2%}"
        f"{means[0]:8.3f}{means[1]:8.3f}{means[2]:8.3f}{means[3]:7.1f}{means[4]:8.3f}"
        + "".join(f"{recall:8.3f}" for recall in unions)
    )


def _synthetic(arguments: argparse.Namespace, count: int = 20_000, dimension: int = 384, queries: int = 25) -> None:
    """Clusters far apart: no document is near two terms, so that lists tell little about what they leave out."""
    rng = np.random.default_rng(7)
    centres = _unit(rng.normal(size=(200, dimension)))
    vectors = _unit(centres[rng.integers(200, size=count)] + rng.normal(size=(count, dimension)) / dimension**0.5)
    documents = [StoredDocument(f"{i:05}", "") for i in range(count)]
    store = RemoteStore(documents, vectors)
    print(f"\nsynthetic: {count} documents around 200 centres, {queries} queries a row")
    _header()
    for name in arguments.semantics.split(","):
        for shape, positives, negated in SHAPES:
            cases = list(_clustered(rng, centres, positives, negated, queries))
            for budget in BUDGETS:
                label = f"{name} {shape}" + (f", <= {budget}" if budget is not None else "")
                measured = _measure(cases, store, documents, vectors, get_semantics(name), max_candidates=budget)
                _row(label, measured)


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
