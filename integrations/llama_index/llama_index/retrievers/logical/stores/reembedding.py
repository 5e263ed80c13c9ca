"""Any other vector store: its own query finds candidates, whose texts are encoded again."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery

from llama_index.retrievers.logical._convert import to_encodable
from logical_retriever.adapters import (
    Capabilities,
    DocumentId,
    Embedder,
    Encodable,
    ReencodingStore,
    StoreError,
    Vectors,
    capabilities_property,
)


class ReembeddingStore(ReencodingStore):
    """The core's view of an index over any vector store.

    A node's vector is its embedding if the store fills it in, else ``embed_documents`` of the text that the index
    embeds (``MetadataMode.EMBED``).
    """

    @capabilities_property(Capabilities("any other vector store", exact_search=False, stored_vectors=False, scan=False))
    def capabilities(self) -> dict[str, Any]:
        """Return the class's own name."""
        return {"name": type(self.index.vector_store).__name__}

    def __init__(self, index: VectorStoreIndex, embedder: Embedder) -> None:
        super().__init__(embedder)
        self.index = index

    def known(self) -> Sequence[DocumentId] | None:
        """Return all ids if the index keeps the texts; else None, since vector stores neither count nor list nodes."""
        return None if self.index.vector_store.stores_text else sorted(self.index.index_struct.nodes_dict.values())

    def nearest(self, vector: Vectors, n: int, filter: MetadataFilters | None) -> list[DocumentId]:
        """Return the ids of the n nearest nodes."""
        query = VectorStoreQuery(query_embedding=vector.tolist(), similarity_top_k=n, filters=filter)
        try:
            result = self.index.vector_store.query(query)
        except Exception as error:
            raise StoreError(
                f"{self.capabilities.name}'s query failed: {type(error).__name__}: {error}",
                hint="Check that the store is reachable, that it was filled with the same embedding model, and that it "
                "knows the filters if there are any.",
            ) from error
        if result.nodes:
            return [self.remember(to_encodable(node)) for node in result.nodes]
        nodes = {} if self.index.vector_store.stores_text else self.index.index_struct.nodes_dict
        return [nodes[id] for id in result.ids or () if id in nodes]

    def read(self, ids: Sequence[DocumentId], seen: Mapping[DocumentId, Encodable]) -> Mapping[DocumentId, Encodable]:
        """Read nodes by id: from earlier results, from the docstore, or from the vector store."""
        found = dict(seen)
        for id in ids:
            if id not in found and (node := self.index.docstore.get_document(id, raise_error=False)) is not None:
                found[id] = to_encodable(node)
        if missing := [id for id in ids if id not in found]:
            # Most stores do not implement it; then the nodes count as deleted.
            with contextlib.suppress(NotImplementedError):
                nodes = self.index.vector_store.get_nodes(node_ids=missing)
                found.update((node.node_id, to_encodable(node)) for node in nodes)
        return found
