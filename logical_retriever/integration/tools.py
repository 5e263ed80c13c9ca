"""An agent's calls carried out, and told to its model: the passages with what it can cite, and what was left out.

Framework-free: the integrations make tools of their own kind of these parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalQueryError,
    LogicalRetrieverError,
    StoreCapabilityError,
)
from logical_retriever.integration.diversity import DiverseSearch
from logical_retriever.integration.tool_arguments import ARGUMENT_ERRORS, SearchCall, read_arguments
from logical_retriever.query import LogicalQuery, Term, has_logic, literals
from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Filter
from logical_retriever.transform import QuestionReader

TOOL_NAME: Final = "logical_search"
"""Name of the tool that is given none."""
TOOL_DESCRIPTION: Final = (
    "Searches passages by meaning, with AND, OR and NOT. Write each topic as the title of the passage you look for. "
    "all_of: topics that must all be in a passage. any_of: at least one of them must be. none_of: content that must "
    "not be shown. Use none_of only for what the user does not want to see ('excluding', 'other than', 'but not "
    "about'). A negation that is a fact about the answer ('planets without a magnetic field') stays in the words of "
    "one topic. Or give query instead of the lists: terms in double quotes with AND, OR, NOT and parentheses. Each "
    "passage comes with an id and, where known, its source: cite these."
)
"""Description of the tool, for the model, where none is given."""
FIELDS_TOOL_NAME: Final = "describe_fields"
"""Name of the tool that tells fields."""
FIELDS_TOOL_DESCRIPTION: Final = (
    "Says which fields of metadata the passages have, with types, values and ranges: what filter, where and where_not "
    "of logical_search may name."
)
"""Description of the tool that tells fields, for the model."""
SEARCH_ERRORS: Final = (LogicalQueryError, StoreCapabilityError)
"""Errors of a search that are due to the query; other errors are the developer's, not the model's."""
SOURCES: Final = ("source", "url", "file_path", "file_name", "title")
"""Keys of metadata that say where a passage is from, in the order they are looked for: LangChain's and LlamaIndex's."""
PAGES: Final = ("page_label", "page")
LONGEST_SOURCE: Final = 200
"""Characters of a source that the model is shown."""
MOST_IDS: Final = 5
"""Most ids of passages left out for one reason that the model is shown."""

D = TypeVar("D")


@dataclass(frozen=True)
class ToolAnswer(Generic[D]):
    """The outcome of a call.

    Attributes:
        text: For the model: the passages, or what is wrong with the call.
        found: For the program: the framework's documents.
        result: For the program: the search; None where none was carried out.
        error: For the program: why the search was not carried out, else None.
    """

    text: str
    found: Sequence[D] = ()
    result: SearchResult | None = None
    error: LogicalRetrieverError | None = None

    @property
    def failed(self) -> bool:
        """Whether the search was not carried out."""
        return self.error is not None


class LogicalSearch(Generic[D]):
    """An agent's calls, carried out by a retriever of the core.

    Errors that the model cannot mend (an outage, a wrong setting) are raised.

    Args:
        retriever: Searches; its transformer is not used.
        documents: The framework's documents of a result, in its order.
        text_of: The text of a document that the model reads.
        filter: The program's, in the store's own language; it always holds, and a call can only narrow it.
    """

    def __init__(
        self,
        retriever: LogicalRetriever | DiverseSearch,
        documents: Callable[[SearchResult], Sequence[D]],
        text_of: Callable[[D], str],
        *,
        filter: Filter = None,
    ) -> None:
        self._retriever = retriever
        self._documents = documents
        self._text_of = text_of
        self._filter = filter

    @property
    def fields(self) -> str:
        """The fields that conditions may name, for the tool's description; "" where the retriever has none."""
        return (
            "" if self._retriever.fields is None else f"\nFields for filter, where and where_not:\n{self.described()}"
        )

    def described(self) -> str:
        """The fields, as the tool that describes them answers.

        Raises:
            InvalidArgumentError: The retriever has none.
        """
        known = self._retriever.fields
        if known is None:
            raise InvalidArgumentError(
                "The retriever has no fields.",
                hint='Give it fields=[FieldInfo("year", "integer")], or "discover".',
            )
        return f"{known}\nThey were seen in a sample; there may be more values." if known.sampled else str(known)

    def call(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Carry out a call; the arguments are those of :func:`read_arguments`."""
        try:
            call = read_arguments(arguments)
        except ARGUMENT_ERRORS as error:
            return _refused(error)
        try:
            return self._answer(call, self._retriever.search(call.query, k=call.k, filter=self._filter))
        except SEARCH_ERRORS as error:
            return _refused(error)

    async def acall(self, arguments: Mapping[str, object]) -> ToolAnswer[D]:
        """Asynchronous twin of :meth:`call`."""
        try:
            call = read_arguments(arguments)
        except ARGUMENT_ERRORS as error:
            return _refused(error)
        try:
            result = await self._retriever.asearch(call.query, k=call.k, filter=self._filter)
            # In a thread: the notes are made by reading each topic as a question.
            return await asyncio.to_thread(self._answer, call, result)
        except SEARCH_ERRORS as error:
            return _refused(error)

    def _answer(self, call: SearchCall, result: SearchResult) -> ToolAnswer[D]:
        found = self._documents(result)
        return ToolAnswer(format_answer(call, result, [self._text_of(one) for one in found]), found, result)


def _refused(error: LogicalRetrieverError) -> ToolAnswer[Any]:
    return ToolAnswer(error_message(error), error=error)


def error_message(error: LogicalRetrieverError) -> str:
    """The message to the model about a call that was not carried out."""
    return f"The search was not carried out. {error.message}\n{error.hint}"


def format_answer(call: SearchCall, result: SearchResult, texts: Sequence[str]) -> str:
    """The message to the model about a search that was carried out.

    Args:
        call: What was asked for.
        result: What was found.
        texts: Of its documents, in order.
    """
    passages = [
        f"[{place}] {_cited(document)}\n{text}"
        for place, (document, text) in enumerate(zip(result.documents, texts, strict=True), start=1)
    ]
    heading = _heading(call, len(passages), result)
    return "\n\n".join([heading, *exclusions_in_words(call.query), *passages, *_left_out(result)])


def _heading(call: SearchCall, count: int, result: SearchResult) -> str:
    if not count:
        never = f" It wants nothing but what is never shown: {', '.join(result.always_excluded)}."
        return f"No passage was found for {call.query}.{never if result.barred else ''}"
    heading = f"{count} passages for {call.query}" if count > 1 else f"1 passage for {call.query}"
    order = ", best first." if count > 1 else "."
    fewer = f" No more than these stay, of {call.k} asked for." if call.k is not None and count < call.k else ""
    return f"{heading}{order}{fewer}"


def _cited(document: RankedDocument) -> str:
    """Id, source, page and relevance of a passage, on one line: for the model to cite."""
    source = next((document.metadata[key] for key in SOURCES if document.metadata.get(key)), None)
    page = next((document.metadata[key] for key in PAGES if document.metadata.get(key) is not None), None)
    said = {"id": document.id, "source": source, "page": page if source is not None else None}
    parts = [f"{name}: {_line(value)}" for name, value in said.items() if value is not None]
    return "; ".join([*parts, f"relevance: {document.relevance:.2f}"])


def _left_out(result: SearchResult) -> list[str]:
    """Passages that the search found and does not show, and why."""
    by_term: dict[str, list[str]] = {}
    for one in result.left_out:
        by_term.setdefault(one.term, []).append(_line(one.id))
    notes = []
    for term, ids in by_term.items():
        count = f"{len(ids)} passages that are" if len(ids) > 1 else "1 passage that is"
        shown = ", ".join(ids[:MOST_IDS]) + (", ..." if len(ids) > MOST_IDS else "")
        why = "which is never shown" if term in result.always_excluded else "which you excluded"
        notes.append(f"Left out: {count} about {term}, {why} (ids: {shown}).")
    if result.too_low:
        notes.append(f"Left out: {result.too_low} with a relevance below the least that this tool shows.")
    return notes


def _line(value: object) -> str:
    """A value of the store on one line, and no longer than one."""
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_SOURCE else f"{text[:LONGEST_SOURCE]}..."


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
