r"""The question inside what LlamaIndex's ``RetrieverTool`` makes of an agent's call.

The tool joins positional arguments with ", " and ends that line; then it joins keyword arguments as "name is value"
and ends that line too. A retriever is given "cats not dogs\n\n", "\ninput is cats not dogs\n" or
"\ninput is cats not dogs, k is 3\n". Read word for word, "input is" would become part of a term.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_QUESTION: Final = "input|query|query_str|question|search_query|str_or_query_bundle|text|q"
_COUNT: Final = "k|top_k|similarity_top_k|limit|n|num_results|max_results|top_n"
_COUNTS: Final = re.compile(rf"(?P<before>.*?)(?:^|, )(?:{_COUNT}) is (?P<k>[1-9]\d{{0,17}})", re.DOTALL)
_NAMED: Final = re.compile(rf"(?:{_QUESTION}) is (?P<question>.*)", re.DOTALL)


class ToolInput(NamedTuple):
    """The question and the number of results that an agent asked for."""

    question: str
    k: int | None


def read_tool_input(text: str) -> ToolInput:
    r"""Undo the tool's spelling; any other text is the question as it is.

    Examples:
        >>> read_tool_input("\ninput is cats not dogs, k is 3\n")
        ToolInput(question='cats not dogs', k=3)
        >>> read_tool_input("cats not dogs\n\n")
        ToolInput(question='cats not dogs', k=None)
        >>> read_tool_input("The input is cats")
        ToolInput(question='The input is cats', k=None)
    """
    if text.count("\n") < 2 or not text.endswith("\n"):
        return ToolInput(text, None)
    positional, _, keywords = text[:-1].rpartition("\n") if not text.startswith("\n") else ("", "", text[1:-1])
    rest, k = _counted(keywords)
    if positional:
        return ToolInput(positional, k) if not rest else ToolInput(text, None)
    named = _NAMED.fullmatch(rest)
    return ToolInput(named["question"], k) if named else ToolInput(text, None)


def _counted(keywords: str) -> tuple[str, int | None]:
    """The keyword arguments without a number of results at their end, and that number."""
    found = _COUNTS.fullmatch(keywords)
    return (keywords, None) if found is None else (found["before"], int(found["k"]))
