"""llama-index-vector-stores-opensearch's ``OpensearchVectorStore``, by its client that waits for answers."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

from llama_index.retrievers.logical.stores._nodes import OfNodes, as_nodes
from logical_retriever.integration import (
    MAX_RESULTS,
    Batch,
    Body,
    Capabilities,
    Filter,
    InvalidArgumentError,
    SearchEngineIndex,
    StoreCapabilityError,
    capabilities_below,
)

BEST = Capabilities(
    name="OpenSearch",
    exact_search=False,
    stored_vectors=True,
    scan=True,
    max_results=MAX_RESULTS,
    live_verified=False,
)
"""The space of an index is another's business, so no order by cosine is promised."""


class OpenSearchAdapter(OfNodes):
    """The core's view of an index over an ``OpensearchVectorStore``. Not verified against a live server.

    Args:
        index: The index; only read.

    Raises:
        StoreCapabilityError: Its server is OpenSearch Serverless, which knows documents by other ids.
    """

    capabilities = capabilities_below(BEST)

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        self.index = index
        self._writer = store.client
        if self._writer.is_aoss:
            raise StoreCapabilityError(
                "OpenSearch Serverless knows documents by other ids than those of their nodes.",
                hint="Use a cluster of OpenSearch, or put LogicalRerank behind the index's own retriever.",
            )
        super().__init__(_Index(self._writer))

    def inner_filter(self, filter: MetadataFilters | None) -> list[Body] | None:
        """The vector store's own reading of its filters.

        Raises:
            InvalidArgumentError: It cannot read them.
        """
        if filter is None:
            return None
        try:
            # Private there: a second reading here could differ from it.
            clauses: list[Body] = self._writer._parse_filters(filter)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"OpenSearch cannot apply the filters: {error}", hint="Check the operators and the types of the values."
            ) from error
        return clauses

    def outer_batch(self, batch: Batch) -> Batch:
        """As the nodes that were added."""
        return as_nodes(batch)


class _Index(SearchEngineIndex):
    """Where the vector store keeps nodes.

    Args:
        writer: Its ``OpensearchVectorClient``.
    """

    capabilities = BEST
    metadata_field = "metadata"

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self.index = writer._index
        self.vector_field, self.text_field = writer._embedding_field, writer._text_field
        self.reads = {"_source": [self.text_field, self.metadata_field, self.vector_field]}

    @property
    def client(self) -> Any:
        """The one that waits."""
        return self._writer._os_client

    def nearest(self, vector: list[float], n: int, filter: Filter) -> Body:
        """An approximate kNN query; engines that cannot filter on the way filter its results."""
        knn: Body = {"vector": vector, "k": n}
        if filter is None:
            return {"query": {"knn": {self.vector_field: knn}}}
        if self._writer._method["engine"] in ("faiss", "lucene"):
            return {"query": {"knn": {self.vector_field: {**knn, "filter": {"bool": {"filter": filter}}}}}}
        return {"query": {"bool": {"filter": filter, "must": [{"knn": {self.vector_field: knn}}]}}}

    def msearch(self, lines: list[Body]) -> Any:
        """Several searches in one request."""
        return self.client.msearch(body=lines)

    def as_arguments(self, body: Body) -> dict[str, Any]:
        """The body is one argument."""
        return {"body": body}
