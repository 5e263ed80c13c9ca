"""Chroma collections, through the collection object that the caller already has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.errors import StoreError, VectorMismatchError
from logical_retriever.stores.base import AtBest, Batch, Capabilities, StoredDocument, VectorBatch
from logical_retriever.stores.rows import engine_errors, in_order, matrix, pages
from logical_retriever.vectors import Vectors

PAGE = 500
"""Most ids in one request."""
STEP = 50
"""Ids of a request of more are a multiple of this. Chroma makes a statement for every number of ids and keeps a hundred
of them for each of its connections, each with a quarter of a kilobyte for every id: hundreds of megabytes by and by."""


@dataclass(frozen=True)
class ChromaFilter:
    """Both of Chroma's filters at once.

    Attributes:
        where: Condition on metadata, in Chroma's own language.
        where_document: Condition on the text, in Chroma's own language.
    """

    where: Mapping[str, Any] | None = None
    where_document: Mapping[str, Any] | None = None


class ChromaStore:
    """A chromadb ``Collection``, embedded or over HTTP, in any of its three spaces; its ids are texts.

    The collection's HNSW index proposes candidates; cosines are computed from the stored vectors, so the space it
    was made with changes which candidates come first, never their scores.

    Args:
        collection: A ``chromadb.Collection``.
    """

    def __init__(self, collection: Any) -> None:
        self.collection = collection

    @AtBest(Capabilities("Chroma", exact_search=False, stored_vectors=True, scan=True, cosine_order=True))
    def capabilities(self) -> dict[str, Any]:
        """A collection of the space cosine ranks by cosine."""
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
        try:
            # An ndarray of float32 is what Chroma sends on; lists would be converted value by value.
            found = self._call("query", query_embeddings=list(vectors), n_results=n, include=[], **_where(filter))
        except StoreError:
            self._check_dimension(vectors)
            raise
        return [list(ids) for ids in found["ids"]]

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        found: dict[str, tuple[StoredDocument, Any]] = {}
        for page in pages([id for id in ids if isinstance(id, str)], PAGE, STEP):
            got = self._call("get", ids=page, include=["embeddings", "documents", "metadatas"])
            rows = zip(got["ids"], got["documents"], got["metadatas"], got["embeddings"], strict=True)
            for id, text, metadata, vector in rows:
                # Chroma keeps None for a document or metadata that was never given.
                document = StoredDocument(id, "" if text is None else text, {} if metadata is None else metadata)
                found[id] = (document, vector)
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement."""
        ids = self._call("get", include=[])["ids"]
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: ChromaFilter | Mapping[str, Any] | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page; the list of ids is taken once, so that nothing is met twice."""
        for page in pages(self._call("get", include=[], **_where(filter))["ids"], PAGE, STEP):
            got = self._call("get", ids=page, include=["embeddings"])
            if got["ids"]:
                yield VectorBatch(tuple(got["ids"]), matrix(got["embeddings"]))

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


def _where(filter: ChromaFilter | Mapping[str, Any] | None) -> dict[str, Any]:
    if filter is None:
        return {}
    both = filter if isinstance(filter, ChromaFilter) else ChromaFilter(where=filter)
    named = {"where": both.where, "where_document": both.where_document}
    return {name: dict(condition) for name, condition in named.items() if condition is not None}
