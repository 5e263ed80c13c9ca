"""An index of its documents' words beside a store, for stores without a full text of their own."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Literal, cast
from weakref import WeakSet, WeakValueDictionary

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, StoreCapabilityError, StoreError
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Filter, Store, WordQuery, WordStore, identity_of
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.rows import pages
from logical_retriever.stores.words import documents_with_words
from logical_retriever.stores.words_file import IndexedWords, read_words, write_words
from logical_retriever.stores.wrapped import WrappedStore

MOST = 250_000
"""Documents up to which an index is made in memory unasked: some 120 MB of passages of 800 characters."""
FEW = 2000
"""Documents whose words are indexed as soon as a sample is drawn: the first question waits for so few."""
REST = 9
"""How many times as long as an index took no other is made: a store that grows is not read without end."""
PAGE = 1000
"""Texts read in one request."""
LOOKED_AT = 10_000
"""The best documents by their words that are asked whether they pass a filter."""

logger = logging.getLogger(__name__)
_threads: WeakSet[threading.Thread] = WeakSet()
_ending = threading.Event()


def words_beside(store: Store, index: str | Path | Literal[False] | None) -> WordsBeside | None:
    """The index of words that a store is to have beside it, if any.

    Args:
        store: The documents.
        index: The path of a file; False for what the store itself can do. None for an index in this process's memory,
            shared by all retrievers of the store, where the store is known by its ``identity`` and several threads may
            ask it.

    Raises:
        InvalidArgumentError: The path is none.
        StoreCapabilityError: There is a path, and the store cannot be walked through.
    """
    if index is False or (
        index is None and (getattr(store, "identity", None) is None or not store.capabilities.threads)
    ):
        return None
    if index is not None and (not isinstance(index, str | Path) or not str(index).strip()):
        raise InvalidArgumentError(f"words_index is {index!r}.", hint="Give the path of a file.")
    if index is not None and not store.capabilities.scan:
        raise StoreCapabilityError(
            f"{store.capabilities.name} cannot be walked through: no index can be made of its words.",
            hint="Leave words_index out, or give a store that can.",
        )
    return WordsBeside(store, None if index is None else Path(index))


class WordsBeside:
    """Finds documents by an index of their words, made by a thread of its own, and again when the count is another.

    It is made when it is first needed. Until then the store's own search for words answers, where it has one, or none.
    A question waits for an index in a file, and for the first one of at most :data:`FEW` documents. A text that was
    replaced under its id is read anew with the next document that comes or goes.

    Args:
        store: The documents.
        path: A file that the index is loaded from and saved to; None for memory, up to :data:`MOST` documents.
    """

    def __init__(self, store: Store, path: Path | None = None) -> None:
        self.store, self.path = store, path
        self._shared = self._latest_shared()

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Filter, count: int | None
    ) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 for each query.

        Args:
            queries: Q queries.
            n: At least 1.
            filter: In the store's own language.
            count: Documents in the store; None where it cannot tell.

        Raises:
            StoreError: The file is something else, or cannot be read or written.
        """
        indexes = {language: self._words(language, count) for language in {query.language for query in queries}}
        return [self._with_words(query, indexes[query.language], n, filter) for query in queries]

    def _with_words(self, query: WordQuery, words: IndexedWords | None, n: int, filter: Filter) -> list[DocumentId]:
        if words is None:
            own = isinstance(self.store, WordStore) and self.store.capabilities.words is not None
            return cast("WordStore", self.store).search_words([query], n, filter)[0] if own else []
        best = documents_with_words(words.ids, lambda _: words.index, query, n if filter is None else LOOKED_AT)
        if filter is None:
            return best
        passing: list[DocumentId] = []
        for page in pages(best, max(200, 4 * n)):
            passing += self.store.fetch(page, filter).ids
            if len(passing) >= n:
                break
        return passing[:n]

    def _words(self, language: str, count: int | None) -> IndexedWords | None:
        """The index as it was last made; None before the first."""
        if self.path is None and (count is None or count > MOST):
            return None
        self._shared = self._latest_shared()
        return self._shared.current(self.store, language, count)

    def _latest_shared(self) -> _Words:
        """One for all retrievers of a store. What is behind a framework's vector store may be another one by now."""
        return _living.setdefault((identity_of(self.store), self.path), _Words(self.path))


class _Words:
    """The indexes of one store's words, by language. Safe to use from several threads."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._latest: dict[str, IndexedWords] = {}
        self._counts: dict[str, int | None] = {}
        self._rests_until: dict[str, float] = {}
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._error: LogicalRetrieverError | None = None

    def current(self, store: Store, language: str, count: int | None) -> IndexedWords | None:
        """The latest index; another is begun where the store counted other documents when it was made."""
        waits = self.path is not None
        with self._starting:
            if waits and self._thread is not None:
                self._thread.join()
            idle = self._thread is None or not self._thread.is_alive()
            rested = time.monotonic() >= self._rests_until.get(language, 0.0)
            begins = idle and rested and self._counts.get(language, -1) != count
            if begins:
                self._counts[language] = count
                # Daemon: the process does not wait for all of it, see _end.
                self._thread = threading.Thread(target=self._make, args=(store, language), daemon=True)
                _threads.add(self._thread)
                self._thread.start()
            thread = self._thread
        if thread is not None and (waits or (count is not None and count <= FEW and language not in self._latest)):
            thread.join()
        if waits and self._error is not None:
            raise self._error
        return self._latest.get(language)

    def _make(self, store: Store, language: str) -> None:
        began = time.monotonic()
        try:
            ids = _ids(store)
            words = None if self.path is None or language in self._latest else read_words(self.path, language)
            if words is None or set(words.ids) != set(ids):
                words = _indexed(store, ids, language)
                if self.path is not None:
                    write_words(self.path, words)
            self._latest[language], self._error = words, None
        except LogicalRetrieverError as error:
            # In memory, the store's own requests go on answering; what is wrong with it they will say.
            logger.warning("No index of words could be made of %s: %s", store.capabilities.name, error)
            self._error = error
        now = time.monotonic()
        if self.path is None:
            self._rests_until[language] = now + REST * (now - began)
        elif self._error is not None:  # the user may see to the file
            del self._counts[language]


_living: WeakValueDictionary[Hashable, _Words] = WeakValueDictionary()


def _indexed(store: Store, ids: Sequence[DocumentId], language: str) -> IndexedWords:
    """The index of documents, those that are still there."""
    present: list[DocumentId] = []

    def texts() -> Iterator[str]:
        for page in pages(ids, PAGE):
            if _ending.is_set():
                raise StoreError("The process ends while an index of words is made.", hint="Nothing is lost by it.")
            for document in store.fetch(page).documents:
                present.append(document.id)
                yield document.text

    index = WordIndex.of(texts(), language)
    return IndexedWords(tuple(present), index)


def _ids(store: Store) -> list[DocumentId]:
    while isinstance(store, WrappedStore):
        store = store.store  # whose ids are the same, and may be listed without vectors
    return list(store.ids(None)) if isinstance(store, PagedStore) else [id for b in store.scan() for id in b.ids]


@atexit.register
def _end() -> None:
    """A thread that is in the midst of a request is waited for: its end there might take the engine down."""
    _ending.set()
    for thread in list(_threads):
        thread.join(2.0)
