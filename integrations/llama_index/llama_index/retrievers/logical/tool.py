"""An agent's search tool whose arguments are the logical query."""

from __future__ import annotations

from functools import partial
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
    """Nodes, with their text for the model."""

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

    The arguments are ``all_of``, ``any_of``, ``none_of``, ``where`` (conditions on metadata) and ``k``. No second model
    is asked. The text for the model has each passage with its id, its relevance and its source, if the metadata name
    one, and says what was left out and why. A wrong call returns a text that the model can act on. The nodes are the
    output's ``raw_output``.

    Args:
        retriever: The retriever; its transformer is not used. Its filters and its ``always_exclude`` hold for every
            call.
        name: The tool's name.
        description: The description for the model; keep the sentence on none_of when you write your own. The
            retriever's ``fields`` are appended.
        retriever_kwargs: Settings for this tool, as for :meth:`LogicalRetriever.but`.

    Raises:
        InvalidArgumentError: The retriever is not a :class:`LogicalRetriever`, or a setting is wrong.
    """
    if not isinstance(retriever, LogicalRetriever):
        raise InvalidArgumentError(
            f"retriever must be a LogicalRetriever, got {type(retriever).__name__}.",
            hint="Make one with LogicalRetriever.from_index(index).",
        )
    retriever = retriever.but(**(retriever_kwargs or {}))
    core, filters = retriever._core, retriever._filters
    calls = LogicalSearch(
        partial(core.search, filter=filters),
        partial(core.asearch, filter=filters),
        lambda result: to_nodes(result, scores=retriever._metadata),
        lambda node: node.node.get_content(metadata_mode=MetadataMode.LLM),
        fields=core.fields,
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
