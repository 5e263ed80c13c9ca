"""Logical queries in, results out: what is searched for, with which plan and vectors, and the answers together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from typing_extensions import Unpack

from logical_retriever.embedding import Embedder, aembed_terms, embed_terms
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.many import ManySearches, Through
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.query.conditions import Parts, all_of, in_parts
from logical_retriever.query.fields import Fields
from logical_retriever.results import Plan, SearchResult
from logical_retriever.search import (
    BorrowedStatistics,
    CountCache,
    Problem,
    SearchOptions,
    SearchSettings,
    looked_for,
    plan_search,
    shared_statistics,
    threads_may_read,
)
from logical_retriever.search.asked import AskedQuestion, KindSearch, search_kind
from logical_retriever.search.listing import (
    Order,
    after_absences,
    after_checks,
    list_documents,
    merged,
    with_conditions,
)
from logical_retriever.search.narrowing import Narrowed, narrowed
from logical_retriever.search.standing import with_standing
from logical_retriever.semantics import DEFAULT_SEMANTICS, Semantics, get_semantics
from logical_retriever.stages import stage, timed
from logical_retriever.stores.base import Filter, IndexedStore, Store
from logical_retriever.stores.notes import SearchNotes
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors
from logical_retriever.verify import in_thread

NO_VECTORS: Vectors = np.empty((0, 0), np.float32)


class _Setting:
    """A setting of the options as an attribute of its own: read from there, and checked when it is set."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, searcher: QuerySearcher | None, owner: type) -> Any:
        return self if searcher is None else getattr(searcher.options, self.name)

    def __set__(self, searcher: QuerySearcher, value: Any) -> None:
        searcher.options = replace(searcher.options, **{self.name: value})


class QuerySearcher:
    """Searches one store for logical queries; :class:`~logical_retriever.LogicalRetriever` makes them of questions.

    Args:
        store: The documents.
        embedder: The encoder that the store's documents were encoded with.
        semantics: As of the retriever.
        fields: As of the retriever.
        options: How to search.

    Attributes:
        options: The settings together; each can be read, and set, as an attribute of its own as well.
    """

    k, fetch_k, evidence, max_candidates, max_rounds, mode, pushdown, language = (_Setting() for _ in range(8))
    effort, drop_excluded, min_relevance, verify, verify_wanted, always_exclude = (_Setting() for _ in range(6))

    def __init__(
        self, store: Store, embedder: Embedder, semantics: str | Semantics, fields: Any, options: SearchOptions
    ) -> None:
        self.options = options
        self.store = store
        self.embedder = embedder
        self.semantics = get_semantics(semantics)
        self.fields = Fields.of(fields)
        self._statistics = shared_statistics(store, embedder)
        self._counts = CountCache()

    def warm_up(self, *, background: bool = True) -> None:
        """See now to what the first question would have to wait for.

        The encoder encodes a word, the store's statistics are taken or read from their file, and its index of words is
        made or read where it has one.

        Args:
            background: Whether a thread does it, where one may read the store beside others; what fails there is left
                to the first question. Else, and of other stores, all is done when this returns.

        Raises:
            LogicalRetrieverError: As of :meth:`search`.
        """
        if background and threads_may_read(self.store):
            threading.Thread(target=self._warm_up_quietly, name="warm up").start()
        else:
            self._warm_up()

    def _warm_up(self) -> None:
        embed_terms(self.embedder, ("warm up",))
        corpus = self._statistics.get(self.store, self._counts.count(self.store))
        if corpus is not None and isinstance(self.store, IndexedStore):
            self.store.indexed_words(corpus.lexical.language)

    def _warm_up_quietly(self) -> None:
        with suppress(LogicalRetrieverError):
            self._warm_up()

    def search(
        self,
        query: LogicalQuery | Transformation | str,
        *,
        filter: Filter = None,
        order_by: str | None = None,
        **settings: Unpack[SearchSettings],
    ) -> SearchResult:
        """Search for a query that is already logical.

        Args:
            query: A query, a text in the grammar, or a transformation; the last goes to plain dense retrieval of
                its question where it has no logic.
            filter: In the store's own language. It always holds; conditions of the query can only narrow it.
            order_by: For a query of conditions alone, the field whose least values come first, or with a "-" before
                its name, whose greatest; None for the order of ids.
            **settings: For this call alone, as for :meth:`retrieve`.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        with timed() as times:
            with stage("plan"):
                asked = self._prepare(query, filter, self.options.but(**settings), order_by)
            with stage("encode"):
                vectors = embed_terms(self.embedder, asked.texts) if asked.searches else NO_VECTORS
            return replace(self._run(asked, vectors), milliseconds=times.milliseconds)

    async def asearch(
        self,
        query: LogicalQuery | Transformation | str,
        *,
        filter: Filter = None,
        order_by: str | None = None,
        **settings: Unpack[SearchSettings],
    ) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the store's blocking calls run in a thread."""
        with timed() as times:
            with stage("plan"):
                asked = await in_thread(self._prepare, query, filter, self.options.but(**settings), order_by)
            with stage("encode"):
                vectors = await aembed_terms(self.embedder, asked.texts) if asked.searches else NO_VECTORS
            return replace(await in_thread(self._run, asked, vectors), milliseconds=times.milliseconds)

    def search_many(
        self,
        queries: Sequence[LogicalQuery | Transformation | str | Exception],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """Search for many queries at once: the same results as of :meth:`search` one by one, in less time.

        Their texts are encoded in one call, each once; vectors in memory are compared with all of them in one pass, and
        other stores are asked for the lists and documents of many queries together. Times of their stages overlap:
        encoding counts in equal shares, and a search also waits for the others.

        Args:
            queries: As of :meth:`search`; none gives an empty list. An error in place of one is its outcome.
            filter: As of :meth:`search`, for all.
            return_exceptions: Whether a query that fails has its error in place of its result; else the first error is
                raised.
            **settings: For this call alone, as of :meth:`search`.

        Returns:
            A :class:`~logical_retriever.results.SearchResult` for each, or, where that is wanted, its error.

        Raises:
            LogicalRetrieverError: A query fails, as of :meth:`search`.
        """
        options = self.options.but(**settings)
        many = ManySearches(queries, lambda query: self._prepare(query, filter, options))
        if not return_exceptions:
            many.check()
        many.encode(self.embedder)
        many.run(self.store, self._run)
        return many.results(return_exceptions=return_exceptions)

    async def asearch_many(
        self,
        queries: Sequence[LogicalQuery | Transformation | str | Exception],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """Asynchronous twin of :meth:`search_many`: the store's blocking calls run in threads."""
        options = self.options.but(**settings)
        many = await in_thread(ManySearches, queries, lambda query: self._prepare(query, filter, options))
        if not return_exceptions:
            many.check()
        await many.aencode(self.embedder)
        await in_thread(many.run, self.store, self._run)
        return many.results(return_exceptions=return_exceptions)

    def _prepare(
        self,
        query: LogicalQuery | Transformation | str,
        filter: Filter,
        options: SearchOptions,
        order_by: str | None = None,
    ) -> AskedQuestion:
        made = query if isinstance(query, Transformation) else None
        question = made.sought if made is not None and not made.written else None
        if isinstance(query, Transformation):
            query = query.query
        elif isinstance(query, str):
            query = parse(query)
        elif not isinstance(query, LogicalQuery):
            raise InvalidArgumentError(
                f"A query must be a LogicalQuery or a text, got {type(query).__name__}.",
                hint='Use parse(\'"A" AND NOT "B"\'), or retrieve(question) for a question.',
            )
        query = with_standing(query, options.always_exclude)
        parts = in_parts(query if self.fields is None else self.fields.checked(query))
        if order_by is not None and parts.scored is not None:
            raise InvalidArgumentError(
                f"{query} has terms, whose scores order its answers.",
                hint="Give order_by with a query of conditions alone, or sort the answers.",
            )
        searches, listed, notes = [], [], SearchNotes()
        for kind in parts.kinds:
            there = narrowed(self.store, filter, kind.condition)
            if kind.query is None:
                listed.append(there)
                continue
            scored = self._scored_query(kind.query, parts, made)
            problem = Problem.of(scored, self.semantics, question)
            with notes.taken():
                plan = self._plan(problem, there, options.but(k=looked_for(scored, options)))
            searches.append(KindSearch(problem, plan, there, kind.fulfilled))
        return AskedQuestion(query, parts, options, tuple(searches), tuple(listed), Order.of(order_by), notes)

    def _scored_query(self, query: LogicalQuery, parts: Parts, made: Transformation | None) -> LogicalQuery:
        """The query that documents of one kind are scored by."""
        if len(parts.kinds) > 1:
            return self.semantics.as_operand(query)
        return query if made is None else effective_query(replace(made, query=query), self.semantics)

    def _plan(self, problem: Problem, there: Narrowed, options: SearchOptions) -> Plan:
        made = plan_search(problem, there.store, options, filter=there.filter, counts=self._counts)
        return with_conditions(made, there)

    def _run(self, asked: AskedQuestion, vectors: Vectors, through: Through | None = None) -> SearchResult:
        with asked.notes.taken():
            return after_absences(self._answer(asked, vectors, through), asked.notes.absent)

    def _answer(self, asked: AskedQuestion, vectors: Vectors, through: Through | None) -> SearchResult:
        rows, found = {text: row for row, text in enumerate(asked.texts)}, []
        for search in asked.searches:
            own = vectors[[rows[text] for text in search.plan.texts]]
            result = self._run_one(search, asked.options, own, through)
            found.append((after_checks(result, search.narrowed), search.fulfilled))
        searched = str(asked.query)
        for there in asked.listed:
            listed = list_documents(there, asked.options.k, asked.order, self._counts.count(self.store), searched)
            found.append((after_checks(listed, there), True))
        if len(found) != 1:
            return merged(found, asked.options.k, searched)
        ((result, _),) = found
        necessary = asked.parts.necessary
        if necessary is None or not asked.searches:
            return result
        return replace(result, searched=str(all_of((necessary, asked.searches[0].problem.query))))

    def _run_one(
        self, search: KindSearch, options: SearchOptions, vectors: Vectors, through: Through | None
    ) -> SearchResult:
        there, statistics = search.narrowed, self._statistics
        if through is not None:
            there = replace(there, store=through(there.store))
            search = replace(search, narrowed=there)
            if search.plan.strategy == "pushdown" and getattr(there.store, "many", False):  # it is told in another way
                search = replace(search, plan=self._plan(search.problem, there, options.but(k=search.plan.k)))
        if there.store is not self.store:
            statistics = BorrowedStatistics(statistics, self.store, self._counts)
        return search_kind(search, options, vectors, statistics, lambda *asked: self._plan(asked[0], there, asked[1]))


def effective_query(made: Transformation, semantics: str | Semantics = DEFAULT_SEMANTICS) -> LogicalQuery:
    """The query to search for: the logical one, or the question as it stands where that retrieves better.

    Wherever a semantics has nothing to add, the question is looked for by its own vector, and by its words where these
    are evidence; see :meth:`~logical_retriever.semantics.Semantics.plain`. A query that the caller wrote is
    always taken as it is.
    """
    if made.written or not get_semantics(semantics).plain(made.query):
        return made.query
    return Term(made.sought)
