"""An index of a store's words beside the store, for stores without full-text search of their own.

Its file holds NumPy arrays in one archive, and is replaced as a whole.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias, cast
from uuid import UUID
from weakref import WeakValueDictionary

import numpy as np

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, StoreCapabilityError, StoreError
from logical_retriever.files import replacing
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Filter, Store, WordQuery, WordStore, cache_key_of
from logical_retriever.stores.gate import Gate
from logical_retriever.stores.rows import IndexedDocuments, PagedStore, pages
from logical_retriever.stores.wrapped import WrappedStore

MOST = 250_000
"""Most documents for an index in memory: some 120 MB for passages of 800 characters."""
FEW = 2000
"""Most documents that are indexed unasked: as many as the sample that is read anyway."""
REST = 9
"""After a build of t seconds in memory, 9 t pass before the next: a growing store is not read all the time."""
PAGE = 1000
"""Texts read in one request."""
FILTERED = 10_000
"""Most documents, the best by their words, that are checked against a filter."""
HEADER = "logical_retriever_words"
"""Name of the first array, which identifies the file."""
FORM = f"4, stems of PyStemmer {version('PyStemmer')}"
"""Version of the arrays and of the analysis of texts. An index of another version is built again."""
ID_TYPES: dict[str, Callable[[str], DocumentId]] = {"str": str, "int": int, "UUID": UUID}
"""Types of ids that the file can hold, by name."""

Track: TypeAlias = Callable[[Sequence[Sequence[DocumentId]]], Iterable[Sequence[DocumentId]]]

logger = logging.getLogger(__name__)


class SeparateWordIndex:
    """A search by words in an index of a store's documents.

    The first search builds it, and a search after a change of the count builds it anew; other questions wait. A text
    that was replaced under its id is indexed again when the count changes.

    Args:
        store: The documents.
        path: The file to load from and save to; None for memory.
        most: Most documents for an index in memory.
        track: Yields the pages of a build as it gets them, to show how far it is.
    """

    def __init__(self, store: Store, path: Path | None = None, most: int = MOST, track: Track = iter) -> None:
        self.store, self.path, self._most, self._track = store, path, most, track
        self._shared = self._current_shared()

    @classmethod
    def of(cls, store: Store, words_index: SeparateWordIndex | str | Path | bool | None) -> SeparateWordIndex | None:
        """Return the index that a retriever's setting ``words_index`` asks for, or None for none.

        Args:
            store: The documents.
            words_index: The path of a file; True for an index in memory, shared by all retrievers of the store; False
                for none; an index itself. None for one of a small store, where ``capabilities.indexed_if_small`` asks
                for it.

        Raises:
            InvalidArgumentError: It is no path.
            StoreCapabilityError: It is a path, and the store cannot list its documents.
        """
        if words_index is False or (words_index is None and not store.capabilities.indexed_if_small):
            return None
        if isinstance(words_index, SeparateWordIndex):
            if words_index.store is not store:
                raise InvalidArgumentError(
                    "words_index is of another store.", hint="Make one of the retriever's store."
                )
            return words_index
        if words_index is None:
            return cls(store, most=FEW)
        if words_index is not True and (not isinstance(words_index, str | Path) or not str(words_index).strip()):
            raise InvalidArgumentError(
                f"words_index is {words_index!r}.", hint="Give the path of a file, or True for an index in memory."
            )
        if not store.capabilities.scan:
            raise StoreCapabilityError(
                f"{store.capabilities.name} cannot be walked through: no index can be made of its words.",
                hint="Leave words_index out, or give a store that can.",
            )
        return cls(store, None if words_index is True else Path(words_index))

    def covers(self, count: int | None) -> bool:
        """Return whether a store of so many documents is indexed."""
        return self.path is not None or (count is not None and count <= self._most)

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Filter, count: int | None
    ) -> list[list[DocumentId]]:
        """Find the n documents of greatest BM25 for each query.

        Args:
            queries: Q queries.
            n: At least 1.
            filter: In the store's own language.
            count: Number of documents in the store; None where it cannot tell.

        Raises:
            StoreError: The file is no index, or cannot be read or written.
        """
        self._shared = self._current_shared()
        languages = {query.language for query in queries} if self.covers(count) else ()
        indexes = {code: self._shared.latest(self.store, code, count, self._track) for code in languages}
        return [self._search(query, indexes.get(query.language), n, filter) for query in queries]

    def _search(self, query: WordQuery, documents: IndexedDocuments | None, n: int, filter: Filter) -> list[DocumentId]:
        if documents is None:
            own = isinstance(self.store, WordStore) and self.store.capabilities.word_search is not None
            return cast("WordStore", self.store).search_words([query], n, filter)[0] if own else []
        if filter is None:
            return documents.search(query, n)
        passing: list[DocumentId] = []
        for page in pages(documents.search(query, FILTERED), max(200, 4 * n)):
            passing += Gate(self.store).fetch(page, filter).ids
            if len(passing) >= n:
                break
        return passing[:n]

    def _current_shared(self) -> _SharedIndexes:
        """Return the indexes of all retrievers of this store. The key of a framework's vector store can change."""
        with _sharing:
            return _living.setdefault((cache_key_of(self.store), self.path), _SharedIndexes(self.path))


class _SharedIndexes:
    """The word indexes of one store, by language. Safe to use from several threads."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._latest: dict[str, IndexedDocuments] = {}
        self._counts: dict[str, int | None] = {}
        self._rests_until: dict[str, float] = {}
        self._building = threading.Lock()

    def latest(self, store: Store, language: str, count: int | None, track: Track) -> IndexedDocuments | None:
        """Return the latest index, built now if the count differs from that of the last build; None if it cannot be."""
        with self._building:
            rested = time.monotonic() >= self._rests_until.get(language, 0.0)
            if rested and self._counts.get(language, -1) != count:
                self._build(store, language, track)
                self._counts[language] = count
            return self._latest.get(language)

    def _build(self, store: Store, language: str, track: Track) -> None:
        began = time.monotonic()
        try:
            ids = _ids(store)
            documents = None if self.path is None or language in self._latest else read_index(self.path, language)
            if documents is None or set(documents.ids) != set(ids):
                documents = _indexed(store, ids, language, track)
                if self.path is not None:
                    write_index(self.path, documents)
            self._latest[language] = documents
        except LogicalRetrieverError as error:
            if self.path is not None:  # the user may repair or remove the file meanwhile
                raise
            # Without the index the question is answered all the same; the store's own requests report its errors.
            logger.warning("No index of words could be made of %s: %s", store.capabilities.name, error)
            return
        took, name = time.monotonic() - began, store.capabilities.name
        logger.info("The words of %d documents of %s were indexed in %.1f s", len(documents.ids), name, took)
        self._rests_until[language] = began + took + (REST * took if self.path is None else 0.0)


_sharing = threading.Lock()
_living: WeakValueDictionary[Hashable, _SharedIndexes] = WeakValueDictionary()


def _indexed(store: Store, ids: Sequence[DocumentId], language: str, track: Track) -> IndexedDocuments:
    """Index the documents that are still there."""
    present, gate = list[DocumentId](), Gate(store)

    def texts() -> Iterator[str]:
        for page in track(list(pages(ids, PAGE))):
            for document in gate.fetch(page).documents:
                present.append(document.id)
                yield document.text

    index = WordIndex.of(texts(), language)
    return IndexedDocuments(tuple(present), index)


def _ids(store: Store) -> list[DocumentId]:
    while isinstance(store, WrappedStore):
        store = store.store  # it has the same ids, and may list them without vectors
    if isinstance(store, PagedStore):
        return list(store.ids(None))
    return [id for batch in Gate(store).scan(None) for id in batch.ids]


def read_index(path: Path, language: str) -> IndexedDocuments | None:
    """Read the index from a file; None for a missing file, another version or another language.

    Raises:
        StoreError: The file is no index, is damaged, or cannot be read.
    """
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            header = json.loads(arrays[HEADER].tobytes())
            if header["form"] != FORM or header["language"] != language:
                return None
            ids = tuple(ID_TYPES[kind](text) for kind, text in header["ids"])
            return IndexedDocuments(ids, WordIndex.loaded(header["words"], arrays, language))
    except Exception as error:  # NumPy raises errors of many types
        raise StoreError(
            f"{path} is something else than an index of words, or damaged: {type(error).__name__}: {error}",
            hint="Give words_index= a path of its own, or delete the file.",
        ) from error


def write_index(path: Path, documents: IndexedDocuments) -> None:
    """Replace the file by an index. After an error the old file is still there.

    Raises:
        StoreError: The file cannot hold ids of this type.
        InvalidArgumentError: The file cannot be written.
    """
    if unknown := {type(id).__name__ for id in documents.ids} - ID_TYPES.keys():
        raise StoreError(
            f"Documents of this store are known by values of type {min(unknown)}, which an index of words cannot keep.",
            hint=f"It keeps {', '.join(ID_TYPES)}.",
        )
    index, ids = documents.index, [(type(id).__name__, str(id)) for id in documents.ids]
    vocabulary, arrays = index.dumped()
    header: Any = {"form": FORM, "language": index.language, "ids": ids, "words": vocabulary}
    first = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with replacing(path) as draft, open(draft, "wb") as file:
        np.savez(file, **{HEADER: first, **arrays})  # type: ignore[arg-type]  # named arrays, as documented
