"""The best of all documents, scored while they are walked through: memory does not grow with the store."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Plan
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.contenders import Contenders
from logical_retriever.search.kernel import Kernel, compiled_kernel
from logical_retriever.search.ranking import check_scores, top_k
from logical_retriever.semantics import Evidence, Nulls, Semantics
from logical_retriever.stores.base import VectorBatch
from logical_retriever.vectors import Vectors, cosines, precise_cosines, unit

BLOCK = 32_768
"""Documents scored at once: what is computed of them stays in the processor's cache."""
WORKERS = 8
"""Most threads that score the blocks of a large batch: a few read memory as fast as it can be read."""
KERNEL_FROM = 100_000
"""Documents in memory from which the optional kernel is worth loading."""
ROUNDING = 1e-5
"""How far rounding of float32 cosines moves a score at most, relative to it or to 1."""
TIES = 1000
"""Documents kept beyond the n best because their scores are as good up to rounding."""

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Scoring:
    """How documents are scored by their vectors.

    Attributes:
        query: The query.
        plan: With the T texts.
        semantics: Composes the scores, each from the document's own cosines alone.
        nulls: Null distributions of the texts where the semantics is calibrated.
    """

    query: LogicalQuery
    plan: Plan
    semantics: Semantics
    nulls: Nulls | None
    _contenders: Contenders = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_contenders", Contenders(self.query, self.plan, self.semantics, self.nulls))

    def choose(self, cosines: Array, floor: float) -> Rows | None:
        """Rows, ascending, among which all are that may score ``floor``; None for all. Cosines: shape (T, N)."""
        return self._contenders.choose(cosines, floor)

    def floor(self, cosines: Array, n: int) -> float:
        """A score that n of these documents reach, where a few of them tell; else -inf. Cosines: shape (T, N)."""
        rows = self._contenders.likely(cosines)
        if rows is None or len(rows) < n:
            return -np.inf
        scores = self.score(cosines[:, rows])
        check_scores(scores)
        return _below(np.partition(scores, len(scores) - n)[len(scores) - n])

    def score(self, cosines: Array) -> Array:
        """Scores, shape (N,), for cosines of shape (T, N)."""
        evidence = Evidence(self.plan.texts, cosines, self.nulls, question=self.plan.question)
        return self.semantics.scores(self.query, evidence)


def best_scanned(
    batches: Iterator[VectorBatch], vectors: Vectors, scoring: Scoring, n: int, *, compiled: bool | None = None
) -> tuple[Candidates, int]:
    """The n best documents of a store, and some that are as good up to rounding.

    A first pass compares in float32, as fast as vectors can be read. What may be among the best is compared again in
    float64, so that the ranking does not depend on how the first pass was computed, and equal vectors tie.

    Args:
        batches: From the store's scan.
        vectors: Shape (T, d).
        scoring: Scores the documents.
        n: At least 1.
        compiled: Whether the compiled kernel, where numba is installed, makes the first pass, and not NumPy; for
            large stores in memory alone unless said.

    Returns:
        The candidates, and how many documents were scored.

    Raises:
        SemanticsError: A score is NaN.
    """
    best = _Best(n)
    scored = 0
    for batch in batches:
        count = len(batch.ids)
        scored += count
        chosen = batch.scales is not None and count >= KERNEL_FROM if compiled is None else compiled
        kernel = compiled_kernel() if chosen else None
        block = _Block(batch, vectors, scoring, best, kernel)
        starts = range(0, count, BLOCK)
        if len(starts) <= 2:
            for start in starts:
                block(start)
        else:
            with ThreadPoolExecutor(min(WORKERS, _processors())) as pool:
                list(pool.map(block, starts))
    return best.candidates(len(vectors)), scored


@dataclass(frozen=True)
class _Block:
    """Scores the documents of a batch from a position on, and offers the best of them."""

    batch: VectorBatch
    texts: Vectors
    scoring: Scoring
    best: _Best
    kernel: Kernel | None

    def __call__(self, start: int) -> None:
        documents = self.batch.vectors[start : start + BLOCK]
        scales = self.batch.scales[start : start + BLOCK] if self.batch.scales is not None else None
        found = self._cosines(documents, scales)
        floor = self.best.floor if self.best.floor > -np.inf else self.scoring.floor(found, self.best.n)
        rows = self.scoring.choose(found, floor)
        scores = self.scoring.score(found if rows is None else found[:, rows])
        check_scores(scores)
        passing = np.flatnonzero(scores >= max(floor, self.best.floor))
        if not len(passing):
            return
        if len(passing) > self.best.n:  # before their ids are looked up: of the first block every document passes
            own = scores[passing]
            passing = passing[own >= _below(np.partition(own, len(own) - self.best.n)[len(own) - self.best.n])]
        rows = passing if rows is None else rows[passing]
        ids = [self.batch.ids[start + i] for i in rows]
        head = _head(scores[passing], ids, self.best.n)
        ids, rows = [ids[i] for i in head], rows[head]
        exact = precise_cosines(self.texts, documents[rows], scales[rows] if scales is not None else None)
        self.best.offer(_Part(ids, exact, self.scoring.score(exact)))

    def _cosines(self, documents: Vectors, scales: Vectors | None) -> Array:
        if self.kernel is None or scales is None or documents.shape[1] != self.texts.shape[1]:
            # Twice where there is one: a BLAS splits products with one vector among threads, which wait for each other.
            texts = self.texts if len(self.texts) > 1 else np.repeat(self.texts, 2, axis=0)
            return cosines(texts, documents, scales)[: len(self.texts)]
        return self.kernel(unit(self.texts), documents, scales)


@dataclass(frozen=True)
class _Part:
    ids: list[str]
    cosines: Array
    scores: Array


class _Best:
    """The best so far, offered from several threads.

    Attributes:
        n: How many are wanted.
        floor: Documents with a lower score are not among them.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.floor = -np.inf
        self._lock = threading.Lock()
        self._parts: list[_Part] = []

    def offer(self, part: _Part) -> None:
        with self._lock:
            self._parts.append(part)
            if sum(len(part.ids) for part in self._parts) > self.n:
                self._parts = [self._trimmed(_joined(self._parts))]

    def _trimmed(self, part: _Part) -> _Part:
        head = _head(part.scores, part.ids, self.n)
        scores = part.scores[head]
        self.floor = _below(np.partition(scores, len(scores) - self.n)[len(scores) - self.n])
        return _Part([part.ids[i] for i in head], part.cosines[:, head], scores)

    def candidates(self, texts: int) -> Candidates:
        if not self._parts:
            return Candidates((), np.empty((texts, 0)))
        part = _joined(self._parts)
        return Candidates(tuple(part.ids), part.cosines)


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _joined(parts: Sequence[_Part]) -> _Part:
    return _Part(
        [id for part in parts for id in part.ids],
        np.concatenate([part.cosines for part in parts], axis=1),
        np.concatenate([part.scores for part in parts]),
    )


def _below(score: float) -> float:
    """What a score may be that rounding has moved away from this one."""
    return score - ROUNDING * max(1.0, abs(score))


def _head(scores: Array, ids: Sequence[str], n: int) -> Rows:
    """Positions, ascending, of the n best and of what may be as good, of which there may be too many to keep all."""
    if len(scores) <= n:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    rows = np.flatnonzero(scores >= _below(least))
    if len(rows) > n + TIES:
        rows = rows[sorted(top_k(scores[rows], [ids[i] for i in rows.tolist()], n + TIES))]
    return rows
