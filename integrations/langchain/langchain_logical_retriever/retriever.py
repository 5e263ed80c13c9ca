"""The LangChain retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
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
from langchain_core.retrievers import LangSmithRetrieverParams
from langchain_core.runnables import Runnable, RunnableConfig, patch_config
from langchain_core.vectorstores import VectorStore
from pydantic import Field, PrivateAttr, SkipValidation, model_validator
from typing_extensions import Unpack

from langchain_logical_retriever._batches import EVENT, RUN_METADATA, BatchedRetriever
from langchain_logical_retriever._checked import CHECKED, CheckedModel
from langchain_logical_retriever._convert import to_documents
from langchain_logical_retriever._fields import Fields, fields_over
from langchain_logical_retriever._search_type import SearchType, check_threshold, read_search_type, with_search_kwargs
from langchain_logical_retriever._sharing import Shared, shared
from langchain_logical_retriever.chat_model import as_verifier
from langchain_logical_retriever.stores import read_filter
from langchain_logical_retriever.transformer import History, QuestionReader, as_runnable
from logical_retriever.integration import (
    DEFAULT_LAMBDA_MULT,
    DEFAULT_MMR_FETCH_K,
    DEFAULT_SEMANTICS,
    DiverseSearch,
    Effort,
    Embedder,
    EvidenceSource,
    Explanation,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    LogicalRetriever as CoreRetriever,
    LogicalSearch,
    MetadataStyle,
    Pushdown,
    QueryTransformer,
    ReadBy,
    SearchMode,
    SearchOptions,
    SearchResult,
    SearchSettings,
    Semantics,
    Store,
    Transformation,
    check_question,
    choose_transformer,
    query_event,
    search_event,
    stage,
    timed,
)

SETTINGS_OF_A_CALL = ("k", "fetch_k", "verify", "verify_wanted", "always_exclude")


class LogicalRetriever(CheckedModel, BatchedRetriever):
    """Retrieves documents with the question's NOT, AND and OR honoured.

    Setup:
        .. code-block:: bash

            pip install "langchain-logical-retriever[chroma]"

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalRetriever

            retriever = LogicalRetriever.from_vectorstore(vectorstore, llm=llm, k=4)

        Typed logic and the wordings of exclusions that rules know ("other than", "excluding", ...) are read without the
        model; ``llm`` is asked for the others, and may be left out. ``read="always_llm"`` asks it every time.

    Usage:
        .. code-block:: python

            documents = retriever.invoke("benefits of vitamin D other than bone health")
            documents[0].metadata["logical"]
            # {"query": '"..." AND NOT "..."', "score": 0.61, "relevance": 0.58, "terms": {"...": 0.7, "...": 0.1},
            #  "excluded": {"...": "not"}, "exact": True}
            retriever.invoke("...", None, k=2, filter={"year": 2024})  # for this call alone
            retriever.search('"vitamin D" AND NOT "bone health"')  # already logical
            print(retriever.explain("..."))  # the whole story, beside plain dense retrieval

    Use within a chain:
        .. code-block:: python

            chain = {"context": retriever, "question": RunnablePassthrough()} | prompt | llm | StrOutputParser()

    What was learnt about a store is shared by the retrievers over it, and pickles and copies if the store does.

    A call makes a child run named after the transformer, with the chat model's run inside it, and a custom event
    "logical_query" whose data are ``question``, ``logical_query``, ``json``, ``method``, ``problem``, ``signs`` and
    ``searched``. At its end ``metadata["logical_search"]`` of its run, as traces keep it, has ``milliseconds`` of each
    stage, ``store_milliseconds``, ``completeness``, ``note`` and what was read of the store.

    Attributes:
        vectorstore: A LangChain vector store with an adapter (``InMemoryVectorStore``, ``Chroma``, or one given to
            ``register_adapter``), or a :class:`logical_retriever.Store`.
        embeddings: The embeddings that the store was filled with; by default those that it holds.
        transformer: Makes the logical query: a :class:`QuestionReader`, by default one without a model; a
            :class:`LogicalQueryTransformer`, a transformer of the core, or any Runnable that returns a logical query.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        k: Documents to return, at least 1. A store with fewer returns all it has. This and the next twelve are
            settings of :class:`logical_retriever.search.SearchOptions`, which describes them.
        fetch_k: Candidates per positive term where the store is not scanned.
        evidence: "auto" or "dense".
        max_candidates: Most documents read where the store is not scanned.
        max_rounds: Most times that the store is asked for longer lists.
        mode: "exact", or, asking the store once, "sqo" or "deo".
        effort: How far a search over lists of the store goes: "balanced", "proof" or "one_request", see
            :class:`logical_retriever.search.SearchOptions`.
        pushdown: Whether the store's engine computes the scores, over Postgres, Qdrant and the core's stores of tables:
            "auto", "always" or "never".
        language: Of the words of the store's texts: "auto", or a code such as "de".
        drop_excluded: Whether documents that are clearly about what the question excludes are left out, even where
            fewer than k are then returned; a number says from which share of the best evidence on.
        min_relevance: Least relevance, in [0, 1], of a document that is returned.
        verify: A chat model, or anything of ``logical_retriever.verify``, that is asked about passages in doubt.
        verify_wanted: Whether it is asked about wanted terms too.
        always_exclude: Terms that every question excludes; a call can only add to them.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LangChain's ``AttributeInfo``, or "discover"
            for those of a sample of the store. The default transformer and that of ``llm`` are told them.
        words_index: Path of a file for an index of the documents' words. None for one in memory, made in the
            background, where the vector store would read every text to find a word (Chroma); False for what it can do.
        search_type: "similarity", the best k; or "mmr", k out of the best ``mmr_fetch_k`` which also differ, see
            :class:`logical_retriever.integration.DiverseSearch`.
        mmr_fetch_k: Best documents that "mmr" chooses from.
        lambda_mult: What "mmr" weighs: from 0, only different, to 1, only relevant.
        filter: In the store's own language; the same as ``search_kwargs["filter"]``.
        search_kwargs: What the store's own search takes, such as Chroma's ``where_document``, and what may stand in it
            as for ``as_retriever()``, which counts more than the attribute. What the store does not know is refused.
        metadata_key: Name in ``Document.metadata`` of the score and truth values; None leaves them out. Documents whose
            own metadata have that name are refused; the store is never changed.
        metadata_style: "flat" writes "logical_score", "logical_query", "logical_exact" and, as JSON, "logical_terms",
            which every vector store takes back, and ``metadata["logical"]`` reads them together; documents that were
            found by several questions are equal. "nested" writes the mapping itself under "logical".
        tags: LangChain tags of each run.
        metadata: LangChain metadata of each run.
        name: Name of each run.

    Raises:
        InvalidArgumentError: An unknown argument, a count below 1, an unknown mode, or no embeddings.
        UnsupportedStoreError: No adapter is known for the vector store.
    """

    model_config = CHECKED

    vectorstore: Annotated[VectorStore | Store, SkipValidation]
    embeddings: Annotated[Embeddings | Embedder | None, SkipValidation] = None
    transformer: Annotated[QueryTransformer | Runnable[str, Any], SkipValidation] = Field(
        default_factory=QuestionReader
    )
    semantics: Annotated[str | Semantics, SkipValidation] = DEFAULT_SEMANTICS
    k: Annotated[int, SkipValidation] = SearchOptions.k
    fetch_k: Annotated[int, SkipValidation] = SearchOptions.fetch_k
    evidence: Annotated[EvidenceSource, SkipValidation] = SearchOptions.evidence
    max_candidates: Annotated[int | None, SkipValidation] = SearchOptions.max_candidates
    max_rounds: Annotated[int | None, SkipValidation] = SearchOptions.max_rounds
    mode: Annotated[SearchMode, SkipValidation] = SearchOptions.mode
    effort: Annotated[Effort, SkipValidation] = SearchOptions.effort
    pushdown: Annotated[Pushdown, SkipValidation] = SearchOptions.pushdown
    language: Annotated[str, SkipValidation] = SearchOptions.language
    drop_excluded: Annotated[bool | float, SkipValidation] = SearchOptions.drop_excluded
    min_relevance: Annotated[float | None, SkipValidation] = SearchOptions.min_relevance
    verify: Annotated[Any, SkipValidation] = SearchOptions.verify
    verify_wanted: Annotated[bool, SkipValidation] = SearchOptions.verify_wanted
    always_exclude: Annotated[Sequence[str], SkipValidation] = SearchOptions.always_exclude
    words_index: Annotated[str | Path | Literal[False] | None, SkipValidation] = None
    fields: Annotated[Any, SkipValidation] = None
    search_type: Literal["similarity", "mmr"] = "similarity"
    mmr_fetch_k: Annotated[int, SkipValidation] = DEFAULT_MMR_FETCH_K
    lambda_mult: Annotated[float, SkipValidation] = DEFAULT_LAMBDA_MULT
    filter: Any = None
    search_kwargs: dict[str, Any] = Field(default_factory=dict)
    metadata_key: str | None = Field(default="logical", min_length=1)
    metadata_style: MetadataStyle = "flat"

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
        transformer: str | QueryTransformer | Runnable[str, Any] | None = None,
        read: ReadBy = "auto",
        search_type: SearchType = "similarity",
        search_kwargs: dict[str, Any] | None = None,
        **fields: Unpack[Fields],
    ) -> LogicalRetriever:
        """Stand where ``vectorstore.as_retriever()`` stood.

        Args:
            vectorstore: As the attribute.
            llm: A chat model for the questions that typed logic and rules leave; None for none, or for ``transformer``.
            transformer: In place of ``llm``: as the attribute, or the name of a transformer of the core.
            read: Who reads a question: "auto", "always_llm" or "rules", see :class:`QuestionReader`.
            search_type: As for ``as_retriever()``: "similarity", "similarity_score_threshold" or "mmr".
            search_kwargs: As the attribute; ``k``, ``fetch_k``, ``lambda_mult`` and ``score_threshold`` may stand in it
                as for ``as_retriever()``. The threshold is ``min_relevance``; with "mmr", ``fetch_k`` is
                ``mmr_fetch_k``.
            **fields: Any other attribute, such as ``k=10``; unknown ones are refused.

        Raises:
            InvalidArgumentError: Both ``llm`` or ``read`` and ``transformer``, an argument twice, a search type without
                what it needs, or as for the class.
            UnsupportedStoreError: No adapter is known for the vector store.
        """
        known = fields["fields"] = fields_over({"vectorstore": vectorstore, **fields})
        chosen = choose_transformer(
            llm, transformer, lambda llm: QuestionReader(llm=llm, read=read, fields=known), read=read, fields=known
        )
        kind, named, search_kwargs = read_search_type(search_type, search_kwargs or {}, given=fields)
        settings: dict[str, Any] = {"search_type": kind, "search_kwargs": search_kwargs, **named, **fields}
        return cls(vectorstore=vectorstore, transformer=chosen, **settings)

    @model_validator(mode="before")
    @classmethod
    def _tell_fields(cls, given: Any) -> Any:
        """The fields themselves in place of how they were given, told to the default transformer."""
        known = fields_over(given := with_search_kwargs(given))
        return given if known is None else {"transformer": QuestionReader(fields=known), **given, "fields": known}

    @model_validator(mode="after")
    def _build(self) -> LogicalRetriever:
        if self.filter is not None and self.search_kwargs.get("filter") is not None:
            raise InvalidArgumentError(
                "A filter was given twice: as filter and in search_kwargs.", hint="Keep one of the two."
            )
        # Kept for all calls, and while any retriever over the store is in use.
        self._shared = shared(self.vectorstore, self.embeddings, self.words_index)
        self._core = self._shared.core.but(
            semantics=self.semantics,
            **{one.name: as_verifier(getattr(self, one.name)) for one in fields(SearchOptions)},
        )
        self._core.fields = self.fields
        # Made also where it is not used, which checks its settings.
        diverse = DiverseSearch(self._core, self.mmr_fetch_k, self.lambda_mult)
        self._searching = diverse if self.search_type == "mmr" else self._core
        self._transform = as_runnable(self.transformer)
        self._read_filter(None, {})
        return self

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Answer a question with the best k documents.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; reaches the chat model.
            **kwargs: For this call alone: ``k``, ``fetch_k``, ``score_threshold``, ``verify``, ``verify_wanted``,
                ``always_exclude``, ``filter``, and whatever may stand in ``search_kwargs``; ``history``, the messages
                of the conversation before the question, with which the model reads it in one call. Others are refused.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        # The base class drops the config; configurable fields of the chat model would not reach it.
        return super().invoke(input, config, run_config=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Asynchronous twin of :meth:`invoke`: nothing in it blocks the event loop."""
        return await super().ainvoke(input, config, run_config=config, **kwargs)

    def warm_up(self, *, background: bool = True) -> None:
        """As of the core's retriever: see now to what the first question would have to wait for."""
        self._core.warm_up(background=background)

    def search(self, query: LogicalQuery | str, k: int | None = None, filter: Filter = None) -> list[Document]:
        """Search for a query that is already logical, without asking a model.

        Args:
            query: A query, or a text in the grammar.
            k: Documents to return; by default the retriever's own k.
            filter: In the store's own language, in place of the retriever's own.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        result = self._searching.search(query, k=k, filter=self._read_filter(filter, {}))
        return self._documents(result)

    async def asearch(self, query: LogicalQuery | str, k: int | None = None, filter: Filter = None) -> list[Document]:
        """Asynchronous twin of :meth:`search`."""
        result = await self._searching.asearch(query, k=k, filter=self._read_filter(filter, {}))
        return self._documents(result)

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
        return self._core.explain(made, k=k, filter=self._read_filter(filter, {}))

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        filter: Filter = None,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  the base class reads it and passes it on
        **kwargs: Any,
    ) -> list[Document]:
        chosen, settings = self._checked(query, filter, kwargs)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        with timed():
            with stage("read"):
                made = self._transforming(history).invoke(query, child)
            dispatch_custom_event(EVENT, query_event(made, self.semantics), config=child)
            result = self._searching.search(made, filter=chosen, **settings)
        run_manager.metadata[RUN_METADATA] = search_event(result)  # of this run alone: its children have copies
        return self._documents(result)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        filter: Filter = None,
        history: History = (),
        run_config: RunnableConfig | None = None,
        verbose: bool = False,  # noqa: ARG002  as above
        **kwargs: Any,
    ) -> list[Document]:
        chosen, settings = self._checked(query, filter, kwargs)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        with timed():
            with stage("read"):
                made = await self._transforming(history).ainvoke(query, child)
            await adispatch_custom_event(EVENT, query_event(made, self.semantics), config=child)
            result = await self._searching.asearch(made, filter=chosen, **settings)
        run_manager.metadata[RUN_METADATA] = search_event(result)
        return self._documents(result)

    def _as_tool(self) -> LogicalSearch[Document]:
        """The calls of an agent's tool over this retriever."""
        return LogicalSearch(
            self._searching, self._documents, lambda one: one.page_content, filter=self._read_filter(None, {})
        )

    def _documents(self, result: SearchResult) -> list[Document]:
        return to_documents(result, metadata_key=self.metadata_key, style=self.metadata_style)

    def _transforming(self, history: History) -> Runnable[str, Transformation]:
        return as_runnable(self.transformer, history) if history else self._transform

    def _get_ls_params(self, **kwargs: Any) -> LangSmithRetrieverParams:
        """The store and the embeddings, as traces name them."""
        params = super()._get_ls_params(**kwargs)
        params["ls_vector_store_provider"] = type(self.vectorstore).__name__
        embeddings = getattr(self._core.embedder, "embeddings", self._core.embedder)
        params["ls_embedding_provider"] = type(embeddings).__name__
        for attribute in ("model", "model_name"):
            if isinstance(model := getattr(embeddings, attribute, None), str):
                params["ls_embedding_model"] = model
                break
        return params

    def _checked(self, question: str, filter: Filter, kwargs: dict[str, Any]) -> tuple[Filter, SearchSettings]:
        """The filter and settings of a call; what cannot be answered is refused before a language model is paid."""
        check_question(question)
        check_threshold(kwargs.get("score_threshold"))
        settings: Any = {name: as_verifier(kwargs.pop(name, None)) for name in SETTINGS_OF_A_CALL}
        settings["min_relevance"] = kwargs.pop("score_threshold", None)
        self._core.options.but(**settings)
        return self._read_filter(filter, kwargs), settings

    def _read_filter(self, filter: Filter, search_kwargs: dict[str, Any]) -> Filter:
        """The call's filter and search arguments over the retriever's own, as the store's filter."""
        chosen = self.filter if filter is None else filter
        named = {"filter": chosen} if chosen is not None else {}
        return read_filter(self._shared.store, {**self.search_kwargs, **search_kwargs, **named})
