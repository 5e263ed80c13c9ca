"""OpenSearch."""

from __future__ import annotations

from typing import Any

from logical_retriever.compile.painless import Body, PainlessCompiler


class OpenSearchCompiler(PainlessCompiler):
    """Bodies for OpenSearch's ``_search``, over a ``knn_vector`` field; see :class:`PainlessCompiler`.

    The "superset" form filters while it searches, which the engines lucene and faiss can.

    Args:
        vector_field: Field of vectors, "vector_field" where LangChain made the index.
        options: As of :class:`PainlessCompiler`.
    """

    engine = "OpenSearch"

    def __init__(self, vector_field: str = "vector_field", **options: Any) -> None:
        super().__init__(vector_field, **options)

    def cosine_of(self, vector: str) -> str:
        """The field's values."""
        return f"cosineSimilarity({vector}, doc[{self.quoted_field}])"

    def nearest(self, vector: list[float], n: int, filter: list[Body]) -> Body:
        """Each shard gives k."""
        knn: Body = {"vector": vector, "k": n}
        return {"knn": {self.vector_field: {**knn, "filter": {"bool": {"filter": filter}}} if filter else knn}}
