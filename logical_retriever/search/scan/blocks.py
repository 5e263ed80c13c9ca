"""The best of all documents, scored block by block while they are walked through."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.results import DocumentId, Plan, id_order
from logical_retriever.search.access import Reader
from logical_retriever.search.problem import Array, Lexical, Problem
from logical_retriever.search.ranking import check_scores, top_k
from logical_retriever.search.reading import Candidates, Reading
from logical_retriever.search.scan.first_pass import FirstPass, LazyCosines
from logical_retriever.search.scan.prefilter import Prefilter
from logical_retriever.stores.base import VectorBatch
from logical_retriever.vectors import precise_cosines
from logical_retriever.vectors.approximate import ApproximateCosines, KeptCosines, Rows

BLOCK = 32_768
"""Documents scored at once: what is computed of them stays in the processor's cache."""
PIECE = 512
"""Documents compared in float64 at once: their vectors are copied."""
WORKERS = 8
"""Most threads that score the blocks of a large batch: a few read memory as fast as it can be read."""
ROUNDING = 1e-12
"""How far two ways to compute one score in float64 may differ, relative to the largest of the best scores."""
TIES = 1000
"""Documents kept beyond the n best because their scores are as good up to rounding."""


def read_all(problem: Problem, plan: Plan, reader: Reader) -> Reading:
    """Score every document; the best of them where scores can be told one document at a time, else all are kept."""
    batches, n = reader.scan(), plan.k if plan.lexical_k is None else plan.lexical_k
    by_words = problem.words is not None and plan.lexical_k is None
    # A semantics that bounds documents that it has not seen looks at no others to score one.
    if problem.semantics.bounded:
        candidates, count = best_scanned(batches, problem, n, by_words=by_words, kept=reader.cosines)
    else:
        candidates = _all_scanned(batches, problem)
        count = len(candidates.ids)
    dropped = count - len(candidates.ids)
    reason = "every document was scored"
    return Reading(candidates, reason, proved=True, complete=True, dropped=dropped, with_words=by_words)


def best_scanned(
    batches: Iterable[VectorBatch],
    problem: Problem,
    n: int,
    *,
    compiled: bool | None = None,
    by_words: bool = False,
    kept: KeptCosines | None = None,
) -> tuple[Candidates, int]:
    """The n best documents of a store, and some that are as good up to rounding.

    A first pass compares documents roughly, as fast as they can be read, and knows how far off it may be. The most that
    a document may score follows from that through the semantics; documents for which it is not less than what the n
    best have are compared again in float64. So the ranking does not depend on how the first pass was computed, equal
    vectors tie, and near copies keep their order.

    Args:
        batches: From the store's scan.
        problem: The problem, its texts encoded and its semantics bounded.
        n: At least 1.
        compiled: Whether the compiled kernel, where numba is installed, makes the first pass, and not NumPy; None for
            large stores in memory alone.
        by_words: Whether words are scored as well, by the index that each batch brings.
        kept: Cosines that another scan kept, or that this one keeps for another; None where there is no other.

    Returns:
        The candidates, and how many documents were scored.

    Raises:
        SemanticsError: A score is NaN.
        VectorMismatchError: Texts and documents have different d.
        StoreError: A batch has no index of words, and words are to be scored.
    """
    best, prefilter, scored = _Best(n), Prefilter(problem), 0
    for batch in batches:
        count = len(batch.ids)
        scored += count
        if by_words and batch.words is None:
            raise StoreError(
                "A batch of a scan brought no index of its words, and the store's capabilities say that each does.",
                hint="Give VectorBatch(words=...), or say indexes_words=False in the store's capabilities.",
            )
        lexical = problem.lexical(batch.words(problem.language)) if by_words and batch.words is not None else {}
        first_pass = FirstPass(batch, problem.vectors, compiled=compiled, kept=kept)
        # Where all is compared already, what all threads would have before them is scored at once.
        size = BLOCK if first_pass.known is None else BLOCK * WORKERS
        scan = _Scan(batch, problem, prefilter, first_pass, best, lexical, size)
        starts = range(0, count, size)
        if len(starts) <= 2 or first_pass.known is not None:
            for start in starts:
                scan.block(start)
        else:
            with ThreadPoolExecutor(min(WORKERS, _processors())) as pool:
                list(pool.map(scan.block, starts))
    return best.candidates(len(problem.texts)), scored


def _all_scanned(batches: Iterator[VectorBatch], problem: Problem) -> Candidates:
    """Every document of the store, compared in float64."""
    ids: list[DocumentId] = []
    parts = [np.empty((len(problem.texts), 0), dtype=np.float64)]
    for batch in batches:
        ids.extend(batch.ids)
        for start in range(0, len(batch.ids), PIECE):
            piece = slice(start, start + PIECE)
            parts.append(precise_cosines(problem.vectors, batch.vectors[piece]))
    return Candidates(tuple(ids), np.concatenate(parts, axis=1))


@dataclass(frozen=True)
class _Scan:
    """Scores the documents of a batch, block by block, and offers the best of them."""

    batch: VectorBatch
    problem: Problem
    prefilter: Prefilter
    first_pass: FirstPass
    best: _Best
    lexical: Lexical
    size: int

    def block(self, start: int) -> None:
        """Score the documents from a position on."""
        block, texts, wanted = slice(start, start + self.size), range(len(self.problem.texts)), self.problem.wanted
        # Where few documents are about something wanted, what is excluded is compared with these alone.
        fewer = self.first_pass.passes(len(wanted)) < self.first_pass.passes(len(texts))
        apart = self.prefilter.few and fewer and not self.first_pass.keeps
        cosines = LazyCosines(self.first_pass, block, len(texts), wanted if apart else texts)
        near, words = cosines.wanted(wanted), self._words(start)
        offered: Rows | None = None
        if self.best.floor == -np.inf:  # a few documents tell what the others have to reach
            offered = self.prefilter.first_rows(near, words)
            if offered is not None:
                self._offer(start, cosines.of(offered), offered)
        rows = self.prefilter.rows_above(near, self.best.floor, words)
        if offered is not None:
            rows = np.setdiff1d(np.arange(len(near.errors)) if rows is None else rows, offered, assume_unique=True)
        if rows is None or len(rows):
            self._offer(start, cosines.of(rows), rows)

    def _offer(self, start: int, approximate: ApproximateCosines, rows: Rows | None) -> None:
        """Score those again that may be among the best, the most promising first; rows are places in the block."""
        most = self.problem.upper_bounds(*approximate.limits(), self._words(start, rows))
        check_scores(most)
        places = np.flatnonzero(most >= self.best.floor)
        places = places[np.argsort(-most[places], kind="stable")]
        coarse = self.first_pass.coarse(approximate)
        at, size = 0, self.best.n  # as few as are wanted at first: they tell what the others have to reach
        while at < len(places):
            floor, (last, last_id) = self.best.floor, self.best.last
            # Where a device compared, this block may be the first and all there is.
            if coarse and floor > -np.inf and (at == 0 or self.first_pass.known is not None):
                left = places[at:][most[places[at:]] >= floor]
                if len(left) > PIECE:
                    # Documents so near to one another that codes, or a device's float16, do not tell them apart.
                    rows = np.sort(left if rows is None else rows[left])
                    block = slice(start, start + self.size)
                    self._offer(start, self.first_pass.finer(block, rows, range(len(self.problem.texts))), rows)
                    return
            piece = places[at : at + size]
            at, size = at + len(piece), PIECE
            if most[piece[0]] < floor:
                return
            chosen = piece if rows is None else rows[piece]
            ids = [self.batch.ids[start + i] for i in chosen.tolist()]
            # One that can tie with the last of the best at most is among them if its id comes first.
            promising = [
                i
                for i, (value, id) in enumerate(zip(most[piece].tolist(), ids, strict=True))
                if value >= floor and (last_id is None or value != last or id_order(id) < id_order(last_id))
            ]
            if promising:
                self._score(start, chosen[promising], [ids[i] for i in promising])

    def _score(self, start: int, rows: Rows, ids: list[DocumentId]) -> None:
        exact = precise_cosines(self.problem.vectors, self.batch.vectors[start + rows])
        scores = self.problem.scores(exact, self._words(start, rows))
        check_scores(scores)
        self.best.offer(_Part(ids, exact, scores))

    def _words(self, start: int, rows: Rows | None = None) -> Lexical:
        """Lexical scores of the documents of a block, or of some of its rows."""
        chosen = slice(start, start + self.size) if rows is None else start + rows
        return {bag: values[chosen] for bag, values in self.lexical.items()}


@dataclass(frozen=True)
class _Part:
    ids: list[DocumentId]
    cosines: Array
    scores: Array


class _Best:
    """The best so far, offered from several threads.

    Attributes:
        n: How many are wanted.
        last: Score and id of the last of them; -inf and None while there are fewer.
        floor: Documents with a lower score are not among the best, whichever way it is computed.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.last: tuple[float, DocumentId] = (-np.inf, None)
        self.floor = -np.inf
        self._lock = threading.Lock()
        self._parts: list[_Part] = []

    def offer(self, part: _Part) -> None:
        with self._lock:
            self._parts.append(part)
            if sum(len(part.ids) for part in self._parts) >= self.n:
                self._parts = [self._trimmed(_joined(self._parts))]

    def _trimmed(self, part: _Part) -> _Part:
        order = top_k(part.scores, part.ids, self.n + TIES)
        scores = part.scores[order]
        last = float(scores[self.n - 1])
        # Relative to the best and not to 1: products of many truth values are all far below it.
        largest = np.abs(scores[: self.n])
        margin = ROUNDING * float(largest[np.isfinite(largest)].max(initial=0.0))
        self.last, self.floor = (last, part.ids[order[self.n - 1]]), last - margin
        kept = [i for i in order if part.scores[i] >= self.floor]
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
