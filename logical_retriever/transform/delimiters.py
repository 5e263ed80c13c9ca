"""The ways in which language models write quotes, brought to the one the grammar knows."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

STRAIGHT: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
"""A term in straight double quotes, as the grammar reads it."""
OPERATOR: Final = re.compile(r"(?<![^\s()])(?:AND|OR|NOT|&&?|\|\|?)(?![^\s\"()])")
"""An operator as a whole word; to be searched for outside quotes."""

_DOUBLE: Final = dict(zip("“”„‟«»＂″「『", ("”", "”", "“”", "”", "»", "«»", "＂", "″", "」", "』"), strict=True))
_SINGLE: Final = {"'": "'", "‘": "’", "‛": "’", "’": "’"}
_MAX_INNER_QUOTES: Final = 64
# What a closing quote is followed by: what may follow a term.
_FOLLOW: Final = re.compile(r"[\s)*`.;]*(?:$|(?:AND|OR|NOT)\b|[&|])", re.MULTILINE)
_WORD: Final = re.compile(r"[^\s()\"`" + "".join(_DOUBLE) + "]+")
# A term, or the rest of the text from a quote that is never closed, which is looked at once.
_TERM: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("?)', re.DOTALL)
_BEFORE_TERM: Final = re.compile(r".*:|AND|OR|NOT|&&?|\|\|?|[!\-]")


def straighten(text: str) -> str:
    r"""Write the terms of an answer in straight double quotes.

    Typographic double quotes, and single quotes of either kind where a term may begin, become ``"``; a quote
    inside them is escaped. Markdown bold and backticks outside terms are dropped. What stands in straight double
    quotes is copied as it is, and so is an apostrophe inside a word.

    A typographic quote closes at the first double quote of any kind that is followed by what may follow a term
    (an operator, a parenthesis, the end of the line), so that ``“a" AND NOT “b”`` is two terms and its NOT is not
    swallowed. The time taken is linear in the length of the text.

    Examples:
        >>> straighten("“vitamin D” AND NOT ‘women’s health’")
        '"vitamin D" AND NOT "women’s health"'
    """
    parts: list[str] = []
    quotes = _Quotes(text)
    position, term_may_begin = 0, True
    while position < len(text):
        character = text[position]
        if character == '"':
            match = STRAIGHT.match(text, position)
            end = match.end() if match else len(text)
            parts.append(text[position:end])
            position, term_may_begin = end, False
        elif (close := quotes.closing(position, singles=term_may_begin)) is not None:
            escape = r'\\(["\\])' if character in _DOUBLE else r"""\\(["'’\\])"""
            inner = re.sub(escape, r"\1", text[position + 1 : close])
            parts.append('"' + re.sub(r'(["\\])', r"\\\1", inner) + '"')
            position, term_may_begin = close + 1, False
        elif character == "`" or text.startswith("**", position):
            position += 1 if character == "`" else 2
        elif word := _WORD.match(text, position):
            # Bold ends inside the run as well: `**Query:**`, `**AND**`.
            parts.append(word.group().replace("**", ""))
            position, term_may_begin = word.end(), _BEFORE_TERM.fullmatch(parts[-1]) is not None
        else:
            parts.append(character)
            term_may_begin = term_may_begin if character.isspace() else character == "("
            position += 1
    return "".join(parts)


def outside_quotes(text: str) -> str:
    """The text with every straight-quoted term replaced by an empty one, so that offsets do not survive."""
    return _TERM.sub(lambda term: '""' if term[1] else term[0], text)


class _Quotes:
    """Where the quotes of a text stand: looked up once, however many terms it opens."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[tuple[str, bool], list[int]] = {}

    def closing(self, start: int, *, singles: bool) -> int | None:
        """Where the term opened at ``start`` closes; None where no such term is opened."""
        opener = self._text[start]
        if opener in _DOUBLE:
            accepted, otherwise = _DOUBLE[opener] + '"”“', _DOUBLE[opener]
        elif singles and opener in _SINGLE:
            accepted, otherwise = _SINGLE[opener], ""
        else:
            return None
        every = self._places(accepted)
        first = bisect_right(every, start)
        last = min(first + _MAX_INNER_QUOTES, len(every)) - 1
        for places in (self._places(accepted, followed=True), self._places(otherwise) if otherwise else ()):
            at = bisect_right(places, start)
            if at < len(places) and places[at] <= every[last]:
                return places[at]
        return None

    def _places(self, quotes: str, *, followed: bool = False) -> list[int]:
        """Where these quotes stand: all, or those followed by what may follow a term."""
        key = quotes, followed
        if key not in self._found:
            found = re.finditer(f"[{quotes}]", self._text)
            self._found[key] = [q.start() for q in found if not followed or _FOLLOW.match(self._text, q.end())]
        return self._found[key]
