"""How the words of a language are told apart, and which of them are forms of one: an analyser for each language."""

from __future__ import annotations

import re
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import snowballstemmer

from logical_retriever.bounded import BoundedCache
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.language.blocks import read_blocks
from logical_retriever.language.recognise import recognise

STEMS_MEMORY = 16_000_000
"""Bytes that stems of words take at most, for each language: those of about 40,000 words."""
WORD = re.compile(r"\w\w+")
"""Runs of two or more word characters: what scikit-learn and bm25s take."""

SNOWBALL: Final = MappingProxyType(
    {
        **{"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek"},
        **{"en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian"},
        **{"fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian"},
        **{"id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian"},
        **{"pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish"},
        **{"ta": "tamil", "tr": "turkish", "yi": "yiddish"},
    }
)
"""Languages with a stemmer of Snowball, by ISO 639-1 code."""
BIGRAMS: Final = ("ja", "ko", "th", "zh")
"""Languages whose words are taken two characters at a time: most of them write no spaces between words."""
LANGUAGES: Final = tuple(sorted((*SNOWBALL, *BIGRAMS)))
"""Languages of words."""

LOOKED_AT = 200
"""Texts of a sample whose language is looked at."""
CLEAR_SHARE = 0.2
"""Least share of the texts in another language than English for the store to be of that language."""
BIGRAM_SHARE = 0.05
"""The same for a language without spaces: it takes nothing from the words of others."""

# Han, Hiragana and Katakana, Hangul, Thai, Lao, Burmese, Khmer: their letters and the signs that go with them.
_UNSPACED: Final = (
    "\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\uac00-\ud7af\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3"
)
_FIRST_MARK: Final = 0x300
_LAST_MARK: Final = 0x1FFFF


class Analyser:
    """Words of texts in one language; made by :func:`analyser`.

    English is case-folded, cut into runs of two or more word characters, and stemmed. Other languages are brought to
    Unicode's compatibility form before, and marks that stand above or below a letter belong to its word. In all but
    English, scripts that have no spaces between words are taken two characters at a time.

    Attributes:
        language: ISO 639-1 code, one of :data:`LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._algorithm = SNOWBALL.get(language, "english")
        self._stop_words = _stop_words().get(language if language in SNOWBALL else "en", frozenset())
        self._local = threading.local()
        self._stems: BoundedCache[str, str] = BoundedCache(
            STEMS_MEMORY, weigh=lambda word, stem: sys.getsizeof(word) + sys.getsizeof(stem) + 300
        )

    def spellings(self, text: str) -> list[str]:
        """Words of a text as they stand in it, case-folded, stop words among them."""
        if self._is_plain(text):
            return WORD.findall(text.casefold())
        return [part for run in _runs().findall(_folded(text)) for part in _parts(run)]

    def stem(self, spelling: str) -> str | None:
        """The word that a spelling counts as; None for a stop word."""
        return None if spelling in self._stop_words else self._stems.made(spelling, self._stemmed)

    def words(self, text: str) -> list[str]:
        """Words of a text: those of :meth:`spellings` that are no stop words, each as it counts."""
        stop, made, stemmed = self._stop_words, self._stems.made, self._stemmed
        return [made(word, stemmed) for word in self.spellings(text) if word not in stop]

    def marked(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where the words of a text stand, and what each counts as; pairs of characters overlap."""
        plain = self._is_plain(text)
        for run in (WORD if plain else _runs()).finditer(text):
            for start, end in [(0, len(run[0]))] if plain else _cut(run[0]):
                piece = run[0][start:end]
                for spelling in WORD.findall(piece.casefold()) if plain else _parts(_folded(piece)):
                    if (word := self.stem(spelling)) is not None:
                        yield run.start() + start, run.start() + end, word

    def is_pair(self, spelling: str) -> bool:
        """Whether a spelling is of a script without spaces, and stands inside longer runs of letters."""
        return self.language != "en" and _PAIRED.match(spelling) is not None

    def _is_plain(self, text: str) -> bool:
        """Whether it has no marks, nothing to bring to another form, and no script without spaces that would count."""
        return self.language == "en" or text.isascii()

    def _stemmed(self, word: str) -> str:
        if self.is_pair(word):
            return word
        # A stemmer keeps its word in attributes: one per thread.
        if not hasattr(self._local, "stemmer"):
            self._local.stemmer = snowballstemmer.stemmer(self._algorithm)
        return str(self._local.stemmer.stemWord(word))


@cache
def analyser(language: str) -> Analyser:
    """The analyser of a language.

    Raises:
        InvalidArgumentError: There is none.
    """
    if language not in LANGUAGES:
        raise InvalidArgumentError(
            f"Words of the language {language!r} are not known.",
            hint=f"Choose one of {', '.join(LANGUAGES)}; of others, 'en' takes words as they are.",
        )
    return Analyser(language)


def language_of(texts: Sequence[str]) -> str:
    """The language to read the words of a store's texts by, from a sample.

    The one that most of the first texts are in, English where another is not clearly ahead of it: a few foreign titles
    change nothing. Where some are in a language without spaces between words, that: it leaves English as it is.

    Args:
        texts: Drawn at random.

    Examples:
        >>> language_of(["Der Wein ist von den Hängen an der Mosel", "Brot und Butter sind für alle da"])
        'de'
        >>> language_of(["Pinot Grigio", "Tokyo (東京) is the capital of Japan"])
        'en'
    """
    looked = texts[:LOOKED_AT]
    found = Counter(map(recognise, looked))
    spaced = {code: count for code, count in found.items() if code in SNOWBALL and code != "en"}
    best = max(spaced, key=lambda code: (spaced[code], code), default="en")
    if spaced.get(best, 0) > max(found["en"], CLEAR_SHARE * len(looked)):
        return best
    pairs = {code: found[code] for code in BIGRAMS if found[code]}
    if sum(pairs.values()) > BIGRAM_SHARE * len(looked):
        return max(pairs, key=lambda code: (pairs[code], code))
    return "en"


_MARKS: Final = re.compile("(?:M[nc])+")
"""In categories of neighbouring characters, two letters each."""
_PAIRED: Final = re.compile(f"[{_UNSPACED}]")
_UNSPACED_OR_NOT: Final = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")


@cache
def _runs() -> re.Pattern[str]:
    """Runs of word characters with the marks on them, which are no word characters for Python."""
    categories = "".join(map(unicodedata.category, map(chr, range(_FIRST_MARK, _LAST_MARK + 1))))
    places = ((_FIRST_MARK + of.start() // 2, _FIRST_MARK + of.end() // 2 - 1) for of in _MARKS.finditer(categories))
    return re.compile(rf"\w[\w{''.join(f'{chr(first)}-{chr(last)}' for first, last in places)}]*")


def _folded(text: str) -> str:
    # Folding may take characters apart: they are put together again.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _cut(run: str) -> Iterator[tuple[int, int]]:
    """Where the words of a run lie: pieces of other scripts, and pairs of neighbours in scripts without spaces."""
    if not _PAIRED.search(run):
        if len(run) > 1:
            yield 0, len(run)
        return
    for piece in _UNSPACED_OR_NOT.finditer(run):
        start, end = piece.span()
        if not _PAIRED.match(piece[0]):
            if end - start > 1:
                yield start, end
        elif end - start == 1:
            yield start, end
        else:
            for at in range(start, end - 1):
                yield at, at + 2


def _parts(run: str) -> list[str]:
    return [run[start:end] for start, end in _cut(run)]


@cache
def _stop_words() -> dict[str, frozenset[str]]:
    blocks = read_blocks("logical_retriever.lexical", "stop_words.txt")
    return {code: frozenset(" ".join(lines).split()) for code, lines in blocks}
