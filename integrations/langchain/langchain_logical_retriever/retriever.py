"""The LangChain retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, patch_config
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore, VectorStoreRetriever
from pydantic import Field, PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CheckedModel
from langchain_logical_retriever._convert import (
    EVENT,
    History,
    check_documents,
    run_metadata,
    to_documents,
    with_documents,
)
from langchain_logical_retriever._search import (
    LAMBDA_MULT,
    MMR_FETCH_K,
    Search,
    SharedRetriever,
    shared,
    split_settings,
)
from langchain_logical_retriever.chat_model import as_verifier
from langchain_logical_retriever.embedder import not_embeddings
from langchain_logical_retriever.stores import read_filter
from langchain_logical_retriever.transformer import as_runnable, as_transformer, transformer_of
from logical_retriever.adapters import (
    DEFAULT_SEMANTICS,
    SETTINGS,
    Embedder,
    Exclusion,
    Explanation,
    InvalidArgumentError,
    LogicalQuery,
    QueryTransformer,
    ReadQuestion,
    SearchOptions,
    SearchResult,
    Semantics,
    Store,
    check_count,
    check_question,
    check_relevance,
    check_transformer,
    known_fields,
    merged_settings,
    negative_terms,
    query_event,
)


class LogicalRetriever(BaseRetriever, CheckedModel):
    """A retriever that honours the question's NOT, AND and OR.

    Setup:
        .. code-block:: bash

            pip install "langchain-logical-retriever[chroma]"

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalRetriever

            retriever = LogicalRetriever.from_vectorstore(vectorstore, llm=llm, k=4)

        Most questions are read without a model, by the tagger, a small built-in network. ``llm`` is optional; it is
        asked where the tagger is not sure. With ``fields`` or a ``history`` it is asked for every question.

    Usage:
        .. code-block:: python

            documents = retriever.invoke("benefits of vitamin D other than bone health")
            retriever.invoke("...", k=2, filter={"year": 2024})  # for this call alone
            retriever.search('"vitamin D" AND NOT "bone health"')  # already logical
            print(retriever.explain("..."))  # the whole story, beside plain dense retrieval

    Use within a chain:
        .. code-block:: python

            chain = {"context": retriever, "question": RunnablePassthrough()} | prompt | llm | StrOutputParser()

    Documents are those of ``vectorstore.as_retriever()``, so prompts stay as they were. Only if a NOT of the question
    was not understood, ``metadata["logical_problem"]`` is added and says why.

    A call makes a child run named after the transformer, with the chat model's run inside it, and a custom event
    "logical_query" with ``question``, ``logical_query``, ``method``, ``problem``, ``confidence``, ``standalone`` and
    ``searched``. The metadata of the call's own run, as traces keep it, get ``logical_problem``, if there is one, and
    ``logical_search`` with ``completeness``, ``note`` and what was read of the store.

    Attributes:
        vectorstore: A LangChain vector store, or a :class:`logical_retriever.Store`.
        llm: A chat model for the questions that the tagger is not sure of, or a :class:`LogicalQueryTransformer` over
            one; None for no model.
        transformer: A reader in place of the tagger and ``llm``: a :class:`LogicalQueryTransformer`, which asks its
            model for every question, a transformer of the core, or any Runnable that returns a logical query.
        embeddings: The embeddings of the store's documents; by default those that the store holds.
        k: Documents to return, at least 1. A store with fewer returns all it has.
        filter: A filter in the store's own language. A call's filter replaces it, except in an agent's tool.
        exclusion: "drop" leaves out what has an excluded thing or is about it, whatever k is; "strict" leaves out more;
            "certain" shows only what denies it, as ``verify`` reads it; "rank" leaves nothing out and ranks it lower.
        min_relevance: Least relevance of a returned document, in [0, 1].
        words: Weight of words beside vectors, from 0 (no text is read) to 1 (words alone); None for the weight of the
            semantics, 0.5 by default.
        fetch_k: Candidates that an engine proposes, and the longest first list of nearest documents. With "mmr", a
            ``fetch_k`` in ``search_kwargs`` or in a call is instead the number of documents to choose from.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        verify: Who reads the documents about to be returned: True for ``llm``, another chat model, or a
            :class:`logical_retriever.Verifier`; one or two calls a question.
        always_exclude: Terms that every question excludes; a call can only add to them.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LangChain's ``AttributeInfo``, or "discover"
            for those of a sample of the store. The model of ``llm`` is told them.
        words_index: An index of all documents' words, for a store that cannot find words itself, as Chroma: the path of
            a file, or True for memory. With None, stores of at most 2,000 get one; with False, none.
        scores: Whether documents' metadata get "logical_score", "logical_relevance" and "logical_query". The rest of
            the project calls this ``metadata=True``, which also works here unless runs need LangChain's ``metadata``.
        search_type: "similarity"; "similarity_score_threshold"; or "mmr": k documents that also differ, out of the best
            ``search_kwargs["fetch_k"]`` (20), by ``search_kwargs["lambda_mult"]`` (0.5).
        search_kwargs: The arguments of ``as_retriever()``: the settings above, which win over the attributes, with
            ``score_threshold`` for ``min_relevance``; and arguments of the store's own search, such as Chroma's
            ``where_document``. Unknown ones raise InvalidArgumentError.
        tags: LangChain tags of each run.
        metadata: LangChain metadata of each run.
        name: Name of each run.

    Raises:
        InvalidArgumentError: An unknown argument, a value outside its range, no embeddings, or no vector store.
        UnsupportedStoreError: An unknown class of vector stores.
    """

    vectorstore: Annotated[VectorStore | Store, SkipValidation]
    llm: Annotated[Any, SkipValidation] = None
    transformer: Annotated[QueryTransformer | Runnable[str, Any] | None, SkipValidation] = None
    embeddings: Annotated[Embeddings | Embedder | None, SkipValidation] = None
    k: Annotated[int, SkipValidation] = SearchOptions.k
    filter: Any = None
    exclusion: Annotated[Exclusion, SkipValidation] = SearchOptions.exclusion
    min_relevance: Annotated[float | None, SkipValidation] = SearchOptions.min_relevance
    words: Annotated[float | None, SkipValidation] = SearchOptions.words
    fetch_k: Annotated[int, SkipValidation] = SearchOptions.fetch_k
    semantics: Annotated[str | Semantics, SkipValidation] = DEFAULT_SEMANTICS
    verify: Annotated[Any, SkipValidation] = SearchOptions.verify
    always_exclude: Annotated[Sequence[str], SkipValidation] = SearchOptions.always_exclude
    fields: Annotated[Any, SkipValidation] = None
    words_index: Annotated[str | Path | bool | None, SkipValidation] = None
    scores: bool = False
    search_type: Literal["similarity", "similarity_score_threshold", "mmr"] = "similarity"
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

    _shared: SharedRetriever | None = PrivateAttr(default=None)

    def __init__(
        self, vectorstore: VectorStore | Store | None = None, llm: Runnable[Any, Any] | None = None, **arguments: Any
    ) -> None:
        super().__init__(vectorstore=vectorstore, llm=llm, **arguments)

    @classmethod
    def from_vectorstore(
        cls, vectorstore: VectorStore | Store, llm: Runnable[Any, Any] | None = None, **arguments: Any
    ) -> LogicalRetriever:
        """Replace ``vectorstore.as_retriever()``; the same as the class itself, with the same arguments."""
        return cls(vectorstore, llm, **arguments)

    @classmethod
    def from_retriever(
        cls, retriever: VectorStoreRetriever, llm: Runnable[Any, Any] | None = None, **arguments: Any
    ) -> LogicalRetriever:
        """Replace a vector store's retriever, and take over its search type, ``search_kwargs``, tags and metadata.

        Args:
            retriever: What ``vectorstore.as_retriever()`` returned.
            llm: As for the class.
            **arguments: Other arguments of the class; they win over what is taken from the retriever.

        Raises:
            InvalidArgumentError: Another kind of retriever, or as for the class.
        """
        if not isinstance(retriever, VectorStoreRetriever):
            raise InvalidArgumentError(
                f"retriever is {type(retriever).__name__}, which is not the retriever of a vector store.",
                hint="Give vectorstore.as_retriever(). Behind any other retriever, LogicalCompressor leaves out what a "
                "question excludes.",
            )
        if isinstance(arguments.get("metadata"), bool):
            arguments["scores"] = arguments.pop("metadata")
        own = {
            **{name: getattr(retriever, name) for name in ("search_type", "tags", "metadata")},
            "search_kwargs": {
                name: value
                for name, value in retriever.search_kwargs.items()
                if ("min_relevance" if name == "score_threshold" else name) not in arguments
            },
        }
        return cls(retriever.vectorstore, llm, **{**own, **arguments})

    @classmethod
    def from_documents(
        cls,
        documents: Sequence[Document],
        embeddings: Embeddings,
        llm: Runnable[Any, Any] | None = None,
        **arguments: Any,
    ) -> LogicalRetriever:
        """Embed documents into a vector store in memory, and retrieve from it; other arguments are those of the class.

        Raises:
            InvalidArgumentError: No list of Documents, no Embeddings, or as for the class.
        """
        if not isinstance(embeddings, Embeddings):
            raise not_embeddings(embeddings)
        return cls(InMemoryVectorStore.from_documents(check_documents(documents), embeddings), llm, **arguments)

    @model_validator(mode="before")
    @classmethod
    def _read_arguments(cls, arguments: dict[str, Any]) -> dict[str, Any]:
        metadata, vectorstore = arguments.get("metadata"), arguments.get("vectorstore")
        if isinstance(vectorstore, (BaseRetriever, Embeddings, Sequence, NoneType)):
            raise InvalidArgumentError(
                f"vectorstore is {type(vectorstore).__name__}, not a vector store.",
                hint="Give a vector store such as Chroma(...), or use LogicalRetriever.from_retriever(retriever) or "
                "LogicalRetriever.from_documents(documents, embeddings).",
            )
        return {**arguments, "metadata": None, "scores": metadata} if isinstance(metadata, bool) else arguments

    @model_validator(mode="after")
    def _build(self) -> LogicalRetriever:
        self._shared = shared(self.vectorstore, self.embeddings, self.words_index)
        self.fields = known_fields(self.fields, self._shared.store)
        self.llm = None if self.llm is None else as_transformer(self.llm, self.fields)
        check_transformer(
            self.llm,
            self.transformer,
            kinds="a QueryTransformer or a Runnable",
            hint="Pass LogicalQueryTransformer(llm), or a Runnable that makes a query.",
        )
        self.verify = self._verifier(self.verify)
        self._search({})
        return self

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Answer a question with the best k documents.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; the chat model gets it too.
            **kwargs: For this call alone: any setting, and anything else that ``search_kwargs`` may hold; ``history``,
                the earlier messages of the conversation. Unknown names raise InvalidArgumentError.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        # The base class drops the config; configurable fields of the chat model would not reach it.
        return super().invoke(input, config, run_config=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Asynchronous twin of :meth:`invoke`, which never blocks the event loop."""
        return await super().ainvoke(input, config, run_config=config, **kwargs)

    def search(self, query: LogicalQuery | str, **settings: Any) -> list[Document]:
        """Search for a query that is already logical, without reading it. No run is traced.

        Args:
            query: A query, or its text in the grammar.
            **settings: As for :meth:`invoke`.

        Raises:
            LogicalSyntaxError: A text outside the grammar.
        """
        return self._documents(self._search(settings).search(query))

    async def asearch(self, query: LogicalQuery | str, **settings: Any) -> list[Document]:
        """Asynchronous twin of :meth:`search`."""
        return self._documents(await self._search(settings).asearch(query))

    def answer(self, question: str, config: RunnableConfig | None = None, **settings: Any) -> SearchResult:
        """Answer a question in one search, with ``left_out``, ``note`` and ``problem``; Documents are the ``native``s.

        Arguments are those of :meth:`invoke`.
        """
        history, search = settings.pop("history", ()), self._search(settings)
        result = search.search(self._reader(history).invoke(check_question(question), config))
        return with_documents(result, scores=self.scores)

    async def aanswer(self, question: str, config: RunnableConfig | None = None, **settings: Any) -> SearchResult:
        """Asynchronous twin of :meth:`answer`."""
        history, search = settings.pop("history", ()), self._search(settings)
        result = await search.asearch(await self._reader(history).ainvoke(check_question(question), config))
        return with_documents(result, scores=self.scores)

    def explain(self, question: str, config: RunnableConfig | None = None, **settings: Any) -> Explanation:
        """Retrieve, and explain the answer beside that of dense retrieval; arguments are those of :meth:`invoke`."""
        history, search = settings.pop("history", ()), self._search(settings)
        read_question = self._reader(history).invoke(check_question(question), config)
        return search.core.explain(read_question, filter=search.filter, k=search.k)

    def for_question(self, question: str, config: RunnableConfig | None = None) -> LogicalRetriever:
        """Return a copy for variants of one question, such as those of ``MultiQueryRetriever``.

        Args:
            question: The user's own question; the copy leaves out what it excludes, whatever a variant says.
            config: For the transformer's run.
        """
        excluded = negative_terms(self._reader().invoke(check_question(question), config).query)
        return self.model_copy(update={"always_exclude": [*self.always_exclude, *excluded]})

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  the base class passes it on
        **settings: Any,
    ) -> list[Document]:
        search = self._search(settings)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        read_question = self._reader(history).invoke(check_question(query), child)
        dispatch_custom_event(EVENT, query_event(read_question, search.core), config=child)
        result = search.search(read_question)
        run_manager.metadata.update(run_metadata(result))
        return self._documents(result)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  as above
        **settings: Any,
    ) -> list[Document]:
        search = self._search(settings)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        read_question = await self._reader(history).ainvoke(check_question(query), child)
        await adispatch_custom_event(EVENT, query_event(read_question, search.core), config=child)
        result = await search.asearch(read_question)
        run_manager.metadata.update(run_metadata(result))
        return self._documents(result)

    def _search(self, call: Mapping[str, Any]) -> Search:
        """Merge the settings of the attributes, of ``search_kwargs`` and of a call, and check them."""
        self._shared = shared(self.vectorstore, self.embeddings, self.words_index)
        (usual, arguments), (given, once) = split_settings(self.search_kwargs), split_settings(call)
        settings = merged_settings({name: getattr(self, name) for name in SETTINGS}, usual, given)
        settings["verify"] = self._verifier(settings.get("verify"))
        if self.search_type == "similarity_score_threshold" and "min_relevance" not in settings:
            raise InvalidArgumentError(
                "search_type is 'similarity_score_threshold', and there is no threshold.",
                hint='Pass search_kwargs={"score_threshold": 0.5}: a relevance from 0 to 1.',
            )
        k, lambda_mult = check_count("k", settings.get("k", SearchOptions.k)), None
        if self.search_type == "mmr":
            lambda_mult = check_relevance("lambda_mult", arguments.pop("lambda_mult", LAMBDA_MULT))
            choose_from = merged_settings({"fetch_k": MMR_FETCH_K}, usual, given)["fetch_k"]
            choose_from = max(k, check_count("fetch_k", choose_from))
            settings = merged_settings(settings, {"k": choose_from, "fetch_k": self.fetch_k})
        filter = read_filter(self._shared.store, {"filter": self.filter, **arguments, **once})
        core = self._shared.with_options(SearchOptions(**settings))
        core.fields = self.fields
        return Search(core, filter, k, lambda_mult)

    def _verifier(self, verify: Any) -> Any:
        """Return a verifier where ``verify`` is a chat model, or True for the retriever's own."""
        own = self.llm if self.transformer is None else self.transformer
        return as_verifier(verify, getattr(own, "llm", None))

    def _reader(self, history: History = ()) -> Runnable[str, ReadQuestion]:
        """Return the transformer as a Runnable that makes a run of its name."""
        transformer = self.transformer
        name = transformer.get_name() if isinstance(transformer, Runnable) else type(transformer).__name__
        return as_runnable(
            "QuestionReader" if transformer is None else name,
            partial(transformer_of, transformer, self.llm, self.fields),
            history,
        )

    def _documents(self, result: SearchResult) -> list[Document]:
        return to_documents(result, scores=self.scores)
