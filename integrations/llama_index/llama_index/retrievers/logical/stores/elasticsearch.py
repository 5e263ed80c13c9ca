"""llama-index-vector-stores-elasticsearch's ``ElasticsearchStore``, with a dense strategy."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index.retrievers.logical.stores._nodes import OfNodes
from llama_index.retrievers.logical.stores.opensearch import BEST
from logical_retriever.adapters import (
    Body,
    InvalidArgumentError,
    SearchEngineIndex,
    UnsupportedStoreError,
    elasticsearch_knn,
)


class ElasticsearchAdapter(OfNodes):
    """The core's view of an index over an ``ElasticsearchStore``. Not verified against a live server."""

    capabilities = replace(BEST, name="Elasticsearch")

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        strategy = type(store.retrieval_strategy).__name__
        if not strategy.startswith("AsyncDenseVector"):
            raise UnsupportedStoreError(
                f"The strategy {strategy} of the ElasticsearchStore has no dense vectors.",
                hint="Use AsyncDenseVectorStrategy, over an index whose vectors come from the embedding model.",
            )
        super().__init__(index, _Index(store))

    def read_filters(self, filters: MetadataFilters) -> list[Body]:
        """Return clauses of equality; other filters, which the vector store would ignore, are rejected."""
        if filters.condition in (FilterCondition.AND, None) and all(map(_equals, filters.filters)):
            return [_clause(filter) for filter in filters.filters]
        raise InvalidArgumentError(
            "The ElasticsearchStore of LlamaIndex compares by equality alone, and joins by AND.",
            hint='Write other conditions into the question: [year >= 1998] OR [language = "en"].',
        )


def _equals(filter: object) -> bool:
    return isinstance(filter, MetadataFilter) and filter.operator == FilterOperator.EQ


def _clause(filter: Any) -> Body:
    suffix = ".keyword" if isinstance(filter.value, str) else ""
    return {"term": {f"metadata.{filter.key}{suffix}": filter.value}}


class _Index(SearchEngineIndex):
    """The index of the vector store's nodes.

    The vector store's asynchronous client belongs to the caller's event loop, so this one has a synchronous client of
    its own, with the same hosts and credentials.
    """

    capabilities = replace(BEST, name="Elasticsearch")
    metadata_field = "metadata"
    client: Any = None

    def __init__(self, store: Any) -> None:
        self.index, self.vector_field, self.text_field = store.index_name, store.vector_field, store.text_field
        # Newer servers leave vectors out of _source; all return them as a field.
        self.reads = {"_source": [self.text_field, self.metadata_field], "fields": [self.vector_field]}
        elasticsearch: Any = importlib.import_module("elasticsearch")
        nodes = [node.config for node in store.client.transport.node_pool.all()]
        # The headers hold the credentials; there is no public way to them.
        self.client = elasticsearch.Elasticsearch(nodes, headers=store.client._headers)

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """Return a kNN query, also for a hybrid strategy."""
        return elasticsearch_knn(self.vector_field, vector, n, clauses)
