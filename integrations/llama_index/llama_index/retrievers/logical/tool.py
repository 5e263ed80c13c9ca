"""An agent's search tool whose arguments are the logical query."""

from __future__ import annotations

from typing import Any

from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.tools import FunctionTool

from llama_index.retrievers.logical.retriever import LogicalRetriever
from logical_retriever.integration import (
    ARGUMENT_ERRORS,
    SEARCH_ERRORS,
    TOOL_DESCRIPTION,
    TOOL_NAME,
    InvalidArgumentError,
    LogicalQuery,
    LogicalSearchArguments,
    error_message,
    format_passages,
    read_arguments,
)


class _Found(list[NodeWithScore]):
    """Nodes, with the query they were found for."""

    def __init__(self, query: LogicalQuery, nodes: list[NodeWithScore]) -> None:
        super().__init__(nodes)
        self.query = query


def create_logical_search_tool(
    retriever: LogicalRetriever, name: str = TOOL_NAME, description: str = TOOL_DESCRIPTION
) -> FunctionTool:
    """Make a tool whose arguments are the logical query, so that the agent's own model writes the logic.

    The arguments are ``all_of``, ``any_of`` and ``none_of``, or ``query`` in the grammar; no second model is asked.
    What is wrong with a call comes back as a text that the model can act on. The nodes are the output's
    ``raw_output``.

    Args:
        retriever: Searches; its transformer is not used.
        name: Of the tool.
        description: What the model is told; keep the sentence on none_of when you write your own.

    Raises:
        InvalidArgumentError: The retriever is not a :class:`LogicalRetriever`.
    """
    if not isinstance(retriever, LogicalRetriever):
        raise InvalidArgumentError(
            f"retriever must be a LogicalRetriever, got {type(retriever).__name__}.",
            hint="Make one with LogicalRetriever.from_index(index).",
        )

    def search(
        all_of: object = None, any_of: object = None, none_of: object = None, query: object = None, **others: object
    ) -> list[NodeWithScore] | str:
        given = {"all_of": all_of, "any_of": any_of, "none_of": none_of, "query": query, **others}
        try:
            read = read_arguments(given)
        except ARGUMENT_ERRORS as error:
            return error_message(error)
        try:
            return _Found(read, retriever.search(read))
        except SEARCH_ERRORS as error:
            return error_message(error)

    async def asearch(
        all_of: object = None, any_of: object = None, none_of: object = None, query: object = None, **others: object
    ) -> list[NodeWithScore] | str:
        given = {"all_of": all_of, "any_of": any_of, "none_of": none_of, "query": query, **others}
        try:
            read = read_arguments(given)
        except ARGUMENT_ERRORS as error:
            return error_message(error)
        try:
            return _Found(read, await retriever.asearch(read))
        except SEARCH_ERRORS as error:
            return error_message(error)

    return FunctionTool.from_defaults(
        fn=search,
        async_fn=asearch,
        name=name,
        description=description,
        fn_schema=LogicalSearchArguments,
        callback=_shown,
    )


def _shown(found: Any) -> str:
    """What the model reads: a message, or the passages."""
    if not isinstance(found, _Found):
        return str(found)
    return format_passages(found.query, [node.node.get_content(metadata_mode=MetadataMode.LLM) for node in found])
