"""A question between planning and searching: what is searched for, among which documents."""

from __future__ import annotations

from dataclasses import dataclass

from logical_retriever.query import LogicalQuery
from logical_retriever.query.conditions import Parts
from logical_retriever.results import Plan
from logical_retriever.search.listing import Order
from logical_retriever.search.narrowing import Narrowed
from logical_retriever.search.options import SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.stores.notes import SearchNotes


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
