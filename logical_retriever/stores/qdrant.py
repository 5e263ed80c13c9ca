"""A collection of Qdrant, under the adapters of all wrappers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from logical_retriever.errors import StoreError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    PUSHED_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    StoredDocument,
)
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.qdrant_conditions import QdrantConditions
from logical_retriever.stores.rows import engine_errors, nearest_with_documents
from logical_retriever.vectors import Vectors

T = TypeVar("T")


@dataclass
class QdrantPoints(PagedStore):
    """The dense vectors of a collection: a store whose filters are ``models.Filter``.

    A document is known by its point's id as the client gives it: a number, or the text of a UUID. A collection of
    distance Cosine holds vectors of length 1, which changes no cosine.

    Attributes:
        client: A ``qdrant_client.QdrantClient``.
        collection: The collection's name.
        using: Name of the vector; None for the one without a name.
        document: The document of a point, whose payload came with it.
        made_later: Whether the collection may not exist yet, and is empty then.
        metadata: Key of the payload that holds the metadata; None where they stand in the payload itself.
    """

    client: Any
    collection: str
    using: str | None
    document: Callable[[Any], StoredDocument]
    made_later: bool = False
    metadata: str | None = None
    _cosine: bool | None = field(default=None, init=False)

    @AtBest(
        Capabilities(
            name="Qdrant",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            reads_nearest=True,
            conditions=PUSHED_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact without a server, where the client compares with every point; by cosine where that is the distance."""
        return {"exact_search": self._local, "cosine_order": self._by_cosine}

    @property
    def identity(self) -> Hashable:
        """Equal for stores of one collection through one client; see :attr:`ChromaStore.identity`."""
        return id(self.client), self.collection, self.using

    def count(self) -> int:
        """Number of points."""
        return self._ask("count", lambda: int(self.client.count(self.collection, exact=True).count), empty=0)

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> list[list[DocumentId]]:
        """The n nearest points of each vector by the collection's distance, in one request."""
        return [[point.id for point in points] for points in self._nearest(vectors, n, filter)]

    def read_nearest(self, vectors: Vectors, n: int, filter: Any = None) -> tuple[list[list[DocumentId]], Batch]:
        """The same with the documents, in one request."""
        answers = self._nearest(vectors, n, filter, with_payload=True, with_vector=self._with_vectors)
        return nearest_with_documents(
            [(self.document(point), self._vector(point)) for point in points] for points in answers
        )

    def _nearest(self, vectors: Vectors, n: int, filter: Any, **brought: Any) -> list[Any]:
        """Points of each vector."""
        from qdrant_client import models

        brought = {"with_payload": False, **brought}
        requests = [
            models.QueryRequest(query=vector, using=self.using, limit=n, filter=filter, **brought)
            for vector in vectors.tolist()
        ]
        try:
            return self._ask(
                "search",
                lambda: [answer.points for answer in self.client.query_batch_points(self.collection, requests)],
                empty=[() for _ in requests],
            )
        except StoreError:
            if (size := self._params.size) != vectors.shape[1]:
                raise VectorMismatchError(
                    f"The embedder's vectors have dimension {vectors.shape[1]}, those of collection "
                    f"{self.collection!r} {size}.",
                    hint="Use the embedding model that the collection was filled with.",
                ) from None
            raise

    def narrowed(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter and a condition on the payload, where Qdrant can say it."""
        return QdrantConditions(self.metadata).narrowed(filter, condition)

    def superset_filter(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter, and of a condition that Qdrant cannot say, what all of its documents fulfil."""
        return QdrantConditions(self.metadata).superset_narrowed(filter, condition)

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Numbers and texts of UUIDs; another id would fail the whole request."""
        return [id for id in ids if _can_be_id(id)]

    def read(self, ids: list[DocumentId], filter: Any = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents of points by id."""
        from qdrant_client import models

        wanted = [models.HasIdCondition(has_id=ids), *([] if filter is None else [filter])]
        scroll = partial(self.client.scroll, self.collection, limit=len(ids), scroll_filter=models.Filter(must=wanted))
        ask = partial(scroll, with_payload=True, with_vectors=self._with_vectors)
        answer: tuple[list[Any], Any] = self._ask("read documents by id", ask, empty=([], None))
        return [(self.document(point), self._vector(point)) for point in answer[0]]

    def walk(self, filter: Any, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Page by page in the order of ids."""
        scroll = partial(self.client.scroll, self.collection, scroll_filter=filter, limit=self.page)
        offset: Any = None
        while True:
            ask = partial(scroll, offset=offset, with_payload=False, with_vectors=vectors and self._with_vectors)
            answer: tuple[list[Any], Any] = self._ask("walk through its documents", ask, empty=([], None))
            points, offset = answer
            yield [(point.id, self._vector(point)) for point in points]
            if offset is None:
                return

    @property
    def _local(self) -> bool:
        """Whether there is no server."""
        return type(self.client._client).__name__ == "QdrantLocal"

    @property
    def _params(self) -> Any:
        """Configuration of the vectors; None where there is no such collection yet."""
        vectors = self._ask(
            "describe the collection",
            lambda: self.client.get_collection(self.collection).config.params.vectors,
            empty=None,
        )
        return vectors[self.using] if isinstance(vectors, dict) else vectors

    @property
    def _by_cosine(self) -> bool:
        if self._cosine is None and (params := self._params) is not None:
            self._cosine = params.distance.lower() == "cosine"
        return self._cosine is not False

    @property
    def _with_vectors(self) -> bool | list[str]:
        return True if self.using is None else [self.using]

    def _vector(self, point: Any) -> Any:
        return point.vector.get(self.using) if isinstance(point.vector, dict) else point.vector

    def _ask(self, doing: str, call: Callable[[], T], *, empty: T) -> T:
        try:
            with engine_errors("Qdrant", doing):
                return call()
        except StoreError:
            if self.made_later and self._missing():
                return empty
            raise

    def _missing(self) -> bool:
        """Whether the collection was never made; False where that cannot be told."""
        try:
            return not self.client.collection_exists(self.collection)
        except Exception:
            return False


def _can_be_id(id: DocumentId) -> bool:
    """Whether Qdrant may have a point of this id."""
    if isinstance(id, str):
        try:
            return str(UUID(id)) == id
        except ValueError:
            return False
    return isinstance(id, int) and 0 <= id < 1 << 64
