"""A collection of Qdrant: the common part of the frameworks' adapters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, StoredDocument, capabilities_property
from logical_retriever.stores.filter_language import filter_with_condition
from logical_retriever.stores.rows import PagedStore, Rows
from logical_retriever.vectors import Vectors


@dataclass
class QdrantPoints(PagedStore):
    """The dense vectors of a collection. Filters are ``models.Filter``.

    A document's id is that of its point, as the client returns it: a number, or the text of a UUID. A collection with
    the distance Cosine stores vectors of length 1, which changes no cosine.

    Attributes:
        client: A ``qdrant_client.QdrantClient``.
        collection: The collection's name.
        using: Name of the vector; None for the unnamed one.
        document: Returns the document of a point with its payload.
        metadata: Key of the payload that holds the metadata; None where the payload itself is the metadata.
    """

    client: Any
    collection: str
    using: str | None
    document: Callable[[Any], StoredDocument]
    metadata: str | None = None

    @capabilities_property(
        Capabilities(
            name="Qdrant",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            conditions="necessary",
            indexed_if_small=True,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact search without a server; order by cosine where the collection's distance is Cosine."""
        local = type(self.client._client).__name__ == "QdrantLocal"
        return {"exact_search": local, "cosine_order": self._by_cosine}

    @property
    def cache_key(self) -> Hashable:
        """The client, the collection and the vector."""
        return id(self.client), self.collection, self.using

    def count(self) -> int:
        """Return the number of points."""
        with self.errors("count"):
            return int(self.client.count(self.collection, exact=True).count)

    def nearest(self, vectors: Vectors, n: int, filter: Any) -> Iterable[Rows]:
        """Find the n nearest points of each vector by the collection's distance, in one request."""
        from qdrant_client import models

        parts = {"with_payload": True, "with_vector": self._with_vectors}
        requests = [
            models.QueryRequest(query=vector, using=self.using, limit=n, filter=filter, **parts)
            for vector in vectors.tolist()
        ]
        with self.errors("search"):
            answers = self.client.query_batch_points(self.collection, requests)
        return (self._rows(answer.points) for answer in answers)

    def with_condition(self, filter: Any, condition: LogicalQuery) -> Any:
        """Join a condition on the payload to the filter, as far as Qdrant can express it; None if not at all."""
        from qdrant_client import models

        clause = filter_with_condition(
            None,
            condition,
            every=lambda parts: models.Filter(must=parts),
            some=lambda parts: models.Filter(should=parts),
            compared=partial(_compared, models, self.metadata),
        )
        return None if clause is None else models.Filter(must=[clause, *([] if filter is None else [filter])])

    def read(self, ids: list[DocumentId], filter: Any) -> Rows:
        """Read points by id."""
        from qdrant_client import models

        wanted = models.Filter(must=[models.HasIdCondition(has_id=ids), *([] if filter is None else [filter])])
        return self._rows(self._scroll(wanted, len(ids), with_payload=True, with_vectors=self._with_vectors)[0])

    def ids(self, filter: Any) -> Iterator[DocumentId]:
        """List the ids of all points that pass a filter, page by page in Qdrant's order."""
        offset: Any = None
        while True:
            points, offset = self._scroll(filter, self.page, offset=offset, with_payload=False)
            yield from (point.id for point in points)
            if offset is None:
                return

    def _scroll(self, filter: Any, limit: int, **arguments: Any) -> tuple[list[Any], Any]:
        with self.errors("read documents"):
            page: tuple[list[Any], Any] = self.client.scroll(
                self.collection, scroll_filter=filter, limit=limit, **arguments
            )
        return page

    def _rows(self, points: Iterable[Any]) -> Rows:
        for point in points:
            vector = point.vector.get(self.using) if isinstance(point.vector, dict) else point.vector
            yield self.document(point), vector

    @cached_property
    def _by_cosine(self) -> bool:
        with self.errors("describe the collection"):
            vectors = self.client.get_collection(self.collection).config.params.vectors
        distance: str = (vectors[self.using] if isinstance(vectors, dict) else vectors).distance
        return distance.lower() == "cosine"

    @property
    def _with_vectors(self) -> bool | list[str]:
        return True if self.using is None else [self.using]


def _compared(models: Any, within: str | None, field: str, operator: str, value: Any) -> Any:
    """Compare a field, or any element of its lists, with a value. Numbers compare as floats, whatever their type."""
    names = [field] if within is None else [within, field]
    if any('"' in name for name in names):
        return None
    of = partial(models.FieldCondition, key=".".join(f'"{name}"' for name in names))
    if operator in ("<=", ">="):
        return of(range=models.Range(**{"lte" if operator == "<=" else "gte": value}))
    values = value if operator == "in" else [value]
    if isinstance(values[0], str):
        return of(match=models.MatchAny(any=values))
    if isinstance(values[0], bool):
        return models.Filter(should=[of(match=models.MatchValue(value=truth)) for truth in values])
    return models.Filter(should=[of(range=models.Range(gte=number, lte=number)) for number in values])
