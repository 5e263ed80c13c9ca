"""A collection of Qdrant, under the adapters of all wrappers."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar
from uuid import UUID

from logical_retriever.errors import StoreCapabilityError, StoreError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    AtBest,
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    StoredDocument,
    WordQuery,
)
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.qdrant_conditions import QdrantConditions
from logical_retriever.stores.rows import engine_errors, found_nearest, without_vectors
from logical_retriever.stores.spellings import spellings
from logical_retriever.vectors import Vectors

T = TypeVar("T")

WORD_REQUESTS = 5
"""Lists for the words of one text at most."""


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
        text: Key of the payload that holds the text; None where no key holds it alone.
        metadata: Key of the payload that holds the metadata; None where they stand in the payload itself.
    """

    client: Any
    collection: str
    using: str | None
    document: Callable[[Any], StoredDocument]
    made_later: bool = False
    text: str | None = None
    metadata: str | None = None
    _cosine: bool | None = field(default=None, init=False)
    _indexed: bool | None = field(default=None, init=False)

    @AtBest(
        Capabilities(
            name="Qdrant",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            reads_nearest=True,
            words="Qdrant's full-text filter, the rarest words first, each nearest first",
            conditions=frozenset({"=", "<", "<=", ">", ">=", "in", "contains"}),
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact without a server, where the client compares with every point; by cosine where that is the distance.

        A server is searched for words where the text has a full-text index: it may refuse to without.
        """
        known: dict[str, Any] = {"exact_search": self._local, "cosine_order": self._by_cosine}
        return known if self.text is not None and (self._local or self._text_index) else {**known, "words": None}

    @property
    def identity(self) -> Hashable | None:
        """Of the points of one collection without a server, whose texts the client would all read to find a word."""
        return (id(self.client), self.collection, self.using) if self._local else None

    def count(self) -> int:
        """Number of points."""
        return self._ask("count", lambda: int(self.client.count(self.collection, exact=True).count), empty=0)

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> list[list[DocumentId]]:
        """The n nearest points of each vector by the collection's distance, in one request."""
        return [[point.id for point in points] for points in self._nearest(vectors, n, filter)]

    def read_nearest(self, vectors: Vectors, n: int, filter: Any = None) -> tuple[list[list[DocumentId]], Batch]:
        """The same with the documents, in one request."""
        answers = self._nearest(vectors, n, filter, with_payload=True, with_vector=self._with_vectors)
        return found_nearest([(self.document(point), self._vector(point)) for point in points] for points in answers)

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

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Any = None) -> list[list[DocumentId]]:
        """The n points with the rarest words of each query, those with one word nearest first, in one request."""
        from qdrant_client import models

        requests, owners = [], []
        for i, query in enumerate(queries):
            for word in spellings(query)[:WORD_REQUESTS]:
                forms = [models.FieldCondition(key=str(self.text), match=models.MatchText(text=w)) for w in word.words]
                held = models.Filter(should=forms)
                passing = held if filter is None else models.Filter(must=[filter, held])
                vector = query.vector.tolist()
                requests.append(
                    models.QueryRequest(query=vector, using=self.using, limit=n, filter=passing, with_payload=False)
                )
                owners.append(i)
        found: list[dict[DocumentId, None]] = [{} for _ in queries]
        if requests:
            answers: list[Any] = self._ask(
                "search for words",
                lambda: [answer.points for answer in self.client.query_batch_points(self.collection, requests)],
                empty=[() for _ in requests],
            )
            for owner, points in zip(owners, answers, strict=True):
                found[owner].update((point.id, None) for point in points)
        return [list(ids)[:n] for ids in found]

    def narrowed(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter and a condition on the payload, where Qdrant can say it."""
        return QdrantConditions(self.metadata).narrowed(filter, condition)

    def superset_filter(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter, and of a condition that Qdrant cannot say, what all of its documents fulfil."""
        return QdrantConditions(self.metadata).superset_narrowed(filter, condition)

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Numbers and texts of UUIDs; another id would fail the whole request."""
        return [id for id in ids if _can_be_id(id)]

    def read(self, ids: list[DocumentId]) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents of points by id."""
        ask = partial(self.client.retrieve, self.collection, ids, with_payload=True, with_vectors=self._with_vectors)
        points: list[Any] = self._ask("read documents by id", ask, empty=[])
        return [(self.document(point), self._vector(point)) for point in points]

    def read_texts(self, ids: list[DocumentId]) -> Iterable[StoredDocument]:
        """Those that have a vector, which is not asked for where the server can tell (from version 1.13 on)."""
        from qdrant_client import models

        version = self._version
        if version is not None and tuple(map(int, version.split(".")[:2])) < (1, 13):
            return super().read_texts(ids)
        wanted = [models.HasIdCondition(has_id=ids), models.HasVectorCondition(has_vector=self.using or "")]
        scroll = partial(self.client.scroll, self.collection, limit=len(ids), with_payload=True)
        ask = partial(scroll, scroll_filter=models.Filter(must=wanted))
        found: tuple[list[Any], Any] = self._ask("read documents by id", ask, empty=([], None))
        return map(self.document, found[0])

    def walk(self, filter: Any, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Page by page in the order of ids."""
        scroll = partial(self.client.scroll, self.collection, scroll_filter=filter, limit=self.page)
        offset: Any = None
        while True:
            ask = partial(scroll, offset=offset, with_payload=False, with_vectors=vectors and self._with_vectors)
            found: tuple[list[Any], Any] = self._ask("walk through its documents", ask, empty=([], None))
            points, offset = found
            yield [(point.id, self._vector(point)) for point in points]
            if offset is None:
                return

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:
        """The collection's vectors; of one that does not exist yet, any form will do.

        Raises:
            StoreCapabilityError: Of another distance than Cosine, points have scores that are no cosines.
        """
        if not self._by_cosine:
            raise StoreCapabilityError(
                "Qdrant composes the scores of its own distance, which are cosines where that is Cosine alone.",
                hint="Make the collection with Distance.COSINE, or search with pushdown='auto'.",
            )
        native = None if filter is None else filter.model_dump(mode="json", exclude_none=True)
        return PushdownTarget("Qdrant", {"using": self.using, "version": self._version}, native)

    def execute(
        self,
        statement: Any,
        parameters: Mapping[str, Any],  # noqa: ARG002  the body holds all values
        filter: Any = None,  # noqa: ARG002  and the filter
    ) -> PushdownAnswer:
        """Send a compiled body."""
        from qdrant_client import models

        def send() -> PushdownAnswer:
            [answer] = self.client.query_batch_points(self.collection, requests=[models.QueryRequest(**statement)])
            shown = json.dumps(without_vectors(statement), indent=1)
            return PushdownAnswer(tuple(point.id for point in answer.points), shown)

        return self._ask("run a query", send, empty=PushdownAnswer((), "no collection, no request"))

    @cached_property
    def _version(self) -> str | None:
        with engine_errors("Qdrant", "say its version"):
            try:
                return str(self.client.info().version)
            except NotImplementedError:  # there is no server
                return None

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
    def _text_index(self) -> bool:
        """Whether the text has a full-text index."""
        if self._indexed is None:
            schema: Any = self._ask(
                "describe the collection",
                lambda: self.client.get_collection(self.collection).payload_schema,
                empty=None,
            )
            if schema is None:
                return False
            index = schema.get(self.text)
            self._indexed = index is not None and str(getattr(index.data_type, "value", index.data_type)) == "text"
        return self._indexed

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
