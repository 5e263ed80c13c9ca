"""The FAISS vector store of langchain-community, over a flat, HNSW or IVF index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from langchain_core.documents import Document

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores.fallback import FallbackAdapter
from logical_retriever.integration import (
    ALL_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    DocumentId,
    FollowedWords,
    InvalidArgumentError,
    LogicalQuery,
    Store,
    StoreCapabilityError,
    StoredDocument,
    VectorBatch,
    Vectors,
    WordIndex,
    WordQuery,
    cosines,
    documents_with_words,
    drawn,
    holds,
    matrix,
)

PAGE = 16_384
"""Vectors copied out of the index at once."""
FLAT = ("IndexFlat", "IndexFlatL2", "IndexFlatIP")
"""Classes of indexes that are an array of vectors."""
KEEPS_VECTORS = ("IndexFlat", "IndexHNSWFlat", "IndexIVFFlat")
"""Classes of indexes, by the beginning of their names, that keep vectors as they were given."""

Filter = Mapping[str, Any] | Callable[[Mapping[str, Any]], bool]


def adapt(vectorstore: Any) -> Store:
    """An adapter that reads the index; for an index that keeps only codes of vectors, the one that encodes again."""
    name = type(vectorstore.index).__name__
    return FAISSAdapter(vectorstore) if name.startswith(KEEPS_VECTORS) else FallbackAdapter(vectorstore)


class FAISSAdapter(VectorStoreAdapter):
    """The core's view of a ``FAISS`` vector store.

    A search with a filter ranks all documents that pass it by cosine, where the wrapper would filter the nearest few.

    Args:
        vectorstore: The vector store; only read. FAISS itself forbids changing an index while it is searched.
    """

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        # The mapping last seen, its size, and its inverse: deletion replaces the mapping, addition makes it longer.
        self._inverted: tuple[Any, int, dict[DocumentId, int]] = (None, 0, {})
        # The same for ids in the order of a flat index's vectors, which are read where they lie.
        self._lying: tuple[Any, int, tuple[DocumentId, ...]] = (None, 0, ())
        self._followed = FollowedWords()
        # What the docstore holds them in, ids, and the documents of these.
        self._marks: tuple[Any, tuple[DocumentId, ...], list[Any]] = (None, (), [])

    @AtBest(
        Capabilities(
            name="FAISS",
            exact_search=True,
            stored_vectors=True,
            scan=True,
            in_process=True,
            words="an index of the docstore's words",
            indexes_words=True,
            conditions=ALL_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact for a flat index; in the order of cosines where the wrapper scales vectors to length 1."""
        return {
            "exact_search": type(self._index).__name__.startswith("IndexFlat"),
            "cosine_order": bool(self.vectorstore._normalize_L2),
        }

    def check_filter(self, filter: Any) -> None:
        """A dict of conditions, or a function of the metadata.

        Raises:
            InvalidArgumentError: It is neither.
        """
        if not callable(filter) and not isinstance(filter, dict):
            raise InvalidArgumentError(
                f"FAISS's filter must be a dict or a function of the metadata, got {type(filter).__name__}.",
                hint='For example: filter={"year": {"$gt": 2000}}.',
            )

    def narrowed(self, filter: Filter | None, condition: LogicalQuery) -> Filter:
        """The documents of the filter whose metadata the condition holds of."""
        if filter is None:
            return lambda metadata: holds(condition, metadata)
        with self.errors("filter"):
            passes = self.vectorstore._create_filter_func(filter)
        return lambda metadata: passes(metadata) and holds(condition, metadata)

    def count(self) -> int:
        """Number of documents."""
        return int(self._index.ntotal)

    def search(self, vectors: Vectors, n: int, filter: Filter | None = None) -> list[list[DocumentId]]:
        """The n nearest documents of each vector by the index, or by cosine among those that pass a filter."""
        mapping: dict[int, DocumentId] = self.vectorstore.index_to_docstore_id
        if not mapping:
            return [[] for _ in vectors]
        self.check_dimension(vectors, self._index.d)
        if filter is not None:
            return self._search_among(self._passing(mapping, filter), vectors, n, mapping)
        with self.errors("search"):
            _, found = self._index.search(np.ascontiguousarray(vectors, dtype=np.float32), min(n, len(mapping)))
        # FAISS fills up with -1 where its index finds fewer.
        return [[mapping[i] for i in row if i in mapping] for row in found.tolist()]

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Filter | None = None
    ) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words."""
        mapping: dict[int, DocumentId] = dict(self.vectorstore.index_to_docstore_id)
        ids = tuple(mapping.values())
        passing = None if filter is None else {mapping[i] for i in self._passing(mapping, filter)}
        passes = None if passing is None else passing.__contains__
        return documents_with_words(ids, partial(self._words, ids), queries, n, passes)

    def fetch(self, ids: Sequence[DocumentId], filter: Filter | None = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        positions = self._positions()
        stored = [(id, self.vectorstore.docstore.search(id)) for id in ids if id in positions]
        passes = None if filter is None else self.vectorstore._create_filter_func(filter)
        # The docstore answers with a text where it has no document.
        known = [(id, document) for id, document in stored if isinstance(document, Document)]
        present = [(id, document) for id, document in known if passes is None or passes(document.metadata)]
        return Batch(
            tuple(StoredDocument(id, d.page_content, d.metadata, native=d) for id, d in present),
            self._vectors([positions[id] for id, _ in present]),
        )

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""
        return self.fetch(drawn(list(self._positions()), n, seed))

    def scan(self, filter: Filter | None = None) -> Iterator[VectorBatch]:
        """All vectors, those of a flat index where they lie and others page by page; the documents are listed once."""
        if filter is None and (ids := self._where_they_lie()):
            yield VectorBatch(ids, _lying(self._index), words=partial(self._words, ids))
            return
        mapping: dict[int, DocumentId] = dict(self.vectorstore.index_to_docstore_id)
        places = {id: row for row, id in enumerate(mapping.values())}
        ids = tuple(mapping[i] for i in self._passing(mapping, filter))
        words = cache(partial(self._words, tuple(mapping.values())))
        for start in range(0, len(ids), PAGE):
            positions = self._positions()  # deletion moves them
            present = [id for id in ids[start : start + PAGE] if id in positions]
            if present:
                rows = [places[id] for id in present]
                vectors = self._vectors([positions[id] for id in present])
                yield VectorBatch(tuple(present), vectors, words=partial(_view, words, rows))

    def _words(self, ids: tuple[DocumentId, ...], language: str) -> WordIndex:
        """The index of these documents' words."""
        docstore = self.vectorstore.docstore

        def text(id: DocumentId) -> str:
            document = docstore.search(id)
            return document.page_content if isinstance(document, Document) else ""

        # To look documents up one by one, or to compare their ids, takes longer than a search of the index.
        if type(docstore).__name__ != "InMemoryDocstore":
            return self._followed.index(ids, list(map(docstore.search, ids)), text, language)
        held, (known, its, marks) = docstore._dict, self._marks
        there = list(held.values())
        if known is not held or its is not ids or marks != there:
            marks = there if tuple(held) == ids else list(map(held.get, ids))
            self._marks = (held, ids, marks)
        return self._followed.index(ids, marks, text, language)

    def _where_they_lie(self) -> tuple[DocumentId, ...]:
        """Ids in the order of a flat index's own vectors; none where these must be copied."""
        mapping, index = self.vectorstore.index_to_docstore_id, self._index
        known, size, ids = self._lying
        if known is not mapping or size != len(mapping):
            ids = tuple(mapping.values())
            flat = type(index).__name__ in FLAT and len(ids) == index.ntotal and list(mapping) == list(range(len(ids)))
            ids = ids if flat else ()
            self._lying = (mapping, len(mapping), ids)
        return ids

    @property
    def _index(self) -> Any:
        return self.vectorstore.index

    def _positions(self) -> dict[DocumentId, int]:
        """Where in the index each document is."""
        mapping = self.vectorstore.index_to_docstore_id
        known, size, positions = self._inverted
        if known is not mapping or size != len(mapping):
            positions = {id: position for position, id in list(mapping.items())}
            self._inverted = (mapping, len(positions), positions)
        return positions

    def _passing(self, mapping: Mapping[int, DocumentId], filter: Filter | None) -> list[int]:
        """Positions of the documents that pass, by the wrapper's own reading of its filters."""
        if filter is None:
            return list(mapping)
        with self.errors("filter"):
            passes = self.vectorstore._create_filter_func(filter)
            documents = ((i, self.vectorstore.docstore.search(id)) for i, id in list(mapping.items()))
            return [i for i, document in documents if isinstance(document, Document) and passes(document.metadata)]

    def _search_among(
        self, positions: list[int], vectors: Vectors, n: int, mapping: Mapping[int, DocumentId]
    ) -> list[list[DocumentId]]:
        if not positions:
            return [[] for _ in vectors]
        order = np.argsort(-cosines(vectors, self._vectors(positions)), axis=1, kind="stable")[:, :n]
        return [[mapping[positions[i]] for i in row] for row in order.tolist()]

    def _vectors(self, positions: list[int]) -> Vectors:
        if not positions:
            return matrix([])
        try:
            return matrix(self._index.reconstruct_batch(np.array(positions, dtype=np.int64)))
        except RuntimeError as error:
            raise StoreCapabilityError(
                f"The FAISS index does not give its vectors by position: {error}",
                hint="An IVF index does after vectorstore.index.make_direct_map().",
            ) from error


def _lying(index: Any) -> Vectors:
    """The vectors of a flat index, where it has them: FAISS itself forbids changing it while it is searched."""
    import faiss

    numbers: Vectors = faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
    numbers.flags.writeable = False
    return numbers.reshape(index.ntotal, index.d)


def _view(words: Callable[[str], WordIndex], rows: list[int], language: str) -> WordIndex:
    """The index of some documents' words."""
    return words(language).kept(rows)
