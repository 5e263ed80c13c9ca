"""The one place where this project's types and LlamaIndex's are turned into each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, TextNode

from logical_retriever.integration import (
    REASONS,
    DocumentId,
    Encodable,
    LLMCallError,
    Message,
    RankedDocument,
    SearchResult,
    StoredDocument,
    reasons,
    refuse_cut_off,
    with_reasons,
)

ROLES = {"system": MessageRole.SYSTEM, "user": MessageRole.USER, "assistant": MessageRole.ASSISTANT}


def to_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """Chat messages as LlamaIndex's."""
    return [ChatMessage(role=ROLES[message["role"]], content=message["content"]) for message in messages]


def from_messages(messages: Sequence[ChatMessage | Message]) -> list[Message]:
    """A conversation as the core's messages: what people and the model said; other messages are left out."""
    roles: dict[MessageRole, Any] = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}
    return [
        {"role": roles.get(one.role, "system"), "content": one.content or ""} if isinstance(one, ChatMessage) else one
        for one in messages
    ]


def to_text(answer: object) -> str:
    """Text of a model's answer; blocks that are not text (reasoning, tool calls) are no part of it.

    Raises:
        LLMCallError: The answer is not a chat response, or was cut off at the bound on tokens: what is missing could be
            a NOT.
    """
    if not isinstance(answer, ChatResponse):
        raise LLMCallError(
            f"The model returned {type(answer).__name__}, not a ChatResponse.",
            hint="Pass an LLM whose chat() answers a conversation; structured output is not needed.",
        )
    refuse_cut_off(_said_of(answer))
    content = answer.message.content
    return "" if content is None else content


def _said_of(answer: ChatResponse) -> dict[str, object]:
    """The end of an answer in its provider's words; its raw form is a mapping or an object, with choices or without."""
    said: dict[str, object] = {**answer.additional_kwargs, **answer.message.additional_kwargs}
    for name in ("finish_reason", "stop_reason", "done_reason"):
        choices = _of(answer.raw, "choices")
        first = choices[0] if isinstance(choices, (list, tuple)) and choices else None
        for source in (answer.raw, first):
            if (reason := _of(source, name)) is not None:
                said[name] = reason
    return said


def _of(source: object, name: str) -> object:
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)


def to_stored(node: BaseNode, *, id: DocumentId | None = None) -> StoredDocument:
    """A node as the core's document.

    Args:
        node: The node; not changed, and kept as the document's native object.
        id: Identity in the store, where it is not the node's own.
    """
    return StoredDocument(
        id=node.node_id if id is None else id,
        text=node.get_content(metadata_mode=MetadataMode.NONE),
        metadata=node.metadata,
        native=node,
    )


def to_encodable(node: BaseNode) -> Encodable:
    """A node with the text that an index embeds for it, and with its embedding where it carries one."""
    return Encodable(to_stored(node), node.get_content(metadata_mode=MetadataMode.EMBED), node.embedding)


def to_nodes(result: SearchResult, *, metadata_key: str | None) -> list[NodeWithScore]:
    """Ranked documents as nodes, with the reasons for their places in the metadata.

    Args:
        result: The ranking.
        metadata_key: Begins the keys of the reasons; None leaves them out.

    Returns:
        Copies: the store's own nodes are never changed. Their scores are the relevances, in [0, 1].

    Raises:
        InvalidArgumentError: The store has metadata of its own under one of the keys.
    """
    nodes = []
    for ranked in result.documents:
        why = reasons(ranked, result)
        nodes.append(NodeWithScore(node=_copied(_native(ranked), why, metadata_key), score=ranked.relevance))
    return nodes


def _copied(node: BaseNode, why: Mapping[str, Any], metadata_key: str | None) -> BaseNode:
    """A node whose containers can be changed; the reasons are kept out of texts for LLMs and embedding models."""
    ours = [] if metadata_key is None else [f"{metadata_key}_{name}" for name in REASONS]
    return node.model_copy(
        update={
            "metadata": with_reasons(node.metadata, why, metadata_key),
            "excluded_embed_metadata_keys": list(dict.fromkeys([*node.excluded_embed_metadata_keys, *ours])),
            "excluded_llm_metadata_keys": list(dict.fromkeys([*node.excluded_llm_metadata_keys, *ours])),
            "relationships": dict(node.relationships),
            "embedding": None if node.embedding is None else list(node.embedding),
        }
    )


def _native(ranked: RankedDocument) -> BaseNode:
    if isinstance(ranked.native, BaseNode):
        return ranked.native
    return TextNode(id_=str(ranked.id), text=ranked.text, metadata=dict(ranked.metadata))
