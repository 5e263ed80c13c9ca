"""The best of all documents, scored while they are walked through: memory does not grow with the store."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import Plan
from logical_retriever.search.candidates import PIECE, Candidates
from logical_retriever.search.contenders import Contenders
from logical_retriever.search.first_pass import Compared, FirstPass, Rough
from logical_retriever.search.ranking import check_scores, top_k
from logical_retriever.semantics import Evidence, NullDistributions, Semantics
from logical_retriever.stores.base import VectorBatch
from logical_retriever.vectors import Vectors, precise_cosines

BLOCK = 32_768
"""Documents scored at once: what is computed of them stays in the processor's cache."""
WORKERS = 8
"""Most threads that score the blocks of a large batch: a few read memory as fast as it can be read."""
ROUNDING = 1e-12
"""How far two ways to compute one score in float64 may differ, relative to it or to 1."""
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
    nulls: NullDistributions | None

    def score(self, cosines: Array) -> Array:
        """Scores, shape (N,), for cosines of shape (T, N)."""
        scores = self.semantics.scores(self.query, self._evidence(cosines))
        check_scores(scores)
        return scores

    def most(self, rough: Rough) -> Array:
        """Scores that N documents may have at most, shape (N,)."""
        low, high = rough.limits()
        most = self.semantics.upper_bounds(self.query, self._evidence(low), self._evidence(high))
        check_scores(most)
        return most

    def _evidence(self, cosines: Array) -> Evidence:
        return Evidence(self.plan.texts, cosines, self.nulls, question=self.plan.question)


def best_scanned(
    batches: Iterator[VectorBatch], vectors: Vectors, scoring: Scoring, n: int, *, compiled: bool | None = None
) -> tuple[Candidates, int]:
    """The n best documents of a store, and some that are as good up to rounding.

    A first pass compares documents roughly, as fast as they can be read, and knows how far off it may be. What a
    document may score at most follows from that through the semantics; documents for which it is not less than what the
    n best have are compared again in float64. So the ranking does not depend on how the first pass was computed, equal
    vectors tie, and near copies keep their order.

    Args:
        batches: From the store's scan.
        vectors: Shape (T, d).
        scoring: Scores the documents; its semantics is bounded.
        n: At least 1.
        compiled: Whether the compiled kernel, where numba is installed, makes the first pass, and not NumPy; for
            large stores in memory alone unless said.

    Returns:
        The candidates, and how many documents were scored.

    Raises:
        SemanticsError: A score is NaN.
        VectorMismatchError: Texts and documents have different d.
    """
    best = _Best(n)
    contenders = Contenders(scoring.query, scoring.plan, scoring.semantics, scoring.nulls)
    scored = 0
    for batch in batches:
        count = len(batch.ids)
        scored += count
        scan = _Scan(batch, vectors, scoring, contenders, FirstPass(batch, vectors, compiled=compiled), best)
        starts = range(0, count, BLOCK)
        if len(starts) <= 2:
            for start in starts:
                scan.block(start)
        else:
            with ThreadPoolExecutor(min(WORKERS, _processors())) as pool:
                list(pool.map(scan.block, starts))
    return best.candidates(len(vectors)), scored


@dataclass(frozen=True)
class _Scan:
    """Scores the documents of a batch, block by block, and offers the best of them."""

    batch: VectorBatch
    texts: Vectors
    scoring: Scoring
    contenders: Contenders
    first_pass: FirstPass
    best: _Best

    def block(self, start: int) -> None:
        """Score the documents from a position on."""
        block, texts, count = slice(start, start + BLOCK), self.contenders.wanted, len(self.texts)
        # Where few documents are about something wanted, what is excluded is compared with these alone.
        apart = self.contenders.few and self.first_pass.passes(len(texts)) < self.first_pass.passes(count)
        compared = Compared(self.first_pass, block, count, texts if apart else range(count))
        wanted = compared.wanted(texts)
        offered: Rows | None = None
        if self.best.floor == -np.inf:  # a few documents tell what the others have to reach
            offered = self.contenders.likely(wanted)
            if offered is not None:
                self._offer(start, compared.of(offered), offered)
        rows = self.contenders.choose(wanted, self.best.floor)
        if offered is not None:
            rows = np.setdiff1d(np.arange(len(wanted.errors)) if rows is None else rows, offered, assume_unique=True)
        if rows is None or len(rows):
            self._offer(start, compared.of(rows), rows)

    def _offer(self, start: int, rough: Rough, rows: Rows | None) -> None:
        """Score those again that may be among the best, the most promising first.

        Args:
            start: Position of the block.
            rough: Cosines of all texts with N documents.
            rows: Where these are in the block; None where they are all of it.
        """
        most = self.scoring.most(rough)
        places = np.flatnonzero(most >= _below(self.best.floor))
        if len(places) > PIECE and self.best.floor > -np.inf and self.first_pass.codes is not None:
            # Documents so near to one another that codes do not tell them apart.
            self.first_pass.codes = None
            rows = places if rows is None else rows[places]
            among = self.first_pass.among(slice(start, start + BLOCK), rows, range(len(self.texts)))
            self._offer(start, among, rows)
            return
        places = places[np.argsort(-most[places], kind="stable")]
        at, size = 0, self.best.n  # as few as are wanted at first: they tell what the others have to reach
        while at < len(places):
            piece = places[at : at + size]
            at, size = at + len(piece), PIECE
            floor, last = self.best.last
            if most[piece[0]] < _below(floor):
                return
            chosen = piece if rows is None else rows[piece]
            ids = [self.batch.ids[start + i] for i in chosen.tolist()]
            # One that can tie with the last of the best at most is among them if its id comes first.
            promising = [
                i
                for i, (value, id) in enumerate(zip(most[piece].tolist(), ids, strict=True))
                if last is None or (value >= _below(floor) and (value != floor or id < last))
            ]
            if promising:
                self._score(start, chosen[promising], [ids[i] for i in promising])

    def _score(self, start: int, rows: Rows, ids: list[str]) -> None:
        known = None if self.batch.scales is None else self.batch.scales[start + rows]
        exact = precise_cosines(self.texts, self.batch.vectors[start + rows], known)
        self.best.offer(_Part(ids, exact, self.scoring.score(exact)))


@dataclass(frozen=True)
class _Part:
    ids: list[str]
    cosines: Array
    scores: Array


class _Best:
    """The best so far, offered from several threads.

    Attributes:
        n: How many are wanted.
        last: Score and id of the last of them; -inf and None while there are fewer.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.last: tuple[float, str | None] = (-np.inf, None)
        self._lock = threading.Lock()
        self._parts: list[_Part] = []

    def offer(self, part: _Part) -> None:
        with self._lock:
            self._parts.append(part)
            if sum(len(part.ids) for part in self._parts) >= self.n:
                self._parts = [self._trimmed(_joined(self._parts))]

    @property
    def floor(self) -> float:
        """Documents with a lower score are not among the best."""
        return self.last[0]

    def _trimmed(self, part: _Part) -> _Part:
        order = top_k(part.scores, part.ids, self.n + TIES)
        last = float(part.scores[order[self.n - 1]])
        self.last = last, part.ids[order[self.n - 1]]
        kept = [i for i in order if part.scores[i] >= _below(last)]
        return _Part([part.ids[i] for i in kept], part.cosines[:, kept], part.scores[kept])

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
