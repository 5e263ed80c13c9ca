"""langchain-elasticsearch's ``ElasticsearchStore``, with a dense strategy."""

from __future__ import annotations

from typing import Any

from langchain_logical_retriever.stores._search_engine import SearchEngineAdapter
from logical_retriever.integration import MAX_RESULTS, AtBest, Body, Capabilities, Filter, UnsupportedStoreError

OVERSAMPLING = 2
"""Candidates that each shard looks at, per document asked for."""


class ElasticsearchAdapter(SearchEngineAdapter):
    """The core's view of an ``ElasticsearchStore``. Of a hybrid strategy, the vectors alone choose candidates.

    Not verified against a live server.

    Args:
        vectorstore: The vector store; only read.

    Raises:
        UnsupportedStoreError: Its strategy has no dense vectors.
    """

    filter_types = (dict, list)
    filter_example = 'filter=[{"term": {"metadata.year": 2000}}]'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        self._strategy = vectorstore._store.retrieval_strategy
        if not type(self._strategy).__name__.removeprefix("Async").startswith("DenseVector"):
            raise UnsupportedStoreError(
                f"The strategy {type(self._strategy).__name__} of the ElasticsearchStore has no dense vectors.",
                hint="Use DenseVectorStrategy, over an index whose vectors come from the embedding model.",
            )
        self.index = vectorstore._store.index
        self.vector_field = vectorstore.vector_query_field
        self.text_field = vectorstore.query_field
        self.metadata_field = "metadata"
        # Newer servers leave vectors out of _source; as a field they are given by all.
        self.reads = {"_source": [self.text_field, self.metadata_field], "fields": [self.vector_field]}

    @AtBest(
        Capabilities(
            name="Elasticsearch",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            max_results=MAX_RESULTS,
            live_verified=False,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact where the strategy scores every document by a script; by cosine where that is its distance."""
        return {
            "exact_search": "ScriptScore" in type(self._strategy).__name__,
            "cosine_order": getattr(self._strategy.distance, "name", "") == "COSINE",
        }

    def nearest(self, vector: list[float], n: int, filter: Filter) -> Body:
        """The strategy's own query; kNN alone for a hybrid one."""
        clauses = [] if filter is None else filter if isinstance(filter, list) else [filter]
        candidates = min(max(OVERSAMPLING * n, 50), MAX_RESULTS)
        if getattr(self._strategy, "hybrid", False):
            knn = {"field": self.vector_field, "query_vector": vector, "k": n, "num_candidates": candidates}
            return {"knn": {**knn, "filter": clauses}}
        body: Body = self._strategy.es_query(
            query=None,
            query_vector=vector,
            text_field=self.text_field,
            vector_field=self.vector_field,
            k=n,
            num_candidates=candidates,
            filter=clauses,
        )
        return body

    def msearch(self, lines: list[Body]) -> Any:
        """Several searches in one request."""
        return self.client.msearch(searches=lines)

    def as_arguments(self, body: Body) -> dict[str, Any]:
        """Each part of the body is an argument of its own; ``_source`` is called ``source``."""
        return {"source" if name == "_source" else name: value for name, value in body.items()}
