"""llama-index-vector-stores-elasticsearch's ``ElasticsearchStore``, with a dense strategy."""

from __future__ import annotations

import importlib
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index.retrievers.logical.stores._nodes import OfNodes, as_nodes
from logical_retriever.integration import (
    MAX_RESULTS,
    Batch,
    Body,
    Capabilities,
    InvalidArgumentError,
    SearchEngineIndex,
    UnsupportedStoreError,
    capabilities_below,
)

OVERSAMPLING = 2
"""Candidates that each shard looks at, per document asked for."""

BEST = Capabilities(
    name="Elasticsearch",
    exact_search=False,
    stored_vectors=True,
    scan=True,
    max_results=MAX_RESULTS,
    live_verified=False,
    reads_nearest=True,
    conditions="necessary",
)
"""An index may have any similarity, so no order by cosine is promised."""


class ElasticsearchAdapter(OfNodes):
    """The core's view of an index over an ``ElasticsearchStore``. Not verified against a live server.

    The vector store has an asynchronous client, which belongs to the caller's event loop; another is made beside it,
    with the same hosts and the same credentials, that waits for answers.

    Args:
        index: The index; only read.

    Raises:
        UnsupportedStoreError: Its strategy has no dense vectors.
    """

    capabilities = capabilities_below(BEST)

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        self.index = index
        strategy = type(store.retrieval_strategy).__name__
        if not strategy.startswith("AsyncDenseVector"):
            raise UnsupportedStoreError(
                f"The strategy {strategy} of the ElasticsearchStore has no dense vectors.",
                hint="Use AsyncDenseVectorStrategy, over an index whose vectors come from the embedding model.",
            )
        super().__init__(_Index(store))

    def inner_filter(self, filter: MetadataFilters | None) -> list[Body] | None:
        """Clauses of equality, as the vector store has them: of texts on the field's keyword.

        Raises:
            InvalidArgumentError: An operator or a condition that the vector store leaves out of account.
        """
        if filter is None:
            return None
        if filter.condition not in (FilterCondition.AND, None):
            raise InvalidArgumentError(
                f"The ElasticsearchStore of LlamaIndex joins filters by AND alone, got {filter.condition}.",
                hint="Write the condition into the question: [year = 1998] OR [year = 1999].",
            )
        return [_clause(one) for one in filter.filters]

    def outer_batch(self, batch: Batch) -> Batch:
        """As the nodes that were added."""
        return as_nodes(batch)


def _clause(filter: MetadataFilter | MetadataFilters) -> Body:
    if not isinstance(filter, MetadataFilter) or filter.operator != FilterOperator.EQ:
        raise InvalidArgumentError(
            "The ElasticsearchStore of LlamaIndex compares by equality alone.",
            hint="Write other conditions into the question: [year >= 1998].",
        )
    suffix = ".keyword" if isinstance(filter.value, str) else ""
    return {"term": {f"metadata.{filter.key}{suffix}": filter.value}}


class _Index(SearchEngineIndex):
    """Where the vector store keeps nodes.

    Args:
        store: The vector store.
    """

    capabilities = BEST
    metadata_field = "metadata"

    def __init__(self, store: Any) -> None:
        self.index, self.vector_field, self.text_field = store.index_name, store.vector_field, store.text_field
        # Newer servers leave vectors out of _source; as a field they are given by all.
        self.reads = {"_source": [self.text_field, self.metadata_field], "fields": [self.vector_field]}
        elasticsearch: Any = importlib.import_module("elasticsearch")
        self._client = elasticsearch.Elasticsearch([node.config for node in store.client.transport.node_pool.all()])
        self._client._headers = store.client._headers  # who asks; there is no public way to it

    @property
    def client(self) -> Any:
        """The one that waits."""
        return self._client

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """By kNN alone, also of a hybrid strategy."""
        candidates = min(max(OVERSAMPLING * n, 50), MAX_RESULTS)
        knn = {"field": self.vector_field, "query_vector": vector, "k": n, "num_candidates": candidates}
        return {"knn": {**knn, "filter": clauses}}
