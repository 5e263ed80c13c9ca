"""The reference store: documents and vectors in this process's memory, every answer exact."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.lexical import WordIndex
from logical_retriever.query import LogicalQuery, decider
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import ALL_OPERATORS, Batch, Capabilities, StoredDocument, VectorBatch, WordQuery
from logical_retriever.stores.words import FollowedWords, documents_with_words
from logical_retriever.vectors import Vectors, nearest, scales_of

Predicate = Callable[[StoredDocument], bool]


class InMemoryStore:
    """Documents in memory, searched exactly by cosine.

    Reading and writing from several threads is safe: a writer replaces the data, readers keep what they began with.

    Args:
        documents: Documents with distinct ids.
        vectors: Shape (N, d), one per document.

    Raises:
        VectorMismatchError: Not one vector per document.
        InvalidArgumentError: Two documents have one id.

    Examples:
        >>> store = InMemoryStore([StoredDocument("a", "tea"), StoredDocument("b", "coffee")], [[1.0, 0.0], [0.0, 1.0]])
        >>> store.search(np.array([[0.9, 0.1]], dtype=np.float32), n=1)
        [['a']]
    """

    capabilities = Capabilities(
        name="InMemoryStore",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        in_process=True,
        cosine_order=True,
        words="its index of words",
        indexes_words=True,
        conditions=ALL_OPERATORS,
    )

    def __init__(self, documents: Sequence[StoredDocument] = (), vectors: npt.ArrayLike = ()) -> None:
        self._write_lock, self._words_lock = threading.Lock(), threading.Lock()
        self._followed = FollowedWords()
        self._data = _Data((), np.empty((0, 0), np.float32))
        self.add(documents, vectors)

    def add(self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike) -> None:
        """Append documents with ids that are not yet there.

        Raises:
            VectorMismatchError: The vectors do not fit the documents or the vectors already stored.
            InvalidArgumentError: An id is already taken.
        """
        if not documents:
            return
        added = Batch(tuple(documents), np.array(vectors, dtype=np.float32, ndmin=2)).vectors
        with self._write_lock:
            stored, matrix = self._data.documents, self._data.vectors
            if stored and matrix.shape[1] != added.shape[1]:
                raise VectorMismatchError(
                    f"Vectors of dimension {added.shape[1]} cannot join vectors of dimension {matrix.shape[1]}.",
                    hint="Encode all documents of a store with one model.",
                )
            self._data = _Data((*stored, *documents), np.concatenate([matrix, added]) if stored else added)

    def delete(self, ids: Sequence[DocumentId]) -> None:
        """Remove documents; ids that are not there are passed over."""
        with self._write_lock:
            gone, data = set(ids), self._data
            keep = [row for row, id in enumerate(data.ids) if id not in gone]
            self._data = _Data(tuple(data.documents[row] for row in keep), data.vectors[keep])

    def count(self) -> int:
        """Number of documents."""
        return len(self._data.ids)

    def search(self, vectors: Vectors, n: int, filter: Predicate | None = None) -> list[list[DocumentId]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        lists: list[list[DocumentId]] = [[] for _ in vectors]
        for batch in self.scan(filter):
            lists = [[batch.ids[row] for row in rows] for rows, _ in nearest(vectors, batch.vectors, n, batch.scales)]
        return lists

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Predicate | None = None
    ) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words.

        The index is made of all texts when it is first asked for, and changes with them from then on.
        """
        data = self._data
        passes = None if filter is None else lambda id: filter(data.documents[data.rows[id]])
        return documents_with_words(data.ids, partial(self._words, data), queries, n, passes)

    def narrowed(self, filter: Predicate | None, condition: LogicalQuery) -> Predicate:
        """The documents of the filter whose metadata the condition holds of."""
        decide = decider(condition)
        if filter is None:
            return lambda document: decide(document.metadata)
        return lambda document: filter(document) and decide(document.metadata)

    def fetch(self, ids: Sequence[DocumentId], filter: Predicate | None = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        data = self._data
        rows = [data.rows[id] for id in ids if id in data.rows]
        return data.batch([row for row in rows if filter is None or filter(data.documents[row])])

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement."""
        data = self._data
        return data.batch(np.random.default_rng(seed).permutation(len(data.ids))[:n].tolist())

    def scan(self, filter: Predicate | None = None) -> Iterator[VectorBatch]:
        """All vectors in one batch, or copies of those that pass the filter."""
        data = self._data
        words = partial(self._words, data)
        if filter is None:
            if data.ids:
                yield VectorBatch(data.ids, data.vectors, words, data.scales)
            return
        rows = [row for row, document in enumerate(data.documents) if filter(document)]
        if rows:
            ids = tuple(data.ids[row] for row in rows)
            yield VectorBatch(ids, data.vectors[rows], lambda language: words(language).kept(rows), data.scales[rows])

    def _words(self, data: _Data, language: str) -> WordIndex:
        with self._words_lock:
            if language not in data.words:
                text = lambda id: data.documents[data.rows[id]].text  # noqa: E731
                data.words[language] = self._followed.index(data.ids, data.documents, text, language)
            return data.words[language]


class _Data:
    """The content of the store at one moment.

    Raises:
        InvalidArgumentError: Two documents have one id.
    """

    def __init__(self, documents: tuple[StoredDocument, ...], vectors: Vectors) -> None:
        self.documents, self.vectors, self.scales = documents, vectors, scales_of(vectors)
        self.words: dict[str, WordIndex] = {}
        self.rows: dict[DocumentId, int] = {}
        for row, document in enumerate(documents):
            if self.rows.setdefault(document.id, row) != row:
                raise InvalidArgumentError(
                    f"Two documents have the id {document.id!r}.", hint="Give every document an id of its own."
                )

    @cached_property
    def ids(self) -> tuple[DocumentId, ...]:
        return tuple(self.rows)

    def batch(self, rows: list[int]) -> Batch:
        """Some of the documents."""
        return Batch(tuple([self.documents[row] for row in rows]), self.vectors[rows])
