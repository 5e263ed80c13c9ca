"""Nodes from the metadata that LlamaIndex's vector stores keep them in."""

from __future__ import annotations

from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.utils import legacy_metadata_dict_to_node, metadata_dict_to_node

from llama_index.retrievers.logical._convert import to_stored
from logical_retriever.integration import Batch, Condition, Filter, LogicalQuery, StoredDocument, WrappedStore

KEYS_OF_NODES = frozenset(
    {"_node_content", "_node_type", "node_info", "relationships", "text", "id", "document_id", "doc_id", "ref_doc_id"}
)
"""Keys that vector stores keep beside a node's metadata, or in their place."""


class OfNodes(WrappedStore):
    """A store that keeps the metadata of nodes beside other keys."""

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """The filter of the store below, where the condition names no other keys."""
        return super().narrowed(filter, condition) if _of_metadata(condition) else None


def _of_metadata(condition: LogicalQuery) -> bool:
    return not any(isinstance(node, Condition) and node.field in KEYS_OF_NODES for node in condition.walk())


def as_nodes(batch: Batch) -> Batch:
    """The documents of a batch as the nodes that their metadata describe."""
    return Batch(tuple(to_stored(_node(document), id=document.id) for document in batch.documents), batch.vectors)


def _node(document: StoredDocument) -> BaseNode:
    """The node that the metadata describe; of a document written by others, a node of its text and metadata."""
    metadata = dict(document.metadata)
    if "_node_content" in metadata:
        return metadata_dict_to_node(metadata, text=document.text)
    plain, info, relationships = legacy_metadata_dict_to_node(metadata)
    return TextNode(
        id_=document.id,
        text=document.text,
        metadata=plain,
        start_char_idx=info.get("start"),
        end_char_idx=info.get("end"),
        relationships=relationships,
    )
