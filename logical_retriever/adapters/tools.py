"""An agent's tool calls: their arguments, the search, and the text for its model.

The text has the passages with what the model can cite, and what was left out. Each framework makes a tool of its own
kind from these parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from logical_retriever.adapters.arguments import unknown_argument
from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalQueryError,
    LogicalRetrieverError,
    StoreCapabilityError,
)
from logical_retriever.query import MAX_TERMS, And, Fields, LogicalQuery, Not, Or, Term, has_logic, positive_terms
from logical_retriever.reading import QuestionReader
from logical_retriever.reading.questions.answer import Comparison
from logical_retriever.results import RankedDocument, SearchResult

TOOL_NAME: Final = "logical_search"
"""Default name of the tool."""
TOOL_DESCRIPTION: Final = (
    "Searches passages by meaning, with AND, OR and NOT. Write each topic as the title of the passage you look for. "
    "all_of: topics that must all be in a passage. any_of: at least one of them must be. none_of: what a passage must "
    "not be about, and what the thing sought must not have. Use none_of for everything that the user excludes "
    "('other than', 'nothing about', 'without a pool', 'sugar-free', 'that is not remote'): the thing alone, without "
    "its negation. A negation said of a fixed thing ('why do penguins not fly') stays in the words of one topic. Each "
    "passage comes with an id and, where known, its source: cite these."
)
"""Default description of the tool, for the model."""
MOST_PASSAGES: Final = 50
"""Most passages of one answer, since a model reads them."""
MODELS_ERRORS: Final = (InvalidArgumentError, LogicalQueryError, StoreCapabilityError)
"""Errors in the call itself, which the model can mend; others are the developer's."""
SOURCES: Final = ("source", "url", "file_path", "file_name", "title", "page_label", "page")
"""LangChain's and LlamaIndex's metadata keys for the source of a passage."""
LONGEST_SOURCE: Final = 200
"""Most characters of a source in the text for the model."""
LONGEST_TOPIC: Final = 1_000
"""Most characters of a topic."""

_EXAMPLE: Final = 'all_of=["benefits of vitamin D"], none_of=["bone health"]'
_Topic = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TOPIC)]
_Topics = Annotated[list[_Topic], Field(max_length=MAX_TERMS)]
D = TypeVar("D")


class LogicalSearchArguments(BaseModel):
    """Arguments of the tool."""

    model_config = ConfigDict(extra="forbid")

    all_of: _Topics = Field(default_factory=list, description="Topics that a passage must all be about.")
    any_of: _Topics = Field(default_factory=list, description="Topics of which a passage must be about at least one.")
    none_of: _Topics = Field(
        default_factory=list, description="What a passage must not be about or have, each without its negation."
    )
    where: list[dict[str, Any]] = Field(
        default_factory=list,
        description='Conditions on metadata that each passage must fulfil, such as {"field": "year", "op": ">=", '
        '"value": 1990}; op is one of = != < <= > >= in, not in, contains, exists. Dates are written 2020-01-31. Leave '
        "it out unless you know the fields.",
    )
    k: int = Field(default_factory=int, description="Most passages to return.", ge=1, le=MOST_PASSAGES)


@dataclass(frozen=True)
class ToolAnswer(Generic[D]):
    """The outcome of a call.

    Attributes:
        text: For the model: the passages, or what is wrong with the call.
        documents: For the program: the framework's documents.
        result: For the program: the search; None for a wrong call.
    """

    text: str
    documents: Sequence[D] = ()
    result: SearchResult | None = None


class LogicalSearch(Generic[D]):
    """An agent's tool calls, carried out by a retriever.

    Errors that the model cannot mend (an outage) are raised.

    Args:
        search: Searches for a logical query, with ``k`` passages; a k of None leaves the number to the retriever. The
            program's own filter always holds; a call can only narrow it.
        asearch: The asynchronous twin of ``search``.
        documents: Returns the framework's documents of a result, in its order.
        text_of: Returns the text of a document for the model.
        fields: Fields of metadata that conditions may name; None for any.
    """

    def __init__(
        self,
        search: Callable[..., SearchResult],
        asearch: Callable[..., Awaitable[SearchResult]],
        documents: Callable[[SearchResult], Sequence[D]],
        text_of: Callable[[D], str],
        *,
        fields: Fields | None = None,
    ) -> None:
        self._search, self._asearch, self._documents, self._text_of = search, asearch, documents, text_of
        self._fields = fields

    @property
    def fields(self) -> str:
        """The fields that conditions may name, for the tool's description; "" for any fields."""
        if self._fields is None:
            return ""
        sampled = "\nThey were seen in a sample; there may be more values." if self._fields.sampled else ""
        return f"\nFields for where:\n{self._fields}{sampled}"

    def call(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Carry out a call with the arguments of :func:`read_arguments`."""
        try:
            query, k = read_arguments(arguments)
            return self._answer(query, self._search(query, k=k))
        except MODELS_ERRORS as error:
            return ToolAnswer(error_message(error))

    async def acall(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Asynchronous twin of :meth:`call`."""
        try:
            query, k = read_arguments(arguments)
            # In a thread: each topic is read as a question.
            return await asyncio.to_thread(self._answer, query, await self._asearch(query, k=k))
        except MODELS_ERRORS as error:
            return ToolAnswer(error_message(error))

    def _answer(self, query: LogicalQuery, result: SearchResult) -> ToolAnswer[D]:
        documents = self._documents(result)
        texts = [self._text_of(document) for document in documents]
        passages = [
            f"[{place}] {_cited(ranked)}\n{text}"
            for place, (ranked, text) in enumerate(zip(result.documents, texts, strict=True), start=1)
        ]
        heading = f"{_counted(len(texts))} for {query}, best first." if texts else f"No passage was found for {query}."
        if result.barred:
            heading += f" It wants nothing but what is never shown: {', '.join(result.always_excluded)}."
        return ToolAnswer(
            "\n\n".join([heading, *exclusions_in_words(query), *passages, *_left_out(result)]), documents, result
        )


def read_arguments(arguments: Mapping[str, object]) -> tuple[LogicalQuery, int | None]:
    """Read the query of a call, and its number of passages or None.

    Args:
        arguments: The arguments of :class:`LogicalSearchArguments` by name, as the model wrote them; None is an
            argument left out.

    Returns:
        ``all_of`` AND one of ``any_of`` AND NOT each of ``none_of``, with the conditions of ``where``. A repeated topic
        counts once. Conditions alone list passages.

    Raises:
        InvalidArgumentError: An unknown name, a wrong type, nothing to look for, a topic that is wanted and unwanted, a
            k out of range, or an invalid condition.

    Examples:
        >>> print(read_arguments({"all_of": ["tea"], "any_of": ["green", "black"], "none_of": ["brewing"]})[0])
        "tea" AND ("green" OR "black") AND NOT "brewing"
    """
    try:
        call = LogicalSearchArguments.model_validate({n: v for n, v in arguments.items() if v is not None})
        conditions = [Comparison.model_validate(comparison).condition() for comparison in call.where]
    except ValidationError as error:
        raise _refusal(error) from error
    unwanted = {topic.casefold() for topic in call.none_of}
    for topic in (*call.all_of, *call.any_of):
        if topic.casefold() in unwanted:
            raise InvalidArgumentError(
                f"{topic!r} is wanted and in none_of; no passage can be both.",
                hint="Remove it from one of the lists, or write the unwanted part of it more precisely.",
            )
    wanted: list[LogicalQuery] = [Term(topic) for topic in dict.fromkeys(call.all_of)]
    if call.any_of:
        wanted.append(_joined(Or, [Term(topic) for topic in dict.fromkeys(call.any_of)]))
    if not wanted and not conditions:
        raise InvalidArgumentError(
            "The call says nothing to look for.", hint=f"Send what passages should be about, for example {_EXAMPLE}."
        )
    excluded = [Not(Term(topic)) for topic in dict.fromkeys(call.none_of)]
    return _joined(And, [*wanted, *excluded, *conditions]), call.k or None  # 0 cannot be given


def error_message(error: LogicalRetrieverError) -> str:
    """Return the message to the model about a call that was not carried out."""
    return f"The search was not carried out. {error.message}\n{error.hint}"


def exclusions_in_words(query: LogicalQuery) -> list[str]:
    """Note each wanted topic that excludes something in words, which a comparison by meaning cannot apply.

    The call is carried out all the same: "cost of living excluding rent" can be what the user means.

    Examples:
        >>> [note] = exclusions_in_words(Term("tea, excluding brewing"))
        >>> print(note[:58])
        Note: the exclusion in "tea, excluding brewing" was read a
    """
    readings = [QuestionReader().transform(topic) for topic in positive_terms(query)]
    return [
        f"Note: the exclusion in {Term(reading.question)} was read as part of the topic. If it is unwanted content, "
        f"search again for {reading.query}."
        for reading in readings
        if has_logic(reading.query)
    ]


def _refusal(error: ValidationError) -> InvalidArgumentError:
    """Return the first problem of a call, in words for its model."""
    problem = error.errors(include_url=False)[0]
    place = ".".join(map(str, problem["loc"]))
    if problem["type"] == "extra_forbidden":
        return unknown_argument("The tool", place, tuple(LogicalSearchArguments.model_fields))
    return InvalidArgumentError(
        f"{place}: {problem['msg']}, got {short_repr(problem['input'])}.", hint=f"For example {_EXAMPLE}."
    )


def _joined(kind: type[And | Or], parts: Sequence[LogicalQuery]) -> LogicalQuery:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _counted(count: int) -> str:
    return "1 passage" if count == 1 else f"{count} passages"


def _cited(document: RankedDocument) -> str:
    """Return id, source and relevance of a passage on one line, for the model to cite."""
    sources = {name: document.metadata.get(name) for name in SOURCES}
    parts = [
        f"{name}: {' '.join(str(source).split())[:LONGEST_SOURCE]}"
        for name, source in sources.items()
        if source not in (None, "")
    ]
    return "; ".join([f"id: {document.id}", *parts, f"relevance: {document.relevance:.2f}"])


def _left_out(result: SearchResult) -> list[str]:
    """Return how many passages were left out, and for which terms.

    Reasons are left away. They quote passages, and the agent's model could answer with them.
    """
    notes = [
        f"Left out for {term}{', which is never shown' * (term in result.always_excluded)}: {_counted(count)}."
        for term, count in result.left_out_counts.items()
    ]
    if result.too_low:
        notes.append(f"Left out: {_counted(result.too_low)} with a relevance below the least that this tool shows.")
    return notes
