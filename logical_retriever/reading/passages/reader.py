"""The package's own verifier: two networks, one for English and one for ten other languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from logical_retriever.bounded import BoundedCache
from logical_retriever.lexical import visible
from logical_retriever.reading.layers import WeightsError
from logical_retriever.reading.passages.cue_lists import tokenize_passage
from logical_retriever.reading.passages.cues import QUOTED
from logical_retriever.reading.passages.network import HINT, PassageNetwork
from logical_retriever.reading.passages.windows import Window
from logical_retriever.reading.pieces import SENTENCE_END
from logical_retriever.results import Verdict

FOLDER: Final = Path(__file__).parent
NAMES: Final = ("english.npz", "multilingual.npz")
REMEMBERED: Final = 10_000
"""Verdicts that a reader remembers."""
REMEMBERED_LANGUAGES: Final = 1_024
"""Passages of which it is remembered whether they are English."""
LONGEST_TERM: Final = 200
"""Most characters of a term that is looked for."""
MOST_WINDOWS: Final = 16
"""Most windows of a passage that are read for one term: some 2,700 words."""
PLAIN: Final = 0.97
"""Least share of letters from a to z in an English passage."""
SPLIT: Final = 1.4
"""How many times as many pieces the English vocabulary needs for a foreign term, at least."""
_HAS, _ABSENT, _ABOUT = 0, 3, 4

Pair = tuple[str, str]
"""A term and a passage."""


class Network(Protocol):
    """What reads windows."""

    def windows(self, passage: str) -> Sequence[Window]:
        """Cut a passage into windows; none if it cannot be read."""

    def read(self, pairs: Sequence[tuple[str, Window]]) -> NDArray[np.float64]:
        """Return the probabilities of pairs of a term and a window, shape (pairs, 5)."""


class PassageReader:
    """Read passages for terms with the package's own networks, in numpy.

    English passages are read by a network for English; all others, and passages read for a term in another language,
    by one for ten other languages. A long passage is read in windows of 240 pieces, at most sixteen; those with words
    of the term come first. A passage of which a tenth is unknown, as of Arabic, source code, and terms of more than 200
    characters get no verdict.

    Threads may share an instance. It remembers its last 10,000 verdicts.

    Attributes:
        name: A name for messages.
        timeout: None: a verdict does not depend on the machine's speed.
        longest: None: passages are read to their end.

    Args:
        folder: Where the networks' weights are; those of the package where one is missing.
        network: Another network, which reads all passages.

    Raises:
        WeightsError: The folder has no weights.

    Examples:
        >>> (verdict,) = PassageReader().verify(["swimming pool"], ["A large garden, but the pool is long gone."])
        >>> verdict.denies > 0.5
        True
    """

    name = "the passage reader"
    timeout = None
    longest = None
    unread = "Some passages are in a language or form that it does not read."

    def __init__(self, folder: str | Path = FOLDER, *, network: Network | None = None) -> None:
        self._folder, self._only = Path(folder), network
        if network is None and not any((self._folder / name).exists() for name in NAMES):
            raise WeightsError(f"There are no weights in {folder}: neither {NAMES[0]} nor {NAMES[1]}.", hint=HINT)
        self._loading, self._loaded = Lock(), dict[str, PassageNetwork]()
        self._known: BoundedCache[bytes, NDArray[np.float64]] = BoundedCache(REMEMBERED)

    @property
    def small(self) -> bool:
        """Whether it reads with the package's small networks, taught further or not."""
        return self._only is None

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), network=self._only), (self._folder,)

    @classmethod
    def from_pretrained(cls, folder: str | Path, *, device: str | None = None) -> PassageReader:
        """Return a reader that was taught elsewhere.

        Args:
            folder: A folder with ``english.npz``, ``multilingual.npz`` or both, as ``training/passages/add.py`` writes
                them; or a sentence-transformers ``CrossEncoder`` whose five labels are called "has", "denies", "open",
                "absent" and "about", as ``training/passages/large.py`` writes it, which runs in torch.
            device: Where a ``CrossEncoder`` runs, such as "cuda"; by default on a GPU where there is one.

        Raises:
            WeightsError: The folder has neither, or the model has other outputs.
            MissingPackageError: The model needs sentence-transformers.
        """
        if any((Path(folder) / name).exists() for name in NAMES):
            return cls(Path(folder))
        from logical_retriever.reading.passages.large import LargeNetwork

        return cls(network=LargeNetwork(Path(folder), device))

    def _named(self, name: str) -> PassageNetwork:
        """Return one of the two networks, loaded once."""
        with self._loading:
            if name not in self._loaded:
                own = self._folder / name
                self._loaded[name] = PassageNetwork(own if own.exists() else FOLDER / name)
            return self._loaded[name]

    def __deepcopy__(self, memo: object) -> PassageReader:
        """Return the reader itself: its weights never change."""
        return self

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Verdict | None]:
        """Return a verdict for each pair; None where too much of the passage is unknown.

        Raises:
            WeightsError: The package's weights are missing or damaged; they are loaded on the first call.
        """
        return [_together(windows) for windows in self._remembered(list(zip(terms, passages, strict=True)))]

    def quotes(self, terms: Sequence[str], passages: Sequence[str]) -> list[str]:
        """Return for each pair the sentence most likely to mention the thing, up to 160 characters; "" for none."""
        pairs = list(zip(terms, passages, strict=True))
        quoted = [""] * len(pairs)
        for at, (term, passage) in enumerate(pairs):
            network, (read,) = self._network(term, passage), self._remembered([pairs[at]])
            if not len(read):
                continue
            windows = _most_telling(network.windows(passage), term)
            parts = SENTENCE_END.split(windows[_most_likely(read)].text)
            sentences = [sentence for part in parts if (sentence := part.strip())]
            cut = [(sentence, network.windows(sentence)) for sentence in sentences] if len(sentences) > 1 else []
            asked = [(sentence, few[0]) for sentence, few in cut if len(few) == 1]
            best = _most_likely(network.read([(term, window) for _, window in asked])) if asked else 0
            quoted[at] = (asked[best][0] if asked else sentences[0])[:QUOTED]
        return quoted

    def _network(self, term: str, passage: str) -> Network:
        if self._only is not None:
            return self._only
        multilingual = self._named("multilingual.npz")
        if not _is_english(visible(passage)) or not term.isascii():
            return multilingual
        english = self._named("english.npz")
        foreign = len(english.rows(term)) >= SPLIT * len(multilingual.rows(term))
        return multilingual if foreign else english

    def _remembered(self, pairs: Sequence[Pair]) -> list[NDArray[np.float64]]:
        """Return for each pair the probabilities of its windows, shape (windows, 5), reading only new pairs."""
        # What stands for a pair in the cache, which keeps no passages alive. The length tells where the term ends.
        texts = {pair: f"{len(pair[0])} {pair[0]}{pair[1]}".encode("utf-8", "surrogatepass") for pair in pairs}
        keys = {pair: blake2b(text, digest_size=16).digest() for pair, text in texts.items()}
        known = {pair: windows for pair, key in keys.items() if (windows := self._known.get(key)) is not None}
        new = [pair for pair in keys if pair not in known]
        for pair, windows in zip(new, self._read(new), strict=True):
            known[pair] = windows.copy()  # of its own, not a view of all that were read together
            self._known.put(keys[pair], known[pair])
        return [known[pair] for pair in pairs]

    def _read(self, pairs: Sequence[Pair]) -> list[NDArray[np.float64]]:
        """Return for each pair the probabilities of its windows, shape (windows, 5)."""
        chosen = [self._network(*pair) for pair in pairs]
        read = [np.empty((0, 5))] * len(pairs)
        for network in dict.fromkeys(chosen):
            own = [at for at, one in enumerate(chosen) if one is network]
            windows = [
                _most_telling(network.windows(passage), term) if len(term) <= LONGEST_TERM else ()
                for term, passage in (pairs[at] for at in own)
            ]
            asked = [(pairs[at][0], window) for at, few in zip(own, windows, strict=True) for window in few]
            found = network.read(asked) if asked else np.empty((0, 5))
            parts = np.split(found, np.cumsum([len(few) for few in windows])[:-1])
            for at, part in zip(own, parts, strict=True):
                read[at] = part
        return read


@lru_cache(maxsize=1)
def default_passage_reader() -> PassageReader:
    """Return the reader with the package's own weights, loaded once."""
    return PassageReader()


@lru_cache(REMEMBERED_LANGUAGES)
def _is_english(passage: str) -> bool:
    letters = [letter for letter in passage if letter.isalpha()]
    plain = sum(map(str.isascii, letters)) >= PLAIN * len(letters)
    return plain and tokenize_passage(passage)[0] == "en"


def _most_telling(windows: Sequence[Window], term: str) -> Sequence[Window]:
    """Return the windows to read, in the passage's order: of many, those with most words of the term come first."""
    if len(windows) <= MOST_WINDOWS:
        return windows
    words = term.casefold().split()
    named = [sum(word in window.text.casefold() for word in words) for window in windows]
    return [windows[at] for at in sorted(sorted(range(len(windows)), key=lambda at: -named[at])[:MOST_WINDOWS])]


def _most_likely(read: NDArray[Any]) -> int:
    """Return the position of the window that is most likely to mention the thing."""
    return int(read[:, _ABSENT].argmin())


def _together(read: NDArray[Any]) -> Verdict | None:
    """Return a passage's verdict from the probabilities of its windows.

    P(has) is the maximum over the windows, P(about) the mean of the upper half of them. The rest is from the window
    that is most likely to mention the thing.
    """
    if not len(read):
        return None
    has, told = float(read[:, _HAS].max()), read[_most_likely(read)]
    rest = (1.0 - has) / max(1e-9, 1.0 - told[_HAS])
    about = np.sort(read[:, _ABOUT])[len(read) // 2 :].mean()
    denies, unsure, absent = (told[_HAS + 1 : _ABOUT] * rest).tolist()
    return Verdict(has, denies, unsure, absent, float(about))
