"""The promise kept behind other retrievers: what is about an excluded term is left out of what they bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import LLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts.mixin import PromptMixin, PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index.retrievers.logical._convert import PROBLEM, noted, to_encodable
from llama_index.retrievers.logical._question import aread, read
from llama_index.retrievers.logical.chat_model import verified
from llama_index.retrievers.logical.embedder import embedder_of
from llama_index.retrievers.logical.stores import as_store
from llama_index.retrievers.logical.transformer import as_transformer
from logical_retriever.integration import (
    Embedder,
    Exclusion,
    InvalidArgumentError,
    QueryTransformer,
    SearchResult,
    SecondStage,
    Store,
    Transformation,
    check_count,
)

dispatcher = get_dispatcher(__name__)


class LogicalPostprocessor(BaseNodePostprocessor):
    """Leaves out what is about an excluded term, as the last stage behind retrievers of any kind.

    Order and scores stay as they are: what a hybrid arm, a fusion of several questions or a merged parent brings back
    is left out, and nothing else changes. Conditions on metadata hold as well. Nodes given are never changed.

    Args:
        index: Where the nodes come from: similarity is measured on it. None to measure on the nodes alone, among which
            little stands out.
        embed_model: Encodes the terms, and the nodes that carry no embedding; by default the index's own.
        llm: Reads the questions that the tagger is not sure of; None for none, or for ``transformer``.
        transformer: In place of ``llm``.
        exclusion: "drop", or "strict" to leave out more.
        verify: As for :class:`LogicalRetriever`.
        always_exclude: As for :class:`LogicalRetriever`.
        top_n: Most nodes to return, the first of those that stay; None for all.

    Raises:
        InvalidArgumentError: An argument is none of these, or there is no embedding model.
        UnsupportedStoreError: The index has no vectors.
    """

    top_n: int | None = None

    _transformer: QueryTransformer = PrivateAttr()
    _stage: SecondStage = PrivateAttr()

    def __init__(
        self,
        index: VectorStoreIndex | Store | None = None,
        *,
        embed_model: BaseEmbedding | Embedder | None = None,
        llm: LLM | None = None,
        transformer: QueryTransformer | None = None,
        exclusion: Exclusion = "drop",
        verify: Any = None,
        always_exclude: Sequence[str] = (),
        top_n: int | None = None,
    ) -> None:
        origin, embedder = (None, embedder_of(None, embed_model)) if index is None else as_store(index, embed_model)
        settings = verified({"exclusion": exclusion, "verify": verify, "always_exclude": always_exclude}, llm)
        stage = SecondStage(embedder, origin=origin, **settings)
        super().__init__(top_n=None if top_n is None else check_count("top_n", top_n))
        self._transformer, self._stage = as_transformer(llm, transformer), stage

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in serialised form."""
        return "LogicalPostprocessor"

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        transformation = read(self._transformer, _given(query_bundle))
        if self._idle(nodes, transformation):
            return self._kept(nodes, transformation)
        result = self._stage.score(transformation, [to_encodable(node.node) for node in nodes])
        return self._kept(_staying(nodes, result), transformation)

    @dispatcher.span
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        transformation = await aread(self._transformer, _given(query_bundle))
        if self._idle(nodes, transformation):
            return self._kept(nodes, transformation)
        result = await self._stage.ascore(transformation, [to_encodable(node.node) for node in nodes])
        return self._kept(_staying(nodes, result), transformation)

    def _idle(self, nodes: list[NodeWithScore], transformation: Transformation) -> bool:
        return not nodes or not self._stage.changes(transformation.query)

    def _kept(self, nodes: list[NodeWithScore], transformation: Transformation) -> list[NodeWithScore]:
        """The first nodes, with the problem of the question where there is one."""
        if transformation.problem is None:
            return nodes[: self.top_n]
        problem = {PROBLEM: transformation.problem}
        return [NodeWithScore(node=noted(node.node, problem), score=node.score) for node in nodes[: self.top_n]]


def _staying(nodes: list[NodeWithScore], result: SearchResult) -> list[NodeWithScore]:
    """The nodes that are not left out, in their order."""
    return [nodes[place] for place in sorted(document.id for document in result.documents)]


def _given(bundle: QueryBundle | None) -> QueryBundle:
    if bundle is None:
        raise InvalidArgumentError(
            "LogicalPostprocessor was given no question.", hint="Pass query_str=... or query_bundle=... with the nodes."
        )
    return bundle
