"""The framework-free retriever: questions in, documents out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from logical_retriever.embedding import Embedder, aembed_terms, embed_terms
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.explain import Explanation
from logical_retriever.options import SearchOptions, SearchSettings, check_names
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.query.fields import Fields
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.search.background import shared_background
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.run import run_search
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.stores.discovery import known_fields
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.stores.words_beside import words_beside
from logical_retriever.transform import Message, QueryTransformer, QuestionReader, Transformation
from logical_retriever.transform.conversation import in_conversation
from logical_retriever.vectors import Vectors
from logical_retriever.verify import in_thread

DEPTH = 200
"""Documents of the ranking in which an explanation looks for those that are not shown."""
DENSE_RANKS = 50
"""How many places of plain dense retrieval an explanation compares with."""
THREADS = 4
"""Threads that answer many queries at once, where the store may be read by several."""
NO_VECTORS: Vectors = np.empty((0, 0), np.float32)

Query = LogicalQuery | Transformation | str
"""A query, a text in the grammar, or a question that has been read."""


class LogicalRetriever:
    """Questions in, documents out, with the question's NOT, AND and OR honoured.

    Args:
        store: The documents.
        embedder: The encoder that the store's documents were encoded with.
        transformer: Turns questions into logical queries. The default is a
            :class:`~logical_retriever.QuestionReader` without a model.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.fields.Fields` takes
            them, or "discover" for those of a sample of the store; a condition on another is an error. None allows any.
            The default transformer gets them; give them to your own yourself.
        words_index: Path of a file for an index of the documents' words, kept beside the store. None for one in memory,
            made in the background and shared by all retrievers of the store, where the store would read every text to
            find a word (Chroma); False for what the store itself can do.
        **settings: Those of :class:`~logical_retriever.options.SearchOptions`: ``k``, ``fetch_k``, ``words``,
            ``semantics``, ``exclusion``, ``min_relevance``, ``verify`` and ``always_exclude``.

    Attributes:
        options: The settings together.

    Raises:
        InvalidArgumentError: A setting that there is not, or one outside its range.

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
        transformer: QueryTransformer | None = None,
        fields: Any = None,
        words_index: str | Path | Literal[False] | None = None,
        **settings: Unpack[SearchSettings],
    ) -> None:
        check_names(settings)
        self.options = SearchOptions(**settings)  # type: ignore[arg-type]  # None is refused where it is checked
        self.store, self.embedder = store, embedder
        self._words = words_beside(store, words_index)
        self.fields: Fields | None = known_fields(fields, self.store)
        self.transformer = QuestionReader(fields=self.fields) if transformer is None else transformer
        self._background = shared_background(self.store, embedder)

    @classmethod
    def from_texts(
        cls,
        texts: Sequence[str],
        embedder: Embedder,
        *,
        transformer: QueryTransformer | None = None,
        **settings: Unpack[SearchSettings],
    ) -> LogicalRetriever:
        """Encode texts into an in-memory store and retrieve from it; ids are "0", "1", ..."""
        documents = [StoredDocument(str(i), text) for i, text in enumerate(texts)]
        store = InMemoryStore(documents, embedder.embed_documents(texts) if documents else ())
        return cls(store, embedder, transformer=transformer, **settings)

    def but(self, **settings: Unpack[SearchSettings]) -> LogicalRetriever:
        """The same retriever with other settings; what is learnt about the store is shared.

        Args:
            **settings: Those that differ.
        """
        return self.with_options(self.options.but(**settings))

    def with_options(self, options: SearchOptions) -> LogicalRetriever:
        """Return this retriever with other settings as a whole, which are not checked again."""
        return self._with(self.store, options)

    def over(
        self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, **settings: Unpack[SearchSettings]
    ) -> LogicalRetriever:
        """The same retriever over some documents alone, each scored as among all documents of its own store.

        Args:
            documents: N documents with distinct ids, of this retriever's store.
            vectors: Shape (N, d), of the same encoder.
            **settings: Those that differ.

        Raises:
            VectorMismatchError: Not one vector per document, or (when it searches) vectors of another dimension than
                the store's.
            InvalidArgumentError: Two documents have one id.
        """
        return self._with(InMemoryStore(documents, vectors), self.options.but(**settings))

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
        transformation = self.transformer.transform(question, **in_conversation(self.transformer, history))
        return self.search(transformation, filter=filter, **settings).documents

    async def aretrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Asynchronous twin of :meth:`retrieve`."""
        transformation = await self.transformer.atransform(question, **in_conversation(self.transformer, history))
        return (await self.asearch(transformation, filter=filter, **settings)).documents

    def search(self, query: Query, *, filter: Filter = None, **settings: Unpack[SearchSettings]) -> SearchResult:
        """Search for a query that is already logical.

        Args:
            query: A query, a text in the grammar, or a transformation; the last is searched for as its plain question
                where it excludes nothing.
            filter: In the store's own language. It always holds; conditions of the query can only narrow it.
            **settings: For this call alone, as for :meth:`retrieve`.

        Raises:
            LogicalSyntaxError: The text is no query.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        request = self._request(query, filter, settings)
        vectors = embed_terms(self.embedder, request.texts) if request.texts else NO_VECTORS
        return run_search(request, vectors, self.store, self._background, self._words)

    async def asearch(self, query: Query, *, filter: Filter = None, **settings: Unpack[SearchSettings]) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the encoder is awaited, and a thread asks the store."""
        request = self._request(query, filter, settings)
        vectors = await aembed_terms(self.embedder, request.texts) if request.texts else NO_VECTORS
        return await in_thread(run_search, request, vectors, self.store, self._background, self._words)

    def search_many(
        self, queries: Sequence[Query], *, filter: Filter = None, **settings: Unpack[SearchSettings]
    ) -> list[SearchResult]:
        """Search for many queries with one call of the encoder.

        Args:
            queries: As for :meth:`search`.
            filter: In the store's own language, for all.
            **settings: For this call alone.

        Raises:
            InvalidArgumentError: The queries are no sequence.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`; the first error of any.
        """
        if isinstance(queries, (str, bytes)) or not isinstance(queries, Sequence):
            raise InvalidArgumentError(
                f"{type(queries).__name__} is no sequence of queries.",
                hint="Give a list of queries, or of texts in the grammar.",
            )
        requests = [self._request(query, filter, settings) for query in queries]
        texts = list(dict.fromkeys(text for request in requests for text in request.texts))
        vectors = dict(zip(texts, embed_terms(self.embedder, texts), strict=True)) if texts else {}

        def answer(request: SearchRequest) -> SearchResult:
            rows = np.stack([vectors[text] for text in request.texts]) if request.texts else NO_VECTORS
            return run_search(request, rows, self.store, self._background, self._words)

        with ThreadPoolExecutor(THREADS if self.store.capabilities.threads else 1) as pool:
            return list(pool.map(answer, requests))

    def explain(
        self,
        question: str | LogicalQuery | Transformation,
        *,
        filter: Filter = None,
        **settings: Unpack[SearchSettings],
    ) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: A question; or a query, whose canonical text then stands for the question.
            filter: In the store's own language.
            **settings: For this call alone.
        """
        transformation = self._transformed(question)
        result = self.search(transformation, filter=filter, **settings)
        k = self.options.but(**settings).k
        dense = self.dense(transformation.sought, k=max(DENSE_RANKS, k), filter=filter).documents
        present = {document.id for document in result.documents} | {out.id for out in result.left_out}
        lower = [document.id for document in dense[: len(result.documents)] if document.id not in present]
        ranked: SearchSettings = {**settings, "k": DEPTH, "exclusion": "rank", "min_relevance": 0.0, "verify": False}
        longer = self.search(transformation, filter=filter, **ranked).documents if lower else ()
        scored = {document.id: document for document in longer}
        return Explanation(
            transformation=transformation,
            searched=result.searched,
            result=result,
            dense=dense,
            not_shown=(*(out.document for out in result.left_out), *(scored[id] for id in lower if id in scored)),
        )

    def dense(self, question: str, *, k: int | None = None, filter: Filter = None) -> SearchResult:
        """Plain dense retrieval of a question, for comparison: by cosine alone, whatever the settings."""
        options = SearchOptions(k=self.options.k if k is None else k, semantics="itlr")
        return self._with(self.store, options).search(Term(question), filter=filter)

    def _with(self, store: Store, options: SearchOptions) -> LogicalRetriever:
        """Return a copy over a store, with this one's encoder, transformer and background; nothing is checked anew."""
        other = LogicalRetriever.__new__(LogicalRetriever)
        words = self._words if store is self.store else None
        vars(other).update({**vars(self), "store": store, "options": options, "_words": words})
        return other

    def _request(self, query: Query, filter: Filter, settings: SearchSettings) -> SearchRequest:
        options = self.options.but(**settings)
        if isinstance(query, str):
            query = parse(query)
        elif not isinstance(query, (LogicalQuery, Transformation)):
            raise InvalidArgumentError(
                f"A query must be a LogicalQuery or a text, got {type(query).__name__}.",
                hint='Use parse(\'"A" AND NOT "B"\'), or retrieve(question) for a question.',
            )
        return SearchRequest.of(query, options, filter=filter, fields=self.fields)

    def _transformed(self, question: str | LogicalQuery | Transformation) -> Transformation:
        if isinstance(question, LogicalQuery):
            return Transformation(question=str(question), query=question, method="given")
        return question if isinstance(question, Transformation) else self.transformer.transform(question)
