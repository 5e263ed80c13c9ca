"""The one place where this project's types and LlamaIndex's are turned into each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, TextNode

from logical_retriever.integration import (
    InvalidArgumentError,
    LLMCallError,
    Message,
    RankedDocument,
    SearchResult,
    StoredDocument,
)

ROLES = {"system": MessageRole.SYSTEM, "user": MessageRole.USER, "assistant": MessageRole.ASSISTANT}


def to_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """Chat messages as LlamaIndex's."""
    return [ChatMessage(role=ROLES[message["role"]], content=message["content"]) for message in messages]


def to_text(answer: object) -> str:
    """Text of a model's answer; blocks that are not text (reasoning, tool calls) are no part of it.

    Raises:
        LLMCallError: The answer is not a chat response.
    """
    if not isinstance(answer, ChatResponse):
        raise LLMCallError(
            f"The model returned {type(answer).__name__}, not a ChatResponse.",
            hint="Pass an LLM whose chat() answers a conversation; structured output is not needed.",
        )
    content = answer.message.content
    return "" if content is None else content


def to_stored(node: BaseNode, *, id: str | None = None) -> StoredDocument:
    """A node as the core's document.

    Args:
        node: The node; not changed, and kept as the document's native object.
        id: Identity in the store; the node's own unless given.
    """
    return StoredDocument(
        id=node.node_id if id is None else id,
        text=node.get_content(metadata_mode=MetadataMode.NONE),
        metadata=node.metadata,
        native=node,
    )


def embed_text(node: BaseNode) -> str:
    """The text that an index embeds for a node."""
    return node.get_content(metadata_mode=MetadataMode.EMBED)


def to_nodes(result: SearchResult, *, query: str, metadata_key: str | None) -> list[NodeWithScore]:
    """Ranked documents as nodes, with the reasons for their places in the metadata.

    Args:
        result: The ranking.
        query: Canonical text of the query that was searched for.
        metadata_key: Where the reasons go; None leaves them out. They are kept out of the texts for embedding models
            and LLMs.

    Returns:
        Copies: the store's own nodes are never changed.
    """
    return [
        NodeWithScore(
            node=copied(_native(ranked), reasons(ranked, query, exact=result.exact), metadata_key),
            score=ranked.score,
        )
        for ranked in result.documents
    ]


def reasons(ranked: RankedDocument, query: str, *, exact: bool) -> dict[str, Any]:
    """Why a document stands where it stands."""
    return {"query": query, "score": ranked.score, "terms": dict(ranked.truth_values), "exact": exact}


def copied(node: BaseNode, why: dict[str, Any] | None, metadata_key: str | None) -> BaseNode:
    """A node like this one whose containers can be changed without changing the original.

    Args:
        node: The original.
        why: From :func:`reasons`.
        metadata_key: Where that goes, or None. A key of that name in the original is replaced on the copy.
    """
    metadata = _copied(node.metadata)
    embed_keys, llm_keys = list(node.excluded_embed_metadata_keys), list(node.excluded_llm_metadata_keys)
    if metadata_key is not None:
        metadata[metadata_key] = why
        for keys in (embed_keys, llm_keys):
            if metadata_key not in keys:
                keys.append(metadata_key)
    return node.model_copy(
        update={
            "metadata": metadata,
            "excluded_embed_metadata_keys": embed_keys,
            "excluded_llm_metadata_keys": llm_keys,
            "relationships": dict(node.relationships),
            "embedding": None if node.embedding is None else list(node.embedding),
        }
    )


def check_metadata_key(metadata_key: object) -> str | None:
    """Refuse a key that cannot name metadata.

    Raises:
        InvalidArgumentError: It is neither a name nor None.
    """
    if metadata_key is None or (isinstance(metadata_key, str) and metadata_key):
        return metadata_key
    raise InvalidArgumentError(
        f"metadata_key is {metadata_key!r}.", hint='Give a name such as "logical", or None to leave the reasons out.'
    )


def _native(ranked: RankedDocument) -> BaseNode:
    if isinstance(ranked.native, BaseNode):
        return ranked.native
    return TextNode(id_=str(ranked.id), text=ranked.text, metadata=dict(ranked.metadata))


def _copied(value: Any) -> Any:
    """Copy containers all the way down; leaves are shared, since not every object can be copied."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value
