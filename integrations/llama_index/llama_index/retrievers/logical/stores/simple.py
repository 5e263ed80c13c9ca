"""LlamaIndex's own ``SimpleVectorStore``, scanned exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import MetadataFilters
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from llama_index.retrievers.logical._convert import to_stored
from logical_retriever.integration import (
    Batch,
    Capabilities,
    InvalidArgumentError,
    StoreError,
    VectorBatch,
    VectorMismatchError,
    Vectors,
    cosines,
)


class SimpleVectorStoreAdapter:
    """The core's view of an index over a ``SimpleVectorStore``; what is inserted later is seen.

    Vectors are the vector store's, texts the docstore's. A vector store that several indices share is read for the
    nodes of this index alone, as this index's own retriever does.

    Args:
        index: The index; only read.
    """

    capabilities = Capabilities(
        name="SimpleVectorStore",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
    )

    def __init__(self, index: VectorStoreIndex) -> None:
        self.index = index
        # The last snapshot as (lists of numbers, array): turning lists into an array takes longer than searching it.
        self._converted: tuple[list[Any], Vectors] = ([], np.empty((0, 0), dtype=np.float32))

    def count(self) -> int:
        """Number of nodes."""
        return len(self._entries()[0])

    def search(self, vectors: Vectors, n: int, filter: MetadataFilters | None = None) -> list[list[str]]:
        """The n nodes of greatest cosine per vector, ties in the order added."""
        ids, matrix = self._passing(filter)
        if not ids:
            return [[] for _ in vectors]
        order = np.argsort(-cosines(vectors, matrix), axis=1, kind="stable")[:, :n]
        return [[ids[i] for i in row] for row in order]

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Nodes and vectors by id, in the order asked; ids that are not there are left out."""
        embeddings, known = self._data.embedding_dict, self.index.index_struct.nodes_dict
        found = [(id, embeddings[id]) for id in ids if id in embeddings and id in known]
        documents = tuple(to_stored(self._node(known[id]), id=id) for id, _ in found)
        return Batch(documents, _matrix([vector for _, vector in found]))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n nodes drawn at random without replacement."""
        ids, _ = self._entries()
        return self.fetch([ids[i] for i in np.random.default_rng(seed).permutation(len(ids))[:n]])

    def scan(self, filter: MetadataFilters | None = None) -> Iterator[VectorBatch]:
        """All vectors, in one batch."""
        ids, matrix = self._passing(filter)
        if ids:
            yield VectorBatch(tuple(ids), matrix)

    @property
    def _data(self) -> Any:
        return self.index.vector_store.data  # type: ignore[attr-defined]  # the registry chose by this class

    def _entries(self) -> tuple[list[str], list[Any]]:
        """Ids and vectors of this index's nodes, of one moment."""
        known = self.index.index_struct.nodes_dict
        # Writers may change the dict meanwhile; list() of its items is one step.
        entries = [(id, vector) for id, vector in list(self._data.embedding_dict.items()) if id in known]
        return [id for id, _ in entries], [vector for _, vector in entries]

    def _passing(self, filter: MetadataFilters | None) -> tuple[list[str], Vectors]:
        ids, vectors = self._entries()
        matrix = self._as_matrix(vectors)
        if filter is None:
            return ids, matrix
        metadata = self._data.metadata_dict
        try:
            passes = build_metadata_filter_fn(lambda id: metadata[id], filter)
            rows = [i for i, id in enumerate(ids) if passes(id)]
        except KeyError as error:
            raise StoreError(
                f"SimpleVectorStore has no metadata of node {error}, so that it cannot be filtered.",
                hint="Build the index anew: it was persisted without metadata.",
            ) from error
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"SimpleVectorStore cannot apply the filters: {error}",
                hint="Compare values of one type, and nest no filters in filters.",
            ) from error
        return [ids[i] for i in rows], matrix[rows]

    def _node(self, id: str) -> BaseNode:
        node = self.index.docstore.get_document(id, raise_error=False)
        if node is None:
            raise StoreError(
                f"The docstore has no node {id!r}, of which the vector store has a vector.",
                hint="Persist and load the whole storage context: vector store, docstore and index store.",
            )
        return node

    def _as_matrix(self, vectors: list[Any]) -> Vectors:
        known, matrix = self._converted
        if len(known) != len(vectors) or any(a is not b for a, b in zip(known, vectors, strict=True)):
            matrix = _matrix(vectors)
            self._converted = (vectors, matrix)
        return matrix


def _matrix(vectors: list[Any]) -> Vectors:
    if not vectors:
        return np.empty((0, 0), dtype=np.float32)
    dimensions = {len(vector) for vector in vectors}
    if len(dimensions) > 1:
        raise VectorMismatchError(
            f"SimpleVectorStore holds vectors of the dimensions {', '.join(map(str, sorted(dimensions)))}.",
            hint="Encode all nodes of an index with one model.",
        )
    return np.array(vectors, dtype=np.float32)
