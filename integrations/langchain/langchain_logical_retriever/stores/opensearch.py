"""``OpenSearchVectorSearch`` of langchain-community."""

from __future__ import annotations

from typing import Any

from langchain_logical_retriever.stores._search_engine import SearchEngineAdapter
from logical_retriever.integration import MAX_RESULTS, Body, Capabilities, Filter, LogicalQuery


class OpenSearchAdapter(SearchEngineAdapter):
    """The core's view of an ``OpenSearchVectorSearch``.

    Its methods take the names of fields, and the object keeps none: register a factory where yours differ from the
    defaults. Not verified against a live server.

    Args:
        vectorstore: The vector store; only read.
        vector_field: Field of vectors.
        text_field: Field of contents.
        metadata_field: Field of metadata.
    """

    # The space of an index is not known to the wrapper, so no order by cosine is promised.
    capabilities = Capabilities(
        name="OpenSearch",
        exact_search=False,
        stored_vectors=True,
        scan=True,
        max_results=MAX_RESULTS,
        live_verified=False,
    )
    filter_example = 'filter={"term": {"metadata.year": 2000}}'

    def __init__(
        self,
        vectorstore: Any,
        *,
        vector_field: str = "vector_field",
        text_field: str = "text",
        metadata_field: str = "metadata",
    ) -> None:
        super().__init__(vectorstore)
        self.index = vectorstore.index_name
        self.vector_field = vector_field
        self.text_field = text_field
        self.metadata_field = metadata_field
        self.reads = {"_source": [text_field, metadata_field, vector_field]}

    def nearest(self, vector: list[float], n: int, filter: Filter) -> Body:
        """An approximate kNN query; engines that cannot filter on the way filter its results."""
        knn: Body = {"vector": vector, "k": n}
        if filter is None:
            return {"query": {"knn": {self.vector_field: knn}}}
        if self._filters_on_the_way:
            return {"query": {"knn": {self.vector_field: {**knn, "filter": filter}}}}
        return {"query": {"bool": {"filter": filter, "must": [{"knn": {self.vector_field: knn}}]}}}

    def superset_filter(self, filter: Filter, condition: LogicalQuery) -> Body | None:
        """None where results are filtered: a list that gets shorter says nothing of what else there is."""
        return super().superset_filter(filter, condition) if self._filters_on_the_way else None

    @property
    def _filters_on_the_way(self) -> bool:
        return self.vectorstore.engine in ("faiss", "lucene")

    def msearch(self, lines: list[Body]) -> Any:
        """Several searches in one request."""
        return self.client.msearch(body=lines)

    def as_arguments(self, body: Body) -> dict[str, Any]:
        """The body is one argument."""
        return {"body": body}
