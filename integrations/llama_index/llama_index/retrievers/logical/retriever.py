"""The LlamaIndex retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

from typing import Any, Literal

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import LLM
from llama_index.core.prompts.mixin import PromptDictType, PromptMixin, PromptMixinType
from llama_index.core.schema import IndexNode, NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters

from llama_index.retrievers.logical._convert import check_metadata_key, to_nodes
from llama_index.retrievers.logical._question import question_of
from llama_index.retrievers.logical._recursion import arecurse, recurse
from llama_index.retrievers.logical._tool_input import ToolInput
from llama_index.retrievers.logical.embedder import as_embedder, model_of
from llama_index.retrievers.logical.events import LogicalQueryEvent
from llama_index.retrievers.logical.prompts import PROMPT_KEY
from llama_index.retrievers.logical.stores import as_store, check_filters
from llama_index.retrievers.logical.stores.reembedding import ReembeddingStore
from llama_index.retrievers.logical.transformer import (
    LogicalQueryBundle,
    LogicalQueryTransformer,
    as_transformer,
    refuse_unknown_prompts,
)
from logical_retriever.integration import (
    DEFAULT_FETCH_K,
    DEFAULT_SEMANTICS,
    MAX_CANDIDATES,
    CueQueryTransformer,
    Embedder,
    EvidenceSource,
    Explanation,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    Pushdown,
    QueryTransformer,
    SearchMode,
    Semantics,
    Store,
    Transformation,
    check_count,
    check_question,
    effective_query,
    parse,
)
from logical_retriever.integration import LogicalRetriever as CoreRetriever

dispatcher = get_dispatcher(__name__)

DEFAULT_TOP_K = 4
REEMBEDDED_FETCH_K = 50
"""Length of the first lists where candidates' texts are embedded again."""
REEMBEDDED_LISTS = 4
"""How many times that a search may embed at most."""


class LogicalRetriever(BaseRetriever):
    """Retrieves nodes with the question's NOT, AND and OR honoured.

    Made by :meth:`from_index`, it stands where ``index.as_retriever()`` stood. Without an LLM, cue rules for English
    exclusions ("other than", "excluding", ...) make the logical query; ``Settings.llm`` is never touched.

    Every node says why it stands where it stands::

        nodes = retriever.retrieve("benefits of vitamin D other than bone health")
        nodes[0].metadata["logical"]
        # {"query": '"..." AND NOT "..."', "score": 0.61, "terms": {"...": 0.7, "...": 0.1}, "exact": True}

    Nodes are copies; the index, its nodes and the query bundle are never changed. A
    :class:`~llama_index.retrievers.logical.LogicalQueryEvent` is dispatched between the start and the end of each
    retrieval. The prompt is in ``get_prompts()`` under "transformer:logical_query_prompt".

    Args:
        index: A ``VectorStoreIndex``, or a :class:`logical_retriever.Store`. SimpleVectorStore, Chroma, Qdrant and
            stores given to ``register_adapter`` are read by their own vectors; any other proposes candidates, whose
            texts are embedded again.
        embed_model: The model that the documents were encoded with; the index's own unless given.
        transformer: Makes the logical query; the cue rules unless given.
        semantics: How scores are composed: a name, or an instance.
        similarity_top_k: Nodes to return, at least 1. An index with fewer returns all it has.
        fetch_k: Candidates per positive term where the store is not scanned, at least 1; unless given, the core's own
            number, and fewer where the candidates' texts are embedded again. In "sqo" and "deo", all candidates.
        evidence: "auto" reads texts for BM25 where the semantics has a use for it, "dense" compares vectors alone.
        max_candidates: Most nodes read where the store is not scanned; None for no limit, "auto" for the core's own
            number, and fewer where their texts are embedded again. What is found within it is said to be approximate.
        max_rounds: Most times that the store is asked for longer lists; None for no limit.
        mode: How nodes are looked for: "exact", or, asking the index once, "sqo" or "deo"; see
            :class:`logical_retriever.LogicalRetriever`.
        pushdown: Whether the store's engine computes the scores itself, over Postgres, Qdrant and the core's stores of
            tables: "auto" where it can as well as this process and the store is large, "always" or an error, "never".
        filters: ``MetadataFilters``, applied by the vector store; for a core store, a filter in its own language.
        metadata_key: Key of ``node.metadata`` for the score and truth values; None leaves them out. It is kept out of
            the texts for LLMs and embedding models.
        callback_manager: LlamaIndex's own.
        object_map: What index nodes stand for, by their ``index_id``.
        objects: The same, as index nodes.
        verbose: Print what recursive retrieval enters.

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
        fetch_k: int | None = None,
        evidence: EvidenceSource = "auto",
        max_candidates: int | Literal["auto"] | None = "auto",
        max_rounds: int | None = None,
        mode: SearchMode = "exact",
        pushdown: Pushdown = "auto",
        filters: MetadataFilters | Filter = None,
        metadata_key: str | None = "logical",
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        objects: list[IndexNode] | None = None,
        verbose: bool = False,
    ) -> None:
        check_count("similarity_top_k", similarity_top_k)
        self._transformer = as_transformer(CueQueryTransformer() if transformer is None else transformer)
        self._metadata_key = check_metadata_key(metadata_key)
        embedder = as_embedder(
            model_of(index) if embed_model is None else embed_model, whose=f"The {type(index).__name__}"
        )
        store = as_store(index, embedder)
        fetch_k, most = _budget(store, fetch_k)
        # Kept for all calls: the core remembers what it has learnt about the store.
        self._core = CoreRetriever(
            store,
            embedder,
            semantics=semantics,
            k=similarity_top_k,
            fetch_k=fetch_k,
            evidence=evidence,
            max_candidates=most if max_candidates == "auto" else max_candidates,
            max_rounds=max_rounds,
            mode=mode,
            pushdown=pushdown,
        )
        check_filters(index, filters)
        self._index = index
        self._filters = filters
        super().__init__(callback_manager=callback_manager, object_map=object_map, objects=objects, verbose=verbose)

    @classmethod
    def from_index(
        cls,
        index: VectorStoreIndex | Store,
        llm: LLM | None = None,
        *,
        embed_model: BaseEmbedding | Embedder | None = None,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        similarity_top_k: int = DEFAULT_TOP_K,
        fetch_k: int | None = None,
        evidence: EvidenceSource = "auto",
        max_candidates: int | Literal["auto"] | None = "auto",
        max_rounds: int | None = None,
        mode: SearchMode = "exact",
        pushdown: Pushdown = "auto",
        filters: MetadataFilters | Filter = None,
        metadata_key: str | None = "logical",
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        objects: list[IndexNode] | None = None,
        verbose: bool = False,
    ) -> LogicalRetriever:
        """Stand where ``index.as_retriever()`` stood.

        Args:
            index: As the class's.
            llm: Makes the logical query; None for the cue rules or for ``transformer``.
            embed_model: As the class's.
            transformer: In place of ``llm``.
            semantics: As the class's.
            similarity_top_k: As the class's.
            fetch_k: As the class's.
            evidence: As the class's.
            max_candidates: As the class's.
            max_rounds: As the class's.
            mode: As the class's.
            pushdown: As the class's.
            filters: As the class's.
            metadata_key: As the class's.
            callback_manager: The index's own unless given.
            object_map: The index's own unless given.
            objects: As the class's.
            verbose: As the class's.

        Raises:
            InvalidArgumentError: Both ``llm`` and ``transformer``, or as for the class.
            UnsupportedStoreError: As for the class.
        """
        if llm is not None and transformer is not None:
            raise InvalidArgumentError(
                "Both llm and transformer were given.",
                hint="Pass the model to the transformer: transformer=LogicalQueryTransformer(llm, ...).",
            )
        if isinstance(index, VectorStoreIndex):
            # What index.as_retriever() hands on; the index has no public names for them.
            callback_manager = index._callback_manager if callback_manager is None else callback_manager
            object_map = index._object_map if object_map is None else object_map
        return cls(
            index,
            embed_model=embed_model,
            transformer=transformer if llm is None else LogicalQueryTransformer(llm),
            semantics=semantics,
            similarity_top_k=similarity_top_k,
            fetch_k=fetch_k,
            evidence=evidence,
            max_candidates=max_candidates,
            max_rounds=max_rounds,
            mode=mode,
            pushdown=pushdown,
            filters=filters,
            metadata_key=metadata_key,
            callback_manager=callback_manager,
            object_map=object_map,
            objects=objects,
            verbose=verbose,
        )

    @property
    def similarity_top_k(self) -> int:
        """Nodes to return."""
        return self._core.options.k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        check_count("similarity_top_k", similarity_top_k)
        self._core.k = similarity_top_k

    @property
    def transformer(self) -> QueryTransformer:
        """What makes the logical query."""
        return self._transformer

    @property
    def store(self) -> Store:
        """The core's view of the index."""
        return self._core.store

    def search(
        self, query: LogicalQuery | str, *, k: int | None = None, filters: MetadataFilters | Filter = None
    ) -> list[NodeWithScore]:
        """Search for a query that is already logical, without asking a model.

        Args:
            query: A query, or a text in the grammar.
            k: Nodes to return; ``similarity_top_k`` unless given.
            filters: For this call; the retriever's own unless given.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        parsed = parse(query) if isinstance(query, str) else query
        result = self._core.search(parsed, k=k, filter=self._chosen(filters))
        return to_nodes(result, query=str(parsed), metadata_key=self._metadata_key)

    async def asearch(
        self, query: LogicalQuery | str, *, k: int | None = None, filters: MetadataFilters | Filter = None
    ) -> list[NodeWithScore]:
        """Asynchronous twin of :meth:`search`."""
        parsed = parse(query) if isinstance(query, str) else query
        result = await self._core.asearch(parsed, k=k, filter=self._chosen(filters))
        return to_nodes(result, query=str(parsed), metadata_key=self._metadata_key)

    def explain(self, question: str, *, k: int | None = None, filters: MetadataFilters | Filter = None) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: The question.
            k: Nodes to return; ``similarity_top_k`` unless given.
            filters: For this call; the retriever's own unless given.
        """
        made = self._transformer.transform(check_question(question))
        return self._core.explain(made, k=k, filter=self._chosen(filters))

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = self._asked(query_bundle)
        made = _made(query_bundle)
        if made is None:
            made = self._transformer.transform(asked.question)
        dispatcher.event(LogicalQueryEvent.of(made, self._core.semantics))
        result = self._core.search(made, k=asked.k, filter=self._filters)
        return to_nodes(result, query=str(effective_query(made, self._core.semantics)), metadata_key=self._metadata_key)

    @dispatcher.span
    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = self._asked(query_bundle)
        made = _made(query_bundle)
        if made is None:
            made = await self._transformer.atransform(asked.question)
        dispatcher.event(LogicalQueryEvent.of(made, self._core.semantics))
        result = await self._core.asearch(made, k=asked.k, filter=self._filters)
        return to_nodes(result, query=str(effective_query(made, self._core.semantics)), metadata_key=self._metadata_key)

    def _handle_recursive_retrieval(self, query_bundle: QueryBundle, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        return recurse(self, query_bundle, nodes, metadata_key=self._metadata_key)

    async def _ahandle_recursive_retrieval(
        self, query_bundle: QueryBundle, nodes: list[NodeWithScore]
    ) -> list[NodeWithScore]:
        return await arecurse(self, query_bundle, nodes, metadata_key=self._metadata_key)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        refuse_unknown_prompts(prompts, known=(f"transformer:{PROMPT_KEY}",))

    def _asked(self, query_bundle: QueryBundle) -> ToolInput:
        """Refuse what cannot be answered before a language model is paid for it."""
        asked = question_of(query_bundle)
        check_question(asked.question)
        return asked

    def _chosen(self, filters: Filter) -> Filter:
        check_filters(self._index, filters)
        return self._filters if filters is None else filters


def _budget(store: Store, fetch_k: int | None) -> tuple[int, int]:
    """Length of the first lists, and most candidates of a search; low where each may cost an embedding."""
    if not isinstance(store, ReembeddingStore):
        return DEFAULT_FETCH_K if fetch_k is None else fetch_k, MAX_CANDIDATES
    fetch_k = REEMBEDDED_FETCH_K if fetch_k is None else fetch_k
    check_count("fetch_k", fetch_k)
    return fetch_k, REEMBEDDED_LISTS * fetch_k


def _made(query_bundle: QueryBundle) -> Transformation | None:
    """The logical query that a :class:`LogicalQueryTransformer` has put into the bundle."""
    return query_bundle.transformation if isinstance(query_bundle, LogicalQueryBundle) else None
