"""An agent's search tool whose arguments are the logical query."""

from __future__ import annotations

from typing import Any

from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.tools import FunctionTool

from llama_index.retrievers.logical._convert import to_nodes
from llama_index.retrievers.logical.retriever import LogicalRetriever
from logical_retriever.adapters import (
    TOOL_DESCRIPTION,
    TOOL_NAME,
    InvalidArgumentError,
    LogicalSearch,
    LogicalSearchArguments,
    ToolAnswer,
)


class _Nodes(list[NodeWithScore]):
    """Nodes, with the text that the model reads of them."""

    def __init__(self, answer: ToolAnswer[NodeWithScore]) -> None:
        super().__init__(answer.documents)
        self.text = answer.text


def create_logical_search_tool(
    retriever: LogicalRetriever,
    name: str = TOOL_NAME,
    description: str = TOOL_DESCRIPTION,
    retriever_kwargs: dict[str, Any] | None = None,
) -> FunctionTool:
    """Make a tool whose arguments are the logical query, so that the agent's own model writes the logic.

    The arguments are ``all_of``, ``any_of``, ``none_of``, ``where`` (conditions on metadata) and ``k``; no second model
    is asked. The model reads each passage with its id, its source where the metadata say one, and its relevance, and
    is told what was left out and why. What is wrong with a call comes back as a text that the model can act on. The
    nodes are the output's ``raw_output``.

    Args:
        retriever: Searches; its transformer is not used. Its own filters and its ``always_exclude`` always hold: a call
            can only narrow them.
        name: Of the tool.
        description: What the model is told; keep the sentence on none_of when you write your own. The retriever's
            ``fields`` are told after it.
        retriever_kwargs: Settings for this tool, as of :meth:`LogicalRetriever.but`.

    Raises:
        InvalidArgumentError: The retriever is not a :class:`LogicalRetriever`, or a setting is wrong.
    """
    if not isinstance(retriever, LogicalRetriever):
        raise InvalidArgumentError(
            f"retriever must be a LogicalRetriever, got {type(retriever).__name__}.",
            hint="Make one with LogicalRetriever.from_index(index).",
        )
    retriever = retriever.but(**(retriever_kwargs or {}))
    calls = LogicalSearch(
        retriever._core,
        lambda result: to_nodes(result, None, scores=retriever._metadata),
        lambda node: node.node.get_content(metadata_mode=MetadataMode.LLM),
        filter=retriever._filters,
    )

    def search(**arguments: object) -> list[NodeWithScore] | str:
        return _raw(calls.call(arguments))

    async def asearch(**arguments: object) -> list[NodeWithScore] | str:
        return _raw(await calls.acall(arguments))

    return FunctionTool.from_defaults(
        fn=search,
        async_fn=asearch,
        name=name,
        description=f"{description}{calls.fields}",
        fn_schema=LogicalSearchArguments,
        callback=lambda raw: raw.text if isinstance(raw, _Nodes) else str(raw),
    )


def _raw(answer: ToolAnswer[NodeWithScore]) -> list[NodeWithScore] | str:
    return answer.text if answer.result is None else _Nodes(answer)
