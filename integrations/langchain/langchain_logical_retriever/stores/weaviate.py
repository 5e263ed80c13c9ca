"""langchain-weaviate's ``WeaviateVectorStore``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores._weaviate_conditions import WeaviateConditions
from logical_retriever.integration import (
    Capabilities,
    DocumentId,
    LogicalQuery,
    PagedStore,
    StoredDocument,
    UnsupportedStoreError,
    Vectors,
)


class WeaviateAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of a ``WeaviateVectorStore``; documents are known by their object's ``UUID``.

    Searches go to the collection's ``near_vector``, since the wrapper's own are hybrid and rescale their scores. Not
    verified against a live server.

    Args:
        vectorstore: The vector store; only read.
        tenant: The tenant, for a collection that has several: register a factory that gives it.

    Raises:
        UnsupportedStoreError: The collection has tenants, and none was given.
    """

    # The wrapper does not know the collection's metric, so no order by cosine is promised.
    capabilities = Capabilities(
        name="Weaviate", exact_search=False, stored_vectors=True, scan=True, live_verified=False
    )
    page = 500
    filter_argument = "filters"
    filter_example = 'filters=Filter.by_property("year").greater_than(2000)'

    def __init__(self, vectorstore: Any, *, tenant: str | None = None) -> None:
        super().__init__(vectorstore)
        if tenant is None and vectorstore._multi_tenancy_enabled:
            raise UnsupportedStoreError(
                "The Weaviate collection has tenants, and a retriever searches one.",
                hint="register_adapter(WeaviateVectorStore, lambda store: WeaviateAdapter(store, tenant=...)).",
            )
        self.tenant = tenant

    def check_filter(self, filter: Any) -> None:
        """Weaviate's client judges its filters itself."""

    def superset_filter(self, filter: Any, condition: LogicalQuery) -> Any | None:
        """The filter and what Weaviate's filters say of a condition on properties as the schema has them."""
        with self.errors("read the collection's schema"):
            config = self._collection.config.get()
        return WeaviateConditions(config).superset_narrowed(filter, condition)

    def count(self) -> int:
        """Number of objects."""
        with self.errors("count"):
            return int(self._collection.aggregate.over_all(total_count=True).total_count)

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> list[list[UUID]]:
        """The n nearest objects of each vector by the collection's distance."""
        found = []
        for vector in vectors.tolist():
            with self.errors("search"):
                answer = self._collection.query.near_vector(
                    near_vector=vector, limit=n, filters=filter, return_properties=[]
                )
            found.append([o.uuid for o in answer.objects])
        return found

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """UUIDs."""
        return [id for id in ids if isinstance(id, UUID)]

    def read(self, ids: list[DocumentId], filter: Any = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Objects by id."""
        from weaviate.classes.query import Filter

        among = Filter.by_id().contains_any(ids)
        wanted = among if filter is None else Filter.all_of([among, filter])
        with self.errors("read documents by id"):
            answer = self._collection.query.fetch_objects(filters=wanted, limit=len(ids), include_vector=True)
        return [(self._document(found), _vector(found)) for found in answer.objects]

    def walk(self, filter: Any, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """All objects; with a filter by offsets, which the server limits to some thousand objects."""
        for objects in self._all(vectors=vectors) if filter is None else self._filtered(filter):
            yield [(found.uuid, _vector(found) if vectors else None) for found in objects]

    def _all(self, *, vectors: bool) -> Iterator[list[Any]]:
        with self.errors("walk through its objects"):
            objects = iter(self._collection.iterator(include_vector=vectors, return_properties=[]))
            while page := list(islice(objects, self.page)):
                yield page

    def _filtered(self, filter: Any) -> Iterator[list[Any]]:
        offset = 0
        while True:
            with self.errors("walk through its objects"):
                page = self._collection.query.fetch_objects(
                    filters=filter, limit=self.page, offset=offset, include_vector=True, return_properties=[]
                ).objects
            yield list(page)
            if len(page) < self.page:
                return
            offset += len(page)

    @property
    def _collection(self) -> Any:
        collection = self.vectorstore._collection
        return collection if self.tenant is None else collection.with_tenant(self.tenant)

    def _document(self, found: Any) -> StoredDocument:
        properties = {name: value for name, value in found.properties.items() if value is not None}
        text = properties.pop(self.vectorstore._text_key, None)
        return StoredDocument(found.uuid, "" if text is None else text, properties)


def _vector(found: Any) -> Any:
    """The vector without a name, or the only one there is."""
    vectors = found.vector
    if not isinstance(vectors, dict):
        return vectors
    return vectors["default"] if "default" in vectors else next(iter(vectors.values()))
