"""Nodes, which LlamaIndex's vector stores keep in metadata."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import MetadataFilters
from llama_index.core.vector_stores.utils import legacy_metadata_dict_to_node, metadata_dict_to_node

from llama_index.retrievers.logical._convert import to_stored
from logical_retriever.adapters import (
    Batch,
    Condition,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    LogicalRetrieverError,
    Store,
    StoredDocument,
    WrappedStore,
)

KEYS_OF_NODES = frozenset(
    {"_node_content", "_node_type", "node_info", "relationships", "text", "id", "document_id", "doc_id", "ref_doc_id"}
)
"""Keys that vector stores write beside a node's metadata, or over them."""


class OfNodes(WrappedStore):
    """A store whose documents are nodes, and whose filters are ``MetadataFilters``.

    Args:
        index: The index over the vector store; only read.
        store: The core's view of the engine below.
    """

    def __init__(self, index: VectorStoreIndex, store: Store) -> None:
        super().__init__(store)
        self.index = index

    def read_filters(self, filters: MetadataFilters) -> Any:
        """Translate filters to the language of the store below, by the vector store's own reading if it has one."""
        raise NotImplementedError

    def inner_filter(self, filter: Filter) -> Filter:
        """Translate a filter to the language of the store below.

        Raises:
            InvalidArgumentError: A filter that the vector store cannot read.
        """
        try:
            return None if filter is None else self.read_filters(filter)
        except LogicalRetrieverError:
            raise
        except (AttributeError, KeyError, NotImplementedError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"{type(self.index.vector_store).__name__} cannot apply the filters: {error}",
                hint="Check its operators, and the types of the values.",
            ) from error

    def outer_batch(self, batch: Batch) -> Batch:
        """Return the documents of a batch with the nodes that their metadata describe."""
        return Batch(tuple(map(_as_node, batch.documents)), batch.vectors)

    def with_condition(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """Join the condition to the filter of the store below, unless it names a key that is no metadata of a node."""
        return super().with_condition(filter, condition) if _of_metadata(condition) else None


def _of_metadata(condition: LogicalQuery) -> bool:
    return not any(isinstance(node, Condition) and node.field in KEYS_OF_NODES for node in condition.walk())


def _as_node(document: StoredDocument) -> StoredDocument:
    return document if document.native is not None else to_stored(_node(document), id=document.id)


def _node(document: StoredDocument) -> BaseNode:
    """Return the node that the metadata describe, or for documents of other writers a node of text and metadata."""
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
