"""llama-index-vector-stores-chroma's ``ChromaVectorStore``, in any of its three spaces."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

# The store's own reading of filters, private there. A second reading here could differ from it.
from llama_index.vector_stores.chroma.base import _to_chroma_filter

from llama_index.retrievers.logical.stores._nodes import OfNodes
from logical_retriever.adapters import ChromaStore, wrapped_capabilities


class ChromaAdapter(OfNodes):
    """The core's view of an index over a ``ChromaVectorStore``; see :class:`logical_retriever.ChromaStore`."""

    capabilities = wrapped_capabilities(ChromaStore.capabilities)

    def __init__(self, index: VectorStoreIndex) -> None:
        super().__init__(index, ChromaStore(index.vector_store.client))

    def read_filters(self, filters: MetadataFilters) -> Any:
        """Translate filters by the vector store's own reading; an empty list is no filter."""
        return _to_chroma_filter(filters) or None
