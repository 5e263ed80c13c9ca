"""Analysis of texts: how each language splits into words, and which forms count as one word."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from types import MappingProxyType
from typing import Final
from unicodedata import category, normalize

import Stemmer

from logical_retriever.errors import InvalidArgumentError

STEMS = 40_000
"""Size of each language's cache of stems."""
WORD = re.compile(r"\w\w+")
"""Two or more word characters, as in scikit-learn and bm25s."""

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
"""Languages with a Snowball stemmer, by ISO 639-1 code."""
BIGRAMS: Final = ("ja", "ko", "th", "zh")
"""Languages indexed by pairs of characters: most of them write no spaces between words."""
LANGUAGES: Final = tuple(sorted((*SNOWBALL, *BIGRAMS)))
"""All languages with an analyser, by ISO 639-1 code."""

LOOKED_AT = 200
"""Texts of a sample whose language is detected."""
CLEAR_SHARE = 0.2
"""Share of texts in another language above which a store counts as being in that language."""
BIGRAM_SHARE = 0.05
"""The same share for a language without spaces. It is lower, as that analysis leaves English words alone."""

# Letters and signs of Han, Hiragana, Katakana, Hangul, Thai, Lao, Burmese and Khmer.
_UNSPACED: Final = (
    "\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\uac00-\ud7af\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3"
)
_SCRIPTS: Final = (
    ("zh", re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
)
_KANA: Final = re.compile("[\u3041-\u30ff]")
_LETTERS: Final = re.compile(r"\w+")
SIGN = 3
"""Letters that one sign of a language's own script counts for."""
_FIRST_MARK: Final = 0x300
_LAST_MARK: Final = 0x1FFFF


_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point, but for blanks: a word with one between its letters looks like any other."""
_FANCY: Final = re.compile("[\u2100-\u214f\u24b6-\u24e9\uff21-\uff5a\U0001d400-\U0001d7ff]")
"""Letters in other forms: full-width, bold, in circles."""


def visible(text: str) -> str:
    """Return a text without characters that nobody sees, and with plain letters for those in other forms."""
    return text if text.isascii() else _FANCY.sub(_plain_letter, _UNSEEN.sub("", text))


def _plain_letter(found: re.Match[str]) -> str:
    plain = normalize("NFKC", found[0])
    return plain if len(plain) == 1 else found[0]


class Analyser:
    """A splitter of one language's texts into words; made by :func:`analyser`.

    English is case-folded, split into runs of two or more word characters, and stemmed. Other languages are first
    brought to Unicode's compatibility form, and marks above or below a letter belong to its word. Scripts without
    spaces between words become pairs of characters, except in English.

    Attributes:
        language: ISO 639-1 code, one of :data:`LANGUAGES`.
        stop_words: Case-folded words that say nothing of what a text is about.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._algorithm = SNOWBALL.get(language, "english")
        self.stop_words = _stop_words().get(language if language in SNOWBALL else "en", frozenset())
        self._local = threading.local()
        self._stemmed = lru_cache(STEMS)(self._stem)

    def pieces(self, text: str) -> list[str]:
        """Split a text into words as written, stop words included."""
        if self._is_plain(text):
            return WORD.findall(text)
        return [piece for run in _runs().findall(text) for piece in _cut(run)]

    def spellings(self, text: str) -> list[str]:
        """Split a text into case-folded words, stop words included."""
        text = visible(text)
        # Folding may decompose characters: the second pass composes them again.
        folded = text.casefold() if self._is_plain(text) else normalize("NFKC", normalize("NFKC", text).casefold())
        return self.pieces(folded)

    def stem(self, spelling: str) -> str | None:
        """Return the stem of a spelling; None for a stop word."""
        return None if spelling in self.stop_words else self._stemmed(spelling)

    def tokens(self, text: str) -> list[str]:
        """Split a text into stems, without stop words."""
        stop, stemmed = self.stop_words, self._stemmed
        return [stemmed(word) for word in self.spellings(text) if word not in stop]

    def _is_plain(self, text: str) -> bool:
        """Return whether the simple split into word characters is enough."""
        return self.language == "en" or text.isascii()

    def _stem(self, word: str) -> str:
        if self.language != "en" and _PAIRED.match(word):
            return word
        # A stemmer keeps state while it works: each thread has its own.
        if not hasattr(self._local, "stemmer"):
            self._local.stemmer = Stemmer.Stemmer(self._algorithm)
        return str(self._local.stemmer.stemWord(word))


@cache
def analyser(language: str) -> Analyser:
    """Return the analyser of a language.

    Raises:
        InvalidArgumentError: The language is not one of :data:`LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise InvalidArgumentError(
            f"Words of the language {language!r} are not known.",
            hint=f"Choose one of {', '.join(LANGUAGES)}; of others, 'en' takes words as they are.",
        )
    return Analyser(language)


def tokenize(text: str, language: str = "en") -> list[str]:
    """Split a text into words: case-folded, without stop words, stemmed by Snowball's rules.

    Args:
        text: Any text.
        language: ISO 639-1 code, one of :data:`~logical_retriever.lexical.LANGUAGES`.

    Raises:
        InvalidArgumentError: The language is not one of these.

    Examples:
        >>> tokenize("The health benefits of Vitamin D2")
        ['health', 'benefit', 'vitamin', 'd2']
        >>> tokenize("Die schönsten Häuser am See", "de"), tokenize("东京大学", "zh")
        (['schon', 'haus', 'see'], ['东京', '京大', '大学'])
    """
    return analyser(language).tokens(text)


def matched_words(text: str, words: Collection[str], language: str = "en") -> tuple[str, ...]:
    """Find the words of a text, as written, whose stems are among ``words``: each spelling once, in order.

    Examples:
        >>> matched_words("Two teapots, tea, Tea and teas", ["tea"])
        ('tea', 'Tea', 'teas')
        >>> matched_words("他在东京大学读书", ["东京", "大学"], "zh")
        ('东京', '大学')
    """
    read = analyser(language)
    return tuple([piece for piece in dict.fromkeys(read.pieces(text)) if not set(words).isdisjoint(read.tokens(piece))])


def own_words(text: str, without: Sequence[str] = (), keeping: Sequence[str] = (), language: str = "en") -> list[str]:
    """Return the words of a text without those of other texts, unless they also occur in ``keeping``.

    The words that set an excluded term apart from the wanted ones are evidence of it; shared words are not.

    Examples:
        >>> own_words("Miles Davis on the trumpet", without=["great jazz trumpet players"])
        ['mile', 'davi']
    """
    shared, kept = ({word for one in texts for word in tokenize(one, language)} for texts in (without, keeping))
    return [word for word in tokenize(text, language) if word in kept or word not in shared]


def language_of(texts: Sequence[str]) -> str:
    """Detect the language to analyse a store's texts by, from a sample.

    It is the language of most texts, or English where no other is clearly ahead: a few foreign titles change nothing.
    A language without spaces between words wins with few texts, as its analysis leaves English words alone.

    Args:
        texts: A random sample.

    Examples:
        >>> language_of(["Der Wein ist von den Hängen an der Mosel", "Brot und Butter sind für alle da"])
        'de'
        >>> language_of(["Pinot Grigio", "Tokyo (東京) is the capital of Japan"])
        'en'
    """
    languages = Counter(map(_language, texts[:LOOKED_AT]))
    looked, pairs = sum(languages.values()), sum(languages[code] for code in BIGRAMS)
    best = max(
        (code for code in languages if code in SNOWBALL and code != "en"), key=lambda c: (languages[c], c), default="en"
    )
    if languages[best] > max(languages["en"], CLEAR_SHARE * looked):
        return best
    return max(BIGRAMS, key=lambda code: (languages[code], code)) if pairs > BIGRAM_SHARE * looked else "en"


def _language(text: str) -> str:
    """Detect the language of a text by its script or its stop words; "" for an unknown language."""
    letters = sum(map(str.isalpha, text))
    for code, script in _SCRIPTS:
        # A Chinese sign means as much as a short word.
        if (SIGN + 1) * len(script.findall(text)) > letters:
            return "ja" if code == "zh" and _KANA.search(text) else code
    words = set(_LETTERS.findall(text.casefold()))
    counts = {code: len(words & stop) for code, stop in _stop_words().items()}
    return max(counts, key=counts.__getitem__) if any(counts.values()) else ""


_MARKS: Final = re.compile("(?:M[nc])+")
"""Runs of marks, in a string of the characters' categories of two letters each."""
_PAIRED: Final = re.compile(f"[{_UNSPACED}]")
_UNSPACED_OR_NOT: Final = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")


@cache
def _runs() -> re.Pattern[str]:
    """Compile a pattern of word characters with their marks, which Python does not count as word characters."""
    categories = "".join(map(category, map(chr, range(_FIRST_MARK, _LAST_MARK + 1))))
    places = ((_FIRST_MARK + of.start() // 2, _FIRST_MARK + of.end() // 2 - 1) for of in _MARKS.finditer(categories))
    return re.compile(rf"\w[\w{''.join(f'{chr(first)}-{chr(last)}' for first, last in places)}]*")


def _cut(run: str) -> Iterator[str]:
    """Split a run into words; in scripts without spaces, into pairs of neighbouring characters."""
    for piece in _UNSPACED_OR_NOT.findall(run):
        paired = _PAIRED.match(piece) is not None
        if paired and len(piece) > 1:
            yield from map("".join, pairwise(piece))
        elif paired or len(piece) > 1:
            yield piece


@cache
def _stop_words() -> dict[str, frozenset[str]]:
    """Read the stop words by language. English comes first: it wins a draw."""
    text = resources.files("logical_retriever.lexical").joinpath("stop_words.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"^\[(\w+)\]\n([^\[]*)", text, re.MULTILINE)
    return {code: frozenset(words.split()) for code, words in blocks}
