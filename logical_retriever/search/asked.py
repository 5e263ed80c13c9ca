"""A question between planning and searching: what is searched for, among which documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Term, negative_terms
from logical_retriever.query.conditions import Parts
from logical_retriever.results import Plan, SearchResult
from logical_retriever.search.access import Foreseen, Known
from logical_retriever.search.blocking import PERHAPS
from logical_retriever.search.cut import BEST, LEAST, search_cut
from logical_retriever.search.listing import Order
from logical_retriever.search.narrowing import Narrowed
from logical_retriever.search.options import Pushdown, SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.search.run import run_search
from logical_retriever.search.statistics import StatisticsCache
from logical_retriever.semantics import CalibratedSemantics
from logical_retriever.stores.notes import SearchNotes
from logical_retriever.vectors import Vectors, unit
from logical_retriever.vectors.approximate import KeptCosines


@dataclass(frozen=True)
class KindSearch:
    """A query without conditions that is ready to be searched for, among the documents of one kind.

    Attributes:
        narrowed: The store and the filter that give these documents.
        fulfilled: Whether these documents' metadata alone fulfils the query.
    """

    problem: Problem
    plan: Plan
    narrowed: Narrowed
    fulfilled: bool = False


@dataclass(frozen=True)
class AskedQuestion:
    """A question that is ready to be searched for.

    Attributes:
        query: With its conditions.
        parts: The same in parts.
        searches: One for each kind of documents that has something to be scored.
        listed: Kinds of documents that nothing scores.
        order: Of the listed documents.
        notes: Of the search that was begun with planning it.
    """

    query: LogicalQuery
    parts: Parts
    options: SearchOptions
    searches: tuple[KindSearch, ...]
    listed: tuple[Narrowed, ...]
    order: Order | None
    notes: SearchNotes

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts to encode."""
        return tuple(dict.fromkeys(text for search in self.searches for text in search.plan.texts))


def search_kind(
    search: KindSearch,
    options: SearchOptions,
    vectors: Vectors,
    statistics: StatisticsCache,
    plan: Callable[[Problem, SearchOptions], Plan],
) -> SearchResult:
    """The best documents of one kind, without those that are about something excluded, or too little relevant.

    Args:
        search: What is searched for.
        options: The caller's.
        vectors: Of the plan's texts, shape (T, d).
        statistics: Of the documents' store.
        plan: Decides how to search for a problem among these documents.

    Raises:
        UnsupportedByEngineError: The engine is always to compute the scores, and cannot say the query.
    """
    there, problem = search.narrowed, search.problem.encoded(search.plan.texts, vectors)
    told = options.drop_excluded or problem.semantics.calibrated  # as in the cut, which asks what is most about them
    excluded = negative_terms(problem.query) if told else ()
    foreseen = [_foreseen(problem, text) for text in excluded]
    kept = KeptCosines(unit(np.concatenate([one.problem.vectors for one in foreseen]))) if foreseen else None
    known = Known(foreseen=foreseen, cosines=kept)

    def ranked(number: int) -> SearchResult:
        longer = options.but(k=number)
        planned = search.plan if number == search.plan.k else plan(problem, longer)
        try:
            return run_search(problem, planned, there.store, statistics, there.filter, known)
        except UnsupportedByEngineError:
            if options.pushdown == "always":
                raise
        unpushed = plan(problem, longer.but(pushdown="never"))
        return run_search(problem, unpushed, there.store, statistics, there.filter, known)

    def most_about(term: Problem, number: int) -> SearchResult:
        engine: Pushdown = "never" if options.pushdown == "never" else "auto"
        planned = plan(term, options.but(k=number, pushdown=engine))
        return run_search(term, planned, there.store, statistics, there.filter, known)

    if search.fulfilled:  # by their metadata alone: whatever they are about, nothing of it is excluded or too little
        result = ranked(options.k)
        documents = tuple(replace(one, relevance=1.0) for one in result.documents)
        return replace(result, documents=documents, rescored=None)
    return search_cut(problem, options, ranked, lambda: statistics.get(there.store, search.plan.count), most_about)


def _foreseen(problem: Problem, text: str) -> Foreseen:
    """The search for what is most about an excluded term, as the cut makes it."""
    semantics = problem.semantics if problem.semantics.calibrated else CalibratedSemantics()
    term = Problem.of(Term(text), semantics).encoded((text,), problem.vectors[list(problem.rows((text,)))])
    return Foreseen(term, BEST, PERHAPS * LEAST)
