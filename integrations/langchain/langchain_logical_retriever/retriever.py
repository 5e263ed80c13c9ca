"""The LangChain retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever, LangSmithRetrieverParams
from langchain_core.runnables import Runnable, RunnableConfig, patch_config
from langchain_core.vectorstores import VectorStore
from pydantic import Field, PrivateAttr, SkipValidation, model_validator

from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import EVENT, to_documents
from langchain_logical_retriever._settings import (
    SETTINGS,
    SearchType,
    refuse_twice,
    split_settings,
    with_search_kwargs,
)
from langchain_logical_retriever._sharing import Shared, shared
from langchain_logical_retriever.chat_model import as_verifier
from langchain_logical_retriever.stores import read_filter
from langchain_logical_retriever.transformer import History, QuestionReader, as_runnable, own_model
from logical_retriever.integration import (
    DEFAULT_LAMBDA_MULT,
    DEFAULT_MMR_FETCH_K,
    DEFAULT_SEMANTICS,
    DiverseSearch,
    Embedder,
    Exclusion,
    Explanation,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    LogicalRetriever as CoreRetriever,
    LogicalSearch,
    QueryTransformer,
    SearchOptions,
    SearchResult,
    Semantics,
    Stopwatch,
    Store,
    Transformation,
    check_question,
    choose_transformer,
    known_fields,
    query_event,
    search_event,
)

RUN_METADATA = "logical_search"
"""Key of the run's metadata for the account of a search."""


class LogicalRetriever(CheckedModel, BaseRetriever):
    """Retrieves documents with the question's NOT, AND and OR honoured.

    Setup:
        .. code-block:: bash

            pip install "langchain-logical-retriever[chroma]"

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalRetriever

            retriever = LogicalRetriever.from_vectorstore(vectorstore, llm=llm, k=4)

        Most questions are read without a model; ``llm`` is asked for those that the tagger is not sure of, and may be
        left out.

    Usage:
        .. code-block:: python

            documents = retriever.invoke("benefits of vitamin D other than bone health")
            documents[0].metadata
            # {..., "logical_query": '"..." AND NOT "..."', "logical_score": 0.61, "logical_relevance": 0.58,
            #  "logical_terms": '{"...": 0.7, "...": 0.1}', "logical_exact": True}
            retriever.invoke("...", None, k=2, filter={"year": 2024})  # for this call alone
            retriever.search('"vitamin D" AND NOT "bone health"')  # already logical
            print(retriever.explain("..."))  # the whole story, beside plain dense retrieval

    Use within a chain:
        .. code-block:: python

            chain = {"context": retriever, "question": RunnablePassthrough()} | prompt | llm | StrOutputParser()

    What was learnt about a store is shared by the retrievers over it, and pickles and copies if the store does.

    A call makes a child run named after the transformer, with the chat model's run inside it, and a custom event
    "logical_query" whose data are ``question``, ``logical_query``, ``json``, ``method``, ``problem``, ``confidence``
    and ``searched``. At its end ``metadata["logical_search"]`` of its run, as traces keep it, has ``milliseconds`` of
    each stage, ``completeness``, ``note`` and what was read of the store.

    Attributes:
        vectorstore: A LangChain vector store with an adapter (``InMemoryVectorStore``, ``Chroma``, or one given to
            ``register_adapter``), or a :class:`logical_retriever.Store`.
        embeddings: The embeddings that the store was filled with; by default those that it holds.
        transformer: Makes the logical query: a :class:`QuestionReader`, by default one without a model; a
            :class:`LogicalQueryTransformer`, a transformer of the core, or any Runnable that returns a logical query.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        k: Documents to return, at least 1. A store with fewer returns all it has.
        words: Weight of words beside vectors, from 0 (no text is read) to 1 (words alone); None for the semantics' own,
            0.5 by default.
        fetch_k: Candidates that an engine proposes, and the longest first list of nearest documents.
        filter: In the store's own language; the same as ``search_kwargs["filter"]``.
        exclusion: "drop" leaves out what is about an excluded term, whatever k is; "strict" leaves out more; "rank"
            leaves nothing out and ranks it lower.
        min_relevance: Least relevance, in [0, 1], of a document that is returned.
        verify: True for ``llm``, another chat model, or anything of ``logical_retriever.verify``, that reads the
            documents about to be returned; one or two calls a question.
        always_exclude: Terms that every question excludes; a call can only add to them.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LangChain's ``AttributeInfo``, or "discover"
            for those of a sample of the store. The default transformer and that of ``llm`` are told them.
        words_index: Path of a file for an index of the documents' words. None for one in memory, made in the
            background, where the vector store would read every text to find a word (Chroma); False for what it can do.
        metadata_key: Begins the keys of ``Document.metadata`` for the reasons: "logical_score", "logical_relevance",
            "logical_query", "logical_exact" and, as JSON, "logical_terms"; None leaves them out. Documents whose own
            metadata have one of these are refused; the store is never changed.
        search_type: "similarity", the best k; or "mmr", k out of the best ``search_kwargs["fetch_k"]`` (20) which also
            differ, by ``search_kwargs["lambda_mult"]`` (0.5), see
            :class:`logical_retriever.integration.DiverseSearch`.
        search_kwargs: As for ``as_retriever()``: the settings above, with ``score_threshold`` for ``min_relevance``,
            which count more than the attributes; and what the store's own search takes, such as Chroma's
            ``where_document``. What the store does not know is refused.
        tags: LangChain tags of each run.
        metadata: LangChain metadata of each run.
        name: Name of each run.

    Raises:
        InvalidArgumentError: An unknown argument, a count below 1, or no embeddings.
        UnsupportedStoreError: No adapter is known for the vector store.
    """

    model_config = CHECKED

    vectorstore: Annotated[VectorStore | Store, SkipValidation]
    embeddings: Annotated[Embeddings | Embedder | None, SkipValidation] = None
    transformer: Annotated[QueryTransformer | Runnable[str, Any], SkipValidation] = Field(
        default_factory=QuestionReader
    )
    semantics: Annotated[str | Semantics, SkipValidation] = DEFAULT_SEMANTICS
    words: Annotated[float | None, SkipValidation] = SearchOptions.words
    k: Annotated[int, SkipValidation] = SearchOptions.k
    fetch_k: Annotated[int, SkipValidation] = SearchOptions.fetch_k
    filter: Any = None
    exclusion: Annotated[Exclusion, SkipValidation] = SearchOptions.exclusion
    min_relevance: Annotated[float | None, SkipValidation] = SearchOptions.min_relevance
    verify: Annotated[Any, SkipValidation] = SearchOptions.verify
    always_exclude: Annotated[Sequence[str], SkipValidation] = SearchOptions.always_exclude
    fields: Annotated[Any, SkipValidation] = None
    words_index: Annotated[str | Path | Literal[False] | None, SkipValidation] = None
    metadata_key: str | None = Field(default="logical", min_length=1)
    search_type: Literal["similarity", "mmr"] = "similarity"
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

    _shared: Shared = PrivateAttr()
    _core: CoreRetriever = PrivateAttr()
    _searching: CoreRetriever | DiverseSearch = PrivateAttr()
    _transform: Runnable[str, Transformation] = PrivateAttr()

    @classmethod
    def from_vectorstore(
        cls,
        vectorstore: VectorStore | Store,
        llm: Runnable[Any, Any] | None = None,
        *,
        transformer: QueryTransformer | Runnable[str, Any] | None = None,
        search_type: SearchType = "similarity",
        search_kwargs: dict[str, Any] | None = None,
        **fields: Any,
    ) -> LogicalRetriever:
        """Stand where ``vectorstore.as_retriever()`` stood.

        Args:
            vectorstore: As the attribute.
            llm: A chat model for the questions that the tagger is not sure of; None for none, or for ``transformer``.
            transformer: In place of ``llm``, as the attribute.
            search_type: As for ``as_retriever()``: "similarity", "similarity_score_threshold" or "mmr".
            search_kwargs: As the attribute. With "mmr", ``fetch_k`` is how many documents it chooses from.
            **fields: Any other attribute, such as ``k=10``; unknown ones are refused.

        Raises:
            InvalidArgumentError: Both ``llm`` and ``transformer``, an argument twice, a search type without
                what it needs, or as for the class.
            UnsupportedStoreError: No adapter is known for the vector store.
        """
        search_kwargs = search_kwargs or {}
        refuse_twice(search_kwargs, fields)
        known = fields["fields"] = _fields_over({"vectorstore": vectorstore, **fields})
        chosen = choose_transformer(llm, transformer, lambda llm: QuestionReader(llm=llm, fields=known), fields=known)
        return cls(
            vectorstore=vectorstore,
            transformer=chosen,
            **{"search_type": search_type, "search_kwargs": search_kwargs},
            **fields,
        )

    @model_validator(mode="before")
    @classmethod
    def _read_arguments(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Settings out of ``search_kwargs``; the fields of metadata themselves, told to the default transformer."""
        given = with_search_kwargs(given)
        known = _fields_over(given)
        return given if known is None else {"transformer": QuestionReader(fields=known), **given, "fields": known}

    @model_validator(mode="after")
    def _build(self) -> LogicalRetriever:
        if self.filter is not None and self.search_kwargs.get("filter") is not None:
            raise InvalidArgumentError(
                "A filter was given twice: as filter and in search_kwargs.", hint="Keep one of the two."
            )
        # Kept for all calls, and while any retriever over the store is in use.
        self._shared = shared(self.vectorstore, self.embeddings, self.words_index)
        settings = {name: getattr(self, name) for name in SETTINGS}
        self._core = self._shared.core.but(
            **{**settings, "verify": as_verifier(self.verify, own_model(self.transformer))}
        )
        self._core.fields = self.fields
        self._searching = self._core
        if self.search_type == "mmr":
            kwargs = self.search_kwargs
            self._searching = DiverseSearch(
                self._core,
                kwargs.get("fetch_k", DEFAULT_MMR_FETCH_K),
                kwargs.get("lambda_mult", DEFAULT_LAMBDA_MULT),
            )
        self._transform = as_runnable(self.transformer)
        self._call({})
        return self

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Answer a question with the best k documents.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; reaches the chat model.
            **kwargs: For this call alone: ``k``, ``filter``, ``fetch_k``, ``words``, ``semantics``, ``exclusion``,
                ``min_relevance``, ``verify``, ``always_exclude``, and whatever may stand in ``search_kwargs``;
                ``history``, the messages of the conversation before the question, with which the model reads it in one
                call. Others are refused.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        # The base class drops the config; configurable fields of the chat model would not reach it.
        return super().invoke(input, config, run_config=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Asynchronous twin of :meth:`invoke`: nothing in it blocks the event loop."""
        return await super().ainvoke(input, config, run_config=config, **kwargs)

    def search(
        self, query: LogicalQuery | str, k: int | None = None, filter: Filter = None, **settings: Any
    ) -> list[Document]:
        """Search for a query that is already logical, without asking a model.

        Args:
            query: A query, or a text in the grammar.
            k: Documents to return; by default the retriever's own k.
            filter: In the store's own language, in place of the retriever's own.
            **settings: As for :meth:`invoke`.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        return self._documents(self._searching.search(query, **self._call({"k": k, "filter": filter, **settings})))

    async def asearch(
        self, query: LogicalQuery | str, k: int | None = None, filter: Filter = None, **settings: Any
    ) -> list[Document]:
        """Asynchronous twin of :meth:`search`."""
        call = self._call({"k": k, "filter": filter, **settings})
        return self._documents(await self._searching.asearch(query, **call))

    def explain(
        self, question: str, k: int | None = None, filter: Filter = None, config: RunnableConfig | None = None
    ) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: The question.
            k: Documents to return; by default the retriever's own k.
            filter: In the store's own language, in place of the retriever's own.
            config: Passed on to the transformer.
        """
        made = self._transform.invoke(check_question(question), config)
        return self._core.explain(made, k=k, filter=self._call({"filter": filter})["filter"])

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  the base class reads it and passes it on
        **kwargs: Any,
    ) -> list[Document]:
        check_question(query)
        call = self._call(kwargs)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        clock = Stopwatch()
        made = self._transforming(history).invoke(query, child)
        clock.lap("read")
        dispatch_custom_event(EVENT, query_event(made, self._core.options), config=child)
        result = self._searching.search(made, **call)
        run_manager.metadata[RUN_METADATA] = search_event(result, clock.milliseconds)
        return self._documents(result)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  as above
        **kwargs: Any,
    ) -> list[Document]:
        check_question(query)
        call = self._call(kwargs)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        clock = Stopwatch()
        made = await self._transforming(history).ainvoke(query, child)
        clock.lap("read")
        await adispatch_custom_event(EVENT, query_event(made, self._core.options), config=child)
        result = await self._searching.asearch(made, **call)
        # Of this run alone: its children have copies.
        run_manager.metadata[RUN_METADATA] = search_event(result, clock.milliseconds)
        return self._documents(result)

    def _as_tool(self) -> LogicalSearch[Document]:
        """The calls of an agent's tool over this retriever."""
        return LogicalSearch(
            self._searching, self._documents, lambda one: one.page_content, filter=self._call({})["filter"]
        )

    def _documents(self, result: SearchResult) -> list[Document]:
        return to_documents(result, metadata_key=self.metadata_key)

    def _transforming(self, history: History) -> Runnable[str, Transformation]:
        return as_runnable(self.transformer, history) if history else self._transform

    def _get_ls_params(self, **kwargs: Any) -> LangSmithRetrieverParams:
        """The store and the embeddings, as traces name them."""
        params = super()._get_ls_params(**kwargs)
        params["ls_vector_store_provider"] = type(self.vectorstore).__name__
        embeddings = getattr(self._core.embedder, "embeddings", self._core.embedder)
        params["ls_embedding_provider"] = type(embeddings).__name__
        model = getattr(embeddings, "model", getattr(embeddings, "model_name", None))
        if isinstance(model, str):
            params["ls_embedding_model"] = model
        return params

    def _call(self, given: dict[str, Any]) -> dict[str, Any]:
        """The filter and settings of a call; what cannot be answered is refused before a language model is paid."""
        settings, search_kwargs = split_settings(given)
        if "verify" in settings:
            settings["verify"] = as_verifier(settings["verify"], own_model(self.transformer))
        self._core.options.but(**settings)
        own = {name: value for name, value in self.search_kwargs.items() if name not in ("fetch_k", "lambda_mult")}
        chosen = search_kwargs.pop("filter", None)
        chosen = self.filter if chosen is None else chosen
        named = {} if chosen is None else {"filter": chosen}
        return {"filter": read_filter(self._shared.store, {**own, **search_kwargs, **named}), **settings}


def _fields_over(given: Mapping[str, Any]) -> Any:
    """The fields of metadata among a retriever's arguments: those of a sample of the store for "discover"."""
    if given.get("fields") is None or "vectorstore" not in given:
        return None
    over = shared(given["vectorstore"], given.get("embeddings"), given.get("words_index"))
    return known_fields(given["fields"], over.store)
