"""langchain-elasticsearch's ``ElasticsearchStore`` with a dense strategy, and langchain-community's OpenSearch."""

from __future__ import annotations

from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter, outside
from logical_retriever.adapters import (
    MAX_RESULTS,
    Body,
    SearchEngineIndex,
    UnsupportedStoreError,
    capabilities_property,
    elasticsearch_knn,
    opensearch_knn,
    shard_candidates,
)


class SearchEngineAdapter(VectorStoreAdapter, SearchEngineIndex):
    """An index behind a LangChain vector store. Not verified against a live server."""

    filter_types = (dict, list)
    filter_example = 'filter=[{"term": {"metadata.year": 2000}}]'

    @property
    def client(self) -> Any:
        """The vector store's client."""
        return self.vectorstore.client


class ElasticsearchAdapter(SearchEngineAdapter):
    """The core's view of an ``ElasticsearchStore``; a hybrid strategy's candidates come from the vectors alone."""

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        self._strategy = vectorstore._store.retrieval_strategy
        if not type(self._strategy).__name__.removeprefix("Async").startswith("DenseVector"):
            raise UnsupportedStoreError(
                f"The strategy {type(self._strategy).__name__} of the ElasticsearchStore has no dense vectors.",
                hint="Use DenseVectorStrategy, over an index whose vectors come from the embedding model.",
            )
        self.index, self.vector_field = vectorstore._store.index, vectorstore.vector_query_field
        self.text_field, self.metadata_field = vectorstore.query_field, "metadata"
        # Newer servers leave vectors out of _source; all return them as a field.
        self.reads = {"_source": [self.text_field, self.metadata_field], "fields": [self.vector_field]}

    @capabilities_property(outside("Elasticsearch", cosine_order=True, max_results=MAX_RESULTS))
    def capabilities(self) -> dict[str, Any]:
        """Search exactly if the strategy scores every document by a script, and by cosine if that is its distance."""
        return {
            "exact_search": "ScriptScore" in type(self._strategy).__name__,
            "cosine_order": getattr(self._strategy.distance, "name", "") == "COSINE",
        }

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """Return the strategy's own query; of a hybrid strategy, its kNN part."""
        if getattr(self._strategy, "hybrid", False):
            return elasticsearch_knn(self.vector_field, vector, n, clauses)
        return dict(
            self._strategy.es_query(
                query=None,
                query_vector=vector,
                text_field=self.text_field,
                vector_field=self.vector_field,
                k=n,
                num_candidates=shard_candidates(n),
                filter=clauses,
            )
        )


class OpenSearchAdapter(SearchEngineAdapter):
    """The core's view of an ``OpenSearchVectorSearch``.

    The vector store does not keep the names of its fields. If yours differ from the defaults, register a factory that
    passes them.
    """

    # The wrapper does not know the space of its index, so no order by cosine is promised.
    capabilities = outside("OpenSearch", max_results=MAX_RESULTS)

    def __init__(
        self,
        vectorstore: Any,
        *,
        vector_field: str = "vector_field",
        text_field: str = "text",
        metadata_field: str = "metadata",
    ) -> None:
        super().__init__(vectorstore)
        self.index, self.vector_field = vectorstore.index_name, vector_field
        self.text_field, self.metadata_field = text_field, metadata_field
        self.reads = {"_source": [text_field, metadata_field, vector_field]}

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """Return an approximate kNN query."""
        return opensearch_knn(self.vector_field, vector, n, clauses, self.vectorstore.engine)
