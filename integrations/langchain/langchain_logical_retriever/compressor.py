"""The last stage of a pipeline: other retrievers' documents, without what the question excludes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from langchain_core.callbacks import Callbacks, adispatch_custom_event, dispatch_custom_event
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.vectorstores import VectorStore
from pydantic import PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CheckedModel
from langchain_logical_retriever._convert import EVENT, check_documents
from langchain_logical_retriever.retriever import LogicalRetriever
from logical_retriever.adapters import (
    PROBLEM,
    Encodable,
    InMemoryStore,
    InvalidArgumentError,
    ReadQuestion,
    SearchResult,
    Store,
    StoredDocument,
    asearch_documents,
    check_question,
    query_event,
    search_documents,
    short_problem,
)


class LogicalCompressor(BaseDocumentCompressor, CheckedModel):
    """The last stage of a pipeline, which leaves out what the question excludes.

    Setup:
        .. code-block:: bash

            pip install langchain-logical-retriever

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalCompressor

            compressor = LogicalCompressor(vectorstore, llm)

        The question is read as :class:`LogicalRetriever` reads it; ``llm`` may be left out.

    Usage:
        .. code-block:: python

            compressor.compress_documents(documents, "benefits of vitamin D other than bone health")

    Use within a chain:
        .. code-block:: python

            retriever = ContextualCompressionRetriever(
                base_retriever=EnsembleRetriever(retrievers=[bm25, dense]), base_compressor=compressor
            )

    Behind ``MultiQueryRetriever``, ``EnsembleRetriever`` or ``MergerRetriever`` the user's own question decides,
    whatever variants of it they searched for. The order stays. Let them fetch enough, since documents that are left out
    are not replaced.

    The meaning of a cosine is measured on ``vectorstore``, which the documents come from. With ``embeddings`` alone it
    is measured on the documents themselves; they are all about one subject, so little stands out. LangChain's
    documents carry no vectors, so their texts are encoded again, in one call. A question that excludes nothing encodes
    nothing. Conditions on metadata in a question are decided on the documents' metadata.

    Attributes:
        vectorstore: The vector store that the documents come from; it is read for statistics alone.
        llm: As for :class:`LogicalRetriever`.
        transformer: As for :class:`LogicalRetriever`.
        embeddings: The encoder of the terms and of the documents' ``page_content``; by default that of ``vectorstore``.
        exclusion: "drop" leaves out what has an excluded thing or is about it, "strict" leaves out more,
            "certain" keeps only what denies the thing. There is no "rank", since the order stays.
        verify: As for :class:`LogicalRetriever`, in place of a grader of every document.
        always_exclude: Terms that every question excludes.

    Raises:
        InvalidArgumentError: An unknown or wrong argument, or no embeddings.
        UnsupportedStoreError: An unknown class of vector stores.
    """

    vectorstore: Annotated[Any, SkipValidation] = None
    llm: Annotated[Any, SkipValidation] = None
    transformer: Annotated[Any, SkipValidation] = None
    embeddings: Annotated[Any, SkipValidation] = None
    exclusion: Literal["drop", "strict", "certain"] = "drop"
    verify: Annotated[Any, SkipValidation] = None
    always_exclude: Annotated[Sequence[str], SkipValidation] = ()

    _retriever: LogicalRetriever = PrivateAttr()

    def __init__(
        self, vectorstore: VectorStore | Store | None = None, llm: Runnable[Any, Any] | None = None, **arguments: Any
    ) -> None:
        super().__init__(vectorstore=vectorstore, llm=llm, **arguments)

    @model_validator(mode="after")
    def _build(self) -> LogicalCompressor:
        if self.vectorstore is None and self.embeddings is None:
            raise InvalidArgumentError(
                "LogicalCompressor has no embeddings.",
                hint="Pass vectorstore=..., the store that the documents come from, or embeddings=...",
            )
        same = {name: getattr(self, name) for name in LogicalCompressor.model_fields}
        self._retriever = LogicalRetriever(
            **{**same, "vectorstore": InMemoryStore() if self.vectorstore is None else self.vectorstore}
        )
        return self

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Return the documents that are not about anything that the question excludes, in their order.

        Args:
            documents: Documents of any retriever.
            query: The user's question, in natural language.
            callbacks: Parents of the transformer's and the chat model's runs.

        Raises:
            InvalidArgumentError: ``documents`` are not Documents.
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        return self._runnable(documents, query).invoke(query, {"callbacks": callbacks})

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Asynchronous twin of :meth:`compress_documents`, which never blocks the event loop."""
        return await self._runnable(documents, query).ainvoke(query, {"callbacks": callbacks})

    def _runnable(self, documents: Sequence[Document], question: str) -> Runnable[str, list[Document]]:
        """Return one run, the parent of the transformer's run and of the event."""
        check_question(question)
        checked, core = check_documents(documents), self._retriever._search({}).core
        texts = [Encodable(StoredDocument("", one.page_content, one.metadata), one.page_content) for one in checked]

        def compress(question: str, config: RunnableConfig) -> list[Document]:
            read_question = self._retriever._reader().invoke(question, config)
            dispatch_custom_event(EVENT, query_event(read_question, core), config=config)
            return self._left(checked, read_question, search_documents(core, read_question, texts))

        async def acompress(question: str, config: RunnableConfig) -> list[Document]:
            read_question = await self._retriever._reader().ainvoke(question, config)
            await adispatch_custom_event(EVENT, query_event(read_question, core), config=config)
            return self._left(checked, read_question, await asearch_documents(core, read_question, texts))

        return RunnableLambda(compress, acompress, type(self).__name__) if checked else RunnableLambda(lambda _: [])

    def _left(
        self, documents: list[Document], read_question: ReadQuestion, result: SearchResult | None
    ) -> list[Document]:
        if result is not None:
            documents = [documents[place] for place in sorted(document.id for document in result.documents)]
        if read_question.problem is not None:
            documents = [
                one.model_copy(update={"metadata": {**one.metadata, PROBLEM: short_problem(read_question.problem)}})
                for one in documents
            ]
        return documents
