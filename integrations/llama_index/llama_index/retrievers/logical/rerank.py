"""Logical scores for the nodes that another retriever has found."""

from __future__ import annotations

from collections.abc import Sequence
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

from llama_index.retrievers.logical._convert import to_encodable, to_nodes
from llama_index.retrievers.logical._copies import CopiedWithIndex
from llama_index.retrievers.logical._question import given, question_of
from llama_index.retrievers.logical.chat_model import checked
from llama_index.retrievers.logical.embedder import as_embedder, model_of
from llama_index.retrievers.logical.events import LogicalQueryEvent
from llama_index.retrievers.logical.stores import as_store
from llama_index.retrievers.logical.transformer import QuestionReader, as_transformer, made_of
from logical_retriever.integration import (
    DEFAULT_SEMANTICS,
    Embedder,
    Encodable,
    Exclusion,
    QueryTransformer,
    SearchResult,
    SecondStage,
    Semantics,
    Store,
    check_metadata_key,
    choose_transformer,
)

dispatcher = get_dispatcher(__name__)


class LogicalRerank(CopiedWithIndex, BaseNodePostprocessor):
    """Scores nodes by the question's logical query, for pipelines that keep their retriever.

    A node postprocessor sees only what the retriever found: use it behind a retriever that fetches many nodes, so that
    enough remain when the unwanted ones are left out. What a similarity means is measured on the index that the
    nodes come from, if it is given, else on the nodes alone, among which little stands out. A question without logic
    keeps the retriever's order and scores, unless something is always excluded. Nodes are copies; those given are never
    changed.

    Conditions on metadata that are typed in a question, or that ``transformer=QuestionReader(llm, fields=fields)``
    reads, are decided on the found nodes. There is no ``fields`` here: a retriever that knows of no conditions spends
    its places on nodes that they leave out, so give fields to a :class:`LogicalRetriever`, which tells the store.

    Args:
        embed_model: Encodes the terms, and the nodes that carry no embedding: the model that those embeddings are from.
            By default the index's own.
        index: Where the nodes come from: a ``VectorStoreIndex``, or a :class:`logical_retriever.Store`.
        llm: Reads the questions that the tagger is not sure of; None for none, or for ``transformer``.
        transformer: In place of ``llm``.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        top_n: Nodes to return, at least 1; None for all.
        exclusion: As for :class:`LogicalRetriever`; what is most about an excluded term is looked for among the nodes
            given.
        verify: As for :class:`LogicalRetriever`, in place of a grader of every node.
        always_exclude: As for :class:`LogicalRetriever`: what is about one of these is left out in any case.
        metadata_key: As for :class:`LogicalRetriever`.
        callback_manager: LlamaIndex's own.

    Raises:
        InvalidArgumentError: An argument is none of these, or there is no embedding model.
        UnsupportedStoreError: The index has no vectors.
    """

    top_n: int | None = None
    metadata_key: str | None = "logical"

    _given: dict[str, Any] = PrivateAttr()
    _transformer: QueryTransformer = PrivateAttr()
    _stage: SecondStage = PrivateAttr()

    def __init__(
        self,
        embed_model: BaseEmbedding | Embedder | None = None,
        *,
        index: VectorStoreIndex | Store | None = None,
        llm: LLM | None = None,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        top_n: int | None = None,
        exclusion: Exclusion = "drop",
        verify: Any = None,
        always_exclude: Sequence[str] = (),
        metadata_key: str | None = "logical",
        callback_manager: CallbackManager | None = None,
    ) -> None:
        chosen = as_transformer(choose_transformer(llm, transformer, QuestionReader))
        check_metadata_key(metadata_key)
        embedder = as_embedder(model_of(index) if embed_model is None else embed_model, whose="LogicalRerank")
        origin = None if index is None else as_store(index, embedder)
        settings = checked({"exclusion": exclusion, "verify": verify, "always_exclude": always_exclude}, llm)
        stage = SecondStage(embedder, semantics=semantics, origin=origin, top_n=top_n, **settings)
        managed = {} if callback_manager is None else {"callback_manager": callback_manager}
        super().__init__(top_n=top_n, metadata_key=metadata_key, **managed)
        self._transformer, self._stage = chosen, stage
        arguments = {"embed_model": embed_model, "index": index, "transformer": chosen, "semantics": semantics}
        self._given = {**arguments, **settings}

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in serialised form."""
        return "LogicalRerank"

    @property
    def transformer(self) -> QueryTransformer:
        """The maker of the logical query."""
        return self._transformer

    def arguments(self) -> dict[str, Any]:
        """The arguments that make this postprocessor."""
        fields = ("top_n", "metadata_key", "callback_manager")
        return {**self._given, **{name: getattr(self, name) for name in fields}}

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"transformer": self._transformer} if isinstance(self._transformer, PromptMixin) else {}

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = given(query_bundle, whose="LogicalRerank")
        if not nodes:
            return []
        self._started(nodes, bundle)
        made = made_of(bundle)
        if made is None:
            made = self._transformer.transform(question_of(bundle).question)
        dispatcher.event(LogicalQueryEvent.of(made, self._stage.options))
        if not self._stage.changes(made.query):
            return self._ended(nodes[: self.top_n])
        return self._ended(self._nodes(self._stage.score(made, _encodable(nodes))))

    @dispatcher.span
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = given(query_bundle, whose="LogicalRerank")
        if not nodes:
            return []
        self._started(nodes, bundle)
        made = made_of(bundle)
        if made is None:
            made = await self._transformer.atransform(question_of(bundle).question)
        dispatcher.event(LogicalQueryEvent.of(made, self._stage.options))
        if not self._stage.changes(made.query):
            return self._ended(nodes[: self.top_n])
        return self._ended(self._nodes(await self._stage.ascore(made, _encodable(nodes))))

    def _nodes(self, result: SearchResult) -> list[NodeWithScore]:
        return to_nodes(result, metadata_key=self.metadata_key)

    def _started(self, nodes: list[NodeWithScore], bundle: QueryBundle) -> None:
        top_n = len(nodes) if self.top_n is None else self.top_n
        name = self._stage.options.composition.name
        dispatcher.event(ReRankStartEvent(query=bundle, nodes=nodes, top_n=top_n, model_name=name))

    def _ended(self, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        dispatcher.event(ReRankEndEvent(nodes=nodes))
        return nodes


def _encodable(nodes: list[NodeWithScore]) -> list[Encodable]:
    return [to_encodable(node.node) for node in nodes]
