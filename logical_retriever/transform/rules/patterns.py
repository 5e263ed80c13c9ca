"""Makes regular expressions of a language's patterns, which ``languages/table.py`` describes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?")
"""A word of a plain text, in which every apostrophe is straight."""
BEFORE_WORD: Final = r"(?<![\w'])"
AFTER_WORD: Final = r"(?:(?<=')|(?!\w|'\w))"
GAP: Final = r"(?:(?<=') ?| )"
"""Between two words; one that is elided ("l'", "d'") stands at the next."""
WITHIN: Final = 120
"""Most characters of what is excluded between the two halves of a cue."""

_CLAUSE: Final = r"(?:^|(?<=[,;:(\[{•–—.?!\n-]))\s*"
_END: Final = r"(?=\s*(?:$|[,;:.?!)\]–—]))"
_ANY_WORDS: Final = r"[^,;:]*"
_TOKEN: Final = re.compile(r"\s*([()\[\]|]|<\w+>|\{\w+\}|\.\.\.|\^|[^\s()\[\]<>{}|]+)(\s*)")
_PLACES: Final = ("{x}", "{name}")
_DEEPEST: Final = 6


_LONG_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_BARE: Final = {
    code: bare[0]
    for code in range(0xC0, 0x180)
    if len(bare := unicodedata.normalize("NFD", chr(code))) > 1 and bare[0].isascii()
}


def fold(text: str) -> str:
    """The text without accents, every offset kept: people leave them out.

    Words of one or two letters keep theirs, which tell "e" from "é" and "a" from "à".
    """
    return text if text.isascii() else _LONG_WORD.sub(lambda word: word[0].translate(_BARE), text)


class Node(NamedTuple):
    """One part of a pattern: a phrase, a place, or a choice of sequences.

    Attributes:
        text: A word, or a special sign; "" for a choice.
        choices: What a choice is between, each a sequence of parts.
        optional: Whether it may be left out.
        spaced: Whether white space follows.
    """

    text: str = ""
    choices: tuple[tuple[Node, ...], ...] = ()
    optional: bool = False
    spaced: bool = True


def parts_of(pattern: str, lists: Mapping[str, Sequence[str]], depth: int = 0) -> tuple[Node, ...]:
    """Read a pattern, its word lists put in.

    Raises:
        ValueError: The pattern is not in the notation, or names a list that there is none of.
    """
    pattern = fold(pattern)
    tokens = [(match[1], bool(match[2])) for match in _TOKEN.finditer(pattern.strip())]
    if "".join(pattern.split()) != "".join(token for token, _ in tokens) or depth > _DEEPEST:
        raise ValueError(f"The pattern {pattern!r} cannot be read.")
    parts, at = _sequence(tokens, 0, lists, depth)
    if at < len(tokens):
        raise ValueError(f"The pattern {pattern!r} has a bracket too many.")
    return parts


def _sequence(
    tokens: list[tuple[str, bool]], at: int, lists: Mapping[str, Sequence[str]], depth: int
) -> tuple[tuple[Node, ...], int]:
    parts: list[Node] = []
    while at < len(tokens) and tokens[at][0] not in ("|", ")", "]"):
        token, spaced = tokens[at]
        if token in ("(", "["):
            choices, end = [], at
            while end == at or tokens[end][0] == "|":
                choice, end = _sequence(tokens, end + 1, lists, depth)
                choices.append(choice)
                if end >= len(tokens):
                    raise ValueError(f"A bracket is open in {''.join(token for token, _ in tokens)!r}.")
            parts.append(Node("", tuple(choices), token == "[", tokens[end][1]))
            at = end + 1
            continue
        if token.startswith("<"):
            if token[1:-1] not in lists:
                raise ValueError(f"There is no word list {token}.")
            made = tuple(parts_of(item, lists, depth + 1) for item in lists[token[1:-1]])
            parts.append(Node("", made, False, spaced))
        else:
            parts.append(Node(token, (), False, spaced))
        at += 1
    return tuple(parts), at


def places(parts: Sequence[Node]) -> list[int]:
    """Where a pattern has what it excludes."""
    return [at for at, part in enumerate(parts) if part.text in _PLACES]


def one_of(phrases: Sequence[str]) -> str:
    """A regular expression of phrases, the longest first."""
    ordered = sorted(dict.fromkeys(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "(?:" + "|".join(_word(phrase) for phrase in ordered) + ")"


def expression(parts: Sequence[Node]) -> str:
    """A regular expression of parts that hold no ``{x}``; the space after the last is left out."""
    made = ""
    needed = [at for at, part in enumerate(parts) if not part.optional]
    last = needed[-1] if needed else -1
    for at, part in enumerate(parts):
        # What may be left out at the end brings the space before it along, elsewhere the one after it.
        gap = GAP if part.spaced and at < last and part.text != "^" else ""
        if part.choices:
            # The longest first: a word before its own beginning.
            written = sorted((expression(choice) for choice in part.choices), key=lambda one: (-len(one), one))
            choice = "(?:" + "|".join(written) + ")"
            if part.optional and at > last:
                made += f"(?:{GAP}{choice})?" if at else f"{choice}?"
            else:
                made += f"(?:{choice}{gap})?" if part.optional else choice + gap
        elif part.text == "^":
            made += _CLAUSE
        elif part.text == "$":
            made = made.removesuffix(GAP) + _END
        elif part.text == "...":
            # Any words, or none: the spaces around them are a part of them.
            made = made.removesuffix(GAP) + r"\b" + _ANY_WORDS + (r"\b" if gap else "")
        else:
            made += _word(part.text) + gap
    return made


def _word(phrase: str) -> str:
    if phrase == "*":
        return r"[\w-]+"
    escaped = re.escape(phrase).replace(r"\ ", " ").replace(r"\*", r"[\w-]*").replace(r"\#", r"\d")
    return escaped.replace("n't", "n'?t")  # "cant stand eggs"


def first_words(parts: Sequence[Node]) -> set[str]:
    """The words with which a pattern can begin; one that ends in ``*`` or ``'`` stands for all that begin so."""
    found: set[str] = set()
    for part in parts:
        if part.choices:
            for choice in part.choices:
                found |= first_words(choice)
        else:
            word = WORD.match(part.text)
            begun = word[0] if word else part.text[:1]
            found.add(begun + ("*" if part.text[len(begun) :][:1] == "*" else ""))
            found.add(begun.replace("n't", "nt"))
        if not part.optional:
            break
    return found


def phrases_expression(patterns: Sequence[str], lists: Mapping[str, Sequence[str]]) -> str:
    """A regular expression of patterns of which any may stand; it matches nothing where there is none."""
    made = [expression(parts_of(pattern, lists)) for pattern in patterns]
    return "(?:" + "|".join(sorted(made, key=lambda one: (-len(one), one))) + ")" if made else r"(?!)"
