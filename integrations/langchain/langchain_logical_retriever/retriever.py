"""The LangChain retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from collections.abc import Sequence
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
from langchain_logical_retriever._convert import EVENT, History, check_documents, run_metadata, to_documents
from langchain_logical_retriever._search import LAMBDA_MULT, MMR_FETCH_K, Search, split_settings
from langchain_logical_retriever._sharing import SharedRetriever, shared
from langchain_logical_retriever.chat_model import as_verifier
from langchain_logical_retriever.embedder import not_embeddings
from langchain_logical_retriever.transformer import as_runnable, as_transformer, transformer_of
from logical_retriever.adapters import (
    DEFAULT_SEMANTICS,
    SETTINGS,
    Embedder,
    Exclusion,
    Explanation,
    InvalidArgumentError,
    LogicalQuery,
    LogicalSearch,
    QueryTransformer,
    ReadQuestion,
    SearchOptions,
    SearchResult,
    Semantics,
    Store,
    check_count,
    check_question,
    check_relevance,
    choose_transformer,
    known_fields,
    negative_terms,
    query_event,
)


class LogicalRetriever(BaseRetriever, CheckedModel):
    """Retrieves documents with the question's NOT, AND and OR honoured.

    Setup:
        .. code-block:: bash

            pip install "langchain-logical-retriever[chroma]"

    Instantiate:
        .. code-block:: python

            from langchain_logical_retriever import LogicalRetriever

            retriever = LogicalRetriever.from_vectorstore(vectorstore, llm=llm, k=4)

        Most questions are read without a model. ``llm`` may be left out; it is asked where the tagger, a small
        built-in network, is not sure, and for every question where there are ``fields`` or a ``history``.

    Usage:
        .. code-block:: python

            documents = retriever.invoke("benefits of vitamin D other than bone health")
            retriever.invoke("...", k=2, filter={"year": 2024})  # for this call alone
            retriever.search('"vitamin D" AND NOT "bone health"')  # already logical
            print(retriever.explain("..."))  # the whole story, beside plain dense retrieval

    Use within a chain:
        .. code-block:: python

            chain = {"context": retriever, "question": RunnablePassthrough()} | prompt | llm | StrOutputParser()

    Documents are those of ``vectorstore.as_retriever()``, with ``metadata["logical_problem"]`` where a NOT of the
    question was not understood, and nothing else of ours, so that prompts stay as they were.

    A call makes a child run named after the transformer, with the chat model's run inside it, and a custom event
    "logical_query" with ``question``, ``logical_query``, ``method``, ``problem``, ``confidence``, ``standalone`` and
    ``searched``. The metadata of its run, as traces keep it, have at its end ``logical_problem`` where there is one,
    and in ``logical_search`` ``completeness``, ``note`` and what was read of the store.

    Attributes:
        vectorstore: A LangChain vector store, or a :class:`logical_retriever.Store`.
        llm: A chat model, or a :class:`LogicalQueryTransformer` with settings of its own, for the questions that the
            tagger is not sure of; None for none, or for ``transformer``.
        transformer: In place of ``llm``: a :class:`LogicalQueryTransformer`, which asks its model for every question, a
            transformer of the core, or any Runnable that returns a logical query.
        embeddings: The embeddings that the store was filled with; by default those that it holds.
        k: Documents to return, at least 1. A store with fewer returns all it has.
        filter: In the store's own language. A call's filter replaces it, except in an agent's tool.
        exclusion: "drop" leaves out what is about an excluded term, whatever k is; "strict" leaves out more; "rank"
            leaves nothing out and ranks it lower.
        min_relevance: Least relevance, in [0, 1], of a document that is returned.
        words: Weight of words beside vectors, from 0 (no text is read) to 1 (words alone); None for the semantics' own,
            0.5 by default.
        fetch_k: Candidates that an engine proposes, and the longest first list of nearest documents. With "mmr", that
            of ``search_kwargs`` or of a call says instead how many documents to choose from.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        verify: True for ``llm``, another chat model, or anything of ``logical_retriever.verify``, that reads the
            documents about to be returned; one or two calls a question.
        always_exclude: Terms that every question excludes; a call can only add to them.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LangChain's ``AttributeInfo``, or "discover"
            for those of a sample of the store. The reader, with the model of ``llm``, is told them.
        words_index: Path of a file for an index of the documents' words. None for one in memory, made in the
            background, where the vector store would read every text to find a word (Chroma); False for what it can do.
        scores: Whether documents' metadata get "logical_score", "logical_relevance" and "logical_query". Elsewhere in
            this project that is ``metadata=True``, which works here too, unless runs need LangChain's ``metadata``.
        search_type: "similarity"; "similarity_score_threshold"; or "mmr", k out of the best
            ``search_kwargs["fetch_k"]`` (20) that also differ, by ``search_kwargs["lambda_mult"]`` (0.5).
        search_kwargs: As for ``as_retriever()``: the settings above, with ``score_threshold`` for ``min_relevance``,
            which count more than the attributes; and what the store's own search takes, such as Chroma's
            ``where_document``. What nobody knows is refused.
        tags: LangChain tags of each run.
        metadata: LangChain metadata of each run.
        name: Name of each run.

    Raises:
        InvalidArgumentError: An unknown argument, a value outside its range, no embeddings, or no vector store.
        UnsupportedStoreError: No adapter is known for the vector store.
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
    words_index: Annotated[str | Path | Literal[False] | None, SkipValidation] = None
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
        """Stand where ``vectorstore.as_retriever()`` stood: the same as the class itself, whose arguments it takes."""
        return cls(vectorstore, llm, **arguments)

    @classmethod
    def from_retriever(
        cls, retriever: VectorStoreRetriever, llm: Runnable[Any, Any] | None = None, **arguments: Any
    ) -> LogicalRetriever:
        """Stand where a retriever of a vector store stands, with its search type, ``search_kwargs``, tags and metadata.

        Other arguments are those of the class, and win over what is taken from the retriever.

        Raises:
            InvalidArgumentError: It is another retriever, or as for the class.
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
            InvalidArgumentError: They are no Documents, or no Embeddings, or as for the class.
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
        self.verify = self._with_verifier({"verify": self.verify})["verify"]
        chosen: Any = choose_transformer(self.llm, self.transformer, lambda llm: llm)
        if isinstance(chosen, type) or not isinstance(chosen, QueryTransformer):
            raise InvalidArgumentError(
                f"transformer must be a QueryTransformer or a Runnable, got {type(chosen).__name__}.",
                hint="Pass LogicalQueryTransformer(llm), or a Runnable that makes a query.",
            )
        self._search().call({})
        return self

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Answer a question with the best k documents.

        Args:
            input: The question.
            config: Callbacks, tags and the rest; reaches the chat model.
            **kwargs: For this call alone: ``k``, ``filter``, ``exclusion``, ``min_relevance``, ``words``, ``fetch_k``,
                ``semantics``, ``verify``, ``always_exclude``, and whatever may stand in ``search_kwargs``; ``history``,
                the messages of the conversation before the question. Others are refused.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        # The base class drops the config; configurable fields of the chat model would not reach it.
        return super().invoke(input, config, run_config=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """Asynchronous twin of :meth:`invoke`: nothing in it blocks the event loop."""
        return await super().ainvoke(input, config, run_config=config, **kwargs)

    def search(self, query: LogicalQuery | str, **settings: Any) -> list[Document]:
        """Search for a query that is already logical, without reading it. No run is traced.

        Args:
            query: A query, or a text in the grammar.
            **settings: As for :meth:`invoke`.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
        """
        return self._documents(self._search().search(query, **self._with_verifier(settings)))

    async def asearch(self, query: LogicalQuery | str, **settings: Any) -> list[Document]:
        """Asynchronous twin of :meth:`search`."""
        return self._documents(await self._search().asearch(query, **self._with_verifier(settings)))

    def explain(self, question: str, config: RunnableConfig | None = None, **settings: Any) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: The question.
            config: Passed on to the transformer.
            **settings: As for :meth:`invoke`.
        """
        history = settings.pop("history", ())
        search, call = self._prepared(question, settings)
        read_question = self._reader(history).invoke(question, config)
        arguments, k = search.call(call)
        return search.core.explain(read_question, **{**arguments, "k": k})

    def for_question(self, question: str, config: RunnableConfig | None = None) -> LogicalRetriever:
        """The same retriever for variants of one question, as ``MultiQueryRetriever`` makes them.

        Args:
            question: The question that counts: what it excludes is left out of the answers to all of them.
            config: Passed on to the transformer.
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
        verbose: bool = False,  # noqa: ARG002  the base class reads it and passes it on
        **settings: Any,
    ) -> list[Document]:
        search, call = self._prepared(query, settings)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        read_question = self._reader(history).invoke(query, child)
        dispatch_custom_event(EVENT, query_event(read_question, search.core.options), config=child)
        result = search.search(read_question, **call)
        run_manager.metadata.update(run_metadata(read_question, result))
        return self._documents(result, read_question.problem)

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
        search, call = self._prepared(query, settings)
        child = patch_config(run_config, callbacks=run_manager.get_child())
        read_question = await self._reader(history).ainvoke(query, child)
        await adispatch_custom_event(EVENT, query_event(read_question, search.core.options), config=child)
        result = await search.asearch(read_question, **call)
        run_manager.metadata.update(run_metadata(read_question, result))
        return self._documents(result, read_question.problem)

    def _prepared(self, question: str, settings: dict[str, Any]) -> tuple[Search, dict[str, Any]]:
        """The search of a call and its arguments; what cannot be answered is refused before a model is paid."""
        check_question(question)
        search, call = self._search(), self._with_verifier(settings)
        search.call(call)
        return search, call

    def _search(self) -> Search:
        """A search with the attributes as they are now."""
        self._shared = shared(self.vectorstore, self.embeddings, self.words_index)
        settings, rest = split_settings(self.search_kwargs)
        if (
            self.search_type == "similarity_score_threshold"
            and settings.get("min_relevance", self.min_relevance) is None
        ):
            raise InvalidArgumentError(
                "search_type is 'similarity_score_threshold', and there is no threshold.",
                hint='Pass search_kwargs={"score_threshold": 0.5}: a relevance from 0 to 1.',
            )
        diverse = None
        if self.search_type == "mmr":
            fetch_k, lambda_mult = settings.pop("fetch_k", MMR_FETCH_K), rest.pop("lambda_mult", LAMBDA_MULT)
            diverse = check_count("fetch_k", fetch_k), check_relevance("lambda_mult", lambda_mult)
        own = {name: getattr(self, name) for name in SETTINGS}
        core = self._shared.but(**own).but(**self._with_verifier(settings))
        core.fields = self.fields
        return Search(core, self.fields, {"filter": self.filter, **rest}, diverse)

    def _with_verifier(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Settings with a verifier where a chat model was given, or True for the retriever's own."""
        if "verify" not in settings:
            return settings
        own = self.llm if self.transformer is None else self.transformer
        return {**settings, "verify": as_verifier(settings["verify"], getattr(own, "llm", None))}

    def _reader(self, history: History = ()) -> Runnable[str, ReadQuestion]:
        """Question to query, as a run named after what reads."""
        transformer = self.transformer
        name = transformer.get_name() if isinstance(transformer, Runnable) else type(transformer).__name__
        return as_runnable(
            "QuestionReader" if transformer is None else name,
            partial(transformer_of, transformer, self.llm, self.fields),
            history,
        )

    def _documents(self, result: SearchResult, problem: str | None = None) -> list[Document]:
        return to_documents(result, problem, scores=self.scores)

    def _as_tool(self) -> LogicalSearch[Document]:
        """The calls of an agent's tool over this retriever."""
        return LogicalSearch(self._search(), self._documents, lambda document: document.page_content)
