"""A store with an index of its documents' words in a file beside it, for stores without a full text of their own."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, Filter, PushdownStore, Store, VectorBatch, WordQuery
from logical_retriever.stores.followed import found_by_words
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.words_file import KeptWords, read_words, write_words
from logical_retriever.stores.wrapped import WrappedEngine, WrappedStore

Progress = Callable[[int, int], None]
"""Told how many texts of how many have been read."""
PAGE = 1000
"""Texts read in one request."""
WITNESSES = 32
"""Documents whose texts are read again to see whether the index is of this store as it is."""
SMALL = 10_000
"""Stores of fewer documents are counted before every look into the index."""
SHARE, LONGEST = 1000, 60.0
"""A look whether larger ones have changed is good for so many times as long as it took, at most for so many seconds."""


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


class StoreWithWords(WrappedStore):
    """A store that finds documents by an index of words in a file; made by :func:`with_words_index`.

    The index is compared with the store when it is first needed, and while it is used: by the number of documents and
    by some texts. What is new is added, what is gone is taken out, and where a text has changed all are compared. A
    text that was replaced under its id, and is none of those looked at, is found by :meth:`update` alone.

    Attributes:
        path: The file.
        said: What was done to the index last, in words.
    """

    def __init__(self, store: Store, path: Path, progress: Progress | None = None) -> None:
        super().__init__(store)
        self.path = path
        self.said = "not looked at yet"
        self._progress = progress
        self._lock = threading.Lock()
        self._kept: KeptWords | None = None
        self._due = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy looks into the file anew."""
        return type(self), (self._store, self.path, self._progress)

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store below, and words."""
        return replace(self.store.capabilities, words=f"the index of words in {self.path.name}", indexes_words=True)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents of greatest BM25 for each query."""
        if filter is None:
            kept = self._current(queries[0].language if queries else "en")
            return found_by_words(kept.ids, self._index_of, queries, n)
        if self.store.capabilities.words is not None:
            return super().search_words(queries, n, filter)
        passing = {id for batch in super().scan(filter) for id in batch.ids}
        found = []
        for query in queries:
            kept = self._current(query.language)
            [ids] = found_by_words(kept.ids, self._index_of, [query], len(kept.ids))
            found.append(list(islice((id for id in ids if id in passing), n)))
        return found

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """All vectors that pass the filter, with the index of their words."""
        for batch in super().scan(filter):
            words = partial(self._words_of, batch.ids)
            yield replace(batch, words=words)

    def update(self) -> str:
        """Compare all texts with the index; what was done, in words."""
        with self._lock:
            kept, why = (self._kept, "") if self._kept is not None else read_words(self.path)
            self._kept = self._brought_up(kept, "en" if kept is None else kept.index.language, why, verify=True)
            return self.said

    def _words_of(self, ids: Sequence[DocumentId], language: str) -> WordIndex:
        kept = self._current(language)
        if any(id not in kept.places for id in ids):  # added since the last look
            with self._lock:
                kept = self._kept = self._brought_up(kept, language, "", verify=False)
        # What came and went between two readings has no words.
        return kept.index.ordered([kept.places.get(id, -1) for id in ids])

    def _index_of(self, language: str) -> WordIndex:
        return self._current(language).index

    def _current(self, language: str) -> KeptWords:
        """The index as the store is now."""
        with self._lock:
            started, count, why = time.monotonic(), None, ""
            kept: KeptWords | None = self._kept
            if kept is not None and kept.index.language == language:
                if started < self._due and len(kept.ids) >= SMALL:
                    return kept
                count = self.store.count()
                if started < self._due and count == len(kept.ids):
                    return kept
            elif kept is None:
                kept, why = read_words(self.path)
            if kept is not None and kept.index.language != language:
                why = f"made anew: its words were read as {kept.index.language!r}"
                kept = None
            count = self.store.count() if count is None else count
            if kept is None or (count is not None and count != len(kept.ids)):
                kept = self._brought_up(kept, language, why, verify=False)
            state = self._witnessed(kept)
            if state == "other":
                kept = self._brought_up(None, language, "made anew: the file was of other documents", verify=False)
            elif state == "changed":
                kept = self._brought_up(kept, language, why, verify=True)
            elif self._kept is None and why == "up to date":
                self.said = why
            self._kept = kept
            took = time.monotonic() - started
            self._due = started + took + min(LONGEST, SHARE * took)
            return kept

    def _witnessed(self, kept: KeptWords) -> str:
        """Whether some documents are what the index says: "same", "changed", or mostly "other" ones."""
        documents = self.store.sample(WITNESSES, 0).documents
        known = [document for document in documents if document.id in kept.places]
        same = sum(int(kept.marks[kept.places[document.id]]) == _mark(document.text) for document in known)
        if 2 * same < len(documents):
            return "other"
        return "same" if same == len(documents) else "changed"

    def _brought_up(self, kept: KeptWords | None, language: str, why: str, *, verify: bool) -> KeptWords:
        """The index of the documents that the store has now, written to the file where that changed anything."""
        before = KeptWords((), np.empty(0, np.uint64), WordIndex.of((), language)) if kept is None else kept
        ids = dict.fromkeys(self._ids())
        stay = [row for row, id in enumerate(before.ids) if id in ids]
        asked = list(ids) if verify else [id for id in ids if id not in before.places]
        texts = self._texts(asked)
        if verify:
            stay = [
                row
                for row in stay
                if (text := texts.get(before.ids[row])) is None or _mark(text) == int(before.marks[row])
            ]
            for row in stay:
                texts.pop(before.ids[row], None)
        removed, added = len(before.ids) - len(stay), len(texts)
        if kept is not None and not removed and not added:
            self.said = "up to date"
            return kept
        index = before.index.kept(stay) if removed else before.index
        marks = np.array([_mark(text) for text in texts.values()], np.uint64)
        now = KeptWords(
            (*(before.ids[row] for row in stay), *texts),
            np.concatenate([before.marks[stay], marks]),
            index.added(texts.values()) if texts else index,
        )
        write_words(self.path, now)
        self.said = why if kept is None and why else f"{added} documents added and {removed} taken out"
        return now

    def _ids(self) -> Iterator[DocumentId]:
        if isinstance(self.store, PagedStore):
            for page in self.store.walk(None, vectors=False):
                yield from (id for id, _ in page)
        else:
            for batch in self.store.scan():
                yield from batch.ids

    def _texts(self, ids: Sequence[DocumentId]) -> dict[DocumentId, str]:
        """Texts by id, of those that are still there."""
        found: dict[DocumentId, str] = {}
        with _bar(len(ids)) if self._progress is None else nullcontext(self._progress) as progress:
            for start in range(0, len(ids), PAGE):
                batch = self.store.fetch(ids[start : start + PAGE])
                found.update((document.id, document.text) for document in batch.documents)
                progress(min(start + PAGE, len(ids)), len(ids))
        return found


class _EngineWithWords(StoreWithWords, WrappedEngine):
    """The same over a store whose engine computes scores itself."""


def _mark(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


@contextmanager
def _bar(total: int) -> Iterator[Progress]:
    """A bar on a terminal where rich is installed; nothing for a few texts."""
    shown = total > PAGE and sys.stderr.isatty()
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        shown = False
    if not shown:
        yield lambda *_: None
        return
    with Bar(console=Console(stderr=True)) as bar:
        task = bar.add_task("Index of words", total=total)
        yield lambda done, _: bar.update(task, completed=done)
