"""langchain-chroma's ``Chroma``, in any of its three spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.adapters import ChromaFilter, ChromaStore, StoreError


class ChromaAdapter(VectorStoreAdapter, ChromaStore):
    """The core's view of a ``langchain_chroma.Chroma``; see :class:`logical_retriever.ChromaStore`.

    Filters are ``filter`` (on metadata) and ``where_document`` (on the text), both in Chroma's own language.
    """

    filter_arguments = ("filter", "where_document")
    filter_example = 'filter={"year": {"$gt": 2000}}, where_document={"$contains": "tea"}'

    def filter_of(self, filters: Mapping[str, Any]) -> ChromaFilter:
        """Join both filters."""
        return ChromaFilter(filters.get("filter"), filters.get("where_document"))

    @property
    def collection(self) -> Any:
        """The vector store's current collection."""
        # langchain-chroma has no public way to its collection, and none of its public methods counts, or searches for
        # several vectors in one request. Read each time, because reset_collection() replaces it.
        try:
            return self.vectorstore._collection
        except (AttributeError, ValueError) as error:
            raise StoreError(
                f"The Chroma vector store has no collection: {error}",
                hint="Make the vector store anew, or pass a ChromaStore of logical_retriever and embeddings=... .",
            ) from error
