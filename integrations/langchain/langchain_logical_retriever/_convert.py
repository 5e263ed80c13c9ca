"""The one place where this project's types and LangChain's are turned into each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from logical_retriever.integration import (
    LLMCallError,
    Message,
    SearchResult,
    reasons,
    refuse_cut_off,
    with_reasons,
)

EVENT = "logical_query"
"""Name of the custom event that carries the logical query of each question."""
MESSAGES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


def to_messages(messages: Sequence[Message]) -> list[BaseMessage]:
    """Chat messages as LangChain's; objects rather than tuples, so that braces in a question stay braces."""
    return [MESSAGES[message["role"]](content=message["content"]) for message in messages]


def from_messages(messages: Sequence[BaseMessage | Message]) -> list[Message]:
    """A conversation as the core's messages: what people and the model said; other messages are left out."""
    roles: dict[str, Any] = {"human": "user", "ai": "assistant"}
    return [
        {"role": roles.get(one.type, "system"), "content": str(one.text)} if isinstance(one, BaseMessage) else one
        for one in messages
    ]


def to_text(answer: object) -> str:
    """Text of a model's answer; blocks that are not text (reasoning, tool calls) are no part of it.

    Raises:
        LLMCallError: The answer is neither a message nor a text, or was cut off at the bound on tokens: what is missing
            could be a NOT.
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


def to_documents(result: SearchResult, *, metadata_key: str | None) -> list[Document]:
    """Ranked documents as LangChain Documents, with the reasons for their places in the metadata.

    Args:
        result: The ranking. Identities become texts, as LangChain's are.
        metadata_key: Begins the keys of the reasons; None leaves them out.

    Raises:
        InvalidArgumentError: The store has metadata of its own under one of the keys.
    """
    documents = []
    for ranked in result.documents:
        metadata = with_reasons(ranked.metadata, reasons(ranked, result), metadata_key)
        if isinstance(ranked.native, Document):  # keeps the fields of a subclass
            documents.append(ranked.native.model_copy(update={"id": str(ranked.id), "metadata": metadata}))
        else:
            documents.append(Document(id=str(ranked.id), page_content=ranked.text, metadata=metadata))
    return documents


def copied(document: Document, why: Mapping[str, Any], metadata_key: str | None) -> Document:
    """A copy of a document, under its own id, with the reasons for its place."""
    return document.model_copy(update={"metadata": with_reasons(document.metadata, why, metadata_key)})
