"""The LlamaIndex retriever: the core's search as a ``BaseRetriever``."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from llama_index.core import StorageContext
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import LLM
from llama_index.core.prompts.mixin import PromptDictType, PromptMixin, PromptMixinType
from llama_index.core.schema import BaseNode, Document, IndexNode, NodeWithScore, QueryBundle, QueryType
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from llama_index.retrievers.logical._convert import to_nodes
from llama_index.retrievers.logical._question import History, LogicalQueryBundle, aread, question_of, read
from llama_index.retrievers.logical.chat_model import verified
from llama_index.retrievers.logical.embedder import embedder_of
from llama_index.retrievers.logical.stores import as_store, check_filters, refused
from llama_index.retrievers.logical.transformer import as_transformer
from logical_retriever.adapters import (
    SETTINGS,
    Embedder,
    Explanation,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    LogicalRetriever as CoreRetriever,
    QueryTransformer,
    ReadQuestion,
    SearchResult,
    Store,
    check_count,
    known_fields,
    unknown_argument,
)

dispatcher = get_dispatcher(__name__)

NAMES = {"similarity_top_k": "k", "filters": "filter", **{name: name for name in SETTINGS if name != "k"}}
"""The core's names of the settings, by LlamaIndex' names."""
ARGUMENTS = (
    *("embed_model", "llm", "transformer", "fields", "words_index", "metadata"),
    *("callback_manager", "object_map", "objects", "verbose"),
)
"""Other arguments of :class:`LogicalRetriever`, beside the index and the settings."""


class LogicalRetriever(BaseRetriever):
    """A retriever in place of ``index.as_retriever()`` that honours the question's NOT, AND and OR.

    Most questions are read without an LLM, by the tagger, a small built-in network. ``llm`` is optional; it is asked
    where the tagger is not sure. With ``fields`` or a ``history`` it is asked for every question. ``Settings.llm`` is
    never used. Nodes are copies with their own metadata; their score is the relevance, from 0 to 1. Only if a NOT was
    not understood, their metadata say so under ``logical_problem``, which no prompt shows. A
    :class:`~llama_index.retrievers.logical.LogicalQueryEvent` is dispatched between the start and the end of each
    retrieval.

    Each setting can also be given for one call, ``retrieve(question, exclusion="rank")``, and to a tool or an engine by
    ``retriever.but(exclusion="rank")``.

    Args:
        index: A ``VectorStoreIndex``, or a :class:`logical_retriever.Store`. SimpleVectorStore, Chroma, Qdrant,
            Postgres, Elasticsearch, OpenSearch and classes given to ``register_adapter`` are read by their own vectors;
            any other proposes candidates, whose texts are embedded again.
        embed_model: The embedding model of the documents; by default the index's own.
        llm: An LLM for the questions that the tagger is not sure of; None for no LLM.
        transformer: A reader in place of the tagger and ``llm``: a :class:`QuestionReader`, a
            :class:`LogicalQueryTransformer` or the like.
        fields: Fields of metadata that conditions may name: ``FieldInfo``, LlamaIndex' ``VectorStoreInfo``, or
            "discover" for those of a sample of the index; a condition on another is an error. A ``transformer`` has
            fields of its own. None allows any field in a typed query; in plain words no condition is read.
        words_index: An index of all nodes' words, for a store that cannot find words itself, as Chroma: the path of
            a file, or True for memory. With None, stores of at most 2,000 get one; with False, none.
        metadata: Whether nodes' metadata get ``logical_score``, ``logical_relevance`` and ``logical_query`` too, kept
            out of the texts for LLMs and embedding models.
        callback_manager: LlamaIndex' callbacks; by default the index's own.
        object_map: Objects that index nodes stand for, by ``index_id``; by default the index's own.
        objects: The same, as index nodes.
        verbose: Whether to print what recursive retrieval enters.
        **settings: ``similarity_top_k``, nodes to return, 4 by default (LlamaIndex' own is 2); ``filters``,
            ``MetadataFilters``, applied by the vector store (for a core store, a filter in its own language), which a
            call's filters replace, except in an agent's tool; ``exclusion``, "drop" to leave out what has an excluded
            thing or is about it, whatever k is, "strict" to leave out more, "certain" to show only what denies it,
            "rank" to rank it lower; ``min_relevance``, from 0 to 1; ``words``, the weight of words beside vectors, from
            0 (no text is read) over 0.5, the default, to 1; ``fetch_k``, the longest first list of nearest nodes;
            ``semantics``, how AND, OR and NOT compose scores; ``verify``, who reads the nodes about to be returned:
            True for ``llm``, another LLM, or a :class:`logical_retriever.Verifier`; ``always_exclude``, terms that
            every question excludes, to which a call can only add.

    Raises:
        InvalidArgumentError: An unknown argument, one of a wrong type or outside its range, or no embedding model.
        UnsupportedStoreError: An index without vectors.
        StoreCapabilityError: A vector store that is not searched by vectors.
    """

    def __init__(
        self,
        index: VectorStoreIndex | Store,
        embed_model: BaseEmbedding | Embedder | None = None,
        llm: LLM | None = None,
        *,
        transformer: QueryTransformer | None = None,
        fields: Any = None,
        words_index: str | Path | bool | None = None,
        metadata: bool = False,
        callback_manager: CallbackManager | None = None,
        object_map: dict[str, Any] | None = None,
        objects: list[IndexNode] | None = None,
        verbose: bool = False,
        **settings: Any,
    ) -> None:
        _refuse_unknown(settings, (*NAMES, *ARGUMENTS))
        if not isinstance(metadata, bool):
            raise InvalidArgumentError(f"metadata is {metadata!r}.", hint="Set metadata=True to add scores to nodes.")
        store, embedder = as_store(index, embed_model)
        known = known_fields(fields, store)
        self._index, self._llm, self._metadata = index, llm, metadata
        self._transformer = as_transformer(llm, transformer, fields=known)
        core, self._filters = self._read(settings)
        self._core = CoreRetriever(store, embedder, fields=known, words_index=words_index, **core)
        if isinstance(index, VectorStoreIndex):
            own = index.as_retriever()  # has both under public names
            callback_manager = own.callback_manager if callback_manager is None else callback_manager
            object_map = own.object_map if object_map is None else object_map
        super().__init__(callback_manager=callback_manager, object_map=object_map, objects=objects, verbose=verbose)

    @classmethod
    def from_index(cls, index: VectorStoreIndex | Store, llm: LLM | None = None, **arguments: Any) -> LogicalRetriever:
        """Replace ``index.as_retriever()``; the same as the class itself, with ``llm`` as the second argument."""
        return cls(index, llm=llm, **arguments)

    @classmethod
    def from_vector_store(
        cls, vector_store: BasePydanticVectorStore, embed_model: BaseEmbedding, llm: LLM | None = None, **arguments: Any
    ) -> LogicalRetriever:
        """Retrieve from a vector store that the embedding model has filled; other arguments are those of the class.

        Raises:
            InvalidArgumentError: A vector store without texts, such as a ``SimpleVectorStore``, whose index keeps them;
                or as for the class.
            UnsupportedStoreError: No vector store.
        """
        if not isinstance(vector_store, BasePydanticVectorStore):
            raise refused(vector_store)
        if not vector_store.stores_text:
            raise InvalidArgumentError(
                f"A {type(vector_store).__name__} keeps no texts.",
                hint="Use LogicalRetriever.from_index(index): the index knows them (load_index_from_storage).",
            )
        embedder_of(None, embed_model)  # checked first: LlamaIndex would load a model for a text
        return cls(VectorStoreIndex.from_vector_store(vector_store, embed_model=embed_model), llm=llm, **arguments)

    @classmethod
    def from_documents(
        cls,
        documents: Sequence[Document],
        embed_model: BaseEmbedding,
        llm: LLM | None = None,
        *,
        storage_context: StorageContext | None = None,
        **arguments: Any,
    ) -> LogicalRetriever:
        """Index documents as ``VectorStoreIndex.from_documents`` does, and retrieve from them.

        ``Settings.read_questions`` split them. They fill the vector store of ``storage_context``, or one in memory.
        Other arguments are those of the class.

        Raises:
            InvalidArgumentError: No list of documents, or as for the class.
        """
        if isinstance(documents, str) or not all(isinstance(document, BaseNode) for document in documents):
            raise InvalidArgumentError(
                "documents must be a list of LlamaIndex documents.", hint='Write [Document(text="...")].'
            )
        embedder_of(None, embed_model)
        index = VectorStoreIndex.from_documents(documents, storage_context, embed_model=embed_model)
        return cls(index, llm=llm, **arguments)

    def but(self, **settings: Any) -> LogicalRetriever:
        """Return a copy with other settings, for a tool or an engine; statistics of the store are shared.

        Args:
            **settings: Settings of the class; None leaves one as it is.

        Raises:
            InvalidArgumentError: An unknown or wrong setting.
        """
        _refuse_unknown(settings, tuple(NAMES))
        other = copy.copy(self)
        core, filter = self._read(settings)
        other._core, other._filters = self._core.but(**core), self._filters if filter is None else filter
        return other

    @property
    def similarity_top_k(self) -> int:
        """Number of nodes to return."""
        return self._core.options.k

    @similarity_top_k.setter
    def similarity_top_k(self, similarity_top_k: int) -> None:
        self._core = self.but(similarity_top_k=check_count("similarity_top_k", similarity_top_k))._core

    @property
    def transformer(self) -> QueryTransformer:
        """The reader of questions."""
        return self._transformer

    @property
    def store(self) -> Store:
        """The core's view of the index."""
        return self._core.store

    def retrieve(
        self, str_or_query_bundle: QueryType, *, history: History = (), **settings: Any
    ) -> list[NodeWithScore]:
        """Retrieve nodes for a question.

        Args:
            str_or_query_bundle: The question.
            history: The earlier messages of the conversation, oldest first.
            **settings: Settings of the class, for this call.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        retriever = self.but(**settings) if settings else self
        return super(LogicalRetriever, retriever).retrieve(_with(history, str_or_query_bundle))

    async def aretrieve(
        self, str_or_query_bundle: QueryType, *, history: History = (), **settings: Any
    ) -> list[NodeWithScore]:
        """Asynchronous twin of :meth:`retrieve`; models are awaited, and a thread asks the store."""
        retriever = self.but(**settings) if settings else self
        return await super(LogicalRetriever, retriever).aretrieve(_with(history, str_or_query_bundle))

    def search(self, query: LogicalQuery | ReadQuestion | str, **settings: Any) -> SearchResult:
        """Search for a query that is already logical, without reading it.

        Args:
            query: A query, or its text in the grammar.
            **settings: Settings of the class, for this call.

        Returns:
            The documents, with the nodes as ``native``; ``left_out`` with the reasons; whether the answer is ``exact``;
            the cost.

        Raises:
            LogicalSyntaxError: A text outside the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        retriever = self.but(**settings) if settings else self
        return retriever._core.search(query, filter=retriever._filters)

    async def asearch(self, query: LogicalQuery | ReadQuestion | str, **settings: Any) -> SearchResult:
        """Asynchronous twin of :meth:`search`."""
        retriever = self.but(**settings) if settings else self
        return await retriever._core.asearch(query, filter=retriever._filters)

    def answer(self, question: QueryType, *, history: History = (), **settings: Any) -> SearchResult:
        """Answer a question in one search with what :meth:`search` returns; arguments are those of :meth:`retrieve`."""
        retriever = self.but(**settings) if settings else self
        read_question = read(self._transformer, _bundle(history, question))
        return retriever._core.search(read_question, filter=retriever._filters)

    async def aanswer(self, question: QueryType, *, history: History = (), **settings: Any) -> SearchResult:
        """Asynchronous twin of :meth:`answer`."""
        retriever = self.but(**settings) if settings else self
        read_question = await aread(self._transformer, _bundle(history, question))
        return await retriever._core.asearch(read_question, filter=retriever._filters)

    def explain(self, question: str, *, history: History = (), **settings: Any) -> Explanation:
        """Retrieve, with the arguments of :meth:`retrieve`, and explain the answer beside that of dense retrieval."""
        retriever = self.but(**settings) if settings else self
        read_question = read(self._transformer, LogicalQueryBundle(query_str=question, history=history))
        return retriever._core.explain(read_question, filter=retriever._filters)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        read_question = read(self._transformer, query_bundle)
        result = self._core.search(read_question, filter=self._filters)
        return to_nodes(result, scores=self._metadata)

    @dispatcher.span
    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        read_question = await aread(self._transformer, query_bundle)
        result = await self._core.asearch(read_question, filter=self._filters)
        return to_nodes(result, scores=self._metadata)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """Do nothing: all prompts are the transformer's."""

    def _read(self, settings: Mapping[str, Any]) -> tuple[dict[str, Any], Filter]:
        """Return settings under the core's names, and the filter."""
        if (top_k := settings.get("similarity_top_k")) is not None:
            check_count("similarity_top_k", top_k)
        core = verified({NAMES[name]: value for name, value in settings.items() if value is not None}, self._llm)
        return core, check_filters(self._index, core.pop("filter", None))


def _with(history: History, question: QueryType) -> QueryType:
    if not history:
        return question
    text = question if isinstance(question, str) else question_of(question)
    return LogicalQueryBundle(query_str=text, history=history)


def _bundle(history: History, question: QueryType) -> QueryBundle:
    bundle = _with(history, question)
    return QueryBundle(bundle) if isinstance(bundle, str) else bundle


def _refuse_unknown(settings: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in settings:
        if name not in NAMES:
            raise unknown_argument("LogicalRetriever", name, known)
