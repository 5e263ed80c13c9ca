"""An agent's search tool whose arguments are the logical query."""

from __future__ import annotations

from typing import Any

from langchain_core.documents import Document
from langchain_core.tools import StructuredTool, ToolException

from langchain_logical_retriever.retriever import LogicalRetriever
from logical_retriever.adapters import (
    TOOL_DESCRIPTION,
    TOOL_NAME,
    InvalidArgumentError,
    LogicalSearchArguments,
    ToolAnswer,
)

Artifact = tuple[str, list[Document]]


class _LogicalSearchTool(StructuredTool):
    """Hands a call's arguments to the function as one mapping, just as the model wrote them.

    As keyword arguments, a name that LangChain uses itself ("config", "self") would be lost or fail on the way.
    """

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> dict[str, Any]:  # noqa: ARG002
        return {"arguments": {"all_of": [tool_input]} if isinstance(tool_input, str) else tool_input}


def create_logical_search_tool(
    retriever: LogicalRetriever, name: str = TOOL_NAME, description: str = TOOL_DESCRIPTION
) -> StructuredTool:
    """Make a tool whose arguments are the logical query, so that the agent's own model writes the logic.

    The arguments are ``all_of``, ``any_of``, ``none_of``, ``where`` (conditions on metadata) and ``k``, at most 50; no
    second model is asked. The model reads each passage with its id, its relevance and, where the metadata say one, its
    source, and is told what was left out and why. A wrong call returns a text that the model can act on.

    Invoked with a ``ToolCall``, the tool returns a ``ToolMessage``, of status "error" where the call was wrong, with
    the Documents as its artifact; invoked with a dict, it returns the text. A string is one term of ``all_of``.

    Args:
        retriever: Searches; its transformer is not used. Its own filter and its ``always_exclude`` hold for every call.
        name: Of the tool.
        description: What the model is told; keep the sentence on none_of when you write your own. The retriever's
            ``fields`` are told after it.

    Raises:
        InvalidArgumentError: The retriever is not a :class:`LogicalRetriever`.

    Examples:
        .. code-block:: python

            tool = create_logical_search_tool(retriever, description=f"{TOOL_DESCRIPTION} Holds our manuals.")
            tool.invoke({"all_of": ["benefits of vitamin D"], "none_of": ["bone health"]})
            llm.bind_tools([tool])
    """
    if not isinstance(retriever, LogicalRetriever):
        raise InvalidArgumentError(
            f"retriever must be a LogicalRetriever, got {type(retriever).__name__}.",
            hint="Make one with LogicalRetriever.from_vectorstore(vectorstore).",
        )

    def search(arguments: dict[str, object]) -> Artifact:
        return _artifact(retriever._as_tool().call(arguments))

    async def asearch(arguments: dict[str, object]) -> Artifact:
        return _artifact(await retriever._as_tool().acall(arguments))

    return _LogicalSearchTool(
        name=name,
        description=f"{description}{retriever._as_tool().fields}",
        func=search,
        coroutine=asearch,
        # As a schema and not as the class: LangChain would check calls with pydantic, whose messages are written for
        # developers, before ours are reached.
        args_schema=LogicalSearchArguments.model_json_schema(),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def _artifact(answer: ToolAnswer[Document]) -> Artifact:
    if answer.result is None:
        raise ToolException(answer.text)
    return answer.text, list(answer.documents)
