"""The last stage behind other retrievers, without what the question excludes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import LLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index.retrievers.logical._convert import copied, to_encodable
from llama_index.retrievers.logical._question import aread, read
from llama_index.retrievers.logical.retriever import LogicalRetriever
from logical_retriever.adapters import (
    PROBLEM,
    Embedder,
    Encodable,
    InMemoryStore,
    InvalidArgumentError,
    QueryTransformer,
    SearchResult,
    Store,
    asearch_documents,
    check_choice,
    check_count,
    search_documents,
    short_problem,
)

dispatcher = get_dispatcher(__name__)


class LogicalPostprocessor(BaseNodePostprocessor):
    """The last stage behind retrievers of any kind, which leaves out what the question excludes.

    It applies the user's own exclusions, and conditions on metadata, to the nodes of hybrid, fusion or merging
    retrievers. Order and scores stay. The nodes themselves are never changed; if a NOT was not understood, copies of
    them say so under ``logical_problem``.

    Args:
        index: The index that the nodes come from; similarity is measured on it. None measures on the nodes alone, among
            which little stands out.
        embed_model: The encoder of the terms, and of nodes without an embedding; by default the index's own.
        llm: As for :class:`LogicalRetriever`.
        transformer: As for :class:`LogicalRetriever`.
        exclusion: "drop", "strict" to leave out more, or "certain" to keep only what denies the thing. There is no
            "rank", since the order stays.
        verify: As for :class:`LogicalRetriever`.
        always_exclude: As for :class:`LogicalRetriever`.
        top_n: Most nodes to return, the first of those that stay; None for all.

    Raises:
        InvalidArgumentError: An unknown or wrong argument, or no embedding model.
        UnsupportedStoreError: An index without vectors.
    """

    top_n: int | None = None

    _retriever: LogicalRetriever = PrivateAttr()

    def __init__(
        self,
        index: VectorStoreIndex | Store | None = None,
        *,
        embed_model: BaseEmbedding | Embedder | None = None,
        llm: LLM | None = None,
        transformer: QueryTransformer | None = None,
        exclusion: Literal["drop", "strict", "certain"] = "drop",
        verify: Any = None,
        always_exclude: Sequence[str] = (),
        top_n: int | None = None,
    ) -> None:
        check_choice("LogicalPostprocessor", "exclusion", exclusion, Literal["drop", "strict", "certain"])
        retriever = LogicalRetriever(
            InMemoryStore() if index is None else index,
            embed_model,
            llm,
            transformer=transformer,
            exclusion=exclusion,
            verify=verify,
            always_exclude=always_exclude,
        )
        super().__init__(top_n=None if top_n is None else check_count("top_n", top_n))
        self._retriever = retriever

    @classmethod
    def class_name(cls) -> str:
        """Return the class's name in serialised form."""
        return "LogicalPostprocessor"

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"retriever": self._retriever}

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        read_question = read(self._retriever.transformer, _given(query_bundle))
        result = search_documents(self._retriever._core, read_question, _encodable(nodes)) if nodes else None
        return self._kept(nodes, result, read_question.problem)

    @dispatcher.span
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        read_question = await aread(self._retriever.transformer, _given(query_bundle))
        result = await asearch_documents(self._retriever._core, read_question, _encodable(nodes)) if nodes else None
        return self._kept(nodes, result, read_question.problem)

    def _kept(
        self, nodes: list[NodeWithScore], result: SearchResult | None, problem: str | None
    ) -> list[NodeWithScore]:
        """Return the nodes that stay, in their order, with the question's problem if there is one."""
        places = range(len(nodes)) if result is None else sorted(document.id for document in result.documents)
        best = [nodes[place] for place in places][: self.top_n]
        return best if problem is None else [_noted(node, problem) for node in best]


def _encodable(nodes: list[NodeWithScore]) -> list[Encodable]:
    return [to_encodable(node.node) for node in nodes]


def _noted(node: NodeWithScore, problem: str) -> NodeWithScore:
    noted = copied(node.node, {**node.node.metadata, PROBLEM: short_problem(problem)}, (PROBLEM,))
    return NodeWithScore(node=noted, score=node.score)


def _given(bundle: QueryBundle | None) -> QueryBundle:
    if bundle is None:
        raise InvalidArgumentError(
            "LogicalPostprocessor was given no question.", hint="Pass query_str=... or query_bundle=... with the nodes."
        )
    return bundle
