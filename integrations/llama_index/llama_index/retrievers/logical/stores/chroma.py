"""llama-index-vector-stores-chroma's ``ChromaVectorStore``, in any of its three spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

# The store's own reading of filters, private there: a second reading here could differ from it.
from llama_index.vector_stores.chroma.base import _to_chroma_filter

from llama_index.retrievers.logical.stores._nodes import as_nodes
from logical_retriever.integration import AtBest, Batch, ChromaStore, InvalidArgumentError, VectorBatch, Vectors


class ChromaAdapter:
    """The core's view of an index over a ``ChromaVectorStore``; see :class:`logical_retriever.ChromaStore`.

    Args:
        index: The index; only read.
    """

    def __init__(self, index: VectorStoreIndex) -> None:
        self.index = index

    @AtBest(ChromaStore.capabilities)
    def capabilities(self) -> dict[str, Any]:
        """What the collection can do; it ranks by cosine where that is its space."""
        return {"cosine_order": self._store().capabilities.cosine_order}

    def count(self) -> int:
        """Number of nodes."""
        return self._store().count()

    def search(self, vectors: Vectors, n: int, filter: MetadataFilters | None = None) -> list[list[str]]:
        """The n nearest nodes of each vector in the collection's space, in one request."""
        return self._store().search(vectors, n, _where(filter))

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Nodes and vectors by id, in the order asked; ids that are not there are left out."""
        return as_nodes(self._store().fetch(ids))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n nodes drawn at random without replacement."""
        return as_nodes(self._store().sample(n, seed))

    def scan(self, filter: MetadataFilters | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page."""
        return self._store().scan(_where(filter))

    def _store(self) -> ChromaStore:
        return ChromaStore(self.index.vector_store.client)


def _where(filter: MetadataFilters | None) -> dict[str, Any] | None:
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
