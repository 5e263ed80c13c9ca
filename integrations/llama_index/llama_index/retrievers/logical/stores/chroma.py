"""llama-index-vector-stores-chroma's ``ChromaVectorStore``, in any of its three spaces."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

# The store's own reading of filters, private there: a second reading here could differ from it.
from llama_index.vector_stores.chroma.base import _to_chroma_filter

from llama_index.retrievers.logical.stores._nodes import OfNodes, as_nodes
from logical_retriever.integration import Batch, ChromaStore, InvalidArgumentError, capabilities_below


class ChromaAdapter(OfNodes):
    """The core's view of an index over a ``ChromaVectorStore``; see :class:`logical_retriever.ChromaStore`.

    Args:
        index: The index; only read.
    """

    capabilities = capabilities_below(ChromaStore.capabilities)

    def __init__(self, index: VectorStoreIndex) -> None:
        self.index = index

    @property
    def store(self) -> ChromaStore:
        """The collection that the vector store has now."""
        return ChromaStore(self.index.vector_store.client)

    def outer_batch(self, batch: Batch) -> Batch:
        """The nodes that the metadata describe."""
        return as_nodes(batch)

    def inner_filter(self, filter: MetadataFilters | None) -> dict[str, Any] | None:
        """The vector store's own reading of its filters.

        Raises:
            InvalidArgumentError: It cannot read them.
        """
        if filter is None:
            return None
        try:
            where: dict[str, Any] = _to_chroma_filter(filter)
        except ValueError as error:
            raise InvalidArgumentError(
                f"Chroma cannot apply the filters: {error}",
                hint="Chroma knows ==, !=, >, >=, <, <=, in and nin, joined by and / or.",
            ) from error
        return where or None  # no filters in the list is no filter
