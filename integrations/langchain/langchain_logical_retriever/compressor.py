"""Logical scores for the documents that another retriever has found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from langchain_core.callbacks import Callbacks, adispatch_custom_event, dispatch_custom_event
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.vectorstores import VectorStore
from pydantic import Field, PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import to_documents, to_event, to_unscored
from langchain_logical_retriever.embedder import LangChainEmbedder, as_embedder
from langchain_logical_retriever.stores import as_store
from langchain_logical_retriever.transformer import LogicalQueryTransformer, as_runnable
from logical_retriever.integration import (
    DEFAULT_SEMANTICS,
    CueQueryTransformer,
    Embedder,
    EmbeddingError,
    InvalidArgumentError,
    LogicalRetrieverError,
    QueryTransformer,
    Rescorer,
    SearchResult,
    Semantics,
    Store,
    StoredDocument,
    Transformation,
    check_count,
    check_question,
    effective_query,
    has_logic,
)
from logical_retriever.integration import LogicalRetriever as CoreRetriever

EVENT = "logical_query"
"""Name of the custom event that carries the logical query of each question."""


class LogicalCompressor(CheckedModel, BaseDocumentCompressor):
    """Scores documents by the question's logical query, for pipelines that keep their retriever.

    Setup:
        .. code-block:: bash

            pip install langchain-logical-retriever

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalCompressor

            compressor = LogicalCompressor(vectorstore=vectorstore, llm=llm, top_n=4)

        Without ``llm``, cue rules for English exclusions ("other than", "excluding", ...) make the logical query.

    Usage:
        .. code-block:: python

            documents = compressor.compress_documents(found, "benefits of vitamin D other than bone health")
            documents[0].metadata["logical"]  # as LogicalRetriever's

    Use within a chain:
        .. code-block:: python

            chain = {"documents": retriever, "query": RunnablePassthrough()} | RunnableLambda(
                lambda found: compressor.compress_documents(**found)
            )

        In ``langchain_classic`` a ``ContextualCompressionRetriever`` takes it as ``base_compressor``.

    A compressor sees only what the retriever has found: use it behind one that fetches many documents, so that enough
    remain when the unwanted ones have moved down. What a cosine means is measured on ``vectorstore``, the store that
    the documents come from. Without it, it is measured on the found documents, which are all about one subject: little
    stands out among them, and rankings are clearly worse.

    A question without logic keeps the retriever's order; its documents then carry the score None. Texts are encoded
    again, in one call of ``embed_documents``, since LangChain's documents carry no vectors. Documents are copies; those
    given are never changed.

    Attributes:
        vectorstore: Where the documents come from, as for :class:`LogicalRetriever`; it is read for statistics alone.
        embeddings: Encodes the terms and the documents' ``page_content``; those of ``vectorstore`` unless given.
        llm: A chat model that makes the logical query; None for the cue rules or for ``transformer``.
        transformer: In place of ``llm``: as for :class:`LogicalRetriever`.
        semantics: How scores are composed: a name, or an instance.
        top_n: Documents to return, at least 1; None for all.
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
    metadata_key: str | None = Field(default="logical", min_length=1)

    _embedder: Embedder = PrivateAttr()
    _rescorer: Rescorer = PrivateAttr()
    _transform: Runnable[str, Transformation] = PrivateAttr()

    @model_validator(mode="after")
    def _build(self) -> LogicalCompressor:
        if self.llm is not None and self.transformer is not None:
            raise InvalidArgumentError(
                "Both llm and transformer were given.",
                hint="Pass the model to the transformer: transformer=LogicalQueryTransformer(llm=llm, ...).",
            )
        if self.top_n is not None:
            check_count("top_n", self.top_n)
        if self.vectorstore is None and self.embeddings is None:
            raise InvalidArgumentError(
                "LogicalCompressor has no embeddings.",
                hint="Pass vectorstore=..., the store that the documents come from, or embeddings=...",
            )
        origin = None if self.vectorstore is None else as_store(self.vectorstore)
        self._embedder = as_embedder(self.embeddings, store=self.vectorstore)
        self._rescorer = Rescorer(self._embedder, semantics=self.semantics, origin=origin)
        if self.llm is not None:
            self._transform = as_runnable(LogicalQueryTransformer(llm=self.llm))
        else:
            self._transform = as_runnable(CueQueryTransformer() if self.transformer is None else self.transformer)
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
            dispatch_custom_event(EVENT, to_event(made, str(effective_query(made, self.semantics))), config=config)
            if not has_logic(made.query):
                return self._unscored(made, given)
            core = self._core(given, self._encode(_texts(given)))
            return self._finish(made, given, core.search(made))

        async def acompress(question: str, config: RunnableConfig) -> list[Document]:
            if not given:
                return []
            made = await self._transform.ainvoke(question, config)
            await adispatch_custom_event(
                EVENT, to_event(made, str(effective_query(made, self.semantics))), config=config
            )
            if not has_logic(made.query):
                return self._unscored(made, given)
            core = self._core(given, await self._aencode(_texts(given)))
            return self._finish(made, given, await core.asearch(made))

        return RunnableLambda(compress, acompress, type(self).__name__)

    def _encode(self, texts: list[str]) -> Any:
        try:
            return self._embedder.embed_documents(texts)
        except LogicalRetrieverError:
            raise
        except Exception as error:
            raise _failed(error, texts) from error

    async def _aencode(self, texts: list[str]) -> Any:
        if not isinstance(self._embedder, LangChainEmbedder):
            return await asyncio.to_thread(self._encode, texts)
        try:
            return await self._embedder.aembed_documents(texts)
        except Exception as error:
            raise _failed(error, texts) from error

    def _core(self, documents: list[Document], raw: Any) -> CoreRetriever:
        """The core's retriever over these documents alone; ids are places, since their own may be None or repeat."""
        rows = dict(zip(_texts(documents), _rows(raw, _texts(documents)), strict=True))
        stored = [
            StoredDocument(f"{place:09}", document.page_content, document.metadata, native=document)
            for place, document in enumerate(documents)
        ]
        return self._rescorer.over(
            stored, [rows[document.page_content] for document in documents], k=self._limit(documents)
        )

    def _limit(self, documents: list[Document]) -> int:
        return len(documents) if self.top_n is None else self.top_n

    def _finish(self, made: Transformation, given: list[Document], result: SearchResult) -> list[Document]:
        found = to_documents(result, query=str(effective_query(made, self.semantics)), metadata_key=self.metadata_key)
        for ranked, document in zip(result.documents, found, strict=True):
            document.id = given[int(ranked.id)].id
        return found

    def _unscored(self, made: Transformation, given: list[Document]) -> list[Document]:
        return to_unscored(
            given[: self._limit(given)],
            query=str(effective_query(made, self.semantics)),
            metadata_key=self.metadata_key,
        )


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


def _texts(documents: Sequence[Document]) -> list[str]:
    """Distinct texts, in order of first occurrence."""
    return list(dict.fromkeys(document.page_content for document in documents))


def _rows(raw: Any, texts: list[str]) -> Any:
    """What the embeddings returned, as one vector per text, shape (N, d).

    Raises:
        EmbeddingError: It is something else.
    """
    try:
        rows = np.asarray(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:  # rows of several lengths, or no numbers
        raise EmbeddingError(
            f"What the embeddings returned for {len(texts)} documents is no array of numbers: {error}",
            hint="Embeddings return one vector of equal length per text.",
        ) from error
    if rows.ndim != 2 or len(rows) != len(texts):
        raise EmbeddingError(
            f"The embeddings returned an array of shape {rows.shape} for {len(texts)} documents.",
            hint="Embeddings return one vector of equal length per text.",
        )
    return rows


def _failed(error: Exception, texts: list[str]) -> EmbeddingError:
    return EmbeddingError(
        f"The embeddings raised {type(error).__name__} for the texts of {len(texts)} documents: {error}",
        hint="Check that the embedding model is reachable and that the documents are within its limits.",
    )
