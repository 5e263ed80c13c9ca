"""The threshold algorithm: read lists of nearest documents until no other document can be among the best k.

Fagin, Lotem and Naor, "Optimal aggregation algorithms for middleware", Journal of Computer and System Sciences 66
(2003): sorted access is the store's own search, in lists that grow; random access is reading stored vectors by id.
Beyond their algorithm, a store ranks by any vector, and so also by directions in which the score rises: such a list
bounds several cosines together, where those of single texts bound each as if all others were at their best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.interleave import interleaved
from logical_retriever.query import negative_terms
from logical_retriever.results import Plan
from logical_retriever.search.access import Pool, Reader
from logical_retriever.search.lists.deepening import Deepening, deepened, deeper, worth_beginning
from logical_retriever.search.lists.directions import Direction, Directions, stacked
from logical_retriever.search.lists.supremum import Supremum
from logical_retriever.search.lists.unseen import End, RankedList, Unseen
from logical_retriever.search.problem import Array, Problem
from logical_retriever.search.ranking import top_k
from logical_retriever.search.reading import Reading

FIRST_MARGIN = 3
"""Entries read of each list at first, beyond k: fewer prove less and cost a request more, more are read in vain."""
ONE_LIST_MARGIN = 2
"""The same where there is one list, whose k-th entry is the k-th best: the next proves it, unless rounding hides it."""
MAX_DIRECTIONS = 12
"""Directions of several texts asked for at most."""
MAX_BINDING = 2
"""Directions that hold up the bound at one time: with so many, they are read deeper, and no other is asked for."""


def read_lists(problem: Problem, plan: Plan, reader: Reader) -> Reading:
    """Read as planned, in steps that grow, until the best k are proved or nothing more may or can be read.

    Args:
        problem: Its texts encoded.
        plan: With ``wanted_texts`` and ``fetch_k``.
        reader: The store.
    """
    return _Search(problem, plan, reader).run()


@dataclass(frozen=True)
class _State:
    """The state of a search after a reading.

    Attributes:
        best: Cosines of the best k candidates, best first, or of all while there are fewer: shape (T, k).
        kth: Score of the k-th best; None while there are fewer.
        ends: How far the lists have come down; None where that tells nothing.
        open_region: Where documents that were not read may reach the k-th score, and their bound; None where nothing
            bounds them.
    """

    best: Array
    kth: float | None
    ends: Sequence[End] | None = None
    open_region: Supremum | None = None


class _Search:
    def __init__(self, problem: Problem, plan: Plan, reader: Reader) -> None:
        self.problem, self.plan, self.reader, self.k = problem, plan, reader, plan.k
        self.bounded = problem.semantics.bounded
        self.first = reader.capped(plan.k if plan.fetch_k is None else plan.fetch_k)
        self.pool = Pool(reader, problem.vectors)
        self.directions = Directions(problem)
        self.unseen = Unseen(problem, reader.capabilities)
        self.lists: list[RankedList] = []
        self.held_back: list[Direction] = []
        self.rounds = 0

    def run(self) -> Reading:
        texts = [self.directions.of_text(text) for text in self.plan.wanted_texts]
        opposites = [self.directions.of_text(text, -1) for text in self._anchors()]
        # Without a bound there is nothing to stop for early; lexical evidence wants fetch_k candidates anyway.
        early = self.bounded and self.plan.lexical_k is None
        margin = FIRST_MARGIN if len(texts) + len(opposites) > 1 else ONE_LIST_MARGIN
        top = min(self.first, self.k + margin) if early else self.first
        # Least similar documents can be the answer, or else are seldom needed: every list costs some stores a pass.
        at_once = opposites if self.problem.open_ended else []
        self.held_back = [] if at_once else opposites
        self._ask([*texts, *at_once], self.first)
        for ranked in self.lists:
            ranked.wanted = top if not (texts and ranked.direction.opposite) else 0
        while True:
            self._read()
            state = self._state()
            positions = self._open(state)
            reading = self._judged(state, positions)
            if reading is not None:
                return reading
            self._go_on(state, positions)

    def _anchors(self) -> list[str]:
        """Texts whose least similar documents are worth knowing, where the store can tell them.

        They are nearest to the opposite vector; approximate indexes miss them by far.
        """
        capabilities = self.reader.capabilities
        if not (capabilities.exact_search and capabilities.cosine_order and self.bounded):
            return []
        return list(negative_terms(self.problem.query) if self.problem.semantics.monotone else self.plan.texts)

    def _ask(self, directions: Sequence[Direction], length: int) -> None:
        """Lists of this length, in one request; a list that is not asked for again stays as it is."""
        length = self.reader.capped(length)
        found = self.reader.search(stacked(directions), length)
        kept = {ranked.direction: ranked for ranked in self.lists}
        for direction, ids in zip(directions, found, strict=True):
            wanted = kept[direction].wanted if direction in kept else 0
            kept[direction] = RankedList(direction, ids, ended=len(ids) < length, wanted=wanted)
        self.lists = list(kept.values())
        self.rounds += 1

    def _read(self) -> None:
        """Read every list as deep as is wanted, the first entries of all of them first, as the budget allows."""
        heads = [ranked.ids[: ranked.wanted] for ranked in self.lists]
        new = [id for id in interleaved(heads) if id not in self.pool.asked]
        limit = self.plan.max_candidates
        self.pool.read(new if limit is None else new[: max(0, limit - len(self.pool.asked))])

    def _state(self) -> _State:
        candidates = self.pool.candidates()
        scores = self.problem.scores(candidates.cosines)
        best = top_k(scores, candidates.ids, self.k)
        kth = float(scores[best[-1]]) if len(best) == self.k else None
        ends = self.unseen.ends(self.pool, self.lists) if self.bounded else None
        if ends is None:
            return _State(candidates.cosines[:, best], kth)
        for ranked, end in zip(self.lists, ends, strict=True):
            ranked.wanted = max(ranked.wanted, end.depth)  # other lists may have had these entries
        open_region = self.unseen.bound(self.unseen.region(self.lists, ends), kth) if kth is not None else None
        return _State(candidates.cosines[:, best], kth, ends, open_region)

    def _open(self, state: _State) -> list[int]:
        """Positions of the lists that there is more to read of, and that may be read."""
        # Least similar documents say something about the bound alone.
        opposites = state.open_region is not None or not self.plan.wanted_texts
        useful = [i for i, ranked in enumerate(self.lists) if opposites or not ranked.direction.opposite]
        longer = any(self.lists[i].finished for i in useful) and self._may_ask() and not self._hopeless(state)
        return [i for i in useful if not self.lists[i].finished or (longer and not self._at_end(self.lists[i]))]

    def _may_ask(self) -> bool:
        return self.plan.max_rounds is None or self.rounds < self.plan.max_rounds

    def _at_end(self, ranked: RankedList) -> bool:
        """Whether the store has given all of a list that it can."""
        longest = self.reader.capabilities.max_results
        return ranked.ended or (longest is not None and len(ranked.ids) >= longest)

    def _hopeless(self, state: _State, also: Direction | None = None) -> bool:
        """Whether longer lists, and one in a further direction, would prove nothing.

        An index that may miss documents proves nothing by being read to its end.
        """
        if state.ends is None:
            return True
        if self.reader.capabilities.exact_search:
            return False
        if state.kth is None:
            return True
        return self.unseen.bound_if_lists_exhausted(self.lists, state.ends, state.kth, also) >= state.kth

    def _go_on(self, state: _State, positions: Sequence[int]) -> None:
        """Read on: a list that is about to end the search, else a direction not asked for yet, else what may help most.

        Args:
            state: What is known.
            positions: Of the lists that there is more to read of, at least one.
        """
        depths: Mapping[int, int] = {i: deeper(self.lists[i].wanted) for i in positions}
        if state.ends is not None and state.open_region is not None:
            step = deepened(self.lists, state.ends, state.open_region, positions)
            depths = step.depths if step is not None else depths
            further = [] if step is not None and step.almost_done else self._further(state, state.open_region, step)
            if further:
                begun = 1 if further[0].opposite else self.k + FIRST_MARGIN
                self._ask(further, max(self.first, begun))
                depths = {len(self.lists) - 1 - i: begun for i in range(len(further))}
        again = [i for i in depths if depths[i] > len(self.lists[i].ids) and not self._at_end(self.lists[i])]
        if again and self._may_ask() and not self._hopeless(state):
            length = 2 * max(len(self.lists[i].ids) for i in again)
            self._ask([self.lists[i].direction for i in again], length)
        for i, depth in depths.items():
            self.lists[i].wanted = min(depth, len(self.lists[i].ids))

    def _further(self, state: _State, open_region: Supremum, step: Deepening | None) -> list[Direction]:
        """Further lists beside those there are: a direction, else opposites that may end some of what is left."""
        if not self._may_ask():
            return []
        uphill = self._uphill(state, open_region, step) if step is not None else None
        if uphill is not None:
            return [uphill]
        needed = [opposite for opposite in self.held_back if worth_beginning(opposite, open_region)]
        self.held_back = [opposite for opposite in self.held_back if opposite not in needed]
        return needed

    def _uphill(self, state: _State, open_region: Supremum, step: Deepening) -> Direction | None:
        """A direction not asked for yet in which the score rises, None where there is none or enough were asked for.

        At the k-th best document, where the bound has to come down to; on average over the best, where a minimum looks
        at one text at a time; and where documents that were not read may score highest.
        """
        asked = [ranked.direction for ranked in self.lists]
        combined = [i for i, direction in enumerate(asked) if direction.row is None]
        if len(combined) >= MAX_DIRECTIONS or sum(i in step.binding_lists for i in combined) >= MAX_BINDING:
            return None
        exact = self.reader.capabilities.exact_search
        places = [state.best[:, -1:], state.best, (open_region.low[:, :1] + open_region.high[:, :1]) / 2.0]
        for place in places:
            found = self.directions.uphill(place)
            if found is None or any(self.directions.alike(found, direction) for direction in asked):
                continue
            if exact or (self.directions.towards_wanted(found) and not self._hopeless(state, found)):
                return found
        return None

    def _judged(self, state: _State, positions: Sequence[int]) -> Reading | None:
        """The reading with its proof, if reading is to stop here."""
        if self._complete():
            return self._reading(proved=True, complete=True, reason="every document was read")
        kth, open_region = state.kth, state.open_region
        if open_region is not None and kth is not None and kth > open_region.bound:
            # Strictly: of two equal scores the smaller id comes first, and its document may not have been read.
            reason = f"no document that was not read can score above {open_region.bound:.4g}"
            return self._reading(proved=True, reason=reason, bound=open_region.bound)
        stop = self._stop(state, positions)
        if stop is None:
            return None
        if state.ends is None:
            return self._reading(reason=stop)
        bound = self.unseen.bound(self.unseen.region(self.lists, state.ends), -np.inf, tight=True).bound
        gap = None if kth is None else bound - kth
        off = f"a document that was not read may score up to {bound:.4g}" + (
            f", {gap:.4g} above the last of the best {self.k}" if gap is not None else ""
        )
        return self._reading(reason=f"{stop}; {off}", bound=bound, gap=gap)

    def _stop(self, state: _State, positions: Sequence[int]) -> str | None:
        """Why reading must end without a proof, or None while it may go on."""
        plan, capabilities = self.plan, self.reader.capabilities
        if plan.max_candidates is not None and len(self.pool.asked) >= plan.max_candidates:
            return f"stopped at max_candidates={plan.max_candidates}"
        if positions:
            return None
        if all(ranked.ended and ranked.finished for ranked in self.lists):
            return f"{capabilities.name} gives no more documents"
        if capabilities.max_results is not None and all(self._at_end(ranked) for ranked in self.lists):
            return f"{capabilities.name} gives at most {capabilities.max_results} documents for a text"
        if not self._may_ask():
            return f"stopped at max_rounds={plan.max_rounds}"
        if not self.bounded:
            return f"{self.problem.semantics.name} has no bound for documents that were not read"
        if state.ends is None:
            return f"{capabilities.name} does not rank by cosine, so nothing bounds what was not read"
        return "no list of this length bounds what was not read"

    def _complete(self) -> bool:
        """Whether every document that passes the filter has been read."""
        asked, count = self.pool.asked, self.plan.count
        if self.reader.filter is None and count is not None and len(asked) >= count:
            now = self.reader.count()  # the plan's may be of a moment ago
            if now is not None and len(asked) >= now:
                return True
        # Only of an exact search does a short list mean that there is nothing else.
        exact = self.reader.capabilities.exact_search
        return exact and any(ranked.ended and ranked.depth(asked) == len(ranked.ids) for ranked in self.lists)

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
            depths={ranked.direction.name: ranked.depth(self.pool.asked) for ranked in self.lists},
            rounds=self.rounds,
        )
