"""A store with an index of its documents' words beside it, for stores without a full text of their own."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, StoreCapabilityError, StoreError
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, Filter, PushdownStore, Store, WordQuery
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.rows import pages
from logical_retriever.stores.words import documents_with_words
from logical_retriever.stores.words_file import IndexedWords, mark_of, read_words, write_words
from logical_retriever.stores.wrapped import WrappedEngine, WrappedStore

MOST = 250_000
"""Documents up to which an index is made in memory unasked: some 120 MB of passages of 800 characters."""
MOST_ALONE = 10_000
"""The same of a store that one thread alone may ask: the question waits for it, a second or two."""
PATIENCE = 0.5
"""Seconds that the first question waits for an index in memory: enough for some thousand documents."""
PAGE = 1000
"""Texts read in one request."""
WITNESSES = 32
"""Documents whose texts are read again to see whether an index is of this store as it is."""
LOOKED_AT = 10_000
"""The best documents by their words that are asked whether they pass a filter."""

logger = logging.getLogger(__name__)
_threads: WeakSet[threading.Thread] = WeakSet()
_ending = threading.Event()


def with_words(store: Store, index: str | Path | Literal[False] | None) -> Store:
    """A store with the index of words that it is to have.

    Args:
        store: The documents.
        index: The path of a file; False for what the store itself can do. None for an index in this process's memory,
            shared by all retrievers of the store, where the store is known by its ``identity``.

    Raises:
        InvalidArgumentError: The path is none.
        StoreCapabilityError: There is a path, and the store cannot be walked through.
    """
    if index is False or (
        index is None and (isinstance(store, WordsBeside) or getattr(store, "identity", None) is None)
    ):
        return store
    if index is not None and (not isinstance(index, str | Path) or not str(index).strip()):
        raise InvalidArgumentError(f"words_index is {index!r}.", hint="Give the path of a file.")
    if index is not None and not store.capabilities.scan:
        raise StoreCapabilityError(
            f"{store.capabilities.name} cannot be walked through: no index can be made of its words.",
            hint="Leave words_index out, or give a store that can.",
        )
    kind = EngineWithWordsBeside if isinstance(store, PushdownStore) else WordsBeside
    return kind(store, None if index is None else Path(index))


class WordsBeside(WrappedStore):
    """Finds documents by an index of their words, made by a thread of its own and compared with the store's count.

    It is made when it is first needed. Until then the store's own search for words answers, where it has one, or none.
    A question waits for an index in a file, and the first one half a second for an index in memory. A text that was
    replaced under its id is read anew with the next document that comes or goes.

    Args:
        store: The documents.
        path: A file that the index is loaded from and saved to; None for memory, up to :data:`MOST` documents.
    """

    def __init__(self, store: Store, path: Path | None = None) -> None:
        super().__init__(store)
        self.path = path
        self._count: int | None = None
        self._of: Hashable = self.identity
        self._held = _shared_words(self._of, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._store, self.path)

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store below, and words."""
        return replace(self.store.capabilities, words="an index of its words")

    def count(self) -> int | None:
        """Number of documents."""
        self._count = super().count()
        return self._count

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 for each query.

        Raises:
            WordsIndexError: The file is something else, or cannot be read or written.
        """
        indexes = {language: self._words(language) for language in {query.language for query in queries}}
        return [self._with_words(query, indexes[query.language], n, filter) for query in queries]

    def _with_words(self, query: WordQuery, words: IndexedWords | None, n: int, filter: Filter) -> list[DocumentId]:
        if words is None:
            below = self.store.capabilities.words is not None
            return super().search_words([query], n, filter)[0] if below else []
        [best] = documents_with_words(words.ids, lambda _: words.index, [query], n if filter is None else LOOKED_AT)
        if filter is None:
            return best
        passing: list[DocumentId] = []
        for page in pages(best, max(200, 4 * n)):
            passing += self.store.fetch(page, self._below(filter)).ids
            if len(passing) >= n:
                break
        return passing[:n]

    def _words(self, language: str) -> IndexedWords | None:
        """The index as it was at the last look; None before the first."""
        # Each time: what is behind a framework's vector store may be another collection by now.
        if self._of != (identity := self.identity):
            self._held, self._of, self._count = _shared_words(identity, self.path), identity, None
        count = self.count() if self._count is None else self._count
        alone = not self.store.capabilities.threads
        if self.path is None and (count is None or count > (MOST_ALONE if alone else MOST)):
            return None  # and is not counted again by itself: that takes seconds in large tables
        self._count = None
        return self._held.current(self.store, language, count, waits=alone or self.path is not None)


class EngineWithWordsBeside(WordsBeside, WrappedEngine):
    """The same over a store whose engine computes scores itself."""


class _Words:
    """The indexes of one store's words, by language. Safe to use from several threads."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._made: dict[str, IndexedWords] = {}
        self._counts: dict[str, int | None] = {}
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._error: LogicalRetrieverError | None = None

    def current(self, store: Store, language: str, count: int | None, *, waits: bool) -> IndexedWords | None:
        """The index as it was at the last look; a look begins where the count is another."""
        with self._starting:
            if waits and self._thread is not None:
                self._thread.join()
            idle = self._thread is None or not self._thread.is_alive()
            begins = idle and self._counts.get(language, -1) != count
            if begins:
                self._counts[language] = count
                # Daemon: the process does not wait for all of it, see _end.
                self._thread = threading.Thread(target=self._make, args=(store, language), daemon=True)
                _threads.add(self._thread)
                self._thread.start()
            thread = self._thread
        if thread is not None and (waits or (begins and language not in self._made)):
            thread.join(None if waits else PATIENCE)
        if waits and self._error is not None:
            raise self._error
        return self._made.get(language)

    def _make(self, store: Store, language: str) -> None:
        """Bring the index up to the store as it is now."""
        try:
            words = self._made.get(language)
            if words is None and self.path is not None:
                words = read_words(self.path, language)
            now = _brought_up(store, words, language)
            if self.path is not None and now is not words:
                write_words(self.path, now)
            self._made[language], self._error = now, None
        except LogicalRetrieverError as error:
            # In memory, the store's own requests go on answering; what is wrong with it they will say.
            logger.warning("No index of words could be made of %s: %s", store.capabilities.name, error)
            self._error = error
            if self.path is not None:  # the user may see to the file
                self._counts.pop(language, None)


_shared: WeakValueDictionary[Hashable, _Words] = WeakValueDictionary()


def _shared_words(identity: Hashable, path: Path | None) -> _Words:
    """One for all retrievers of a store."""
    return _Words(path) if identity is None else _shared.setdefault((identity, path), _Words(path))


def _brought_up(store: Store, words: IndexedWords | None, language: str) -> IndexedWords:
    """The index of the documents that the store has now: new ones are read, or all where a text has changed."""
    if words is None or not _witnessed(store, words):
        words = IndexedWords((), np.empty(0, np.uint64), WordIndex.of((), language))
    ids = dict.fromkeys(_ids(store))
    stay = [row for row, id in enumerate(words.ids) if id in ids]
    new = [id for id in ids if id not in words.places]
    if not new and len(stay) == len(words.ids):
        return words
    texts: dict[DocumentId, str] = {}
    for start in range(0, len(new), PAGE):
        if _ending.is_set():
            raise StoreError("The process ends while an index of words is made.", hint="Nothing is lost by it.")
        texts.update((document.id, document.text) for document in store.fetch(new[start : start + PAGE]).documents)
    marks = np.array([mark_of(text) for text in texts.values()], np.uint64)
    return IndexedWords(
        (*(words.ids[row] for row in stay), *texts),
        np.concatenate([words.marks[stay], marks]),
        words.index.kept(stay).added(texts.values()),
    )


def _witnessed(store: Store, words: IndexedWords) -> bool:
    """Whether some documents have the texts that the index was made of, those that are still there."""
    rows = np.random.default_rng(0).permutation(len(words.ids))[:WITNESSES].tolist()
    documents = store.fetch([words.ids[row] for row in rows]).documents if rows else ()
    same = all(int(words.marks[words.places[document.id]]) == mark_of(document.text) for document in documents)
    return same and 2 * len(documents) >= len(rows)


def _ids(store: Store) -> Iterator[DocumentId]:
    while isinstance(store, WrappedStore):
        store = store.store  # whose ids are the same, and may be read without vectors
    if isinstance(store, PagedStore):
        for page in store.walk(None, vectors=False):
            yield from (id for id, _ in page)
    else:
        for batch in store.scan():
            yield from batch.ids


@atexit.register
def _end() -> None:
    """A thread that is in the midst of a request is waited for: its end there might take the engine down."""
    _ending.set()
    for thread in list(_threads):
        thread.join(2.0)
