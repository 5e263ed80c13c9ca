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
    LogicalQuery,
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
    reads_nearest=True,
    conditions="necessary",
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
        self._filters_on_the_way = writer._method["engine"] in ("faiss", "lucene")
        self.index = writer._index
        self.vector_field, self.text_field = writer._embedding_field, writer._text_field
        self.reads = {"_source": [self.text_field, self.metadata_field, self.vector_field]}

    @property
    def client(self) -> Any:
        """The one that waits."""
        return self._writer._os_client

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> list[Body] | None:
        """None where results are filtered: a list that gets shorter says nothing of what else there is."""
        return super().narrowed(filter, condition) if self._filters_on_the_way else None

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """An approximate kNN query; engines that cannot filter on the way filter its results."""
        knn: Body = {"vector": vector, "k": n}
        if clauses and self._filters_on_the_way:
            knn["filter"] = {"bool": {"filter": clauses}}
        query = {"knn": {self.vector_field: knn}}
        return {"query": {"bool": {"filter": [] if self._filters_on_the_way else clauses, "must": [query]}}}
