"""An index of the words of a store's documents, kept up with the store in a file or in this process's memory."""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from logical_retriever.errors import LogicalRetrieverError, StoreError
from logical_retriever.lexical import WordIndex
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, Store, StoredDocument
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.words_file import KeptWords, mark_of, read_words, write_words
from logical_retriever.stores.wrapped import WrappedStore

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
BETWEEN = 20
"""A look in the background is followed by none for so many times as long as it took."""
AT_ONCE = 2_000
"""Documents up to which an index in memory is made while the question waits: a tenth of a second or two."""
MOST = 250_000
"""Documents up to which an index is made in memory unasked: some 120 MB of passages of 800 characters."""
WORK, REST = 0.002, 0.0001
"""Seconds that the thread counts words, and that it then rests. A question's own thread gives up the interpreter at
every request and every computation, and would wait five milliseconds each time to have it again."""
PATIENCE = 2.0
"""Seconds that the end of the process waits for a page that is being read."""


class WordsKeeper:
    """An index of a store's words, compared with the store when it is first needed, and while it is used.

    It is compared by the number of documents and by some texts. What is new is added, what is gone is taken out, and
    where a text has changed all are compared. Safe to use from several threads.

    Args:
        path: Of a file that it is kept in; None for this process's memory.
        progress: Told how far reading the texts is; None for a bar on a terminal where rich is installed.

    Attributes:
        said: What was done to the index last, in words.
    """

    def __init__(self, path: Path | None, progress: Progress | None = None) -> None:
        self.said = "not looked at yet"
        self._path, self._progress = path, progress
        self._lock = threading.Lock()
        self._kept: KeptWords | None = None
        self._due = 0.0
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waiting = 0.0

    def current(
        self, store: Store, language: str, *, present: Sequence[DocumentId] = (), count: int | None = None
    ) -> KeptWords:
        """The index as the store is now.

        Args:
            store: The documents.
            language: Of their words, one of :data:`~logical_retriever.lexical.LANGUAGES`.
            present: Documents that are known to be in the store.
            count: How many documents it has; None to ask it.
        """
        with self._lock:
            kept = self._looked(store, language, count)
            if any(id not in kept.places for id in present):  # added since the last look
                kept = self._kept = self._brought_up(store, kept, language, "", verify=False)
            return kept

    def ready(self, store: Store, language: str, count: int | None) -> KeptWords | None:
        """The index as it was at the last look; None where it is still being made, which is then seen to.

        That of a store of up to :data:`AT_ONCE` documents is always current.

        Args:
            store: The documents; other threads must be able to read it.
            language: Of the words.
            count: How many documents it has; None where that is not known.
        """
        if count is not None and count <= AT_ONCE:
            return self.current(store, language, count=count)
        kept = self._kept
        fits = kept is not None and kept.index.language == language
        outdated = kept is None or not fits or (count is not None and count != len(kept.ids))
        now = time.monotonic()
        if now >= self._waiting and (outdated or now >= self._due):
            with self._starting:
                if self._thread is None:
                    # Not a daemon's sudden end within an engine: the process waits for the page that is being read.
                    self._thread = threading.Thread(
                        target=self._work, args=(store, language), name="index of words", daemon=True
                    )
                    self._thread.start()
        return kept if fits else None

    def update(self, store: Store) -> str:
        """Compare all texts with the index; what was done, in words."""
        with self._lock:
            kept, why = (self._kept, "") if self._kept is not None else self._read()
            language = "en" if kept is None else kept.index.language
            self._kept = self._brought_up(store, kept, language, why, verify=True)
            return self.said

    @property
    def latest(self) -> KeptWords | None:
        """The index as it was at the last look."""
        return self._kept

    @property
    def making(self) -> bool:
        """Whether a thread is at it."""
        return self._thread is not None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for an index that is being made; whether none is any more."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _work(self, store: Store, language: str) -> None:
        started = time.monotonic()
        try:
            count = store.count()
            if count is None or count > MOST:
                self.said = f"none is made in memory of {'unknown many' if count is None else f'{count:,}'} documents"
            else:
                self._due = 0.0
                self.current(store, language, count=count)
        except LogicalRetrieverError as error:
            # The store's own requests go on answering; what is wrong with it they will say.
            self.said = f"no index of words could be made: {error}"
        finally:
            ended = time.monotonic()
            self._waiting = ended + min(LONGEST, BETWEEN * (ended - started))
            self._thread = None

    def _read(self) -> tuple[KeptWords | None, str]:
        return (None, "made now") if self._path is None else read_words(self._path)

    def _looked(self, store: Store, language: str, count: int | None = None) -> KeptWords:
        started, why = time.monotonic(), ""
        kept: KeptWords | None = self._kept
        if kept is not None and kept.index.language == language:
            if started < self._due and len(kept.ids) >= SMALL:
                return kept
            count = store.count() if count is None else count
            if started < self._due and count == len(kept.ids):
                return kept
        elif kept is None:
            kept, why = self._read()
        if kept is not None and kept.index.language != language:
            why = f"made anew: its words were read as {kept.index.language!r}"
            kept = None
        count = store.count() if count is None else count
        # In the background there is time to look for one that came as another went.
        if kept is None or self._path is None or (count is not None and count != len(kept.ids)):
            kept = self._brought_up(store, kept, language, why, verify=False)
        state = _witnessed(store, kept)
        if state == "other":
            was = "it was" if self._path is None else "the file was"
            kept = self._brought_up(store, None, language, f"made anew: {was} of other documents", verify=False)
        elif state == "changed":
            kept = self._brought_up(store, kept, language, why, verify=True)
        elif self._kept is None and why == "up to date":
            self.said = why
        self._kept = kept
        took = time.monotonic() - started
        self._due = started + took + min(LONGEST, SHARE * took)
        return kept

    def _brought_up(self, store: Store, kept: KeptWords | None, language: str, why: str, *, verify: bool) -> KeptWords:
        """The index of the documents that the store has now, written to the file where that changed anything."""
        before = KeptWords((), np.empty(0, np.uint64), WordIndex.of((), language)) if kept is None else kept
        ids = dict.fromkeys(_ids(store))
        stay = [row for row, id in enumerate(before.ids) if id in ids]
        asked = list(ids) if verify else [id for id in ids if id not in before.places]
        texts = self._texts(store, asked)
        if verify:
            stay = [
                row
                for row in stay
                if (text := texts.get(before.ids[row])) is None or mark_of(text) == int(before.marks[row])
            ]
            for row in stay:
                texts.pop(before.ids[row], None)
        removed, added = len(before.ids) - len(stay), len(texts)
        if kept is not None and not removed and not added:
            self.said = "up to date"
            return kept
        index = before.index.kept(stay) if removed else before.index
        marks = np.array([mark_of(text) for text in texts.values()], np.uint64)
        now = KeptWords(
            (*(before.ids[row] for row in stay), *texts),
            np.concatenate([before.marks[stay], marks]),
            index.added(texts.values(), self._rest()) if texts else index,
        )
        if self._path is not None:
            write_words(self._path, now)
        self.said = why if kept is None and why else f"{added} documents added and {removed} taken out"
        return now

    def _rest(self) -> Callable[[], object]:
        """Called after each text: in the background, lets others come first."""
        return _Rest() if threading.current_thread() is self._thread else int

    def _texts(self, store: Store, ids: Sequence[DocumentId]) -> dict[DocumentId, str]:
        """Texts by id, of those that are still there."""
        found: dict[DocumentId, str] = {}
        with _bar(len(ids)) if self._progress is None else nullcontext(self._progress) as progress:
            for start in range(0, len(ids), PAGE):
                _go_on()
                documents = _fetched(store, ids[start : start + PAGE])
                found.update((document.id, document.text) for document in documents)
                progress(min(start + PAGE, len(ids)), len(ids))
        return found


class _Rest:
    """Called often, rests now and then."""

    def __init__(self) -> None:
        self._until = time.perf_counter() + WORK

    def __call__(self) -> None:
        if time.perf_counter() >= self._until:
            time.sleep(REST)
            self._until = time.perf_counter() + WORK


_shared: WeakValueDictionary[Hashable, WordsKeeper] = WeakValueDictionary()
_sharing = threading.Lock()


def shared_keeper(identity: Hashable) -> WordsKeeper:
    """The keeper of one store's words in this process's memory, for as long as somebody holds it.

    Args:
        identity: Of the store.
    """
    with _sharing:
        keeper = _shared.get(identity)
        if keeper is None:
            keeper = _shared[identity] = WordsKeeper(None, progress=lambda *_: None)
        return keeper


_ending = threading.Event()


def _go_on() -> None:
    """Come here between two requests of a long reading.

    Raises:
        StoreError: The process ends.
    """
    if _ending.is_set():
        raise StoreError("The process ends while an index of words is made.", hint="Nothing is lost by it.")


@atexit.register
def _end() -> None:
    """A thread that is in the midst of a request is waited for: its end there might take the engine down."""
    _ending.set()
    deadline = time.monotonic() + PATIENCE
    for keeper in list(_shared.values()):
        keeper.wait(max(0.0, deadline - time.monotonic()))


def _witnessed(store: Store, kept: KeptWords) -> str:
    """Whether some documents are what the index says: "same", "changed", or mostly "other" ones."""
    # Of those that are known: a store draws its own samples from a list of all that it has.
    drawn = np.random.default_rng(0).permutation(len(kept.ids))[:WITNESSES].tolist()
    documents = _fetched(store, [kept.ids[row] for row in drawn]) if drawn else ()
    same = sum(int(kept.marks[kept.places[document.id]]) == mark_of(document.text) for document in documents)
    if 2 * same < len(drawn):
        return "other"
    return "same" if same == len(drawn) else "changed"


def _fetched(store: Store, ids: Sequence[DocumentId]) -> Sequence[StoredDocument]:
    """Documents by id, without their vectors where the store can leave them out."""
    fetch: Callable[[Sequence[DocumentId]], Batch] = getattr(store, "fetch_texts", store.fetch)
    return fetch(ids).documents


def _ids(store: Store) -> Iterator[DocumentId]:
    while isinstance(store, WrappedStore) and type(store).scan is WrappedStore.scan:
        store = store.store  # whose ids are the same, and may be read without vectors
    if isinstance(store, PagedStore):
        for page in store.walk(None, vectors=False):
            yield from (id for id, _ in page)
    else:
        for batch in store.scan():
            yield from batch.ids


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
