"""llama-index-vector-stores-qdrant's ``QdrantVectorStore``: in memory, on disk or on a server."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery
from qdrant_client import models

from llama_index.retrievers.logical._convert import to_stored
from logical_retriever.integration import (
    AtBest,
    Batch,
    Capabilities,
    InvalidArgumentError,
    PushdownAnswer,
    PushdownTarget,
    StoreCapabilityError,
    StoreError,
    VectorBatch,
    VectorMismatchError,
    Vectors,
    matrix,
    qdrant,
)

PAGE = 1000
"""Points per request where more than the best few are read."""

T = TypeVar("T")


class QdrantAdapter:
    """The core's view of an index over a ``QdrantVectorStore``, through its client.

    Dense vectors only, also in a hybrid collection. A collection of distance Cosine holds vectors of length 1, which
    changes no cosine. An index to which nothing was added has no collection yet, and is empty.

    Args:
        index: The index; only read.

    Raises:
        StoreCapabilityError: The vector store has an asynchronous client alone.
    """

    def __init__(self, index: VectorStoreIndex) -> None:
        self.index = index
        self._store: Any = index.vector_store
        self._by_cosine: bool | None = None
        if self._store.client is None:
            raise StoreCapabilityError(
                "The QdrantVectorStore has an asynchronous client alone.",
                hint="Give it client=QdrantClient(...) as well; asynchronous retrieval uses that in a thread.",
            )

    @AtBest(Capabilities(name="Qdrant", exact_search=False, stored_vectors=True, scan=True, cosine_order=True))
    def capabilities(self) -> dict[str, Any]:
        """What the collection can do; it ranks by cosine where its distance is Cosine."""
        if self._by_cosine is None:
            self._by_cosine = self._call("get_collection", self._ranks_by_cosine, empty=None)
        return {"cosine_order": self._by_cosine is True}

    def count(self) -> int:
        """Number of points."""
        return self._call("count", lambda: int(self._client.count(self._name, exact=True).count), empty=0)

    def search(self, vectors: Vectors, n: int, filter: MetadataFilters | None = None) -> list[list[str]]:
        """The n nearest points of each vector by the collection's own distance, in one request."""
        condition = self._condition(filter)
        requests = [
            models.QueryRequest(
                query=vector.tolist(),
                using=self._vector_name,
                limit=n,
                filter=condition,
                with_payload=False,
                with_vector=False,
            )
            for vector in vectors
        ]
        try:
            found = self._call(
                "query_batch_points", lambda: self._client.query_batch_points(self._name, requests), empty=()
            )
        except StoreError:
            self._check_dimension(vectors)
            raise
        return [[str(point.id) for point in response.points] for response in found] if found else [[] for _ in vectors]

    def pushdown_target(self, filter: MetadataFilters | None = None) -> PushdownTarget:
        """The dense vectors of the collection; of one that does not exist yet, any form will do."""
        by_cosine = self.capabilities.cosine_order or self._by_cosine is None
        return qdrant.pushdown_target(
            self._client, using=self._vector_name, by_cosine=by_cosine, filter=self._condition(filter)
        )

    def execute(
        self,
        statement: Any,
        parameters: Mapping[str, Any],  # noqa: ARG002  the body holds all values
        filter: MetadataFilters | None = None,  # noqa: ARG002  and the filter
    ) -> PushdownAnswer:
        """Send a compiled body."""
        nothing = PushdownAnswer((), "no collection, no request")
        return self._call(
            "query_batch_points", lambda: qdrant.execute(self._client, self._name, statement), empty=nothing
        )

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Nodes and vectors by id, in the order asked; ids that are not there are left out."""
        found: dict[str, Any] = {}
        distinct = [point_id for id in dict.fromkeys(ids) if (point_id := _point_id(id)) is not None]
        for start in range(0, len(distinct), PAGE):
            page = distinct[start : start + PAGE]
            points: Any = self._call(
                "retrieve",
                lambda page=page: self._client.retrieve(  # type: ignore[misc]  # mypy cannot type a bound default
                    self._name, page, with_payload=True, with_vectors=self._with_vectors
                ),
                empty=[],
            )
            nodes = self._store.parse_to_query_result(points).nodes
            found.update((str(point.id), node) for point, node in zip(points, nodes, strict=True))
        present = [(id, found[id]) for id in ids if id in found and found[id].embedding is not None]
        # Like Qdrant's own queries, nodes come without their vectors.
        documents = tuple(to_stored(node.model_copy(update={"embedding": None}), id=id) for id, node in present)
        return Batch(documents, matrix([node.embedding for _, node in present]))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n nodes drawn at random without replacement."""
        # Qdrant's own random sample takes no seed.
        ids = sorted(str(point.id) for page in self._pages(None, with_vectors=False) for point in page)
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: MetadataFilters | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page."""
        for page in self._pages(self._condition(filter), with_vectors=self._with_vectors):
            pairs = [(str(point.id), vector) for point in page if (vector := self._vector(point)) is not None]
            yield VectorBatch(tuple(id for id, _ in pairs), matrix([vector for _, vector in pairs]))

    @property
    def _client(self) -> Any:
        return self._store.client

    @property
    def _name(self) -> str:
        return str(self._store.collection_name)

    @property
    def _vector_name(self) -> str | None:
        """Name of the dense vector; None in a collection of unnamed vectors."""
        name: str = self._store.dense_vector_name
        return name if name else None

    @property
    def _with_vectors(self) -> bool | list[str]:
        return True if self._vector_name is None else [self._vector_name]

    def _ranks_by_cosine(self) -> bool:
        vectors: Any = self._client.get_collection(self._name).config.params.vectors
        if isinstance(vectors, dict):
            vectors = vectors.get(self._store.dense_vector_name)
        return vectors is not None and vectors.distance == models.Distance.COSINE

    def _vector(self, point: Any) -> list[float] | None:
        vector: Any = point.vector
        if isinstance(vector, dict):
            vector = vector.get(self._store.dense_vector_name)
        return None if vector is None else list(vector)

    def _pages(self, condition: Any, *, with_vectors: bool | list[str]) -> Iterator[list[Any]]:
        offset: Any = None
        while True:
            found: Any = self._call(
                "scroll",
                lambda offset=offset: self._client.scroll(  # type: ignore[misc]  # as above
                    self._name,
                    scroll_filter=condition,
                    limit=PAGE,
                    offset=offset,
                    with_payload=False,
                    with_vectors=with_vectors,
                ),
                empty=([], None),
            )
            points, following = found
            if points:
                yield points
            if following is None:
                return
            offset = following

    def _condition(self, filter: MetadataFilters | None) -> Any:
        if filter is None:
            return None
        try:
            # The store's own reading of filters, private there: a second reading here could differ from it.
            return self._store._build_query_filter(VectorStoreQuery(filters=filter))
        except (NotImplementedError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"Qdrant cannot apply the filters: {error}", hint="Check the operators and the types of the values."
            ) from error

    def _call(self, method: str, call: Callable[[], T], *, empty: T) -> T:
        try:
            return call()
        except Exception as error:
            if self._missing():
                return empty
            raise StoreError(
                f"Qdrant's {method} on collection {self._name!r} failed: {type(error).__name__}: {error}",
                hint="Check that the server is reachable, and the filter's fields and types if there is one.",
            ) from error

    def _missing(self) -> bool:
        """Whether the collection was never made; False where that cannot be told."""
        try:
            return not self._client.collection_exists(self._name)
        except Exception:
            return False

    def _check_dimension(self, vectors: Vectors) -> None:
        for page in self._pages(None, with_vectors=self._with_vectors):
            stored = self._vector(page[0])
            if stored is not None and len(stored) != vectors.shape[1]:
                raise VectorMismatchError(
                    f"The embedder's vectors have dimension {vectors.shape[1]}, those of collection {self._name!r} "
                    f"{len(stored)}.",
                    hint="Use the embedding model that the collection was filled with.",
                )
            return


def _point_id(id: str) -> str | int | None:
    """Qdrant's ids are UUIDs or integers; None for what cannot be one, and would fail the whole request."""
    if id.isdecimal():
        return int(id)
    try:
        return str(uuid.UUID(id))
    except ValueError:
        return None
