"""The framework-free retriever: the one file that knows every stage."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from logical_retriever.embedding import Embedder, aembed_terms, embed_terms
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.explain import Explanation
from logical_retriever.moved import renamed
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.query.conditions import Parts, all_of, in_parts
from logical_retriever.query.fields import Fields
from logical_retriever.results import DocumentId, Plan, RankedDocument, SearchResult
from logical_retriever.search import (
    BorrowedStatistics,
    CountCache,
    Problem,
    SearchOptions,
    SearchSettings,
    StatisticsCache,
    looked_for,
    plan_search,
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
from logical_retriever.semantics import DEFAULT_SEMANTICS, ItlrSemantics, Semantics, get_semantics
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.stores.kept_words import with_words_index
from logical_retriever.stores.notes import SearchNotes
from logical_retriever.transform import Message, QueryTransformer, Transformation, get_transformer
from logical_retriever.transform.conversation import in_conversation
from logical_retriever.vectors import Vectors

DENSE_RANKS = 50
"""How many places of plain dense retrieval an explanation compares with."""


class _Setting:
    """A setting of the retriever's options as an attribute of its own: read from there, and checked when it is set."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, retriever: LogicalRetriever | None, owner: type) -> Any:
        return self if retriever is None else getattr(retriever.options, self.name)

    def __set__(self, retriever: LogicalRetriever, value: Any) -> None:
        retriever.options = replace(retriever.options, **{self.name: value})


class LogicalRetriever:
    """Questions in, documents out, with the question's NOT, AND and OR honoured.

    Args:
        store: The documents.
        embedder: The encoder that the store's documents were encoded with.
        transformer: Turns questions into logical queries: a name of
            :data:`~logical_retriever.transform.TRANSFORMERS` or an instance. The default reads typed logic and the
            wordings that rules know; :class:`~logical_retriever.QuestionReader` with a model reads the others too.
        semantics: How AND, OR and NOT compose the terms' scores: a name of
            :data:`~logical_retriever.semantics.SEMANTICS` or an instance.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.fields.Fields` takes
            them: a condition on another is an error. None where any may be named.
        words_index: Path of a file for an index of the documents' words, kept beside the store: made by the first
            question, then changed with the documents; see :func:`~logical_retriever.stores.with_words_index`. None for
            what the store itself can do.
        **settings: Those of :class:`~logical_retriever.search.SearchOptions`: ``k``, ``fetch_k``, ``evidence``,
            ``max_candidates``, ``max_rounds``, ``mode``, ``pushdown``, ``language``, ``drop_excluded`` and
            ``min_relevance``.

    Attributes:
        options: The settings together; each can be read, and set, as an attribute of its own as well.

    Raises:
        InvalidArgumentError: A count below 1, a relevance outside [0, 1], or a semantics, evidence, mode or pushdown of
            an unknown name.

    Examples:
        >>> from logical_retriever.testing import HashingEmbedder
        >>> texts = ["green tea and health", "green tea and brewing", "black coffee and health"]
        >>> retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(), k=1)
        >>> [document.text for document in retriever.retrieve("green tea, excluding brewing")]
        ['green tea and health']
    """

    k, fetch_k, evidence, max_candidates, max_rounds, mode, pushdown, language = (_Setting() for _ in range(8))
    drop_excluded, min_relevance = _Setting(), _Setting()

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        *,
        transformer: str | QueryTransformer = "auto",
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        fields: Any = None,
        words_index: str | Path | None = None,
        **settings: Unpack[SearchSettings],
    ) -> None:
        self.options = SearchOptions(**settings)  # type: ignore[arg-type]  # None is refused where it is checked
        self.store = store if words_index is None else with_words_index(store, words_index)
        self.embedder = embedder
        self.transformer = get_transformer(transformer)
        self.semantics = get_semantics(semantics)
        self.fields = Fields.of(fields)
        self._statistics = StatisticsCache(embedder)
        self._counts = CountCache()

    @classmethod
    def from_texts(
        cls,
        texts: Sequence[str],
        embedder: Embedder,
        *,
        transformer: str | QueryTransformer = "auto",
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        **settings: Unpack[SearchSettings],
    ) -> LogicalRetriever:
        """Encode texts into an in-memory store and retrieve from it; ids are "0", "1", ..."""
        documents = [StoredDocument(str(i), text) for i, text in enumerate(texts)]
        store = InMemoryStore(documents, embedder.embed_documents(texts) if documents else ())
        return cls(store, embedder, transformer=transformer, semantics=semantics, **settings)

    def but(self, *, semantics: str | Semantics | None = None, **settings: Unpack[SearchSettings]) -> LogicalRetriever:
        """The same retriever with other settings; what is learnt about the store, before and after, is shared.

        Args:
            semantics: As the class's; None for this one's.
            **settings: Those that differ.
        """
        chosen = self.semantics if semantics is None else get_semantics(semantics)
        other = self._like(self.store, chosen, **settings)
        other._statistics, other._counts = self._statistics, self._counts
        return other

    def over(
        self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, **settings: Unpack[SearchSettings]
    ) -> LogicalRetriever:
        """The same retriever over found documents alone, each scored as among all documents of its own store.

        Args:
            documents: N documents with distinct ids, of this retriever's store.
            vectors: Shape (N, d), of the same encoder.
            **settings: Those that differ.

        Raises:
            VectorMismatchError: Not one vector per document, or (when it searches) vectors of another dimension than
                the store's.
            InvalidArgumentError: Two documents have one id.
        """
        other = self._like(InMemoryStore(documents, vectors), self.semantics, **settings)
        other._statistics = BorrowedStatistics(self._statistics, self.store, self._counts)
        return other

    def retrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Answer a question with the best k documents.

        Args:
            question: The user's question, in natural language.
            filter: In the store's own language.
            history: The conversation before it, as :class:`~logical_retriever.QuestionReader` takes it.
            **settings: For this call alone, such as ``k=10``; None leaves one as it is.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        said = in_conversation(self.transformer, history)
        return self.search(self.transformer.transform(question, **said), filter=filter, **settings).documents

    async def aretrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Asynchronous twin of :meth:`retrieve`."""
        made = await self.transformer.atransform(question, **in_conversation(self.transformer, history))
        return (await self.asearch(made, filter=filter, **settings)).documents

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
        asked = self._prepare(query, filter, self.options.but(**settings), order_by)
        vectors = embed_terms(self.embedder, asked.texts) if asked.searches else np.empty((0, 0), np.float32)
        return self._run(asked, vectors)

    async def asearch(
        self,
        query: LogicalQuery | Transformation | str,
        *,
        filter: Filter = None,
        order_by: str | None = None,
        **settings: Unpack[SearchSettings],
    ) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the store's blocking calls run in a thread."""
        asked = await asyncio.to_thread(self._prepare, query, filter, self.options.but(**settings), order_by)
        vectors = await aembed_terms(self.embedder, asked.texts) if asked.searches else np.empty((0, 0), np.float32)
        return await asyncio.to_thread(self._run, asked, vectors)

    def explain(
        self, question: str | LogicalQuery | Transformation, *, k: int | None = None, filter: Filter = None
    ) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: A question; or a query, whose canonical text then stands for the question.
            k: Documents to return; None for the retriever's own k.
            filter: In the store's own language.
        """
        made = self._transformed(question)
        result = self.search(made, k=k, filter=filter)
        dense = self.dense(made.sought, k=max(DENSE_RANKS, self.k if k is None else k), filter=filter).documents
        found = {document.id for document in result.documents}
        found |= {one.id for one in result.left_out}
        missing = [one.id for one in result.left_out]
        missing += [document.id for document in dense[: len(result.documents)] if document.id not in found]
        return Explanation(
            transformation=made,
            searched=result.searched,
            result=result,
            dense=dense,
            left_out=self._scored(made, missing),
            clear=self.semantics.clear,
        )

    def dense(self, question: str, *, k: int | None = None, filter: Filter = None) -> SearchResult:
        """Plain dense retrieval of a question, for comparison: the cosine of its vector, nothing else."""
        plain = self._like(
            self.store, ItlrSemantics(), k=k, evidence="dense", mode="exact", pushdown="never", min_relevance=0.0
        )
        plain._counts = self._counts
        return plain.search(Term(question), filter=filter)

    def _scored(self, made: Transformation, ids: Sequence[DocumentId]) -> tuple[RankedDocument, ...]:
        """Some documents of the store, in the order asked, scored with all the evidence."""
        with SearchNotes().taken():
            found = self.store.fetch(ids) if ids else None
        if found is None or not found.documents:
            return ()
        count = len(found.documents)
        over = self.over(
            found.documents,
            found.vectors,
            k=count,
            fetch_k=count,
            pushdown="never",
            drop_excluded=False,
            min_relevance=0.0,
        )
        scored = {document.id: document for document in over.search(made).documents}
        return tuple(scored[id] for id in found.ids if id in scored)

    def _like(self, store: Store, semantics: Semantics, **settings: Unpack[SearchSettings]) -> LogicalRetriever:
        """A retriever with this one's encoder, transformer and settings."""
        options = asdict(self.options.but(**settings))
        return LogicalRetriever(
            store, self.embedder, transformer=self.transformer, semantics=semantics, fields=self.fields, **options
        )

    def _transformed(self, question: str | LogicalQuery | Transformation) -> Transformation:
        if isinstance(question, LogicalQuery):
            return Transformation(question=str(question), query=question, method="given")
        return question if isinstance(question, Transformation) else self.transformer.transform(question)

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

    def _run(self, asked: AskedQuestion, vectors: Vectors) -> SearchResult:
        with asked.notes.taken():
            return after_absences(self._answer(asked, vectors), asked.notes.absent)

    def _answer(self, asked: AskedQuestion, vectors: Vectors) -> SearchResult:
        rows, found = {text: row for row, text in enumerate(asked.texts)}, []
        for search in asked.searches:
            own = vectors[[rows[text] for text in search.plan.texts]]
            result = self._run_one(search, asked.options, own)
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

    def _run_one(self, search: KindSearch, options: SearchOptions, vectors: Vectors) -> SearchResult:
        there, statistics = search.narrowed, self._statistics
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


__getattr__ = renamed(__name__, {"route": "effective_query"})
