"""The framework-free retriever: questions in, documents out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy.typing as npt
from typing_extensions import Unpack

from logical_retriever.embedding import Embedder
from logical_retriever.explain import Explanation
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.results import DocumentId, RankedDocument, SearchResult
from logical_retriever.search import (
    BorrowedStatistics,
    SearchOptions,
    SearchSettings,
)
from logical_retriever.search.standing import with_standing
from logical_retriever.searcher import QuerySearcher, effective_query as effective_query
from logical_retriever.semantics import DEFAULT_SEMANTICS, ItlrSemantics, Semantics, get_semantics
from logical_retriever.stages import stage, timed
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.stores.discovery import known_fields
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.stores.kept_words import with_words
from logical_retriever.stores.notes import SearchNotes
from logical_retriever.transform import Message, QueryTransformer, QuestionReader, Transformation, get_transformer
from logical_retriever.transform.base import read_many
from logical_retriever.transform.conversation import in_conversation

DENSE_RANKS = 50
"""How many places of plain dense retrieval an explanation compares with."""


class LogicalRetriever(QuerySearcher):
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
            them, or "discover" for those of a sample of the store: a condition on another is an error. The default
            transformer is told them; tell another itself. None where any may be named.
        words_index: Path of a file for an index of the documents' words, kept beside the store: made by the first
            question, then changed with the documents; see :func:`~logical_retriever.stores.with_words_index`. None for
            one in memory, made in the background and shared by all retrievers of the store, where the store would read
            every text to find a word (Chroma); False for what the store itself can do.
        **settings: Those of :class:`~logical_retriever.search.SearchOptions`: ``k``, ``fetch_k``, ``evidence``,
            ``max_candidates``, ``max_rounds``, ``mode``, ``pushdown``, ``effort``, ``language``, ``drop_excluded``,
            ``min_relevance``, ``verify``, ``verify_wanted`` and ``always_exclude``.

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

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        *,
        transformer: str | QueryTransformer = "auto",
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        fields: Any = None,
        words_index: str | Path | Literal[False] | None = None,
        **settings: Unpack[SearchSettings],
    ) -> None:
        options = SearchOptions(**settings)  # type: ignore[arg-type]  # None is refused where it is checked
        kept = with_words(store, words_index)
        known = known_fields(fields, kept)
        super().__init__(kept, embedder, semantics, known, options)
        told = known is not None and isinstance(transformer, str) and transformer == "auto"
        self.transformer = QuestionReader(fields=known) if told else get_transformer(transformer)

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
        with timed():
            with stage("read"):
                made = self.transformer.transform(question, **in_conversation(self.transformer, history))
            return self.search(made, filter=filter, **settings).documents

    async def aretrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Asynchronous twin of :meth:`retrieve`."""
        with timed():
            with stage("read"):
                made = await self.transformer.atransform(question, **in_conversation(self.transformer, history))
            return (await self.asearch(made, filter=filter, **settings)).documents

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """Answer many questions at once, as :meth:`retrieve` does one by one, in less time; see :meth:`search_many`.

        Args:
            questions: The users' questions.
            filter: In the store's own language, for all.
            return_exceptions: Whether a question that fails has its error in place of its documents; else the first
                error is raised.
            **settings: For this call alone, such as ``k=10``.

        Returns:
            The best k documents for each, or, where that is wanted, an error.

        Raises:
            EmptyQuestionError: A question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        made = read_many(self.transformer, questions, return_exceptions=return_exceptions)
        found = self.search_many(made, filter=filter, return_exceptions=return_exceptions, **settings)
        return [one.documents if isinstance(one, SearchResult) else one for one in found]

    async def aretrieve_many(
        self,
        questions: Sequence[str],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """Asynchronous twin of :meth:`retrieve_many`; questions are read in a thread."""
        made = await asyncio.to_thread(read_many, self.transformer, questions, return_exceptions=return_exceptions)
        found = await self.asearch_many(made, filter=filter, return_exceptions=return_exceptions, **settings)
        return [one.documents if isinstance(one, SearchResult) else one for one in found]

    def explain(
        self, question: str | LogicalQuery | Transformation, *, k: int | None = None, filter: Filter = None
    ) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: A question; or a query, whose canonical text then stands for the question.
            k: Documents to return; None for the retriever's own k.
            filter: In the store's own language.
        """
        with timed():
            with stage("read"):
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
            left_out=self._scored(made, missing, result),
            clear=self.semantics.clear,
        )

    def dense(self, question: str, *, k: int | None = None, filter: Filter = None) -> SearchResult:
        """Plain dense retrieval of a question, for comparison: the cosine of its vector, nothing else."""
        plain = self._like(
            *(self.store, ItlrSemantics()),
            **SearchSettings(k=k, evidence="dense", mode="exact", pushdown="never", min_relevance=0.0, verify=False),
        )
        plain.always_exclude, plain._counts = (), self._counts
        return plain.search(Term(question), filter=filter)

    def _scored(
        self, made: Transformation, ids: Sequence[DocumentId], result: SearchResult
    ) -> tuple[RankedDocument, ...]:
        """Documents that are not among the answers, in the order asked, scored with all the evidence.

        The answers are scored with them: relevance is told by the best.
        """
        with SearchNotes().taken():
            found = self.store.fetch([*ids, *(document.id for document in result.documents)]) if ids else None
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
            verify=False,
        )
        over.always_exclude = ()  # excluded as ever, and not left out
        made = replace(made, query=with_standing(made.query, self.always_exclude))
        scored = {document.id: document for document in over.search(made).documents}
        known = {one.id: one.relevance for one in result.left_out}
        return tuple(replace(scored[id], relevance=known.get(id, scored[id].relevance)) for id in ids if id in scored)

    def _like(self, store: Store, semantics: Semantics, **settings: Unpack[SearchSettings]) -> LogicalRetriever:
        """A retriever with this one's encoder, transformer and settings."""
        options = vars(self.options.but(**settings))
        return LogicalRetriever(
            store, self.embedder, transformer=self.transformer, semantics=semantics, fields=self.fields, **options
        )

    def _transformed(self, question: str | LogicalQuery | Transformation) -> Transformation:
        if isinstance(question, LogicalQuery):
            return Transformation(question=str(question), query=question, method="given")
        return question if isinstance(question, Transformation) else self.transformer.transform(question)
