"""Logical scores for the nodes that another retriever has found."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.llms import LLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts.mixin import PromptMixin, PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index.retrievers.logical._convert import check_metadata_key, embed_text, to_nodes, to_stored
from llama_index.retrievers.logical._question import question_of
from llama_index.retrievers.logical.embedder import LlamaIndexEmbedder, as_embedder, model_of
from llama_index.retrievers.logical.events import LogicalQueryEvent
from llama_index.retrievers.logical.stores import as_store
from llama_index.retrievers.logical.transformer import LogicalQueryBundle, LogicalQueryTransformer, as_transformer
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
    Transformation,
    check_count,
    check_question,
    effective_query,
    get_semantics,
    has_logic,
)
from logical_retriever.integration import LogicalRetriever as CoreRetriever

dispatcher = get_dispatcher(__name__)


class LogicalRerank(BaseNodePostprocessor):
    """Scores nodes by the question's logical query, for pipelines that keep their retriever.

    A node postprocessor sees only what the retriever found: use it behind a retriever that fetches many nodes, so that
    enough remain when the unwanted ones have moved down. What a similarity means is measured on the index that the
    nodes come from, if it is given, else on the nodes alone, among which little stands out. A question without logic
    keeps the retriever's order and scores. Nodes are copies; those given are never changed.

    Args:
        embed_model: Encodes the terms, and the nodes that carry no embedding: the model that those embeddings are from.
            The index's own unless given.
        index: Where the nodes come from: a ``VectorStoreIndex``, or a :class:`logical_retriever.Store`.
        llm: Makes the logical query; None for the cue rules or for ``transformer``.
        transformer: In place of ``llm``.
        semantics: How scores are composed: a name, or an instance.
        top_n: Nodes to return, at least 1; None for all.
        metadata_key: As for :class:`LogicalRetriever`.
        callback_manager: LlamaIndex's own.

    Raises:
        InvalidArgumentError: An argument is none of these, or there is no embedding model.
        UnsupportedStoreError: The index has no vectors.
    """

    top_n: int | None = None
    metadata_key: str | None = "logical"

    _embedder: Embedder = PrivateAttr()
    _transformer: QueryTransformer = PrivateAttr()
    _semantics: Semantics = PrivateAttr()
    _rescorer: Rescorer = PrivateAttr()

    def __init__(
        self,
        embed_model: BaseEmbedding | Embedder | None = None,
        *,
        index: VectorStoreIndex | Store | None = None,
        llm: LLM | None = None,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        top_n: int | None = None,
        metadata_key: str | None = "logical",
        callback_manager: CallbackManager | None = None,
    ) -> None:
        if llm is not None and transformer is not None:
            raise InvalidArgumentError("Both llm and transformer were given.", hint="Pass one of the two.")
        if top_n is not None:
            check_count("top_n", top_n)
        check_metadata_key(metadata_key)
        managed = {} if callback_manager is None else {"callback_manager": callback_manager}
        super().__init__(top_n=top_n, metadata_key=metadata_key, **managed)
        if embed_model is None:
            embed_model = model_of(index)
        self._embedder = as_embedder(embed_model, whose="LogicalRerank")
        self._semantics = get_semantics(semantics)
        origin = None if index is None else as_store(index, self._embedder)
        self._rescorer = Rescorer(self._embedder, semantics=self._semantics, origin=origin)
        if llm is not None:
            self._transformer = LogicalQueryTransformer(llm)
        else:
            self._transformer = as_transformer(CueQueryTransformer() if transformer is None else transformer)

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in serialised form."""
        return "LogicalRerank"

    @property
    def transformer(self) -> QueryTransformer:
        """What makes the logical query."""
        return self._transformer

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = _checked(query_bundle)
        if not nodes:
            return []
        self._started(nodes, bundle)
        made = _made(bundle)
        if made is None:
            made = self._transformer.transform(question_of(bundle).question)
        dispatcher.event(LogicalQueryEvent.of(made, self._semantics))
        if not has_logic(made.query):
            return self._ended(nodes[: self._limit(nodes)])
        missing = _without_vector(nodes)
        result = self._core(nodes, dict(zip(missing, self._encode(missing), strict=True))).search(made)
        return self._ended(self._nodes(made, result))

    @dispatcher.span
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = _checked(query_bundle)
        if not nodes:
            return []
        self._started(nodes, bundle)
        made = _made(bundle)
        if made is None:
            made = await self._transformer.atransform(question_of(bundle).question)
        dispatcher.event(LogicalQueryEvent.of(made, self._semantics))
        if not has_logic(made.query):
            return self._ended(nodes[: self._limit(nodes)])
        missing = _without_vector(nodes)
        core = self._core(nodes, dict(zip(missing, await self._aencode(missing), strict=True)))
        return self._ended(self._nodes(made, await core.asearch(made)))

    def _core(self, nodes: list[NodeWithScore], encoded: dict[str, Any]) -> CoreRetriever:
        """The core's retriever over these nodes alone; ids are places, since node ids may repeat."""
        documents = [to_stored(node.node, id=f"{place:09}") for place, node in enumerate(nodes)]
        vectors = [_vector(node, encoded) for node in nodes]
        lengths = {len(vector) for vector in vectors}
        if len(lengths) > 1:
            raise EmbeddingError(
                f"The nodes' embeddings have the lengths {', '.join(map(str, sorted(lengths)))}.",
                hint="Use the embedding model that the nodes' own embeddings are from.",
            )
        return self._rescorer.over(documents, vectors, k=self._limit(nodes))

    def _limit(self, nodes: list[NodeWithScore]) -> int:
        return len(nodes) if self.top_n is None else self.top_n

    def _nodes(self, made: Transformation, result: SearchResult) -> list[NodeWithScore]:
        return to_nodes(result, query=str(effective_query(made, self._semantics)), metadata_key=self.metadata_key)

    def _encode(self, texts: list[str]) -> Any:
        try:
            return self._embedder.embed_documents(texts) if texts else []
        except LogicalRetrieverError:
            raise
        except Exception as error:
            raise _failed(error, texts) from error

    async def _aencode(self, texts: list[str]) -> Any:
        if not texts or not isinstance(self._embedder, LlamaIndexEmbedder):
            return await asyncio.to_thread(self._encode, texts)
        try:
            return await self._embedder.aembed_documents(texts)
        except Exception as error:
            raise _failed(error, texts) from error

    def _started(self, nodes: list[NodeWithScore], bundle: QueryBundle) -> None:
        dispatcher.event(
            ReRankStartEvent(query=bundle, nodes=nodes, top_n=self._limit(nodes), model_name=self._semantics.name)
        )

    def _ended(self, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        dispatcher.event(ReRankEndEvent(nodes=nodes))
        return nodes


def _checked(query_bundle: QueryBundle | None) -> QueryBundle:
    if query_bundle is None:
        raise InvalidArgumentError(
            "LogicalRerank was given no question.", hint="Pass query_str=... or query_bundle=... with the nodes."
        )
    check_question(question_of(query_bundle).question)
    return query_bundle


def _made(query_bundle: QueryBundle) -> Transformation | None:
    return query_bundle.transformation if isinstance(query_bundle, LogicalQueryBundle) else None


def _without_vector(nodes: list[NodeWithScore]) -> list[str]:
    """Distinct texts of the nodes that carry no embedding."""
    return list(dict.fromkeys(embed_text(node.node) for node in nodes if node.node.embedding is None))


def _vector(node: NodeWithScore, encoded: dict[str, Any]) -> Any:
    return encoded[embed_text(node.node)] if node.node.embedding is None else node.node.embedding


def _failed(error: Exception, texts: list[str]) -> EmbeddingError:
    return EmbeddingError(
        f"The embedding model raised {type(error).__name__} for the texts of {len(texts)} nodes: {error}",
        hint="Check that the model is reachable and that the nodes are within its limits.",
    )
