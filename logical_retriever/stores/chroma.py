"""Chroma collections, through the collection object that the caller already has."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.errors import StoreError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import PUSHED_OPERATORS, AtBest, Batch, Capabilities, StoredDocument
from logical_retriever.stores.chroma_conditions import ChromaConditions
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.rows import engine_errors, nearest_with_documents, pages
from logical_retriever.vectors import Vectors

PARTS = ("ids", "documents", "metadatas", "embeddings")
"""A document in Chroma's answers."""


@dataclass(frozen=True)
class ChromaFilter:
    """Both of Chroma's filters at once.

    Attributes:
        where: Condition on metadata, in Chroma's own language.
        where_document: Condition on the text, in Chroma's own language.
    """

    where: Mapping[str, Any] | None = None
    where_document: Mapping[str, Any] | None = None


class ChromaStore(PagedStore):
    """A chromadb ``Collection``, embedded or over HTTP, in any of its three spaces; its ids are texts.

    The collection's HNSW index proposes candidates; cosines are computed from the stored vectors, so the space it
    was made with changes which candidates come first, never their scores.

    Args:
        collection: A ``chromadb.Collection``.
    """

    page = 500
    # Chroma makes a statement for every number of ids and keeps a hundred of them for each of its connections, each
    # with a quarter of a kilobyte for every id: hundreds of megabytes by and by.
    step = 50

    def __init__(self, collection: Any) -> None:
        self.collection = collection

    @property
    def identity(self) -> Hashable | None:
        """Equal for two stores of one collection through one client: what is learnt of one is known of the other.

        A store that has it can be read from several threads. None where Chroma does not tell.
        """
        client = getattr(self.collection, "_client", None)  # a copy of a folder has collections of the same id
        return None if client is None else (id(client), self.collection.id)

    @AtBest(
        Capabilities(
            name="Chroma",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            reads_nearest=True,
            conditions=PUSHED_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Whether it ranks by cosine: where the collection was made with the space "cosine"."""
        # Not `configuration`, which loads the collection's own embedding function.
        configured = self.collection.configuration_json.get("hnsw")
        space = configured.get("space") if configured is not None else None
        return {"cosine_order": space == "cosine"}

    def count(self) -> int:
        """Number of documents."""
        return int(self._call("count"))

    def search(
        self, vectors: Vectors, n: int, filter: ChromaFilter | Mapping[str, Any] | None = None
    ) -> list[list[str]]:
        """The n nearest documents of each vector in the collection's space, in one request."""
        return [list(ids) for ids in self._nearest(vectors, n, filter)["ids"]]

    def read_nearest(
        self, vectors: Vectors, n: int, filter: ChromaFilter | Mapping[str, Any] | None = None
    ) -> tuple[list[list[str]], Batch]:
        """The same with the documents, in one request."""
        got = self._nearest(vectors, n, filter, "embeddings", "documents", "metadatas")
        if any(got[part] is None for part in PARTS):  # a server that leaves out what was asked for
            return got["ids"], self.fetch([id for ids in got["ids"] for id in ids])
        lists = zip(*(got[part] for part in PARTS), strict=True)
        return nearest_with_documents(
            [(_document(id, text, metadata), vector) for id, text, metadata, vector in zip(*parts, strict=True)]
            for parts in lists
        )

    def _nearest(self, vectors: Vectors, n: int, filter: Any, *brought: str) -> Any:
        try:
            # An ndarray of float32 is what Chroma sends on; lists would be converted value by value.
            return self._call(
                "query", query_embeddings=list(vectors), n_results=n, include=list(brought), **_where(filter)
            )
        except StoreError:
            self._check_dimension(vectors)
            raise

    def narrowed(self, filter: ChromaFilter | Mapping[str, Any] | None, condition: LogicalQuery) -> ChromaFilter | None:
        """The filter with a condition on metadata joined to its ``where``, where Chroma can say it."""
        return self._joined(filter, ChromaConditions().said(condition))

    def superset_filter(
        self, filter: ChromaFilter | Mapping[str, Any] | None, condition: LogicalQuery
    ) -> ChromaFilter | None:
        """The filter, and of a condition that Chroma cannot say, what all of its documents fulfil."""
        return self._joined(filter, ChromaConditions().superset(condition))

    @staticmethod
    def _joined(filter: ChromaFilter | Mapping[str, Any] | None, said: dict[str, Any] | None) -> ChromaFilter | None:
        both = _both(filter)
        parts = [dict(part) for part in (both.where, said) if part is not None]
        return None if said is None else ChromaFilter(ChromaConditions().every(parts), both.where_document)

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Those of the ids that are texts: a collection has no others."""
        return [id for id in ids if isinstance(id, str)]

    def read(self, ids: list[DocumentId], filter: Any = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id."""
        got = self._call("get", ids=ids, include=["embeddings", "documents", "metadatas"], **_where(filter))
        for id, text, metadata, vector in zip(*(got[part] for part in PARTS), strict=True):
            yield _document(id, text, metadata), vector

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement."""
        ids = self._call("get", include=[])["ids"]
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def walk(self, filter: Any, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Page by page; the list of ids is taken once, so that nothing is met twice."""
        ids = self._call("get", include=[], **_where(filter))["ids"]
        if not vectors:
            yield zip(ids, ids, strict=True)
            return
        for page in pages(ids, self.page, self.step):
            got = self._call("get", ids=page, include=["embeddings"])
            yield zip(got["ids"], got["embeddings"], strict=True)

    def _call(self, method: str, **arguments: Any) -> Any:
        with engine_errors(f"Chroma's collection {self.collection.name!r}", method):
            return getattr(self.collection, method)(**arguments)

    def _check_dimension(self, vectors: Vectors) -> None:
        sample = self._call("get", limit=1, include=["embeddings"])["embeddings"]
        if len(sample) and len(sample[0]) != vectors.shape[1]:
            raise VectorMismatchError(
                f"The embedder's vectors have dimension {vectors.shape[1]}, those of collection "
                f"{self.collection.name!r} {len(sample[0])}.",
                hint="Use the embedding model that the collection was filled with.",
            )


def _document(id: str, text: str | None, metadata: Mapping[str, Any] | None) -> StoredDocument:
    # Chroma keeps None for a document or metadata that was never given.
    return StoredDocument(id, "" if text is None else text, {} if metadata is None else metadata)


def _where(filter: ChromaFilter | Mapping[str, Any] | None) -> dict[str, Any]:
    """Arguments of a request."""
    both = {"where": _both(filter).where, "where_document": _both(filter).where_document}
    return {name: dict(condition) for name, condition in both.items() if condition is not None}


def _both(filter: ChromaFilter | Mapping[str, Any] | None) -> ChromaFilter:
    return filter if isinstance(filter, ChromaFilter) else ChromaFilter(where=filter)
