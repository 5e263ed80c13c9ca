"""Conversions between this project's types and LlamaIndex's."""

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
"""Providers' names for the reason of an answer's end."""
SCORES = ("logical_score", "logical_relevance", "logical_query")
"""Metadata keys that ``metadata=True`` adds."""


def to_messages(messages: Sequence[Message]) -> list[ChatMessage]:
    """Convert the core's chat messages to LlamaIndex's."""
    return [ChatMessage(role=MessageRole(message["role"]), content=message["content"]) for message in messages]


def from_messages(messages: Sequence[ChatMessage | Message]) -> list[Message]:
    """Convert a conversation to the core's messages; a tool's message gets the role "system"."""
    roles: dict[MessageRole, Any] = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}
    return [
        {"role": roles.get(message.role, "system"), "content": message.content or ""}
        if isinstance(message, ChatMessage)
        else message
        for message in messages
    ]


def to_text(answer: object) -> str:
    """Return the text of a model's answer, without reasoning and tool calls.

    Raises:
        LLMCallError: The answer is no chat response, or was cut off at the token limit: the rest could be a NOT.
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
    """Return an entry of a provider's raw answer, which is a mapping or an object; None if there is none."""
    return source.get(name) if isinstance(source, dict) else getattr(source, name, None)


def to_stored(node: BaseNode, *, id: DocumentId | None = None) -> StoredDocument:
    """Convert a node to the core's document, with its own id unless the store has another."""
    return StoredDocument(
        id=node.node_id if id is None else id,
        text=node.get_content(metadata_mode=MetadataMode.NONE),
        metadata=node.metadata,
        native=node,
        encoded=partial(node.get_content, metadata_mode=MetadataMode.EMBED),
    )


def to_encodable(node: BaseNode) -> Encodable:
    """Convert a node, with the text that an index embeds for it, and its embedding or None."""
    return Encodable(to_stored(node), node.get_content(metadata_mode=MetadataMode.EMBED), node.embedding)


def to_nodes(result: SearchResult, *, scores: bool) -> list[NodeWithScore]:
    """Copy the ranked documents as nodes, with the metadata of :func:`answer_metadata`.

    A node's score is the document's relevance, in [0, 1].
    """
    nodes = []
    for ranked in result.documents:
        metadata = answer_metadata(ranked, result, scores=scores)
        node = copied(_native(ranked), metadata, (PROBLEM, *SCORES) if scores else (PROBLEM,))
        nodes.append(NodeWithScore(node=node, score=ranked.relevance))
    return nodes


def copied(node: BaseNode, metadata: dict[str, Any], ours: Sequence[str]) -> BaseNode:
    """Copy a node with other metadata; the keys ``ours`` stay out of the texts for LLMs and embedding models."""
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
