"""A store with an index of its documents' words beside it, for stores without a full text of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, Filter, PushdownStore, Store, VectorBatch, WordQuery
from logical_retriever.stores.followed import found_by_words
from logical_retriever.stores.words_file import KeptWords
from logical_retriever.stores.words_keeper import AT_ONCE, Progress, WordsKeeper, shared_keeper
from logical_retriever.stores.wrapped import WrappedEngine, WrappedStore

MOST_ALONE = 10_000
"""Documents up to which an index is made while the question waits, where no thread can make it: a second or two."""


def with_words_index(store: Store, path: str | Path, *, progress: Progress | None = None) -> Store:
    """A store with an index of words in a file.

    Args:
        store: The documents; it must be one that can be walked through.
        path: The file: made by the first question, afterwards only changed by what is new or gone.
        progress: Told how far reading the texts is; None for a bar on a terminal where rich is installed.

    Raises:
        InvalidArgumentError: The path is none.
        StoreCapabilityError: The store cannot be walked through.
    """
    if not isinstance(path, str | Path) or not str(path).strip():
        raise InvalidArgumentError(f"words_index is {path!r}.", hint="Give the path of a file.")
    if not store.capabilities.scan:
        raise StoreCapabilityError(
            f"{store.capabilities.name} cannot be walked through: no index can be made of its words.",
            hint="Leave words_index out, or give a store that can.",
        )
    kind = _EngineWithWords if isinstance(store, PushdownStore) else StoreWithWords
    return kind(store, Path(path), progress)


def with_words(store: Store, index: str | Path | Literal[False] | None) -> Store:
    """A store with the index of words that it is to have.

    Args:
        store: The documents.
        index: The path of a file; False for what the store itself can do. None for an index in this process's memory
            where the store would read every text to find a word, and is known by its ``identity``.

    Raises:
        InvalidArgumentError: The path is none.
        StoreCapabilityError: There is a path, and the store cannot be walked through.
    """
    if index is False:
        return store
    if index is not None:
        return with_words_index(store, index)
    known = not isinstance(store, StoreWithWords) and getattr(store, "identity", None) is not None
    if not known:
        return store
    return _EngineWithSharedWords(store) if isinstance(store, PushdownStore) else StoreWithSharedWords(store)


class StoreWithWords(WrappedStore):
    """A store that finds documents by an index of words in a file; made by :func:`with_words_index`.

    A text that was replaced under its id, and is none of those looked at, is found by :meth:`update` alone.

    Attributes:
        path: The file; None for memory.
    """

    def __init__(self, store: Store, path: Path | None, progress: Progress | None = None) -> None:
        super().__init__(store)
        self.path = path
        self._progress = progress
        self._own = WordsKeeper(path, progress)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy looks into the file anew."""
        return type(self), (self._store, self.path, self._progress)

    @property
    def said(self) -> str:
        """The last that was done to the index, in words."""
        return self._keeper.said

    @property
    def statistics_path(self) -> Path | None:
        """The file beside the index that the store's statistics are kept in; None where the index is in memory."""
        return None if self.path is None else self.path.with_name(f"{self.path.name}.statistics")

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store below, and words."""
        name = "" if self.path is None else self.path.name
        return replace(self.store.capabilities, words=f"the index of words in {name}", indexes_words=True)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 for each query."""
        languages = {query.language for query in queries}
        if len(languages) > 1:
            return [ids for query in queries for ids in self.search_words([query], n, filter)]
        kept = self._kept(languages.pop()) if queries else None
        if kept is None or (filter is not None and self.store.capabilities.words is not None):
            return super().search_words(queries, n, filter)
        index = kept.index
        if filter is None:
            return found_by_words(kept.ids, lambda _: index, queries, n)
        passing = {id for batch in super().scan(filter) for id in batch.ids}
        found = found_by_words(kept.ids, lambda _: index, queries, len(kept.ids))
        return [list(islice((id for id in ids if id in passing), n)) for ids in found]

    def indexed_words(self, language: str) -> KeptWords | None:
        """The words of all documents, read by this language; None where the index is still being made."""
        return self._kept(language)

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors that pass the filter, with the index of their words."""
        for batch in super().scan(filter):
            words = partial(self._words_of, batch.ids)
            yield replace(batch, words=words)

    def update(self) -> str:
        """Compare all texts with the index; what was done, in words."""
        return self._keeper.update(self.store)

    @property
    def _keeper(self) -> WordsKeeper:
        return self._own

    def _kept(self, language: str) -> KeptWords | None:
        """The index, where there is one by now."""
        return self._keeper.current(self.store, language)

    def _words_of(self, ids: Sequence[DocumentId], language: str) -> WordIndex:
        kept = self._keeper.current(self.store, language, present=ids)
        # What came and went between two readings has no words.
        return kept.index.ordered([kept.places.get(id, -1) for id in ids])


class StoreWithSharedWords(StoreWithWords):
    """A store whose words are looked up in an index in this process's memory, which all its retrievers share.

    The index of a larger store is made by a thread while the store's own requests answer, where the store can be read
    by several; it is held as long as one of the retrievers is.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store, None)
        self._count: int | None = None
        self._held = shared_keeper(self.identity)
        self._of = self.identity

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy shares the index."""
        return type(self), (self._store,)

    def count(self) -> int | None:
        """Number of documents."""
        self._count = super().count()
        return self._count

    @property
    def said(self) -> str:
        """The last that was done to the index, in words."""
        if not self._small and self._alone:
            return f"no index is made unasked of more than {MOST_ALONE:,} documents: words_index= gives it a file"
        keeper = self._keeper
        return "an index of its words is being made" if keeper.making else keeper.said

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store below, and words once the index is made."""
        below = self.store.capabilities
        if not self._small and self._keeper.latest is None:
            return below
        return replace(below, words="an index of words in memory", indexes_words=True)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for an index that is being made; whether none is any more."""
        return self._keeper.wait(seconds)

    @property
    def _small(self) -> bool:
        return self._count is not None and self._count <= (MOST_ALONE if self._alone else AT_ONCE)

    @property
    def _alone(self) -> bool:
        """Whether a connection like that of the store serves one request at a time, the caller's own among them."""
        return bool(getattr(self.store, "one_request", False))

    @property
    def _keeper(self) -> WordsKeeper:
        # Each time: what is behind a framework's vector store may be another collection by now.
        if self._of != (identity := self.identity):
            self._held, self._of = shared_keeper(identity), identity
        return self._held

    def indexed_words(self, language: str) -> KeptWords | None:
        """The words of all documents as they were at the last look, read by this language; None before the first."""
        kept, keeper = self._kept(language), self._keeper
        if kept is None and keeper.latest is not None:  # read by another one: an engine's plan has counted on it
            return keeper.current(self.store, language)
        return kept

    def _kept(self, language: str) -> KeptWords | None:
        if self._small:
            return self._keeper.current(self.store, language, count=self._count)
        return None if self._alone else self._keeper.ready(self.store, language, self._count)


class _EngineWithWords(StoreWithWords, WrappedEngine):
    """The same over a store whose engine computes scores itself."""


class _EngineWithSharedWords(StoreWithSharedWords, WrappedEngine):
    """The same with an index in memory."""
