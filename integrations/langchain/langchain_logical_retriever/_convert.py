"""The one place where this project's types and LangChain's are turned into each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from logical_retriever.integration import LLMCallError, Message, RankedDocument, SearchResult, Transformation

MESSAGES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


def to_messages(messages: Sequence[Message]) -> list[BaseMessage]:
    """Chat messages as LangChain's; objects rather than tuples, so that braces in a question stay braces."""
    return [MESSAGES[message["role"]](content=message["content"]) for message in messages]


def to_text(answer: object) -> str:
    """Text of a model's answer; blocks that are not text (reasoning, tool calls) are no part of it.

    Raises:
        LLMCallError: The answer is neither a message nor a text.
    """
    if isinstance(answer, BaseMessage):
        return str(answer.text)
    if isinstance(answer, str):
        return answer
    raise LLMCallError(
        f"The model returned {type(answer).__name__}, not a message or a text.",
        hint="Pass a chat model as llm=, or a Runnable that ends in one; structured output is not needed.",
    )


def to_documents(result: SearchResult, *, query: str, metadata_key: str | None) -> list[Document]:
    """Ranked documents as LangChain Documents, with the reasons for their places in the metadata.

    Args:
        result: The ranking.
        query: Canonical text of the query that was searched for.
        metadata_key: Where the reasons go; None leaves them out. A key of that name in the store's metadata is
            replaced on the returned copy, never in the store.
    """
    return [_to_document(ranked, query, metadata_key, exact=result.exact) for ranked in result.documents]


def to_unscored(documents: Sequence[Document], *, query: str, metadata_key: str | None) -> list[Document]:
    """Copies of documents whose order was kept, for a question without logic.

    Args:
        documents: In their order.
        query: The plain question, as a query.
        metadata_key: As for :func:`to_documents`; the score is None, and there are no truth values.
    """
    copies = []
    for document in documents:
        metadata = copied(document.metadata)
        if metadata_key is not None:
            metadata[metadata_key] = {"query": query, "score": None, "terms": {}, "exact": True}
        copies.append(document.model_copy(update={"metadata": metadata}))
    return copies


def to_event(made: Transformation, searched: str) -> dict[str, Any]:
    """The JSON-serialisable payload of the "logical_query" event."""
    return {
        "question": made.question,
        "logical_query": str(made.query),
        "json": made.query.to_dict(),
        "method": made.method,
        "problem": made.problem,
        "searched": searched,
    }


def _to_document(ranked: RankedDocument, query: str, metadata_key: str | None, *, exact: bool) -> Document:
    metadata = copied(dict(ranked.metadata))
    if metadata_key is not None:
        metadata[metadata_key] = {
            "query": query,
            "score": ranked.score,
            "terms": dict(ranked.truth_values),
            "exact": exact,
        }
    if isinstance(ranked.native, Document):  # keeps the fields of a subclass
        return ranked.native.model_copy(update={"id": str(ranked.id), "metadata": metadata})
    return Document(id=str(ranked.id), page_content=ranked.text, metadata=metadata)


def copied(value: Any) -> Any:
    """Copy containers all the way down; leaves are shared, since not every object can be copied."""
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value
