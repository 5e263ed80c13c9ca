"""langchain-qdrant's ``QdrantVectorStore``: in memory, on disk, or a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    AtBest,
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    StoredDocument,
    StoreError,
    UnsupportedStoreError,
    VectorBatch,
    Vectors,
    drawn,
    in_order,
    is_uuid,
    matrix,
    pages,
    qdrant,
)

PAGE = 1000
"""Points in one request."""


class QdrantAdapter(VectorStoreAdapter):
    """The core's view of a ``QdrantVectorStore``; documents are known by their point's id.

    Collections of cosine distance give their vectors back scaled to length 1, which changes no cosine.

    Args:
        vectorstore: The vector store, dense or hybrid; only read. Of a hybrid one, the dense vectors are used.

    Raises:
        UnsupportedStoreError: The store has sparse vectors alone.
    """

    filter_example = 'filter=models.Filter(must=[models.FieldCondition(key="metadata.year", match=...)])'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        if _word(vectorstore.retrieval_mode) == "sparse":
            raise UnsupportedStoreError(
                "The Qdrant vector store has sparse vectors alone, of which cosines say nothing.",
                hint="Use RetrievalMode.DENSE or RetrievalMode.HYBRID.",
            )

    @AtBest(Capabilities(name="Qdrant", exact_search=False, stored_vectors=True, scan=True, cosine_order=True))
    def capabilities(self) -> dict[str, Any]:
        """Exact without a server, where the client compares with every point; by cosine where the collection is."""
        return {
            "exact_search": type(self._client._client).__name__ == "QdrantLocal",
            "cosine_order": _word(self.vectorstore.distance) == "cosine",
        }

    @property
    def filter_types(self) -> tuple[type, ...]:  # type: ignore[override]
        """qdrant_client's own class."""
        from qdrant_client import models

        return (models.Filter,)

    def count(self) -> int:
        """Number of points."""
        with self.errors("count"):
            return int(self._client.count(self._collection, exact=True).count)

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> list[list[str]]:
        """The n nearest points of each vector by the collection's distance, in one request."""
        from qdrant_client import models

        requests = [
            models.QueryRequest(query=vector, using=self._using, limit=n, filter=filter, with_payload=False)
            for vector in vectors.tolist()
        ]
        try:
            with self.errors("search"):
                answers = self._client.query_batch_points(self._collection, requests=requests)
        except StoreError:
            self._check_dimension(vectors)
            raise
        return [[str(point.id) for point in answer.points] for answer in answers]

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:
        """The dense vectors of the collection."""
        by_cosine = self.capabilities.cosine_order
        with self.errors("say its version"):
            return qdrant.pushdown_target(self._client, using=self._using, by_cosine=by_cosine, filter=filter)

    def execute(
        self,
        statement: Any,
        parameters: Mapping[str, Any],  # noqa: ARG002  the body holds all values
        filter: Any = None,  # noqa: ARG002  and the filter
    ) -> PushdownAnswer:
        """Send a compiled body."""
        with self.errors("run a query"):
            return qdrant.execute(self._client, self._collection, statement)

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        found = {}
        for page in pages(ids, PAGE):
            points = [_point_id(id) for id in page]
            with self.errors("read documents by id"):
                answer = self._client.retrieve(
                    self._collection, [p for p in points if p is not None], with_vectors=True, with_payload=True
                )
            found.update({str(point.id): (self._document(point), self._vector(point)) for point in answer})
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement; the ids of all are read first."""
        ids = [str(point.id) for page in self._scroll(None, with_vectors=False) for point in page]
        return self.fetch(drawn(ids, n, seed))

    def scan(self, filter: Any = None) -> Iterator[VectorBatch]:
        """All vectors, page by page in the order of ids."""
        for page in self._scroll(filter, with_vectors=True):
            yield VectorBatch(tuple(str(p.id) for p in page), matrix([self._vector(p) for p in page]))

    def _scroll(self, filter: Any, *, with_vectors: bool) -> Iterator[list[Any]]:
        offset = None
        while True:
            with self.errors("walk through its documents"):
                page, offset = self._client.scroll(
                    self._collection,
                    scroll_filter=filter,
                    limit=PAGE,
                    offset=offset,
                    with_payload=False,
                    with_vectors=with_vectors,
                )
            if page:
                yield page
            if offset is None:
                return

    @property
    def _client(self) -> Any:
        return self.vectorstore.client

    @property
    def _collection(self) -> str:
        return str(self.vectorstore.collection_name)

    @property
    def _using(self) -> str | None:
        """Name of the dense vector; None for the one without a name."""
        return self.vectorstore.vector_name or None

    def _document(self, point: Any) -> StoredDocument:
        payload = point.payload if point.payload is not None else {}
        text, metadata = (
            payload.get(key) for key in (self.vectorstore.content_payload_key, self.vectorstore.metadata_payload_key)
        )
        return StoredDocument(str(point.id), "" if text is None else text, {} if metadata is None else dict(metadata))

    def _vector(self, point: Any) -> Any:
        return point.vector[self.vectorstore.vector_name] if isinstance(point.vector, dict) else point.vector

    def _check_dimension(self, vectors: Vectors) -> None:
        with self.errors("describe the collection"):
            sizes = self._client.get_collection(self._collection).config.params.vectors
        size = (sizes[self.vectorstore.vector_name] if isinstance(sizes, dict) else sizes).size
        self.check_dimension(vectors, size)


def _point_id(id: str) -> int | str | None:
    """A point's id as Qdrant writes it: a number or a UUID; None for what cannot be one."""
    if id.isascii() and id.isdigit():
        return int(id)
    return id if is_uuid(id) else None


def _word(value: Any) -> str:
    """The lower-case text of an enumeration's member, or of a text in its place."""
    return str(getattr(value, "value", value)).lower()
