"""The logical search tool as a server of the Model Context Protocol, over any retriever."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

from logical_retriever import __version__
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.integration.tools import (
    ARGUMENT_ERRORS,
    SEARCH_ERRORS,
    TOOL_DESCRIPTION,
    TOOL_NAME,
    LogicalSearchArguments,
    error_message,
    format_passages,
    read_arguments,
)
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search import check_count

SERVER_NAME: Final = "logical-retriever"
MOST_PASSAGES: Final = 50
"""Most passages of one answer: they are read by a model."""
META: Final = "logical-retriever/result"
"""Key of a result's ``_meta``, which programs read and models are not shown."""

_log = logging.getLogger(__name__)


def make_server(retriever: LogicalRetriever, *, k: int = 5, about: str | None = None) -> Server[Any]:
    """Make a server with one tool, whose arguments are the logical query and ``k``.

    What is wrong with a call is a result with ``is_error`` whose text the model can act on. Results carry, in
    ``_meta``, the query, whether the ranking is exact, and each passage's id, score and truth values.

    Args:
        retriever: Searches; its transformer is not used.
        k: Passages of a call that does not say, from 1 to :data:`MOST_PASSAGES`.
        about: What the passages are about, for the tool's description.

    Raises:
        InvalidArgumentError: k is out of its range.
    """
    k = _checked(k)
    tool = types.Tool(
        name=TOOL_NAME,
        title="Logical search",
        description=TOOL_DESCRIPTION if about is None else f"{TOOL_DESCRIPTION} What the passages are about: {about}",
        input_schema=_schema(k),
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )

    async def list_tools(
        context: ServerRequestContext[Any],  # noqa: ARG001 - the protocol's signature
        params: types.PaginatedRequestParams | None,  # noqa: ARG001 - as above: one page holds one tool
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(
        context: ServerRequestContext[Any],  # noqa: ARG001 - as above
        params: types.CallToolRequestParams,
    ) -> types.CallToolResult:
        if params.name != TOOL_NAME:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}; there is {TOOL_NAME!r}.")
        arguments = {} if params.arguments is None else dict(params.arguments)
        given = arguments.pop("k", None)
        try:
            wanted = k if given is None else _checked(given)
            query = read_arguments(arguments)
            result = await retriever.asearch(query, k=wanted)
        except LogicalRetrieverError as error:
            if not isinstance(error, (*ARGUMENT_ERRORS, *SEARCH_ERRORS)):
                _log.error("A search failed: %s", error)  # not the model's fault: whoever runs the server must know
            return types.CallToolResult(content=[types.TextContent(text=error_message(error))], is_error=True)
        passages = [document.text for document in result.documents]
        # In a thread: the notes among the passages are made by reading each topic as a question.
        text = await asyncio.to_thread(format_passages, query, passages)
        return types.CallToolResult(
            content=[types.TextContent(text=text)], _meta={META: _for_programs(str(query), result)}
        )

    return Server(SERVER_NAME, version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def _checked(k: object) -> int:
    check_count("k", k)
    assert isinstance(k, int)
    if k > MOST_PASSAGES:
        raise InvalidArgumentError(f"k is {k}.", hint=f"Ask for at most {MOST_PASSAGES} passages.")
    return k


def _schema(k: int) -> dict[str, Any]:
    """JSON schema of the arguments."""
    schema = LogicalSearchArguments.model_json_schema()
    del schema["description"]  # the class's docstring, which is for developers
    schema["properties"]["k"] = {
        "description": "Passages to return.",
        "type": "integer",
        "minimum": 1,
        "maximum": MOST_PASSAGES,
        "default": k,
    }
    return schema


def _for_programs(query: str, result: SearchResult) -> dict[str, Any]:
    return {
        "query": query,
        "exact": result.exact,
        "documents": [
            {"id": document.id, "score": document.score, "truth_values": dict(document.truth_values)}
            for document in result.documents
        ],
    }
