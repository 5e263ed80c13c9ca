"""Conversions between this project's types and LangChain's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    MessageLikeRepresentation,
    SystemMessage,
    convert_to_messages,
)

from logical_retriever.adapters import (
    PROBLEM,
    InvalidArgumentError,
    LLMCallError,
    Message,
    RankedDocument,
    SearchResult,
    answer_metadata,
    refuse_cut_off,
    search_event,
)

EVENT = "logical_query"
"""Name of the custom event with the logical query of each question."""
History = Sequence[MessageLikeRepresentation]
"""A conversation, oldest message first, in any shape that LangChain takes."""
MESSAGES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
ROLES: dict[str, Any] = {"human": "user", "ai": "assistant"}


def to_messages(messages: Sequence[Message]) -> list[BaseMessage]:
    """Convert the core's chat messages; to objects rather than tuples, so that braces in a question stay braces."""
    return [MESSAGES[message["role"]](content=message["content"]) for message in messages]


def from_messages(messages: History | None) -> list[Message]:
    """Convert a conversation, in any shape that LangChain takes; a tool's message gets the role "system".

    Raises:
        InvalidArgumentError: It is no list of messages.
    """
    messages = () if messages is None else messages
    shaped = isinstance(messages, Sequence) and not isinstance(messages, str)
    try:
        converted = convert_to_messages(list(messages)) if shaped else None
    except (KeyError, TypeError, ValueError, NotImplementedError):
        converted = None
    if converted is None:
        raise InvalidArgumentError(
            f"history is {messages!r:.80}, not a list of messages.",
            hint='Give the earlier messages, oldest first: LangChain messages, ("human", "...") or texts.',
        )
    return [{"role": ROLES.get(message.type, "system"), "content": str(message.text)} for message in converted]


def to_text(answer: object) -> str:
    """Return the text of a model's answer, without reasoning and tool calls.

    Raises:
        LLMCallError: The answer is neither a message nor a text, or was cut off at the token limit: the rest could be a
            NOT.
    """
    if isinstance(answer, BaseMessage):
        refuse_cut_off(answer.response_metadata)
        return str(answer.text)
    if isinstance(answer, str):
        return answer
    raise LLMCallError(
        f"The model returned {type(answer).__name__}, not a message or a text.",
        hint="Pass a chat model as llm=, or a Runnable that ends in one; structured output is not needed.",
    )


class AnswerMetadata(dict[str, Any]):
    """Metadata of a document in an answer, equal to other metadata whatever problem the two questions had.

    ``MultiQueryRetriever`` and others compare whole documents to bring each of them once.
    """

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and _plain(self) == _plain(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name != PROBLEM}


def to_documents(result: SearchResult, *, scores: bool) -> list[Document]:
    """Copy the ranked documents as LangChain Documents, with the metadata of :func:`answer_metadata`."""
    return [_document(ranked, result, scores) for ranked in result.documents]


def with_documents(result: SearchResult, *, scores: bool) -> SearchResult:
    """Return the answer with LangChain's Documents as ``native``, of those left out too."""
    shown = [replace(ranked, native=_document(ranked, result, scores)) for ranked in result.documents]
    out = [
        replace(one, document=replace(one.document, native=_document(one.document, result, scores)))
        for one in result.left_out
    ]
    return replace(result, documents=tuple(shown), left_out=tuple(out))


def _document(ranked: RankedDocument, result: SearchResult, scores: bool) -> Document:
    native = ranked.native if isinstance(ranked.native, Document) else Document(ranked.text)
    metadata = AnswerMetadata(answer_metadata(ranked, result, scores=scores))
    return native.model_copy(update={"id": str(ranked.id), "metadata": metadata})


def run_metadata(result: SearchResult) -> dict[str, Any]:
    """Return a run's metadata: the account of its search, and the reason if a NOT was not understood."""
    problem = {} if result.problem is None else {PROBLEM: result.problem}
    return {"logical_search": search_event(result), **problem}


def check_documents(documents: Any) -> list[Document]:
    """Reject anything but a list of Documents."""
    if isinstance(documents, (str, bytes)) or not isinstance(documents, Sequence):
        raise InvalidArgumentError(
            f"documents is {type(documents).__name__}, not a list of Documents.", hint="Pass a list of Documents."
        )
    for place, document in enumerate(documents, start=1):
        if not isinstance(document, Document):
            raise InvalidArgumentError(
                f"Entry {place} of documents is {type(document).__name__}, not a Document.",
                hint="Wrap texts: [Document(page_content=text) for text in texts].",
            )
    return list(documents)
