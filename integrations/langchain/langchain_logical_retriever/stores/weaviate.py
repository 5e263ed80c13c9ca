"""langchain-weaviate's ``WeaviateVectorStore``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from weaviate.classes.query import Filter

from langchain_logical_retriever.stores._common import VectorStoreAdapter, outside, stored
from logical_retriever.adapters import (
    Batch,
    DocumentId,
    PagedStore,
    Rows,
    StoredDocument,
    UnsupportedStoreError,
    Vectors,
    nearest_with_documents,
)


class WeaviateAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of a ``WeaviateVectorStore``; an object's ``UUID`` identifies its document.

    It searches by the collection's ``near_vector``, since the wrapper's own searches are hybrid and rescale their
    scores. Not verified against a live server.

    Args:
        vectorstore: The vector store; only read.
        tenant: The tenant of a collection with several; register a factory that passes it.
    """

    # The wrapper does not know the collection's metric, so no order by cosine is promised.
    capabilities = outside("Weaviate", scan=False)
    page = 500
    filter_arguments = ("filter", "filters")
    filter_types = (object,)  # Weaviate's client checks its filters itself

    def __init__(self, vectorstore: Any, *, tenant: str | None = None) -> None:
        super().__init__(vectorstore)
        if tenant is None and vectorstore._multi_tenancy_enabled:
            raise UnsupportedStoreError(
                "The Weaviate collection has tenants, and a retriever searches one.",
                hint="register_adapter(WeaviateVectorStore, lambda store: WeaviateAdapter(store, tenant=...)).",
            )
        every = vectorstore._collection
        self.collection = every if tenant is None else every.with_tenant(tenant)

    def count(self) -> int:
        """Return the number of objects."""
        with self.errors("count"):
            return int(self.collection.aggregate.over_all(total_count=True).total_count)

    def nearest(self, vectors: Vectors, n: int, filter: Any) -> Iterable[Rows]:
        """Yield the n nearest objects of each vector by the collection's distance."""
        for vector in vectors.tolist():
            with self.errors("search"):
                answer = self.collection.query.near_vector(
                    near_vector=vector, limit=n, filters=filter, include_vector=True
                )
            yield map(self._row, answer.objects)

    def read(self, ids: list[DocumentId], filter: Any) -> Rows:
        """Read objects by id."""
        among = Filter.by_id().contains_any(ids)
        return self._objects(among if filter is None else Filter.all_of([filter, among]), len(ids))

    def sample(self, n: int, seed: int) -> Batch:  # noqa: ARG002  the order of UUIDs is random
        """Return the first n objects."""
        return nearest_with_documents([self._objects(None, n)])[1]

    def _objects(self, filter: Any, n: int) -> Rows:
        with self.errors("read objects"):
            answer = self.collection.query.fetch_objects(filters=filter, limit=n, include_vector=True)
        return map(self._row, answer.objects)

    def _row(self, object: Any) -> tuple[StoredDocument, Any]:
        properties = {name: value for name, value in object.properties.items() if value is not None}
        text, vectors = properties.pop(self.vectorstore._text_key, None), object.vector
        # The vector without a name, or the only one.
        return stored(object.uuid, text, properties), vectors.get("default", next(iter(vectors.values()), None))
