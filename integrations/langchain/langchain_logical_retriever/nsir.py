"""NS-IR as a document compressor: what another retriever has found, ranked by how well its logic fits the question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from pydantic import Field, PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import copied
from langchain_logical_retriever.chat_model import LangChainChatModel
from langchain_logical_retriever.compressor import check_documents
from langchain_logical_retriever.transformer import as_runnable
from logical_retriever.integration import (
    DEFAULT_MODEL,
    InvalidArgumentError,
    QueryTransformer,
    Transformation,
    check_count,
    check_question,
)
from logical_retriever.lab.nsir import (
    DEFAULT_K,
    NSIR,
    FormulaCache,
    LLMFormulas,
    Parts,
    RerankResult,
    TokenEncoder,
    Translation,
    Transport,
    from_query,
)


class NSIRCompressor(CheckedModel, BaseDocumentCompressor):
    """Ranks documents by first-order logic: NS-IR (arXiv 2505.22299) behind any retriever.

    Setup:
        .. code-block:: bash

            pip install langchain-logical-retriever "logical-retriever[rerank]"

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import NSIRCompressor

            compressor = NSIRCompressor(llm=llm, model="openai:gpt-4o-mini", cache="formulas", top_n=4)

        Without ``llm``, cue rules and sentence rules make the logic.

    Usage:
        .. code-block:: python

            documents = compressor.compress_documents(found, "benefits of vitamin D other than bone health")
            documents[0].metadata["nsir"]  # score, its two parts, the question's logic

    Use within a chain:
        .. code-block:: python

            chain = {"documents": retriever, "query": RunnablePassthrough()} | RunnableLambda(
                lambda found: compressor.compress_documents(**found)
            )

        In ``langchain_classic`` a ``ContextualCompressionRetriever`` takes it as ``base_compressor``.

    The model is asked once for the question and once for each document that is not in the cache: give a ``cache`` and a
    budget, ``max_calls``. A document without logic (empty, unparsable after repair, beyond the budget) keeps its
    first-stage score, which is the encoder's cosine with the question, since LangChain's documents carry no score;
    ``metadata["nsir"]["problem"]`` says so. Documents are copies; those given are never changed.

    Attributes:
        llm: A chat model that makes the logic of documents, and of the question unless ``transformer`` is given.
        transformer: Makes a logical query of the question, which is converted, as for :class:`LogicalRetriever`: for
            pipelines that have that query anyway.
        model: The chat model's name; needed with ``cache``.
        cache: A folder that keeps the documents' logic, or a ``FormulaCache``.
        max_calls: Most calls of the model in the life of this compressor; None for no bound.
        encoder: Name of a sentence-transformers model, or a ``TokenEncoder``.
        k: Most documents looked at, at least 1; the others follow in the order given, with the score None.
        top_n: Documents to return, at least 1; None for all.
        parts: "both", or "alignment" or "constraint" alone.
        transport: How the words of the question are matched with a passage's (NS-IR's optimal transport): "exact", or
            "sinkhorn", an approximation.
        metadata_key: Where the scores go; None leaves them out.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    model_config = CHECKED

    llm: Annotated[Runnable[Any, Any] | None, SkipValidation] = None
    transformer: Annotated[QueryTransformer | Runnable[str, Any] | None, SkipValidation] = None
    model: Annotated[str | None, SkipValidation] = None
    cache: Annotated[str | Path | FormulaCache | None, SkipValidation] = None
    max_calls: Annotated[int | None, SkipValidation] = None
    encoder: Annotated[str | TokenEncoder, SkipValidation] = DEFAULT_MODEL
    k: Annotated[int, SkipValidation] = DEFAULT_K
    top_n: Annotated[int | None, SkipValidation] = None
    parts: Annotated[Parts, SkipValidation] = "both"
    transport: Annotated[Transport, SkipValidation] = "exact"
    metadata_key: str | None = Field(default="nsir", min_length=1)

    _nsir: NSIR = PrivateAttr()
    _transform: Runnable[str, Transformation] | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _build(self) -> NSIRCompressor:
        if self.top_n is not None:
            check_count("top_n", self.top_n)
        if self.llm is None and (self.cache is not None or self.max_calls is not None or self.model is not None):
            raise InvalidArgumentError(
                "model, cache or max_calls was given without llm.", hint="Pass llm=..., or leave them out."
            )
        translator = None
        if self.llm is not None:
            chat = LangChainChatModel(self.llm)
            translator = LLMFormulas(chat, model=self.model, cache=self.cache, max_calls=self.max_calls)
        self._nsir = NSIR(
            translator,
            translator,
            encoder=self.encoder,
            k=self.k,
            parts=self.parts,
            transport=self.transport,
        )
        if self.transformer is not None:
            self._transform = as_runnable(self.transformer)
        return self

    @property
    def nsir(self) -> NSIR:
        """The second stage itself: ``warm`` translates and encodes documents before anything is asked."""
        return self._nsir

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Order documents by how well their logic fits the question's, and keep the best ``top_n``.

        Args:
            documents: What a retriever found, in its order.
            query: The question, in natural language.
            callbacks: The chat model's runs become children of theirs.

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
        """Asynchronous twin of :meth:`compress_documents`: encoding runs in a thread."""
        return await self._runnable(documents, query).ainvoke(query, {"callbacks": callbacks})

    def _runnable(self, documents: Sequence[Document], question: str) -> Runnable[str, list[Document]]:
        """One run, which the chat model's runs find as their parent in the context."""
        check_question(question)
        given = check_documents(documents)
        texts = [document.page_content for document in given]

        def compress(question: str, config: RunnableConfig) -> list[Document]:
            if not given:
                return []
            asked = question if self._transform is None else _logic(self._transform.invoke(question, config))
            return self._finish(given, self._nsir.rank(asked, texts))

        async def acompress(question: str, config: RunnableConfig) -> list[Document]:
            if not given:
                return []
            asked = question if self._transform is None else _logic(await self._transform.ainvoke(question, config))
            return self._finish(given, await self._nsir.arank(asked, texts))

        return RunnableLambda(compress, acompress, type(self).__name__)

    def _finish(self, given: list[Document], result: RerankResult) -> list[Document]:
        logic = [str(formula) for formula in result.question.formulas]
        found = []
        for passage in result.passages[: self.top_n]:
            why = {
                "question": logic,
                "score": passage.score,
                "alignment": passage.alignment,
                "constraint": passage.constraint,
                "problem": passage.problem,
            }
            found.append(copied(given[passage.index], why, self.metadata_key))
        return found


def _logic(made: Transformation) -> Translation:
    return Translation(made.question, (from_query(made.query),), "query", answers=made.answers)
