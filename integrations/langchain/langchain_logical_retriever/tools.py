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
    LogicalSearch,
    LogicalSearchArguments,
    ToolAnswer,
)

Artifact = tuple[str, list[Document]]
"""The text for the model, and the Documents for the program."""


class _LogicalSearchTool(StructuredTool):
    """A tool whose function gets the arguments as one mapping, as the model wrote them.

    LangChain would lose keyword arguments with names of its own ("config", "self"), or fail on them.
    """

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> dict[str, Any]:  # noqa: ARG002
        return {"arguments": {"all_of": [tool_input]} if isinstance(tool_input, str) else tool_input}


def create_logical_search_tool(
    retriever: LogicalRetriever, name: str = TOOL_NAME, description: str = TOOL_DESCRIPTION
) -> StructuredTool:
    """Make a tool whose arguments are the logical query, so that the agent's own model writes the logic.

    The arguments are ``all_of``, ``any_of``, ``none_of``, ``where`` (conditions on metadata) and ``k``, at most 50. No
    second model is asked. The text for the model has each passage with its id, its relevance and its source, if the
    metadata name one, and says what was left out and why. A wrong call returns a text that the model can act on.

    Invoked with a ``ToolCall``, the tool returns a ``ToolMessage`` with the Documents as its artifact; its status is
    "error" after a wrong call. Invoked with a dict, it returns the text. A string is one term of ``all_of``.

    Args:
        retriever: The retriever; its transformer is not used. Its filter and its ``always_exclude`` hold for every
            call.
        name: The tool's name.
        description: The description for the model; keep the sentence on none_of when you write your own. The
            retriever's ``fields`` are appended.

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

    calls: LogicalSearch[Document] = LogicalSearch(
        lambda query, k: retriever._search({"k": k}).search(query),
        lambda query, k: retriever._search({"k": k}).asearch(query),
        retriever._documents,
        lambda document: document.page_content,
        fields=retriever.fields,
    )

    def search(arguments: dict[str, object]) -> Artifact:
        return _artifact(calls.call(arguments))

    async def asearch(arguments: dict[str, object]) -> Artifact:
        return _artifact(await calls.acall(arguments))

    return _LogicalSearchTool(
        name=name,
        description=f"{description}{calls.fields}",
        func=search,
        coroutine=asearch,
        # A schema, not the class: with the class, pydantic would check calls first, with messages for developers.
        args_schema=LogicalSearchArguments.model_json_schema(),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def _artifact(answer: ToolAnswer[Document]) -> Artifact:
    if answer.result is None:
        raise ToolException(answer.text)
    return answer.text, list(answer.documents)
