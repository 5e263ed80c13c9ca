"""Logical scores for the documents that another retriever has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.callbacks import Callbacks, adispatch_custom_event, dispatch_custom_event
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.vectorstores import VectorStore
from pydantic import Field, PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import EVENT, copied
from langchain_logical_retriever.chat_model import as_verifier
from langchain_logical_retriever.embedder import as_embedder
from langchain_logical_retriever.stores import as_store
from langchain_logical_retriever.transformer import QuestionReader, as_runnable, own_model
from logical_retriever.integration import (
    DEFAULT_SEMANTICS,
    Embedder,
    Encodable,
    Exclusion,
    InvalidArgumentError,
    QueryTransformer,
    SearchOptions,
    SearchResult,
    SecondStage,
    Semantics,
    Store,
    StoredDocument,
    Transformation,
    check_question,
    choose_transformer,
    query_event,
    reasons,
)


class LogicalCompressor(CheckedModel, BaseDocumentCompressor):
    """Scores documents by the question's logical query, for pipelines that keep their retriever.

    Setup:
        .. code-block:: bash

            pip install langchain-logical-retriever

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalCompressor

            compressor = LogicalCompressor(vectorstore=vectorstore, llm=llm, top_n=4)

        The question is read as :class:`LogicalRetriever` reads it; ``llm`` may be left out.

    Usage:
        .. code-block:: python

            documents = compressor.compress_documents(found, "benefits of vitamin D other than bone health")
            documents[0].metadata["logical_score"]  # as LogicalRetriever's

    Use within a chain:
        .. code-block:: python

            chain = {"documents": retriever, "query": RunnablePassthrough()} | RunnableLambda(
                lambda found: compressor.compress_documents(**found)
            )

        In ``langchain_classic`` a ``ContextualCompressionRetriever`` takes it as ``base_compressor``.

    A compressor sees only what the retriever has found: use it behind one that fetches many documents, so that enough
    remain when the unwanted ones are left out. What a cosine means is measured on ``vectorstore``, the store that
    the documents come from. Without it, it is measured on the found documents, which are all about one subject: little
    stands out among them, and rankings are clearly worse.

    Conditions on metadata that are typed in a question, or that ``transformer=QuestionReader(llm, fields=fields)``
    reads, are decided on the found documents. There is no ``fields`` here: a retriever that knows of no conditions
    spends its places on documents that they leave out, so give fields to a :class:`LogicalRetriever`, which tells the
    store.

    A question without logic keeps the retriever's order, unless something is always excluded; its documents then
    carry no score. Texts are encoded
    again, in one call of ``embed_documents``, since LangChain's documents carry no vectors. Documents are copies; those
    given are never changed.

    Attributes:
        vectorstore: Where the documents come from, as for :class:`LogicalRetriever`; it is read for statistics alone.
        embeddings: Encodes the terms and the documents' ``page_content``; by default those of ``vectorstore``.
        llm: A chat model for the questions that the tagger is not sure of; None for none, or for ``transformer``.
        transformer: In place of ``llm``: as for :class:`LogicalRetriever`.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        top_n: Documents to return, at least 1; None for all.
        exclusion: As for :class:`LogicalRetriever`; what is most about an excluded term is looked for among the
            documents given.
        verify: As for :class:`LogicalRetriever`, in place of a grader of every document.
        always_exclude: As for :class:`LogicalRetriever`: what is about one of these is left out in any case.
        metadata_key: As for :class:`LogicalRetriever`.

    Raises:
        InvalidArgumentError: An argument is none of these, or there are no embeddings.
        UnsupportedStoreError: No adapter is known for the vector store.
    """

    model_config = CHECKED

    vectorstore: Annotated[VectorStore | Store | None, SkipValidation] = None
    embeddings: Annotated[Embeddings | Embedder | None, SkipValidation] = None
    llm: Annotated[Runnable[Any, Any] | None, SkipValidation] = None
    transformer: Annotated[QueryTransformer | Runnable[str, Any] | None, SkipValidation] = None
    semantics: Annotated[str | Semantics, SkipValidation] = DEFAULT_SEMANTICS
    top_n: Annotated[int | None, SkipValidation] = None
    exclusion: Annotated[Exclusion, SkipValidation] = SearchOptions.exclusion
    verify: Annotated[Any, SkipValidation] = None
    always_exclude: Annotated[Sequence[str], SkipValidation] = ()
    metadata_key: str | None = Field(default="logical", min_length=1)

    _stage: SecondStage = PrivateAttr()
    _transform: Runnable[str, Transformation] = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> LogicalCompressor:
        self._transform = as_runnable(
            choose_transformer(self.llm, self.transformer, lambda llm: QuestionReader(llm=llm))
        )
        if self.vectorstore is None and self.embeddings is None:
            raise InvalidArgumentError(
                "LogicalCompressor has no embeddings.",
                hint="Pass vectorstore=..., the store that the documents come from, or embeddings=...",
            )
        origin = None if self.vectorstore is None else as_store(self.vectorstore)
        embedder = as_embedder(self.embeddings, store=self.vectorstore)
        self._stage = SecondStage(
            embedder,
            semantics=self.semantics,
            origin=origin,
            top_n=self.top_n,
            exclusion=self.exclusion,
            verify=as_verifier(self.verify, self.llm or own_model(self.transformer)),
            always_exclude=self.always_exclude,
        )
        return self

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Order documents by the question's logical query, and keep the best ``top_n``.

        Args:
            documents: What a retriever found, in its order.
            query: The question, in natural language.
            callbacks: The transformer's and the chat model's runs become children of theirs.

        Returns:
            Copies, best first; ties in the order given.

        Raises:
            InvalidArgumentError: ``documents`` are not Documents.
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        return self._runnable(documents, query).invoke(query, {"callbacks": callbacks})

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Asynchronous twin of :meth:`compress_documents`: nothing in it blocks the event loop."""
        return await self._runnable(documents, query).ainvoke(query, {"callbacks": callbacks})

    def _runnable(self, documents: Sequence[Document], question: str) -> Runnable[str, list[Document]]:
        """One run, so that the transformer's run and the event have a parent; it ends with the call."""
        check_question(question)
        given = check_documents(documents)

        def compress(question: str, config: RunnableConfig) -> list[Document]:
            if not given:
                return []
            made = self._transform.invoke(question, config)
            event = query_event(made, self._stage.options)
            dispatch_custom_event(EVENT, event, config=config)
            if not self._stage.changes(made.query):
                return self._unscored(given, event["searched"])
            return self._scored(given, self._stage.score(made, _encodable(given)))

        async def acompress(question: str, config: RunnableConfig) -> list[Document]:
            if not given:
                return []
            made = await self._transform.ainvoke(question, config)
            event = query_event(made, self._stage.options)
            await adispatch_custom_event(EVENT, event, config=config)
            if not self._stage.changes(made.query):
                return self._unscored(given, event["searched"])
            return self._scored(given, await self._stage.ascore(made, _encodable(given)))

        return RunnableLambda(compress, acompress, type(self).__name__)

    def _scored(self, given: list[Document], result: SearchResult) -> list[Document]:
        return [copied(given[one.id], reasons(one, result), self.metadata_key) for one in result.documents]

    def _unscored(self, given: list[Document], searched: str) -> list[Document]:
        why: dict[str, Any] = {"query": searched, "score": None, "terms": {}, "exact": True}
        return [copied(document, why, self.metadata_key) for document in given[: self.top_n]]


def check_documents(documents: Sequence[Document]) -> list[Document]:
    """Refuse what a retriever would not return.

    Raises:
        InvalidArgumentError: It is no list of Documents.
    """
    if isinstance(documents, (str, bytes)) or not isinstance(documents, Sequence):
        raise InvalidArgumentError(
            f"documents is {type(documents).__name__}, not a list of Documents.",
            hint="Pass what a retriever returned.",
        )
    for place, document in enumerate(documents, start=1):
        if not isinstance(document, Document):
            raise InvalidArgumentError(
                f"Entry {place} of documents is {type(document).__name__}, not a Document.",
                hint="Wrap texts: [Document(page_content=text) for text in texts].",
            )
    return list(documents)


def _encodable(documents: Sequence[Document]) -> list[Encodable]:
    return [
        Encodable(StoredDocument("", document.page_content, document.metadata), document.page_content)
        for document in documents
    ]
