"""The reference store: documents and vectors in this process's memory, every answer exact."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError, check_choice
from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.query import LogicalQuery, decider
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import ALL_OPERATORS, Batch, Capabilities, StoredDocument, VectorBatch, WordQuery
from logical_retriever.stores.on_device import DeviceCopy, StoreDevice
from logical_retriever.vectors import StoredVectors, Vectors, nearest, prepare, unit
from logical_retriever.vectors.codes import Codes, encode

Predicate = Callable[[StoredDocument], bool]
Precision = Literal["float32", "float16"]
"""In how many bits a number of a vector is kept."""

CODES_MEMORY = 64_000_000
"""Bytes that codes of the vectors may take by default."""
BATCH = 16_384
"""Documents looked at for one batch of those that pass a filter: the vectors of a batch are copied."""


class InMemoryStore:
    """Documents in memory, searched exactly by cosine.

    Reading and writing from several threads is safe: a writer replaces the data, readers keep what they began with.

    Args:
        documents: Documents with distinct ids.
        vectors: Shape (N, d), one per document.
        codes_memory: Bytes that codes of the vectors (each number rounded to 8 bits) may take, d + 8 for each; vectors
            beyond have none. Large stores are scanned from codes faster, and as exactly, where numba is installed; no
            others have any.
        device: Device of torch that compares all vectors first, as torch calls it: "cuda", "cuda:1"; "cpu" computes the
            same on the processor. It holds them in float16, 2 d bytes for each, from the first search on. Answers are
            those without one. Where it has too little memory the processor compares, and a warning and the plan say so.
        dtype: "float32" keeps vectors as they are given; "float16" scales them to length 1 and rounds them, which takes
            half the memory. Searches are exact for what is stored; a cosine moves by 5e-4 at most, mostly by 1e-5.

    Raises:
        VectorMismatchError: Not one vector per document.
        InvalidArgumentError: Two documents have one id, no such number of bytes or dtype, or torch has no such device.
        MissingPackageError: There is to be a device, and torch is not installed.

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

    def __init__(
        self,
        documents: Sequence[StoredDocument] = (),
        vectors: npt.ArrayLike = (),
        *,
        codes_memory: int = CODES_MEMORY,
        device: str | None = None,
        dtype: Precision = "float32",
    ) -> None:
        if isinstance(codes_memory, bool) or not isinstance(codes_memory, int) or codes_memory < 0:
            raise InvalidArgumentError(
                f"codes_memory must be a whole number of bytes, 0 or more, got {codes_memory!r}.",
                hint="Set codes_memory=400_000_000, or 0 for no codes.",
            )
        check_choice("InMemoryStore", "dtype", dtype, Precision)
        self.codes_memory = codes_memory
        self._halves = dtype == "float16"
        self._write_lock = threading.Lock()
        copy = None if device is None else DeviceCopy(StoreDevice(device))
        self._data = _Data.of((), self._stored(np.empty((0, 0), np.float32)), copy)
        self.add(documents, vectors)

    def add(self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike) -> None:
        """Append documents with ids that are not yet there.

        Raises:
            VectorMismatchError: The vectors do not fit the documents or the vectors already stored.
            InvalidArgumentError: An id is already taken.
        """
        if not documents:
            return
        added = self._stored(Batch(tuple(documents), np.array(vectors, dtype=np.float32, ndmin=2)).vectors)
        with self._write_lock:
            stored, matrix = self._data.documents, self._data.vectors
            if stored and matrix.shape[1] != added.shape[1]:
                raise VectorMismatchError(
                    f"Vectors of dimension {added.shape[1]} cannot join vectors of dimension {matrix.shape[1]}.",
                    hint="Encode all documents of a store with one model.",
                )
            known = self._data.known_words()
            self._data = _Data.of(
                (*stored, *documents),
                np.concatenate([matrix, added]) if stored else added,
                self._data.on_device_after(len(stored)),
                [words.added(document.text for document in documents) for words in known],
            )

    def delete(self, ids: Sequence[DocumentId]) -> None:
        """Remove documents; ids that are not there are passed over."""
        with self._write_lock:
            gone = set(ids)
            keep = [i for i, id in enumerate(self._data.ids) if id not in gone]
            unchanged = next((row for row, i in enumerate(keep) if row != i), len(keep))
            self._data = _Data.of(
                tuple(self._data.documents[i] for i in keep),
                self._data.vectors[keep],
                self._data.on_device_after(unchanged),
                [words.kept(keep) for words in self._data.known_words()],
            )

    def count(self) -> int:
        """Number of documents."""
        return len(self._data.ids)

    def search(self, vectors: Vectors, n: int, filter: Predicate | None = None) -> list[list[DocumentId]]:
        """The n documents of greatest cosine per vector, ties in the order added."""
        ids: list[list[DocumentId]] = [[] for _ in vectors]
        found: list[list[float]] = [[] for _ in vectors]
        for batch in self.scan(filter):
            for row, (positions, values) in enumerate(nearest(vectors, batch.vectors, n, batch.scales)):
                ids[row] += [batch.ids[i] for i in positions]
                found[row] += values.tolist()
        orders = [np.argsort(-np.array(values), kind="stable")[:n] for values in found]
        return [[row[i] for i in order] for row, order in zip(ids, orders, strict=True)]

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Predicate | None = None
    ) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 per query, ties in the order added; stems of words count as the words.

        The index is made of all texts when it is first asked for, and changes with them from then on.
        """
        data = self._data
        found: list[list[DocumentId]] = []
        for query in queries:
            stems = [stem for word in query.words for stem in tokenize(word, query.language)]
            rows, _ = ranked(data.words(query.language), stems)
            passing = (row for row in rows.tolist() if filter is None or filter(data.documents[row]))
            found.append([data.ids[row] for row in islice(passing, n)])
        return found

    def narrowed(self, filter: Predicate | None, condition: LogicalQuery) -> Predicate:
        """The documents of the filter whose metadata the condition holds of."""
        decide = decider(condition)
        if filter is None:
            return lambda document: decide(document.metadata)
        return lambda document: filter(document) and decide(document.metadata)

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; unknown ids are left out."""
        data = self._data
        rows = [data.rows[id] for id in ids if id in data.rows]
        return data.batch(rows)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement."""
        data = self._data
        rows = np.random.default_rng(seed).permutation(len(data.ids))[:n]
        return data.batch(rows.tolist())

    def scan(self, filter: Predicate | None = None) -> Iterator[VectorBatch]:
        """All vectors in one batch, or copies of those that pass the filter, batch by batch."""
        data = self._data
        if filter is None:
            if data.ids:
                codes = partial(data.codes, self.codes_memory)
                known = None if data.on_device is None else partial(data.on_device.compare, data.vectors, data.scales)
                yield VectorBatch(data.ids, data.vectors, data.scales, codes, data.words, known)
            return
        for start in range(0, len(data.ids), BATCH):
            documents = data.documents[start : start + BATCH]
            kept = [start + i for i, document in enumerate(documents) if filter(document)]
            if kept:
                ids = tuple(data.ids[i] for i in kept)
                words = partial(_words_of, data, kept)
                yield VectorBatch(ids, data.vectors[kept], data.scales[kept], words=words)

    def _stored(self, vectors: Vectors) -> StoredVectors:
        """Vectors as this store keeps them."""
        return unit(vectors).astype(np.float16) if self._halves else vectors


@dataclass(frozen=True)
class _Data:
    """The content of the store at one moment."""

    ids: tuple[DocumentId, ...]
    documents: tuple[StoredDocument, ...]
    vectors: StoredVectors
    scales: Vectors
    rows: dict[DocumentId, int]
    on_device: DeviceCopy | None
    _codes: list[Codes] = field(default_factory=list)
    _words: dict[str, WordIndex] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _words_lock: threading.Lock = field(default_factory=threading.Lock)

    def batch(self, rows: Sequence[int]) -> Batch:
        """Some of the documents."""
        return Batch(tuple(self.documents[i] for i in rows), self.vectors[rows].astype(np.float32, copy=False))

    def codes(self, memory: int) -> Codes:
        """Codes of the first vectors, in at most so many bytes; made once, unless the number of bytes changes."""
        count = min(memory // (self.vectors.shape[1] + 8), len(self.vectors))
        with self._lock:
            if not self._codes or len(self._codes[0]) != count:
                self._codes[:] = [encode(self.vectors[:count], self.scales[:count])]
            return self._codes[0]

    def words(self, language: str) -> WordIndex:
        """The index of the texts' words in a language; made once."""
        with self._words_lock:
            if language not in self._words:
                self._words[language] = WordIndex.of((document.text for document in self.documents), language)
            return self._words[language]

    def known_words(self) -> list[WordIndex]:
        """The indexes of the texts' words that were made."""
        with self._words_lock:
            return list(self._words.values())

    def on_device_after(self, unchanged: int) -> DeviceCopy | None:
        """The copy on a device of a content whose first documents are the same."""
        return None if self.on_device is None else self.on_device.next(unchanged)

    @classmethod
    def of(
        cls,
        documents: tuple[StoredDocument, ...],
        vectors: StoredVectors,
        on_device: DeviceCopy | None = None,
        words: Sequence[WordIndex] = (),
    ) -> _Data:
        """Index documents by id; their words are indexed already where ``words`` has them.

        Raises:
            InvalidArgumentError: Two documents have one id.
        """
        rows: dict[DocumentId, int] = {}
        for position, document in enumerate(documents):
            if rows.setdefault(document.id, position) != position:
                raise InvalidArgumentError(
                    f"Two documents have the id {document.id!r}.", hint="Give every document an id of its own."
                )
        known = {index.language: index for index in words}
        return cls(tuple(rows), documents, vectors, prepare(vectors), rows, on_device, _words=known)


def _words_of(data: _Data, rows: Sequence[int], language: str) -> WordIndex:
    """The index of some documents' words."""
    return data.words(language).view(rows)
