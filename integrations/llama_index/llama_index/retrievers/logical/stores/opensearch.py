"""llama-index-vector-stores-opensearch's ``OpensearchVectorStore``, by its synchronous client."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

from llama_index.retrievers.logical.stores._nodes import OfNodes
from logical_retriever.adapters import (
    MAX_RESULTS,
    Body,
    Capabilities,
    SearchEngineIndex,
    StoreCapabilityError,
    opensearch_knn,
)

BEST = Capabilities(
    name="OpenSearch",
    exact_search=False,
    stored_vectors=True,
    scan=True,
    max_results=MAX_RESULTS,
)
"""Capabilities without order by cosine, since an index may have any similarity."""


class OpenSearchAdapter(OfNodes):
    """The core's view of an index over an ``OpensearchVectorStore``. Not verified against a live server."""

    capabilities = BEST

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        self._writer = store.client
        if self._writer.is_aoss:
            raise StoreCapabilityError(
                "OpenSearch Serverless knows documents by other ids than those of their nodes.",
                hint="Use a cluster of OpenSearch, or put LogicalPostprocessor behind the index's own retriever.",
            )
        super().__init__(index, _Index(self._writer))

    def read_filters(self, filters: MetadataFilters) -> Any:
        """Translate filters by the vector store's own reading, private there; a second one could differ from it."""
        return self._writer._parse_filters(filters)


class _Index(SearchEngineIndex):
    """The index of the vector store's nodes, from its ``OpensearchVectorClient``."""

    capabilities = BEST
    metadata_field = "metadata"
    client: Any = None

    def __init__(self, writer: Any) -> None:
        self.client, self.index = writer._os_client, writer._index
        self._engine = writer._method["engine"]
        self.vector_field, self.text_field = writer._embedding_field, writer._text_field
        self.reads = {"_source": [self.text_field, self.metadata_field, self.vector_field]}

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """Return an approximate kNN query."""
        return opensearch_knn(self.vector_field, vector, n, clauses, self._engine)
