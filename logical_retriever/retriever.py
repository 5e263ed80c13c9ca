"""The framework-free retriever: questions in, documents out."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy.typing as npt
from typing_extensions import Unpack

from logical_retriever.embedding import Embedder, aembed_texts, embed_texts
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.explain import Explanation
from logical_retriever.options import SearchOptions, SearchSettings, check_names
from logical_retriever.query import Fields, LogicalQuery, Term
from logical_retriever.reading import (
    Message,
    QueryTransformer,
    QuestionReader,
    ReadQuestion,
    default_tagger,
    in_conversation,
    read_query,
)
from logical_retriever.reading.passages import in_thread
from logical_retriever.results import DocumentId, RankedDocument, SearchResult
from logical_retriever.search.dense import run_dense
from logical_retriever.search.question import Question
from logical_retriever.search.run import of_whole_store, run_search
from logical_retriever.search.session import StoreSession
from logical_retriever.search.statistics import shared_statistics
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.stores.discovery import known_fields
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.stores.separate_word_index import SeparateWordIndex

DEPTH = 200
"""Length of the ranking in which an explanation looks for documents not shown."""
DENSE_RANKS = 50
"""Ranks of plain dense retrieval in an explanation."""
THREADS = 4
"""Threads for many queries at once, if the store allows several."""

Query = LogicalQuery | ReadQuestion | str
"""A logical query, a text in the grammar, or a read question."""


class LogicalRetriever:
    """Questions in, documents out, with the question's NOT, AND and OR honoured.

    Args:
        store: The documents.
        embedder: The encoder that the store's documents were encoded with.
        transformer: Turns questions into logical queries. The default is a
            :class:`~logical_retriever.QuestionReader` without a model.
        fields: Metadata fields allowed in conditions, as :class:`~logical_retriever.query.Fields` takes them, or
            "discover" to read them off a sample of the store. A condition on another field is an error. None allows any
            field. The default transformer gets the fields; give them to your own yourself.
        words_index: An index of all documents' words, for a store that cannot find words itself, as Chroma: the path of
            a file, or True for memory. The first question reads every text to build it. None indexes stores of at most
            2,000 documents alone; in larger ones, words count among the candidates. False for no index.
        **settings: Those of :class:`~logical_retriever.options.SearchOptions`: ``k``, ``fetch_k``, ``words``,
            ``semantics``, ``exclusion``, ``min_relevance``, ``verify`` and ``always_exclude``.

    Attributes:
        options: The settings together.

    Raises:
        InvalidArgumentError: An unknown setting, or one outside its range.

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
        words_index: SeparateWordIndex | str | Path | bool | None = None,
        **settings: Unpack[SearchSettings],
    ) -> None:
        check_names(settings)
        self.options = SearchOptions(**settings)  # type: ignore[arg-type]  # None is refused where it is checked
        self.store, self.embedder = store, embedder
        self._word_index = SeparateWordIndex.of(store, words_index)
        self.fields: Fields | None = known_fields(fields, self.store)
        self.transformer = QuestionReader(fields=self.fields) if transformer is None else transformer
        self._statistics = shared_statistics(self.store, embedder)
        self._whole: LogicalRetriever | None = None

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
        """Return the retriever with other settings; it shares the statistics of the store.

        Args:
            **settings: Those that differ.
        """
        return self.with_options(self.options.but(**settings))

    def with_options(self, options: SearchOptions) -> LogicalRetriever:
        """Return the retriever with these options in place of its own, without a second check."""
        other = LogicalRetriever.__new__(LogicalRetriever)
        vars(other).update({**vars(self), "options": options})
        return other

    def over(
        self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, **settings: Unpack[SearchSettings]
    ) -> LogicalRetriever:
        """Return a retriever over some documents of the store, judged as among all of them.

        Args:
            documents: N documents with distinct ids, of this retriever's store.
            vectors: Shape (N, d), of the same encoder.
            **settings: Those that differ.

        Raises:
            VectorMismatchError: Not one vector per document; or, at a search, vectors of another dimension than the
                store's.
            InvalidArgumentError: Two documents have one id.
        """
        other = self.but(**settings)
        other.store, other._word_index, other._whole = InMemoryStore(documents, vectors), None, self._whole or self
        return other

    def retrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Answer a question with the best k documents; arguments and errors are those of :meth:`answer`."""
        return self.answer(question, filter=filter, history=history, **settings).documents

    async def aretrieve(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> tuple[RankedDocument, ...]:
        """Asynchronous twin of :meth:`retrieve`."""
        return (await self.aanswer(question, filter=filter, history=history, **settings)).documents

    def answer(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> SearchResult:
        """Answer a question with the best k documents, what was left out, the note and the problem, if there is one.

        Args:
            question: The user's question, in natural language.
            filter: In the store's own language.
            history: The conversation before the question, as :class:`~logical_retriever.QuestionReader` takes it.
            **settings: For this call alone, such as ``k=10``; None leaves a setting as it is.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        # A reader needs no argument ``history``: it is passed only if there are messages.
        read_question = self.transformer.transform(question, **in_conversation(self.transformer, history))
        return self.search(read_question, filter=filter, **settings)

    async def aanswer(
        self,
        question: str,
        *,
        filter: Filter = None,
        history: Sequence[Message] = (),
        **settings: Unpack[SearchSettings],
    ) -> SearchResult:
        """Asynchronous twin of :meth:`answer`."""
        read_question = await self.transformer.atransform(question, **in_conversation(self.transformer, history))
        return await self.asearch(read_question, filter=filter, **settings)

    def search(self, query: Query, *, filter: Filter = None, **settings: Unpack[SearchSettings]) -> SearchResult:
        """Search for a logical query.

        Args:
            query: A logical query, one as people type it, or a read question. A read question without an exclusion is
                searched for as it stands.
            filter: In the store's own language. It always holds: conditions of the query only narrow it.
            **settings: For this call alone, as for :meth:`answer`.

        Raises:
            LogicalSyntaxError: The text is no query.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        return self._run(self._encoded(query, filter, self.options.but(**settings)))

    async def asearch(self, query: Query, *, filter: Filter = None, **settings: Unpack[SearchSettings]) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the encoder is awaited, and a thread asks the store."""
        question = await in_thread(self._question, query, filter, self.options.but(**settings))
        if question.texts:
            question = question.with_vectors(await aembed_texts(self.embedder, question.texts))
        return await in_thread(self._run, question)

    def search_many(
        self, queries: Sequence[Query], *, filter: Filter = None, **settings: Unpack[SearchSettings]
    ) -> list[SearchResult]:
        """Search for many queries with one call of the encoder.

        Args:
            queries: As for :meth:`search`.
            filter: In the store's own language, for all.
            **settings: For this call alone.

        Raises:
            InvalidArgumentError: The queries are not a sequence.
            LogicalRetrieverError: The first error of any query; see :mod:`logical_retriever.errors`.
        """
        if isinstance(queries, (str, bytes)) or not isinstance(queries, Sequence):
            raise InvalidArgumentError(
                f"{type(queries).__name__} is no sequence of queries.",
                hint="Give a list of queries, or of texts in the grammar.",
            )
        options = self.options.but(**settings)
        questions = [self._question(query, filter, options) for query in queries]
        texts = list(dict.fromkeys(text for question in questions for text in question.texts))
        if texts:
            vectors, row = embed_texts(self.embedder, texts), {text: row for row, text in enumerate(texts)}
            questions = [one.with_vectors(vectors[[row[text] for text in one.texts]]) for one in questions]
        with ThreadPoolExecutor(THREADS if self.store.capabilities.threads else 1) as pool:
            return list(pool.map(self._run, questions))

    def explain(
        self,
        question: str | LogicalQuery | ReadQuestion,
        *,
        filter: Filter = None,
        **settings: Unpack[SearchSettings],
    ) -> Explanation:
        """Retrieve, and explain the answer beside plain dense retrieval.

        Args:
            question: A question; or a query, with its canonical text as the question.
            filter: In the store's own language.
            **settings: For this call alone.
        """
        read_question, options = self._transformed(question), self.options.but(**settings)
        result = self._run(self._encoded(read_question, filter, options))
        dense = self.dense(read_question.sought, k=max(DENSE_RANKS, options.k), filter=filter).documents
        present = {document.id for document in result.documents} | {out.id for out in result.left_out}
        lower = [document.id for document in dense[: len(result.documents)] if document.id not in present]
        scored: dict[DocumentId, RankedDocument] = {}
        if lower:
            ranked = replace(options, k=DEPTH, exclusion="rank", min_relevance=None, verify=False)
            longer = self._run(self._encoded(read_question, filter, ranked)).documents
            scored = {document.id: document for document in longer}
        return Explanation(
            read=read_question,
            result=result,
            dense=dense,
            not_shown=(*(out.document for out in result.left_out), *(scored[id] for id in lower if id in scored)),
        )

    def dense(self, question: str, *, k: int | None = None, filter: Filter = None) -> SearchResult:
        """Rank documents by the cosine of the whole question alone, for comparison; no setting but ``k`` counts."""
        options = SearchOptions(self.options.k if k is None else k, words=0.0)
        asked = self._encoded(Term(question), filter, options)
        return run_dense(asked, self._session(asked))

    def _encoded(self, query: Query, filter: Filter, options: SearchOptions) -> Question:
        """Build the question and encode its texts in one call."""
        question = self._question(query, filter, options)
        return question.with_vectors(embed_texts(self.embedder, question.texts)) if question.texts else question

    def _question(self, query: Query, filter: Filter, options: SearchOptions) -> Question:
        """Build the question, its texts not yet encoded; parse a text first."""
        if isinstance(query, str):
            return self._typed(query, filter, options)
        if not isinstance(query, (LogicalQuery, ReadQuestion)):
            raise InvalidArgumentError(
                f"A query must be a LogicalQuery or a text, got {type(query).__name__}.",
                hint='Use parse(\'"A" AND NOT "B"\'), or retrieve(question) for a question.',
            )
        return Question.of(query, options, filter=filter, fields=self.fields)

    def _typed(self, text: str, filter: Filter, options: SearchOptions) -> Question:
        """Build the question for a text that is given as a query."""
        query = read_query(text)
        question = Question.of(query, options, filter=filter, fields=self.fields)
        unquoted = isinstance(query, Term) and '"' not in text
        if unquoted and (text.rstrip().endswith(("?", "？")) or default_tagger().read(text).outcome != "plain"):
            return replace(question, remarks=("the text was searched as one term; retrieve() reads questions",))
        return question

    def _run(self, question: Question) -> SearchResult:
        """Search for an encoded question."""
        if self._whole is not None:
            # The filter is of the documents at hand.
            question = of_whole_store(question, self._whole._session(replace(question, filter=None)))
        return run_search(question, self._session(question))

    def _session(self, question: Question) -> StoreSession:
        """Open the store for one question."""
        return StoreSession(question, self.store, self._statistics, self._word_index)

    def _transformed(self, question: str | LogicalQuery | ReadQuestion) -> ReadQuestion:
        if isinstance(question, LogicalQuery):
            return ReadQuestion(question=str(question), query=question, method="given")
        return question if isinstance(question, ReadQuestion) else self.transformer.transform(question)
