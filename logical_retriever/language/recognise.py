"""The language of a text, from its own words and letters; nothing is loaded or downloaded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from logical_retriever.language.blocks import read_blocks

MAX_WORDS: Final = 400
"""Words that are looked at; the language of a longer text is told by its beginning."""

_QUOTED: Final = re.compile(r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|„[^“”\n]{0,200}[“”]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Before the apostrophe stands an article or a pronoun of its own: "l'attentat", "dell'olio", "j'aime".
_ELIDED: Final = MappingProxyType(
    {
        **dict.fromkeys(("d", "l", "s", "m", "t", "n"), ("fr", "it", "ca")),
        **dict.fromkeys(("j", "c", "qu", "lorsqu", "jusqu", "puisqu"), ("fr",)),
        **dict.fromkeys(("dell", "nell", "all", "dall", "sull", "un", "quell", "quest", "c", "cos"), ("it",)),
    }
)
# Letters that only these languages use; names carry them abroad, so they weigh less than words.
_LETTERS: Final = MappingProxyType(
    {
        **dict.fromkeys("ß", ("de",)),
        **dict.fromkeys("äöü", ("de", "fi", "sv", "tr", "hu")),
        **dict.fromkeys("çêâôîûœë", ("fr", "pt", "tr", "ro")),
        **dict.fromkeys("èàùìò", ("fr", "it", "ca")),
        **dict.fromkeys("ñ¿¡", ("es",)),
        **dict.fromkeys("ãõ", ("pt",)),
        **dict.fromkeys("łąęśźżćń", ("pl",)),
        **dict.fromkeys("řěů", ("cs",)),
        **dict.fromkeys("ľĺŕ", ("sk",)),
        **dict.fromkeys("å", ("sv", "da", "no")),
        **dict.fromkeys("øæ", ("da", "no")),
        **dict.fromkeys("őű", ("hu",)),
        **dict.fromkeys("țșă", ("ro",)),
        **dict.fromkeys("ığş", ("tr",)),
        **dict.fromkeys("ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", ("vi",)),
        **dict.fromkeys("ыэё", ("ru",)),
        **dict.fromkeys("іїєґ", ("uk",)),
        **dict.fromkeys("ђјљњћџ", ("sr",)),
        **dict.fromkeys("پچژگ", ("fa", "ur")),
        **dict.fromkeys("ٹڈڑےںھ", ("ur",)),
        **dict.fromkeys("ةىأإ", ("ar",)),
    }
)
_LETTER: Final = re.compile(f"[{''.join(_LETTERS)}]")
_LETTER_WEIGHT: Final = 0.5
_NAME: Final = "ꙮ"
"""Stands for a name: a word of no language."""
# Endings of long words, one a line; each language's count once, like its letters.
_ENDINGS: Final = (
    ("de", re.compile(r"(?m)^\w{3}(?:ungen|ung|keit|heit|schaft|lich|lichen|isch|ischen|ischer|ische|chen)$")),
    ("fr", re.compile(r"(?m)^\w{3}(?:eux|euse|ique|iques|ettes|ées|ais|aise|aises)$")),
    ("es", re.compile(r"(?m)^\w{3}(?:ción|ciones|idades|ñol|ñoles|ñola|illo|illos|eros|ejos|ajes)$")),
    ("it", re.compile(r"(?m)^\w{3}(?:zione|zioni|ità|aggi|ezza|iani|iane|ici|iche|etti|ette|elli|imenti)$")),
    ("pt", re.compile(r"(?m)^\w{3}(?:ção|ções|ães|ões|inho|inhos|eiros|eiras|eiro|agens|idades|enses)$")),
)

# What one script alone tells.
_KANA: Final = re.compile("[\u3041-\u30ff]")
_SCRIPTS: Final = (
    ("zh", re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
)
_OTHER: Final = re.compile(r"[^\W\d_]")
# A sign of Chinese or Japanese is a word, more or less: it weighs as much as a short word of an alphabet.
_SIGN_WEIGHT: Final = MappingProxyType({"zh": 3, "ko": 2})

_DECISIVE_WEIGHT: Final = 2.0
_FEW_WORDS: Final = 3
_ENOUGH: Final = MappingProxyType({"few": 2.0, "many": 0.65})
_AHEAD: Final = 1.15
# Neighbours with nearly the same words of exclusion: the likelier of the two is near enough.
_TWINS: Final = MappingProxyType(
    {
        "da": ("no",),
        "no": ("da",),
        "es": ("ca", "pt"),
        "pt": ("es", "ca"),
        "ca": ("es", "pt"),
        "cs": ("sk",),
        "sk": ("cs",),
    }
)
# They share most of their words with a neighbour that far more questions are asked in.
_SELDOM: Final = MappingProxyType(dict.fromkeys(("ca", "sk", "hr", "sr", "bg"), 0.6))


def recognise(text: str) -> str:
    """The language that a question is written in, by its function words, letters and script.

    Quoted parts and capitalised words inside a sentence are names and do not count, so that English with foreign names
    stays English. Three words tell nothing, unless two are function words or one is a word of exclusion that no other
    language has ("außer", "tranne").

    Args:
        text: Any text; its first :data:`MAX_WORDS` words are looked at.

    Returns:
        An ISO 639-1 code, such as ``"en"``, ``"de"`` or ``"ja"``; ``""`` where nothing tells.

    Examples:
        >>> recognise("Which regions of Italy make red wine, except Toscana and Piemonte?")
        'en'
        >>> recognise("Hausmittel gegen Husten, aber bitte nicht schon wieder Honig")
        'de'
        >>> recognise("唐代诗人，李白就不用讲了"), recognise("Pinot Grigio")
        ('zh', '')
    """
    text = unicodedata.normalize("NFC", text[: MAX_WORDS * 20])
    asked = _names().sub(_NAME, _QUOTED.sub(" ", text))
    asked = asked if _OTHER.search(asked) else text
    script = _script(asked)
    if script in ("hi", "ar"):
        scores = _scores(asked.split()[:MAX_WORDS])
        return max(scores, key=scores.__getitem__, default="")
    return script if script != "words" else _by_words(asked)


def _script(text: str) -> str:
    """The language that a script stands for, ``"words"`` for the scripts of many languages, or ``""``."""
    counts = {code: len(script.findall(text)) * _SIGN_WEIGHT.get(code, 1) for code, script in _SCRIPTS}
    letters = len(_OTHER.findall(text))
    alone = {"zh": counts["zh"] // 3, "ko": counts["ko"] // 2}
    counts["words"] = letters - sum(alone.get(code, min(count, letters)) for code, count in counts.items())
    best = max(counts, key=counts.__getitem__)
    if counts[best] <= 0:
        return ""
    return "ja" if best == "zh" and _KANA.search(text) else best


def _by_words(text: str) -> str:
    words = _WORD.findall(text)[:MAX_WORDS]
    if not words:
        return ""
    shouted = text.isupper()
    counted = [word for at, word in enumerate(words) if at == 0 or shouted or not word[0].isupper() or len(word) == 1]
    scores = _scores(word.casefold().replace("’", "'") for word in counted)
    for letter in set(_LETTER.findall(text.lower())):
        for code in _LETTERS[letter]:
            # Names in Latin script go from one language to the next with their letters.
            weight = 1.0 if "\u0400" <= letter < "\u1e00" else _LETTER_WEIGHT
            scores[code] = scores.get(code, 0.0) + weight / len(_LETTERS[letter])
    lines = "\n".join(words).lower()
    for code, ending in _ENDINGS:
        if ending.search(lines):
            scores[code] = scores.get(code, 0.0) + _LETTER_WEIGHT
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    if not ranked:
        return ""
    code, score = ranked[0]
    second = next((other for rival, other in ranked[1:] if rival not in _TWINS.get(code, ())), 0.0)
    enough = _ENOUGH["few" if len(words) <= _FEW_WORDS else "many"]
    return code if score >= enough and score >= _AHEAD * second else ""


def _scores(words: Iterable[str]) -> dict[str, float]:
    """Evidence for each language: every function word counts once, shared among the languages that have it."""
    table, decisive = _function_words()
    scores: dict[str, float] = {}
    for word in set(words):
        weight = _DECISIVE_WEIGHT if word in decisive else 1.0
        codes = table.get(word) or _ELIDED.get(word.partition("'")[0] if "'" in word else "", ())
        for code in codes:
            scores[code] = scores.get(code, 0.0) + _SELDOM.get(code, 1.0) * weight / len(codes)
    return scores


@cache
def _function_words() -> tuple[Mapping[str, tuple[str, ...]], frozenset[str]]:
    """Word to the languages that have it, with and without its accents; and the decisive words."""
    blocks = {code: " ".join(lines).split() for code, lines in _blocks() if code != "names"}
    decisive = frozenset(blocks.pop("decisive"))
    found: dict[str, set[str]] = {}
    for code, words in blocks.items():
        for word in words:
            found.setdefault(word, set()).add(code)
    spelt = frozenset(found)
    for code, words in blocks.items():
        for word in words:
            for bare in _bare(word) - spelt:  # "pero" is Spanish, and not Italian without its accent.
                if len(bare) > 2:  # "à" and "é" are other words without their accents.
                    found.setdefault(bare, set()).add(code)
    return MappingProxyType({word: tuple(sorted(codes)) for word, codes in found.items()}), decisive


@cache
def _names() -> re.Pattern[str]:
    """Names whose words are function words of another language."""
    [names] = (" ".join(lines).split(", ") for code, lines in _blocks() if code == "names")
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name.strip(' ,')) for name in names)})(?!\w)", re.IGNORECASE)


def _blocks() -> Iterator[tuple[str, list[str]]]:
    return read_blocks("logical_retriever.language", "function_words.txt")


def _bare(word: str) -> set[str]:
    """How a word looks on a keyboard without its accents: "für" gives "fur" and "fuer"."""
    plain = unicodedata.normalize("NFKD", word.replace("ß", "ss").replace("ł", "l").replace("ø", "o"))
    spelled = word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    return {"".join(char for char in plain if not unicodedata.combining(char)), spelled}
