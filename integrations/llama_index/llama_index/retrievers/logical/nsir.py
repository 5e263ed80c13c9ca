"""NS-IR as a node postprocessor: what another retriever has found, ranked by how well its logic fits the question."""

from __future__ import annotations

from pathlib import Path

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks import CallbackManager
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.llms import LLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index.retrievers.logical._convert import copied, to_stored
from llama_index.retrievers.logical._question import given, question_of
from llama_index.retrievers.logical.chat_model import LlamaIndexChatModel
from llama_index.retrievers.logical.transformer import as_transformer, made_of
from logical_retriever.integration import (
    DEFAULT_MODEL,
    InvalidArgumentError,
    QueryTransformer,
    check_count,
    check_metadata_key,
)
from logical_retriever.lab.nsir import (
    DEFAULT_K,
    NSIR,
    FormulaCache,
    LLMFormulas,
    Parts,
    QueryFormulas,
    RerankResult,
    TokenEncoder,
    Translation,
    Transport,
    from_query,
)

dispatcher = get_dispatcher(__name__)


class NSIRRerank(BaseNodePostprocessor):
    """Ranks nodes by first-order logic: NS-IR (arXiv 2505.22299) behind any retriever.

    The LLM is asked once for the question and once for each node that is not in the cache: give a ``cache`` and a
    budget, ``max_calls``. Without ``llm``, cue rules and sentence rules make the logic. A question that comes as a
    :class:`LogicalQueryBundle` brings its logical query, which is converted.

    A node without logic (empty, unparsable after repair, beyond the budget) keeps its first-stage score: the encoder's
    cosine with the question, since what ``NodeWithScore.score`` means depends on the store. Nodes are copies; those
    given are never changed.

    Args:
        llm: Makes the logic of nodes, and of the question unless ``transformer`` is given.
        transformer: Makes a logical query of the question, which is converted, for pipelines that have that anyway.
        model: The LLM's name; needed with ``cache``.
        cache: A folder that keeps the nodes' logic, or a ``FormulaCache``.
        max_calls: Most calls of the LLM in the life of this postprocessor; None for no bound.
        encoder: Name of a sentence-transformers model, or a ``TokenEncoder``.
        k: Most nodes looked at, at least 1; the others follow in the order given, with the score None.
        top_n: Nodes to return, at least 1; None for all.
        parts: "both" (scores in [0, 2]), or "alignment" or "constraint" alone (in [0, 1]).
        transport: How the words of the question are matched with a passage's (NS-IR's optimal transport): "exact", or
            "sinkhorn", an approximation.
        metadata_key: Where the parts of the score go; None leaves them out.
        callback_manager: LlamaIndex's own.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    top_n: int | None = None
    metadata_key: str | None = "nsir"

    _nsir: NSIR = PrivateAttr()

    def __init__(
        self,
        llm: LLM | None = None,
        *,
        transformer: QueryTransformer | None = None,
        model: str | None = None,
        cache: str | Path | FormulaCache | None = None,
        max_calls: int | None = None,
        encoder: str | TokenEncoder = DEFAULT_MODEL,
        k: int = DEFAULT_K,
        top_n: int | None = None,
        parts: Parts = "both",
        transport: Transport = "exact",
        metadata_key: str | None = "nsir",
        callback_manager: CallbackManager | None = None,
    ) -> None:
        if top_n is not None:
            check_count("top_n", top_n)
        check_metadata_key(metadata_key)
        if llm is None and (cache is not None or max_calls is not None or model is not None):
            raise InvalidArgumentError(
                "model, cache or max_calls was given without llm.", hint="Pass llm=..., or leave them out."
            )
        managed = {} if callback_manager is None else {"callback_manager": callback_manager}
        super().__init__(top_n=top_n, metadata_key=metadata_key, **managed)
        translator = None
        if llm is not None:
            translator = LLMFormulas(LlamaIndexChatModel(llm), model=model, cache=cache, max_calls=max_calls)
        self._nsir = NSIR(
            translator if transformer is None else QueryFormulas(as_transformer(transformer)),
            translator,
            encoder=encoder,
            k=k,
            parts=parts,
            transport=transport,
        )

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in serialised form."""
        return "NSIRRerank"

    @property
    def nsir(self) -> NSIR:
        """The second stage itself: ``warm`` translates and encodes passages before anything is asked."""
        return self._nsir

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = given(query_bundle, whose="NSIRRerank")
        if not nodes:
            return []
        self._started(nodes, bundle)
        return self._ended(nodes, self._nsir.rank(_asked(bundle), _texts(nodes)))

    @dispatcher.span
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        bundle = given(query_bundle, whose="NSIRRerank")
        if not nodes:
            return []
        self._started(nodes, bundle)
        return self._ended(nodes, await self._nsir.arank(_asked(bundle), _texts(nodes)))

    def _started(self, nodes: list[NodeWithScore], bundle: QueryBundle) -> None:
        top_n = len(nodes) if self.top_n is None else self.top_n
        dispatcher.event(ReRankStartEvent(query=bundle, nodes=nodes, top_n=top_n, model_name="ns-ir"))

    def _ended(self, nodes: list[NodeWithScore], result: RerankResult) -> list[NodeWithScore]:
        logic = [str(formula) for formula in result.question.formulas]
        found = []
        for passage in result.passages[: self.top_n]:
            why = {
                "question": logic,
                "score": passage.score,
                "alignment": passage.alignment,
                "constraint": passage.constraint,
                "problem": passage.problem,
            }
            node = copied(nodes[passage.index].node, why, self.metadata_key)
            found.append(NodeWithScore(node=node, score=passage.score))
        dispatcher.event(ReRankEndEvent(nodes=found))
        return found


def _asked(bundle: QueryBundle) -> str | Translation:
    """The question, or its logic where the bundle brings a logical query."""
    made = made_of(bundle)
    if made is None:
        return question_of(bundle).question
    return Translation(made.question, (from_query(made.query),), "query", answers=made.answers)


def _texts(nodes: list[NodeWithScore]) -> list[str]:
    return [to_stored(node.node).text for node in nodes]
