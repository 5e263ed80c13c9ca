"""The one place where this project's types and LlamaIndex's are turned into each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, TextNode

from logical_retriever.adapters import (
    PROBLEM,
    DocumentId,
    Encodable,
    LLMCallError,
    Message,
    RankedDocument,
    SearchResult,
    StoredDocument,
    answer_metadata,
    refuse_cut_off,
)

ENDINGS = ("finish_reason", "stop_reason", "done_reason")
"""Providers' names for the reason why an answer ended."""
SCORES = ("logical_score", "logical_relevance", "logical_query")
"""Keys of metadata that are added where a user shows them."""


def to_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """Chat messages as LlamaIndex's."""
    return [ChatMessage(role=MessageRole(message["role"]), content=message["content"]) for message in messages]


def from_messages(messages: Sequence[ChatMessage | Message]) -> list[Message]:
    """A conversation as the core's messages: those of people and of the model; other messages are left out."""
    roles: dict[MessageRole, Any] = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}
    return [
        {"role": roles.get(message.role, "system"), "content": message.content or ""}
        if isinstance(message, ChatMessage)
        else message
        for message in messages
    ]


def to_text(answer: object) -> str:
    """Text of a model's answer; blocks that are not text (reasoning, tool calls) are no part of it.

    Raises:
        LLMCallError: The answer is not a chat response, or was cut off at the bound on tokens: the rest could be a NOT.
    """
    if not isinstance(answer, ChatResponse):
        raise LLMCallError(
            f"The model returned {type(answer).__name__}, not a ChatResponse.",
            hint="Pass an LLM whose chat() answers a conversation; structured output is not needed.",
        )
    choices = _of(answer.raw, "choices")
    choice = choices[0] if isinstance(choices, (list, tuple)) and choices else None
    sources = (answer.additional_kwargs, answer.message.additional_kwargs, answer.raw, choice)
    refuse_cut_off({name: _of(source, name) for source in sources for name in ENDINGS if _of(source, name) is not None})
    return answer.message.content or ""


def _of(source: object, name: str) -> object:
    """A provider's raw answer is a mapping or an object."""
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)


def to_stored(node: BaseNode, *, id: DocumentId | None = None) -> StoredDocument:
    """A node as the core's document, under its own id or another in the store."""
    return StoredDocument(
        id=node.node_id if id is None else id,
        text=node.get_content(metadata_mode=MetadataMode.NONE),
        metadata=node.metadata,
        native=node,
        encoded=partial(node.get_content, metadata_mode=MetadataMode.EMBED),
    )


def to_encodable(node: BaseNode) -> Encodable:
    """A node with the text that an index embeds for it, and with its embedding where it carries one."""
    return Encodable(to_stored(node), node.get_content(metadata_mode=MetadataMode.EMBED), node.embedding)


def to_nodes(result: SearchResult, problem: str | None, *, scores: bool) -> list[NodeWithScore]:
    """Ranked documents as nodes, copies of the store's own, whose scores are the relevances, in [0, 1].

    Their metadata are those of :func:`answer_metadata`.
    """
    nodes = []
    for ranked in result.documents:
        metadata = answer_metadata(ranked, result, problem, scores=scores)
        node = copied(_native(ranked), metadata, (PROBLEM, *SCORES) if scores else (PROBLEM,))
        nodes.append(NodeWithScore(node=node, score=ranked.relevance))
    return nodes


def copied(node: BaseNode, metadata: dict[str, Any], ours: Sequence[str]) -> BaseNode:
    """A copy with other metadata, of which ours are kept out of the texts for LLMs and embedding models."""
    hidden = [name for name in ours if name in metadata]
    return node.model_copy(
        update={
            "metadata": metadata,
            "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *hidden],
            "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *hidden],
            "relationships": dict(node.relationships),
        }
    )


def _native(ranked: RankedDocument) -> BaseNode:
    if isinstance(ranked.native, BaseNode):
        return ranked.native
    return TextNode(id_=str(ranked.id), text=ranked.text, metadata=dict(ranked.metadata))
