"""A logical query as the arguments of an agent's tool: the agent's own model writes the logic in one flat call.

Framework-free: the integrations make tools of their own kind of these parts. What is wrong with a call is an error
whose text is written for the model, so that it can call again.
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalQueryError,
    LogicalRetrieverError,
    QueryTooLongError,
    StoreCapabilityError,
    TooManyTermsError,
)
from logical_retriever.query import MAX_LENGTH, MAX_TERMS, And, LogicalQuery, Not, Or, Term, has_logic, literals, parse
from logical_retriever.transform import QuestionReader

TOOL_NAME: Final = "logical_search"
TOOL_DESCRIPTION: Final = (
    "Searches passages by meaning, with AND, OR and NOT. Write each topic as the title of the passage you look for. "
    "all_of: topics that must all be in a passage. any_of: at least one of them must be. none_of: content that must "
    "not be shown. Use none_of only for what the user does not want to see ('excluding', 'other than', 'but not "
    "about'). A negation that is a fact about the answer ('planets without a magnetic field') stays in the words of "
    "one topic. Or give query instead of the lists: terms in double quotes with AND, OR, NOT and parentheses."
)
ARGUMENT_ERRORS: Final = (InvalidArgumentError, LogicalQueryError)
"""Errors of :func:`read_arguments`; the model can mend the call."""
SEARCH_ERRORS: Final = (LogicalQueryError, StoreCapabilityError)
"""Errors of a search that are due to the query; other errors are the developer's, not the model's."""

_LISTS: Final = ("all_of", "any_of", "none_of")
_EXAMPLE: Final = 'all_of=["benefits of vitamin D"], none_of=["bone health"]'


class LogicalSearchArguments(BaseModel):
    """Arguments of the tool, for the schema that the model is shown.

    Calls are read by :func:`read_arguments`, not by this class: pydantic's message about a wrong call is written for
    developers.
    """

    model_config = ConfigDict(extra="forbid")

    all_of: list[str] = Field(default_factory=list, description="Topics that a passage must all be about.")
    any_of: list[str] = Field(default_factory=list, description="Topics of which a passage must be about at least one.")
    none_of: list[str] = Field(
        default_factory=list, description="Content that the user does not want to see; one entry for each."
    )
    query: str = Field(
        default="", description='In place of the lists: a query such as "A" AND ("B" OR "C") AND NOT "D".'
    )


D_co = TypeVar("D_co", covariant=True)
D = TypeVar("D")


class SearchesLogic(Protocol[D_co]):
    """A framework's retriever, as far as a tool uses it."""

    def search(self, query: LogicalQuery) -> Sequence[D_co]:
        """The framework's documents for a query that is already logical."""
        ...

    async def asearch(self, query: LogicalQuery) -> Sequence[D_co]:
        """Asynchronous twin of :meth:`search`."""
        ...


@dataclass(frozen=True)
class ToolAnswer(Generic[D]):
    """The outcome of a call.

    Attributes:
        text: For the model: the passages, or what is wrong with the call.
        found: For the program: the framework's documents.
        failed: Whether the search was not carried out.
    """

    text: str
    found: Sequence[D] = ()
    failed: bool = False


class LogicalSearch(Generic[D]):
    """An agent's calls, carried out by a framework's retriever.

    Errors that the model cannot mend (an outage, a wrong setting) are raised.

    Args:
        retriever: Searches.
        text_of: The text of a document that the model reads.
    """

    def __init__(self, retriever: SearchesLogic[D], text_of: Callable[[D], str]) -> None:
        self._retriever = retriever
        self._text_of = text_of

    def call(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Carry out a call; the arguments are those of :func:`read_arguments`."""
        try:
            query = read_arguments(arguments)
        except ARGUMENT_ERRORS as error:
            return ToolAnswer(error_message(error), failed=True)
        try:
            return self._answer(query, self._retriever.search(query))
        except SEARCH_ERRORS as error:
            return ToolAnswer(error_message(error), failed=True)

    async def acall(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Asynchronous twin of :meth:`call`."""
        try:
            query = read_arguments(arguments)
        except ARGUMENT_ERRORS as error:
            return ToolAnswer(error_message(error), failed=True)
        try:
            found = await self._retriever.asearch(query)
            # In a thread: the notes are made by reading each topic as a question.
            return await asyncio.to_thread(self._answer, query, found)
        except SEARCH_ERRORS as error:
            return ToolAnswer(error_message(error), failed=True)

    def _answer(self, query: LogicalQuery, found: Sequence[D]) -> ToolAnswer[D]:
        return ToolAnswer(format_passages(query, [self._text_of(one) for one in found]), found)


def read_arguments(arguments: Mapping[str, object]) -> LogicalQuery:
    """Turn the arguments of a call into a logical query.

    Args:
        arguments: By name, as the model gave them; an empty list, an empty text and None are arguments not given.

    Returns:
        The query in ``query``, or ``all_of`` AND one of ``any_of`` AND NOT each of ``none_of``. A topic given twice
        in one list counts once.

    Raises:
        InvalidArgumentError: An unknown name, a wrong type, nothing at all, both forms at once, or a topic that is
            wanted and unwanted.
        LogicalSyntaxError: ``query`` is not in the grammar.
        QueryLimitError: More terms or characters than a query may have.

    Examples:
        >>> print(read_arguments({"all_of": ["tea"], "any_of": ["green", "black"], "none_of": ["brewing"]}))
        "tea" AND ("green" OR "black") AND NOT "brewing"
    """
    for name in arguments:
        if name not in (*_LISTS, "query"):
            raise InvalidArgumentError(
                f"There is no argument {name!r}.",
                hint=f"{_meant(name)}The arguments are all_of, any_of, none_of, or query.",
            )
    text = arguments.get("query")
    if text is not None and not isinstance(text, str):
        raise InvalidArgumentError(
            f"query is {type(text).__name__} {short_repr(text)}, not a string.",
            hint='Send query="\\"A\\" AND NOT \\"B\\"", or the lists.',
        )
    wanted, alternatives, unwanted = (_topics(name, arguments.get(name)) for name in _LISTS)
    if text is not None and text.strip():
        if wanted or alternatives or unwanted:
            raise InvalidArgumentError("Both query and lists were given.", hint="Send one of the two forms.")
        return _of_allowed_length(parse(text))
    if not (wanted or alternatives or unwanted):
        raise InvalidArgumentError("The call says nothing to search for.", hint=f"Send for example {_EXAMPLE}.")
    _refuse_contradiction({"all_of": wanted, "any_of": alternatives}, unwanted)
    parts: list[LogicalQuery] = [Term(topic) for topic in wanted]
    if alternatives:
        parts.append(_joined(Or, [Term(topic) for topic in alternatives]))
    return _of_allowed_length(_joined(And, [*parts, *(Not(Term(topic)) for topic in unwanted)]))


def error_message(error: LogicalRetrieverError) -> str:
    """The message to the model about a call that was not carried out."""
    return f"The search was not carried out. {error.message}\n{error.hint}"


def format_passages(query: LogicalQuery, passages: Sequence[str]) -> str:
    """The message to the model about a search that was carried out and found these passages, best first."""
    notes = list(exclusions_in_words(query))
    if not passages:
        return "\n\n".join([f"No passage was found for {query}.", *notes])
    heading = f"{len(passages)} passages for {query}, best first." if len(passages) > 1 else f"1 passage for {query}."
    return "\n\n".join([heading, *notes, *(f"[{i}] {passage}" for i, passage in enumerate(passages, start=1))])


def exclusions_in_words(query: LogicalQuery) -> list[str]:
    """Notes on wanted terms that exclude something in words, which a comparison by meaning cannot apply.

    Notes and not refusals: "cost of living excluding rent" can be what the user means.

    Examples:
        >>> [note] = exclusions_in_words(Term("tea, excluding brewing"))
        >>> print(note[:58])
        Note: the exclusion in "tea, excluding brewing" was read a
    """
    reader = QuestionReader()
    notes = []
    for literal in dict.fromkeys(literals(query)):
        made = reader.transform(literal.text).query
        if literal.positive and has_logic(made):
            notes.append(
                f"Note: the exclusion in {Term(literal.text)} was read as part of the topic. If it is unwanted "
                f"content, search again for {made}."
            )
    return notes


def _topics(name: str, given: object) -> list[str]:
    """Distinct topics of one list."""
    if given is None or given == "":
        return []
    if not isinstance(given, (list, tuple)):
        alone = f" Send {name}=[{given!r}]." if isinstance(given, str) and len(given) <= 60 else ""
        raise InvalidArgumentError(
            f"{name} is {type(given).__name__} {short_repr(given)}, not a list of strings.",
            hint=f"Send a list, also for one topic.{alone}",
        )
    for number, topic in enumerate(given, start=1):
        if not isinstance(topic, str) or not topic.strip():
            raise InvalidArgumentError(
                f"Entry {number} of {name} is {short_repr(topic)}, not a topic.",
                hint="Each entry is a string with at least one word.",
            )
    distinct: dict[str, str] = {}
    for topic in given:
        distinct.setdefault(_same(topic), topic)
    if len(distinct) > MAX_TERMS:  # before a tree is made of them
        raise TooManyTermsError(
            f"{name} has {len(distinct)} terms; at most {MAX_TERMS} are allowed.", hint="Send the most important ones."
        )
    return list(distinct.values())


def _refuse_contradiction(wanted: Mapping[str, Sequence[str]], unwanted: Sequence[str]) -> None:
    refused = {_same(topic) for topic in unwanted}
    for name, topics in wanted.items():
        for topic in topics:
            if _same(topic) in refused:
                raise InvalidArgumentError(
                    f"{short_repr(topic)} is in {name} and in none_of; no passage can be both.",
                    hint="Remove it from one of the lists, or write the unwanted part of it more precisely.",
                )


def _of_allowed_length(query: LogicalQuery) -> LogicalQuery:
    length = sum(map(len, query.terms()))
    if length > MAX_LENGTH:
        raise QueryTooLongError(
            f"The topics have {length:,} characters together; at most {MAX_LENGTH:,} are allowed.",
            hint="Write each topic as the title of a passage, not as the passage.",
        )
    return query


def _joined(kind: type[And | Or], parts: Sequence[LogicalQuery]) -> LogicalQuery:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _same(topic: str) -> str:
    """Two topics with one key are one topic."""
    return " ".join(topic.casefold().split())


def _meant(name: object) -> str:
    close = difflib.get_close_matches(str(name).lower(), (*_LISTS, "query"), n=1)
    return f"Did you mean {close[0]}? " if close else ""
