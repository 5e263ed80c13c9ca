"""LangChain's ``InMemoryVectorStore``, scanned exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever.stores.registry import refuse_unknown
from logical_retriever.integration import (
    Batch,
    Capabilities,
    DocumentId,
    InvalidArgumentError,
    StoredDocument,
    VectorBatch,
    VectorMismatchError,
    Vectors,
    nearest,
    prepare,
)

Predicate = Callable[[Document], bool]
Entry = dict[str, Any]


class InMemoryVectorStoreAdapter:
    """The core's view of an ``InMemoryVectorStore``; what is added to it later is seen.

    Args:
        vectorstore: The store; only read.
    """

    capabilities = Capabilities(
        name="InMemoryVectorStore",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
    )

    def __init__(self, vectorstore: InMemoryVectorStore) -> None:
        self.vectorstore = vectorstore
        # The last snapshot as (lists of numbers, array, scales): turning lists into arrays takes longer than a search.
        self._converted: tuple[list[Any], Vectors, Vectors] = ([], *_with_scales(np.empty((0, 0), dtype=np.float32)))

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Predicate | None:
        """``filter``: a function of a Document that says whether it may be returned.

        Raises:
            InvalidArgumentError: Another argument, or a filter that cannot be called.
        """
        refuse_unknown(self.capabilities.name, search_kwargs, known=("filter",))
        filter = search_kwargs.get("filter")
        if filter is not None and not callable(filter):
            raise InvalidArgumentError(
                f"InMemoryVectorStore's filter must be a function of a Document, got {type(filter).__name__}.",
                hint='For example: filter=lambda document: document.metadata["year"] > 2000.',
            )
        return filter

    def count(self) -> int:
        """Number of documents."""
        return len(self.vectorstore.store)

    def search(self, vectors: Vectors, n: int, filter: Predicate | None = None) -> list[list[DocumentId]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        entries, matrix, known = self._passing(filter)
        if not entries:
            return [[] for _ in vectors]
        return [[entries[i]["id"] for i in found] for found, _ in nearest(vectors, matrix, n, known)]

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        stored = self.vectorstore.store
        return _batch([entry for id in ids if (entry := stored.get(id)) is not None])

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        entries: list[Entry] = list(self.vectorstore.store.values())
        return _batch([entries[i] for i in np.random.default_rng(seed).permutation(len(entries))[:n]])

    def scan(self, filter: Predicate | None = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        entries, matrix, known = self._passing(filter)
        if entries:
            yield VectorBatch(tuple(entry["id"] for entry in entries), matrix, known)

    def _passing(self, filter: Predicate | None) -> tuple[list[Entry], Vectors, Vectors]:
        """Entries that pass the filter, with their vectors and the scales of these, of one moment."""
        # Writers may change the dict meanwhile; list() of its values is one step.
        entries: list[Entry] = list(self.vectorstore.store.values())
        matrix, known = self._as_matrix([entry["vector"] for entry in entries])
        if filter is None:
            return entries, matrix, known
        rows = [i for i, entry in enumerate(entries) if filter(_document(entry))]
        return [entries[i] for i in rows], matrix[rows], known[rows]

    def _as_matrix(self, vectors: list[Any]) -> tuple[Vectors, Vectors]:
        latest, *converted = self._converted
        if len(latest) != len(vectors) or any(a is not b for a, b in zip(latest, vectors, strict=True)):
            matrix, known = _with_scales(_matrix(vectors))
            self._converted = (vectors, matrix, known)
            return matrix, known
        matrix, known = converted
        return matrix, known


def _document(entry: Entry) -> Document:
    return Document(id=entry["id"], page_content=entry["text"], metadata=entry["metadata"])


def _batch(entries: list[Entry]) -> Batch:
    documents = tuple(StoredDocument(entry["id"], entry["text"], entry["metadata"]) for entry in entries)
    return Batch(documents, _matrix([entry["vector"] for entry in entries]))


def _with_scales(matrix: Vectors) -> tuple[Vectors, Vectors]:
    return matrix, prepare(matrix)


def _matrix(vectors: list[Any]) -> Vectors:
    if not vectors:
        return np.empty((0, 0), dtype=np.float32)
    dimensions = {len(vector) for vector in vectors}
    if len(dimensions) > 1:
        raise VectorMismatchError(
            f"InMemoryVectorStore holds vectors of the dimensions {', '.join(map(str, sorted(dimensions)))}.",
            hint="Encode all documents of a store with one model.",
        )
    return np.array(vectors, dtype=np.float32)
