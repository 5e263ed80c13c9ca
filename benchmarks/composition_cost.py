"""Cost of the calibrated default beside the ITLR composition and a plain dense search, in one run.

Four figures a query form, all over the same vectors:

- composing: scores of all documents from cosines that are at hand, the ten best picked;
- searching: LogicalRetriever over an InMemoryStore, evidence from vectors alone, vectors of the query encoded
  beforehand;
- searching, with the question: the same where the query was made of a question, which is one more text to compare
  with for the default, and none for ITLR;
- the same, with words: the default as it is without any option, by an index of the words of every text.

Times are processor seconds, the least of several rounds in which the methods take turns, so that a busy machine slows
all of them alike.

    python benchmarks/composition_cost.py [--documents 100000] [--rounds 15]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from logical_retriever import LogicalRetriever, parse
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.search import EvidenceSource, top_k
from logical_retriever.semantics import CalibratedSemantics, Evidence, ItlrSemantics, NullModel, Semantics
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.transform import Transformation

DIMENSION = 384
FORMS = ('"a" AND NOT "b"', '("a" OR "b") AND NOT "c"', '"a" AND "b" AND NOT "c" AND NOT "d"')
QUESTION = "the question"
TARGET = 1.1
"""Times ITLR, for a query that the caller wrote."""
K = 10

Vectors = npt.NDArray[np.float32]


class Known:
    """Vectors that were encoded beforehand, by text."""

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self._vectors = vectors

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (T, d)."""
        return np.stack([self._vectors[text] for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (N, d): background sentences get vectors of their own."""
        return _unit(np.random.default_rng(len(texts)).normal(size=(len(texts), DIMENSION)))


def main() -> None:
    """Print the table; the status is 1 where composing costs more than the target allows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    # A common direction, as real encoders have: cosines of unrelated texts are not 0 on average.
    documents = _unit(rng.normal(size=(arguments.documents, DIMENSION)) + 0.3)
    texts = _unit(rng.normal(size=(5, DIMENSION)) + 0.3)
    known = Known(dict(zip(("a", "b", "c", "d", QUESTION), texts, strict=True)))
    nulls = NullModel.fit(documents[:2000])
    ids = [f"{row:07}" for row in range(len(documents))]
    store = InMemoryStore([StoredDocument(*each) for each in zip(ids, _texts(rng, len(ids)), strict=True)], documents)
    console = Console(width=None if sys.stdout.isatty() else 160)
    table = Table(title=f"Milliseconds a query over {len(documents):,} documents of dimension {DIMENSION}")
    for column in ("query", "what", "dense", "itlr", "calibrated", "calibrated / itlr"):
        table.add_column(column, justify="left" if column in ("query", "what") else "right")
    ratios: dict[str, list[float]] = {}
    for form in FORMS:
        query = parse(form)
        for what, runs in (
            ("composing", _composing(query, known, documents, nulls, ids)),
            ("searching", _searching(query, known, store, asked=False, evidence="dense")),
            ("searching, with the question", _searching(query, known, store, asked=True, evidence="dense")),
            ("the same, with words", _searching(query, known, store, asked=True, evidence="auto")),
        ):
            seconds = _best(runs, arguments.rounds)
            ratio = seconds["calibrated"] / seconds["itlr"]
            table.add_row(form, what, *(f"{1000 * value:.2f}" for value in seconds.values()), f"{ratio:.2f}")
            ratios.setdefault(what, []).append(ratio)
    console.print(table)
    for what, own in ratios.items():
        console.print(f"{what}: {sum(own) / len(own):.2f} times ITLR on average, {max(own):.2f} at most")
    worst = max(ratios["searching"])
    console.print(f"The target, for a query over vectors: at most {TARGET}.")
    sys.exit(worst > TARGET)


def _texts(rng: np.random.Generator, count: int) -> list[str]:
    """Passages of 60 words each; a few words are frequent and many are rare, as in any language."""
    words = np.array([f"w{rank}" for rank in range(20_000)])
    ranks = np.minimum(rng.zipf(1.3, size=(count, 60)) - 1, len(words) - 1)
    return [" ".join(row) for row in words[ranks]]


def _composing(
    query: LogicalQuery, known: Known, documents: Vectors, nulls: NullModel, ids: list[str]
) -> dict[str, Callable[[], object]]:
    """Scores and the best ten from cosines that are at hand."""

    def run(semantics: Semantics, query: LogicalQuery) -> Callable[[], object]:
        texts = semantics.texts(query)
        vectors = known.embed_queries(texts)
        cosines = np.asarray(vectors @ documents.T, dtype=np.float64)
        evidence = Evidence(texts, cosines, nulls.of(vectors))
        return lambda: top_k(semantics.compose(query, evidence).scores, ids, K)

    return {
        "dense": run(ItlrSemantics(), Term("a")),
        "itlr": run(ItlrSemantics(), query),
        "calibrated": run(CalibratedSemantics(), query),
    }


def _searching(
    query: LogicalQuery, known: Known, store: InMemoryStore, *, asked: bool, evidence: EvidenceSource
) -> dict[str, Callable[[], object]]:
    """The retriever over a store in memory."""
    made = Transformation(QUESTION, query, method="recorded" if asked else "given")

    def run(semantics: Semantics, what: LogicalQuery | Transformation) -> Callable[[], object]:
        retriever = LogicalRetriever(store, known, semantics=semantics, k=K, evidence=evidence)
        return lambda: retriever.search(what)

    return {
        "dense": run(ItlrSemantics(), Term("a")),
        "itlr": run(ItlrSemantics(), made),
        "calibrated": run(CalibratedSemantics(), made),
    }


def _best(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Least processor seconds of each, the runs taking turns; one round before is not counted."""
    best = dict.fromkeys(runs, float("inf"))
    for counted in range(rounds + 1):
        for name, run in runs.items():
            started = time.process_time()
            run()
            if counted:
                best[name] = min(best[name], time.process_time() - started)
    return best


def _unit(rows: npt.NDArray[np.float64]) -> Vectors:
    scaled: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


if __name__ == "__main__":
    main()
