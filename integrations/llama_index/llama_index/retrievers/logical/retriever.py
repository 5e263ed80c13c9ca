"""The LlamaIndex retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import LLM
from llama_index.core.prompts.mixin import PromptDictType, PromptMixin, PromptMixinType
from llama_index.core.schema import IndexNode, MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQueryMode

from llama_index.retrievers.logical._convert import to_nodes
from llama_index.retrievers.logical._copies import CopiedWithIndex
from llama_index.retrievers.logical._query_mode import read_query_mode
from llama_index.retrievers.logical._question import question_of
from llama_index.retrievers.logical.chat_model import checked
from llama_index.retrievers.logical.embedder import as_embedder, model_of
from llama_index.retrievers.logical.events import LogicalQueryEvent, LogicalSearchEvent
from llama_index.retrievers.logical.prompts import PROMPT_KEY
from llama_index.retrievers.logical.stores import as_store, check_filters
from llama_index.retrievers.logical.transformer import (
    QuestionReader,
    as_transformer,
    made_of,
    refuse_unknown_prompts,
)
from logical_retriever.integration import (
    DEFAULT_SEMANTICS,
    SETTINGS,
    DiverseSearch,
    Embedder,
    Explanation,
    Filter,
    LogicalQuery,
    LogicalRetriever as CoreRetriever,
    LogicalSearch,
    QueryTransformer,
    SearchResult,
    Semantics,
    Stopwatch,
    Store,
    check_count,
    check_metadata_key,
    check_question,
    choose_transformer,
    known_fields,
    unknown_argument,
)

dispatcher = get_dispatcher(__name__)

DEFAULT_TOP_K = 4
ARGUMENTS = (
    *("embed_model", "similarity_top_k", "words_index", "fields", "filters"),
    *("vector_store_query_mode", "vector_store_kwargs", "metadata_key", "objects", "verbose"),
    *(name for name in SETTINGS if name != "k"),
)
"""Those of :class:`LogicalRetriever` beside the index, the transformer and LlamaIndex' own of an index."""


class LogicalRetriever(CopiedWithIndex, BaseRetriever):
    """Retrieves nodes with the question's NOT, AND and OR honoured.

    Made by :meth:`from_index`, it stands where ``index.as_retriever()`` stood. Most questions are read without the LLM,
    which is asked for those that the tagger is not sure of and may be left out; ``Settings.llm`` is never touched.

    Every node says why it stands where it stands::

        nodes = retriever.retrieve("benefits of vitamin D other than bone health")
        nodes[0].metadata
        # {..., "logical_query": '"..." AND NOT "..."', "logical_score": 0.61, "logical_relevance": 0.58,
        #  "logical_terms": '{"...": 0.7, "...": 0.1}', "logical_exact": True}

    Where the index can be pickled or deep-copied, the retriever can. Nodes are copies; the index, its nodes and the
    query bundle are never changed. A
    :class:`~llama_index.retrievers.logical.LogicalQueryEvent` is dispatched between the start and the end of each
    retrieval, and a :class:`~llama_index.retrievers.logical.LogicalSearchEvent` with the milliseconds of its stages.
    The prompt is in ``get_prompts()`` under "transformer:logical_query_prompt".

    Args:
        index: A ``VectorStoreIndex``, or a :class:`logical_retriever.Store`. SimpleVectorStore, Chroma, Qdrant and
            stores given to ``register_adapter`` are read by their own vectors; any other proposes candidates, whose
            texts are embedded again.
        embed_model: The model that the documents were encoded with; by default the index's own.
        transformer: Makes the logical query; by default a :class:`QuestionReader` without an LLM.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        similarity_top_k: Nodes to return, at least 1. An index with fewer returns all it has.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LlamaIndex' ``VectorStoreInfo``, or
            "discover" for those of a sample of the index; a condition on another is an error. :meth:`from_index` and
            the default transformer are told them; tell another transformer itself. None for any, and none in questions.
        words_index: Path of a file for an index of the nodes' words. None for one in memory, made in the background,
            where the vector store would read every text to find a word (Chroma); False for what it can do itself.
        filters: ``MetadataFilters``, applied by the vector store; for a core store, a filter in its own language.
        vector_store_query_mode: As for ``as_retriever()``: "default", the best ``similarity_top_k``; or "mmr", which
            chooses out of more those that also differ, see :class:`logical_retriever.integration.DiverseSearch`.
        vector_store_kwargs: What "mmr" takes, as for ``as_retriever()``: ``mmr_threshold``, from 0, only different, to
            1, only relevant; and ``mmr_prefetch_factor`` or ``mmr_prefetch_k``, how many nodes it chooses from.
        metadata_key: Begins the keys of ``node.metadata`` for the reasons: "logical_score" and so on; None leaves them
            out. They are kept out of the texts for LLMs and embedding models. Nodes whose own metadata have one of
            these are refused.
        callback_manager: LlamaIndex's own.
        object_map: What index nodes stand for, by their ``index_id``.
        objects: The same, as index nodes.
        verbose: Print what recursive retrieval enters.
        **settings: ``words``, the weight of words beside vectors, from 0 (no text is read) over 0.5, the default, to 1;
            ``fetch_k``, the longest first list of nearest nodes; ``exclusion``, "drop" to leave out what is about an
            excluded term, whatever k is, "strict" to leave out more, "rank" to rank it lower; ``min_relevance``, from 0
            to 1; ``verify``, True for ``llm``, another LLM, or anything of ``logical_retriever.verify``, that reads the
            nodes about to be returned in one or two calls a question; ``always_exclude``, terms that every
            question excludes, to which a call can only add.

    Raises:
        InvalidArgumentError: A count below 1, an unknown mode, no embedding model, or an argument of a wrong type.
        UnsupportedStoreError: The index has no vectors.
        StoreCapabilityError: Its vector store is not searched by vectors.
    """

    def __init__(
        self,
        index: VectorStoreIndex | Store,
        *,
        embed_model: BaseEmbedding | Embedder | None = None,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        similarity_top_k: int = DEFAULT_TOP_K,
        words_index: str | Path | Literal[False] | None = None,
        fields: Any = None,
        filters: MetadataFilters | Filter = None,
        vector_store_query_mode: VectorStoreQueryMode | str = VectorStoreQueryMode.DEFAULT,
        vector_store_kwargs: Mapping[str, Any] | None = None,
        metadata_key: str | None = "logical",
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        objects: list[IndexNode] | None = None,
        verbose: bool = False,
        **settings: Any,
    ) -> None:
        check_count("similarity_top_k", similarity_top_k)
        self._metadata_key = check_metadata_key(metadata_key)
        self._llm: LLM | None = None
        embedder = as_embedder(
            model_of(index) if embed_model is None else embed_model, whose=f"The {type(index).__name__}"
        )
        store = as_store(index, embedder)
        known = known_fields(fields, store)
        self._transformer = as_transformer(QuestionReader(fields=known) if transformer is None else transformer)
        # Kept for all calls: the core remembers what it has learnt about the store.
        self._core = CoreRetriever(
            store,
            embedder,
            semantics=semantics,
            k=similarity_top_k,
            fields=known,
            words_index=words_index,
            **_known(settings, ARGUMENTS),
        )
        check_filters(index, filters)
        self._mode, self._mode_kwargs = vector_store_query_mode, vector_store_kwargs
        read_query_mode(vector_store_query_mode, vector_store_kwargs, self._core)
        self._index = index
        self._embed_model = embed_model
        self._words_index = words_index
        self._filters = filters
        super().__init__(callback_manager=callback_manager, object_map=object_map, objects=objects, verbose=verbose)

    @classmethod
    def from_index(
        cls,
        index: VectorStoreIndex | Store,
        llm: LLM | None = None,
        *,
        transformer: QueryTransformer | None = None,
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        **arguments: Any,
    ) -> LogicalRetriever:
        """Stand where ``index.as_retriever()`` stood.

        Args:
            index: As the class's.
            llm: Reads the questions that the tagger is not sure of; None for none, or for ``transformer``.
            transformer: In place of ``llm``: an instance, or the name of a transformer of the core.
            callback_manager: The index's own by default.
            object_map: The index's own by default.
            **arguments: Any other argument of the class.

        Raises:
            InvalidArgumentError: Both ``llm`` and ``transformer``, or as for the class.
            UnsupportedStoreError: As for the class.
        """
        arguments = _known(arguments, ARGUMENTS, llm)
        fields = arguments.get("fields")
        if fields is not None:
            embed_model = arguments.get("embed_model")
            embedder = as_embedder(model_of(index) if embed_model is None else embed_model, whose=type(index).__name__)
            fields = arguments["fields"] = known_fields(fields, as_store(index, embedder))
        if isinstance(index, VectorStoreIndex):
            # What index.as_retriever() hands on; the index has no public names for them.
            callback_manager = index._callback_manager if callback_manager is None else callback_manager
            object_map = index._object_map if object_map is None else object_map
        retriever = cls(
            index,
            transformer=choose_transformer(
                llm, transformer, lambda llm: QuestionReader(llm, fields=fields), fields=fields
            ),
            callback_manager=callback_manager,
            object_map=object_map,
            **arguments,
        )
        retriever._llm = llm
        return retriever

    @property
    def similarity_top_k(self) -> int:
        """Nodes to return."""
        return self._core.options.k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        check_count("similarity_top_k", similarity_top_k)
        self._core = self._core.but(k=similarity_top_k)

    @property
    def transformer(self) -> QueryTransformer:
        """The maker of the logical query."""
        return self._transformer

    @property
    def store(self) -> Store:
        """The core's view of the index."""
        return self._core.store

    def search(
        self, query: LogicalQuery | str, *, k: int | None = None, filters: Filter = None, **settings: Any
    ) -> list[NodeWithScore]:
        """Search for a query that is already logical, without asking a model.

        Args:
            query: A query, or a text in the grammar.
            k: Nodes to return; by default ``similarity_top_k``.
            filters: For this call, in place of the retriever's own.
            **settings: As of the class, for this call.

        Raises:
            LogicalRetrieverError: Such as :class:`~logical_retriever.errors.LogicalSyntaxError` of a text.
        """
        call = _known(settings, ("filters", *SETTINGS), self._llm)
        return self._nodes(self._searching.search(query, k=k, filter=self._chosen(filters), **call))

    async def asearch(
        self, query: LogicalQuery | str, *, k: int | None = None, filters: Filter = None, **settings: Any
    ) -> list[NodeWithScore]:
        """Asynchronous twin of :meth:`search`."""
        call = _known(settings, ("filters", *SETTINGS), self._llm)
        return self._nodes(await self._searching.asearch(query, k=k, filter=self._chosen(filters), **call))

    def explain(self, question: str, *, k: int | None = None, filters: MetadataFilters | Filter = None) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: The question.
            k: Nodes to return; by default ``similarity_top_k``.
            filters: For this call, in place of the retriever's own.
        """
        made = self._transformer.transform(check_question(question))
        return self._core.explain(made, k=k, filter=self._chosen(filters))

    def __copy__(self) -> LogicalRetriever:
        other = type(self)(**self.arguments())
        other._core = self._core.but()  # shares what was learnt about the store
        return other

    def arguments(self) -> dict[str, Any]:
        """The arguments that make this retriever."""
        return {
            "index": self._index,
            "embed_model": self._embed_model,
            "words_index": self._words_index,
            "fields": self._core.fields,
            "transformer": self._transformer,
            "similarity_top_k": self.similarity_top_k,
            "filters": self._filters,
            "vector_store_query_mode": self._mode,
            "vector_store_kwargs": self._mode_kwargs,
            "metadata_key": self._metadata_key,
            "callback_manager": self.callback_manager,
            "object_map": self.object_map,
            "verbose": self._verbose,
            **{name: getattr(self._core.options, name) for name in SETTINGS if name != "k"},
        }

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = question_of(query_bundle)
        made = made_of(query_bundle)
        clock = Stopwatch()
        if made is None:
            made = self._transformer.transform(asked.question)
            clock.lap("read")
        dispatcher.event(LogicalQueryEvent.of(made, self._core.options))
        result = self._searching.search(made, k=asked.k, filter=self._filters)
        dispatcher.event(LogicalSearchEvent.of(result, clock.milliseconds))
        return self._nodes(result)

    @dispatcher.span
    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = question_of(query_bundle)
        made = made_of(query_bundle)
        clock = Stopwatch()
        if made is None:
            made = await self._transformer.atransform(asked.question)
            clock.lap("read")
        dispatcher.event(LogicalQueryEvent.of(made, self._core.options))
        result = await self._searching.asearch(made, k=asked.k, filter=self._filters)
        dispatcher.event(LogicalSearchEvent.of(result, clock.milliseconds))
        return self._nodes(result)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        refuse_unknown_prompts(prompts, known=(f"transformer:{PROMPT_KEY}",))

    def _as_tool(self) -> LogicalSearch[NodeWithScore]:
        """The calls of an agent's tool over this retriever."""
        return LogicalSearch(
            self._searching,
            self._nodes,
            lambda node: node.node.get_content(metadata_mode=MetadataMode.LLM),
            filter=self._filters,
        )

    @property
    def _searching(self) -> CoreRetriever | DiverseSearch:
        # Made for each call: similarity_top_k may have been set.
        return read_query_mode(self._mode, self._mode_kwargs, self._core)

    def _nodes(self, result: SearchResult) -> list[NodeWithScore]:
        return to_nodes(result, metadata_key=self._metadata_key)

    def _chosen(self, filters: Filter) -> Filter:
        check_filters(self._index, filters)
        return self._filters if filters is None else filters


def _known(settings: Mapping[str, Any], known: tuple[str, ...], llm: LLM | None = None) -> dict[str, Any]:
    """Settings as the core takes them, with a verifier over an LLM, the retriever's own for True.

    Raises:
        InvalidArgumentError: One is none of those known.
    """
    for name in settings:
        if name not in known:
            raise unknown_argument("LogicalRetriever", name, known)
    return checked(settings, llm)
