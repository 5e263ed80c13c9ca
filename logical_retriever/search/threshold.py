"""The threshold algorithm: read lists of nearest documents until no other document can be among the best k.

Fagin, Lotem and Naor, "Optimal aggregation algorithms for middleware", Journal of Computer and System Sciences 66
(2003): sorted access is the store's own search, in lists that grow; random access is reading stored vectors by id.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from logical_retriever.query import LogicalQuery, negative_terms
from logical_retriever.results import Convergence, Plan
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.ranking import top_k
from logical_retriever.search.reader import Pool, Reader
from logical_retriever.search.unseen import Bound, RankedList, Unseen
from logical_retriever.semantics import Evidence, Nulls, Semantics
from logical_retriever.vectors import Vectors

FIRST_MARGIN = 2
"""Entries read of each list at first, beyond k: the k-th best is rarely proved by the k-th entry alone."""
GROWTH = 1.5
"""Factor by which lists are read deeper: 2 reads a fifth more documents, 1.25 needs a third more requests."""


@dataclass(frozen=True)
class Reading:
    """What was read for a query, and what that proves.

    Attributes:
        candidates: Everything read.
        proved: Whether the k best of them are the best of all that the store's search can give.
        complete: Whether every document was read.
        reason: Why reading stopped, in one sentence.
        bound: Most that a document that was not read can score; None where there is none, or no bound.
        gap: How far the bound lies above the k-th best score; None where proved or unknown.
        assumes_length: Whether the bound holds only if vectors that were not read are as long as those that were.
        depths: Entries read of each list; the lists of the least similar documents are named "NOT text".
        rounds: How many times lists were asked for.
        dropped: How many documents were scored and are no candidates any more, because others are better.
        convergence: How the vector was optimised that was searched with; None where none was.
    """

    candidates: Candidates
    proved: bool
    complete: bool
    reason: str
    bound: float | None = None
    gap: float | None = None
    assumes_length: bool = False
    depths: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 0
    dropped: int = 0
    convergence: Convergence | None = None

    @property
    def count(self) -> int:
        """How many documents were scored."""
        return len(self.candidates.ids) + self.dropped


def read_lists(
    query: LogicalQuery,
    plan: Plan,
    vectors: Vectors,
    reader: Reader,
    *,
    semantics: Semantics,
    nulls: Nulls | None,
    k: int,
) -> Reading:
    """Read as planned, in steps that grow, until the best k are proved or nothing more may or can be read.

    Args:
        query: The query.
        plan: With ``probes`` and ``fetch_k``.
        vectors: Shape (T, d), one per text of ``plan.texts``.
        reader: The store.
        semantics: Composes scores and, if it can, bounds.
        nulls: Null distributions of the texts where the semantics is calibrated.
        k: Documents wanted.
    """
    return _Search(query, plan, vectors, reader, semantics, nulls, k).run()


class _Search:
    def __init__(
        self,
        query: LogicalQuery,
        plan: Plan,
        vectors: Vectors,
        reader: Reader,
        semantics: Semantics,
        nulls: Nulls | None,
        k: int,
    ) -> None:
        self.query, self.plan, self.vectors, self.reader, self.k = query, plan, vectors, reader, k
        self.semantics, self.nulls = semantics, nulls
        self.first = reader.most(k if plan.fetch_k is None else plan.fetch_k)
        self.pool = Pool(reader, vectors)
        self.unseen = Unseen(query, plan, vectors, semantics, nulls, reader.capabilities)
        self.lists: list[RankedList] = []
        self.length = 0
        self.rounds = 0

    def run(self) -> Reading:
        ends = [(self.plan.texts.index(text), 1) for text in self.plan.probes]
        opposites = [(row, -1) for row in self._anchors()]
        # Without a bound there is nothing to stop for early; lexical evidence wants fetch_k candidates anyway.
        early = self.semantics.bounded and self.plan.lexical_k is None
        top = min(self.first, self.k + FIRST_MARGIN) if early else self.first
        # Of what is least similar, the first entry says how much that is; more is rarely needed.
        bottom = 1 if ends else top
        self._ask(ends + opposites, self.first)
        while True:
            self._read(top, bottom)
            kth, bound = self._kth(), self._bound()
            reading = self._judged(max(top, bottom), kth, bound)
            if reading is not None:
                return reading
            from_below = bool(opposites) and self._held_from_below(kth, bound, only=not ends)
            from_above = bool(ends) and (not from_below or bound is None or bound.now > bound.later)
            if (from_above and top == self.length) or (from_below and bottom == self.length):
                self._ask(ends + opposites if bottom > 1 or from_below else ends, 2 * self.length)
            top = min(_deeper(top), self.length) if from_above else top
            bottom = min(max(_deeper(bottom), self.k + FIRST_MARGIN), self.length) if from_below else bottom

    def _ask(self, ends: Sequence[tuple[int, int]], length: int) -> None:
        """Lists of this length, in one request; a list that is not asked for again stays as it is."""
        length = self.reader.most(length)
        found = self.reader.search(np.array([sign * self.vectors[row] for row, sign in ends]), length)
        kept = {(ranked.row, ranked.sign): ranked for ranked in self.lists}
        for (row, sign), ids in zip(ends, found, strict=True):
            kept[row, sign] = RankedList(row, sign, ids, ended=len(ids) < length)
        self.lists = list(kept.values())
        self.length = length
        self.rounds += 1

    def _anchors(self) -> list[int]:
        """Texts whose least similar documents are worth knowing, where the store can tell them.

        They are nearest to the opposite vector; approximate indexes miss them by far.
        """
        capabilities = self.reader.capabilities
        if not (capabilities.exact_search and capabilities.cosine_order and self.semantics.bounded):
            return []
        texts = negative_terms(self.query) if self.semantics.monotone else self.plan.texts
        return [self.plan.texts.index(text) for text in texts]

    def _held_from_below(self, kth: float | None, bound: Bound | None, *, only: bool) -> bool:
        """Whether the bound stays too high unless more is known of the least similar documents."""
        return only if kth is None or bound is None else bound.later >= kth

    def _read(self, top: int, bottom: int) -> None:
        """Read the lists down to a depth, all to the same one, as far as the budget allows."""
        heads = [ranked.ids[: top if ranked.sign > 0 else bottom] for ranked in self.lists]
        new = [id for id in _interleaved(heads) if id not in self.pool.asked]
        limit = self.plan.max_candidates
        self.pool.read(new if limit is None else new[: max(0, limit - len(self.pool.asked))])

    def _bound(self) -> Bound | None:
        """What documents that were not read can score at most; None where nothing bounds it."""
        limits = self.unseen.limits(self.pool, self.lists) if self.semantics.bounded else None
        return self.unseen.bound(limits) if limits is not None else None

    def _judged(self, depth: int, kth: float | None, bound: Bound | None) -> Reading | None:
        """What has been proved, if reading is to stop here."""
        if self._complete():
            return self._reading(proved=True, complete=True, reason="every document was read")
        if bound is not None and kth is not None and kth > bound.now:
            # Strictly: of two equal scores the smaller id comes first, and its document may not have been read.
            reason = f"no document that was not read can score above {bound.now:.4g}"
            return self._reading(proved=True, reason=reason, bound=bound.now)
        stop = self._stop(depth, bound, kth)
        if stop is None:
            return None
        if bound is None:
            return self._reading(reason=stop)
        gap = None if kth is None else bound.now - kth
        off = f"a document that was not read may score up to {bound.now:.4g}" + (
            f", {gap:.4g} above the last of the best {self.k}" if gap is not None else ""
        )
        return self._reading(reason=f"{stop}; {off}", bound=bound.now, gap=gap)

    def _stop(self, depth: int, bound: Bound | None, kth: float | None) -> str | None:
        """Why reading must end without a proof, or None while it may go on."""
        plan, exact = self.plan, self.reader.capabilities.exact_search
        if plan.max_candidates is not None and len(self.pool.asked) >= plan.max_candidates:
            return f"stopped at max_candidates={plan.max_candidates}"
        if all(ranked.ended and len(ranked.ids) <= depth for ranked in self.lists):
            return f"{self.reader.capabilities.name} gives no more documents"
        if depth < self.length:
            return None
        if self.length == self.reader.capabilities.max_results:
            return f"{self.reader.capabilities.name} gives at most {self.length} documents for a text"
        if plan.max_rounds is not None and self.rounds >= plan.max_rounds:
            return f"stopped at max_rounds={plan.max_rounds}"
        if not self.semantics.bounded:
            return f"{self.semantics.name} has no bound for documents that were not read"
        if bound is None:
            return f"{self.reader.capabilities.name} does not rank by cosine, so nothing bounds what was not read"
        if not exact and (kth is None or bound.later >= kth):
            # An index that may miss documents proves nothing by being read to its end.
            return "no list of this length bounds what was not read"
        return None

    def _complete(self) -> bool:
        """Whether every document that passes the filter has been read."""
        asked, count = self.pool.asked, self.plan.count
        if self.reader.filter is None and count is not None and len(asked) >= count:
            return True
        # Only of an exact search does a short list mean that there is nothing else.
        exact = self.reader.capabilities.exact_search
        return exact and any(ranked.ended and ranked.depth(asked) == len(ranked.ids) for ranked in self.lists)

    def _kth(self) -> float | None:
        """Score of the k-th best document read; None while there are fewer."""
        candidates = self.pool.candidates()
        if len(candidates.ids) < self.k:
            return None
        evidence = Evidence(self.plan.texts, candidates.cosines, self.nulls, question=self.plan.question)
        scores = self.semantics.scores(self.query, evidence)
        return float(scores[top_k(scores, candidates.ids, self.k)[-1]])

    def _reading(
        self,
        *,
        reason: str,
        proved: bool = False,
        complete: bool = False,
        bound: float | None = None,
        gap: float | None = None,
    ) -> Reading:
        return Reading(
            candidates=self.pool.candidates(),
            proved=proved,
            complete=complete,
            reason=reason,
            bound=bound,
            gap=gap,
            assumes_length=not self.reader.capabilities.cosine_order,
            depths={self._name(ranked): ranked.depth(self.pool.asked) for ranked in self.lists},
            rounds=self.rounds,
        )

    def _name(self, ranked: RankedList) -> str:
        text = self.plan.texts[ranked.row]
        return text if ranked.sign > 0 else f"NOT {text}"


def _deeper(depth: int) -> int:
    return math.ceil(GROWTH * depth)


def _interleaved(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Every list's first entry, then every list's second, and so on; each id once."""
    rounds = zip_longest(*lists)
    yield from dict.fromkeys(id for entries in rounds for id in entries if id is not None)
