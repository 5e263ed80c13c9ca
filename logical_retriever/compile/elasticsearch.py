"""Elasticsearch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logical_retriever.compile.base import Request
from logical_retriever.compile.painless import Body, PainlessCompiler
from logical_retriever.compile.versions import Version, require_version

SCRIPTS_SINCE: Version = (7, 6)
"""First version whose ``cosineSimilarity`` takes the name of a field."""
KNN_SINCE: Version = (8, 12)
"""First version with kNN as a query."""


class ElasticsearchCompiler(PainlessCompiler):
    """Bodies for Elasticsearch's ``_search``, over a ``dense_vector`` field; see :class:`PainlessCompiler`.

    Args:
        vector_field: Field of vectors, "vector" where LangChain made the index.
        options: As of :class:`PainlessCompiler`.
    """

    engine = "Elasticsearch"

    def __init__(self, vector_field: str = "vector", **options: Any) -> None:
        super().__init__(vector_field, **options)
        require_version(self.engine, self.version, SCRIPTS_SINCE, "scripts that compare vectors with a field")

    def request(self, request: Request) -> tuple[Body, Mapping[str, Any]]:
        """As any, of a server that is new enough."""
        if request.fetch_k is not None:
            require_version(self.engine, self.version, KNN_SINCE, "kNN clauses in a query")
        return super().request(request)

    def cosine_of(self, vector: str) -> str:
        """The field by name."""
        return f"cosineSimilarity({vector}, {self.quoted_field})"

    def nearest(self, vector: list[float], n: int, filter: list[Body]) -> Body:
        """Each shard gives as many documents as it has candidates."""
        knn: Body = {"field": self.vector_field, "query_vector": vector, "num_candidates": n}
        return {"knn": {**knn, "filter": filter} if filter else knn}
