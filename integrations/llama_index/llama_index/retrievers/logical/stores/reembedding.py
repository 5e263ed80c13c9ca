"""Any other vector store: candidates by its own query, vectors by encoding the candidates' texts again."""

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
    """The core's view of an index whose vector store does not give its vectors.

    Vectors come with the nodes where the store fills them in, else from ``embed_documents`` of the text that the index
    embeds (``MetadataMode.EMBED``).
    """

    @capabilities_property(Capabilities("any other vector store", exact_search=False, stored_vectors=False, scan=False))
    def capabilities(self) -> dict[str, Any]:
        """Under the class's own name."""
        return {"name": type(self.index.vector_store).__name__}

    def __init__(self, index: VectorStoreIndex, embedder: Embedder) -> None:
        super().__init__(embedder)
        self.index = index

    def known(self) -> Sequence[DocumentId] | None:
        """Ids of the nodes, where the index keeps texts itself; no method of vector stores counts or lists them."""
        return None if self.index.vector_store.stores_text else sorted(self.index.index_struct.nodes_dict.values())

    def nearest(self, vector: Vectors, n: int, filter: MetadataFilters | None) -> list[DocumentId]:
        """Ids of the n nearest nodes."""
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
        """Nodes by id: as last seen in a query's result, from the docstore, or from the store."""
        found = dict(seen)
        for id in ids:
            if id not in found and (node := self.index.docstore.get_document(id, raise_error=False)) is not None:
                found[id] = to_encodable(node)
        if missing := [id for id in ids if id not in found]:
            # Most stores do not implement it; then they are gone, as far as can be told.
            with contextlib.suppress(NotImplementedError):
                nodes = self.index.vector_store.get_nodes(node_ids=missing)
                found.update((node.node_id, to_encodable(node)) for node in nodes)
        return found
