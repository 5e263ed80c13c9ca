"""A server of the Model Context Protocol with the logical search tool, over any retriever."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import partial
from typing import Any, Final

import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from logical_retriever import LogicalRetriever, SearchResult, __version__
from logical_retriever.adapters.tools import (
    MOST_PASSAGES,
    TOOL_DESCRIPTION,
    TOOL_NAME,
    LogicalSearch,
    LogicalSearchArguments,
    error_message,
)
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, check_count
from logical_retriever.stores import Filter

SERVER_NAME: Final = "logical-retriever"
META: Final = "logical-retriever/result"
"""Key in a result's ``_meta``, which is for programs and not shown to models."""

_log = logging.getLogger(__name__)


def make_server(
    retriever: LogicalRetriever, *, k: int = 5, about: str | None = None, filter: Filter = None
) -> Server[Any]:
    """Make a server with one tool, whose arguments are the logical query, ``k`` and conditions on metadata.

    A wrong call is answered with ``is_error`` and a text that the model can act on. A result carries in ``_meta`` the
    query, whether the ranking is exact, each passage's id, score, relevance and truth values, what was left out and
    why, and the note.

    Args:
        retriever: Searches; its transformer is not used. The tool's description lists its ``fields``.
        k: Passages for a call that does not give ``k``, from 1 to 50.
        about: What the passages are about, for the tool's description.
        filter: A filter in the store's own language. It always holds; a call can only narrow it.

    Raises:
        InvalidArgumentError: k is out of range.
    """
    check_count("k", k)
    if k > MOST_PASSAGES:
        raise InvalidArgumentError(f"k is {k}.", hint=f"Ask for at most {MOST_PASSAGES} passages.")
    own = retriever.but(k=k)
    calls = LogicalSearch(
        partial(own.search, filter=filter),
        partial(own.asearch, filter=filter),
        lambda result: result.documents,
        lambda document: document.text,
        fields=own.fields,
    )
    description = f"{TOOL_DESCRIPTION}{'' if about is None else f' What the passages are about: {about}'}{calls.fields}"
    reads = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    schema = LogicalSearchArguments.model_json_schema()
    tool = types.Tool(
        name=TOOL_NAME, title="Logical search", description=description, input_schema=schema, annotations=reads
    )

    async def list_tools(*_asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name != TOOL_NAME:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}; there is {TOOL_NAME!r}.")
        try:
            json.dumps(params.arguments, ensure_ascii=False).encode()
        except UnicodeEncodeError:  # an answer that quotes it could not be sent
            said = "The search was not carried out. An argument has an unpaired surrogate: half of a character."
            return _result(said, is_error=True)
        try:
            answer = await calls.acall(params.arguments or {})
        except LogicalRetrieverError as error:
            _log.error("A search failed: %s", error)  # not the model's fault
            return _result(error_message(error), is_error=True)
        if answer.result is None:
            return _result(answer.text, is_error=True)
        opinion = answer.result.second_opinion
        if opinion is not None and opinion.problems:
            _log.warning("%s", opinion)
        return _result(answer.text, _meta={META: _for_programs(answer.result)})

    return Server(SERVER_NAME, version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def _result(text: str, **more: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], **more)


def _for_programs(result: SearchResult) -> dict[str, Any]:
    """Return what ``_meta`` carries, without a quotation of what is never shown."""
    standing = result.always_excluded
    return {
        "query": result.searched,
        "exact": result.exact,
        "note": result.note,
        "left_out_counts": dict(result.left_out_counts),
        "documents": [
            {
                "id": document.id,
                "score": document.score,
                "relevance": document.relevance,
                "truth_values": dict(document.truth_values),
            }
            for document in result.documents
        ],
        "left_out": [
            {
                "id": out.id,
                "term": out.term,
                "reason": str(replace(out.decision, sentence="")) if out.term in standing else out.reason,
                "probability": out.probability,
                "relevance": out.document.relevance,
            }
            for out in result.left_out
        ],
    }
