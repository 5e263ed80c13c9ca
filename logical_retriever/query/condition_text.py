"""The text of a condition: what stands between brackets, read and spelt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from logical_retriever.errors import Span
from logical_retriever.query.values import ISO_TIME, MAX_VALUES, Scalar, Value, read_time

Comparison = tuple[str, str, Value]
"""Field, operator and value of a condition."""

SIGNS: Final = ("=", "!=", "<", "<=", ">", ">=")
WORDS: Final = ("in", "not in", "contains", "exists")
_RESERVED: Final = frozenset({"in", "not", "contains", "exists", "true", "false"})
_NAME: Final = re.compile(r"[^\W\d][\w.\-]*")
_LEXEME: Final = re.compile(
    rf"""(?P<blank>\s+)|(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<time>{ISO_TIME.pattern})(?![\w.:+\-])
    |(?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])|(?P<name>{_NAME.pattern})
    |(?P<sign><=|>=|!=|==|=|<|>)|(?P<open>\[)|(?P<close>\])|(?P<comma>,)|(?P<other>[^\s"\[\],]+|.)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE: Final = re.compile(r'\\(["\\])')
_DIGITS: Final = 20
"""Most characters of a whole number of 64 bits, with its sign."""

FIELD: Final = ("the name of a field",)
OPERATORS: Final = (*SIGNS, *WORDS)
VALUE: Final = ("a text in double quotes", "a number", "true", "false", "a date")


class Fault(Exception):
    """A mistake in the text of a condition; the parser, which has all of the text, makes it an error.

    Attributes:
        problem: In words.
        span: Where, in the whole text.
        expected: What would have been accepted there, in words.
        hint: What to do about it.
    """

    def __init__(self, problem: str, span: Span, expected: tuple[str, ...], hint: str) -> None:
        super().__init__(problem)
        self.problem, self.span, self.expected, self.hint = problem, span, expected, hint


class _Lexeme(NamedTuple):
    kind: str
    text: str
    span: Span


def spelled(field: str, operator: str, value: Value) -> str:
    r"""Spell a condition canonically, with its brackets.

    Examples:
        >>> print(spelled("year", ">=", 1990), spelled("release year", "in", (1, 'a "b"')))
        [year >= 1990] ["release year" in [1, "a \"b\""]]
    """
    bare = _NAME.fullmatch(field) and field.lower() not in _RESERVED
    name = field if bare else _quoted(field)
    if value is None:
        return f"[{name} {operator}]"
    shown = f"[{', '.join(map(_spelled, value))}]" if isinstance(value, tuple) else _spelled(value)
    return f"[{name} {operator} {shown}]"


def read_condition(text: str, start: int) -> Comparison:
    """Read a condition.

    Args:
        text: From its opening bracket to the closing one.
        start: Where it begins in the whole text.

    Raises:
        Fault: It is none.
    """
    return _Reading([_lexeme(found, start) for found in _LEXEME.finditer(text) if found.lastgroup != "blank"]).read()


class _Reading:
    """The lexemes of one condition, read from left to right."""

    def __init__(self, lexemes: Sequence[_Lexeme]) -> None:
        self.lexemes, self.at = lexemes, 1  # after the opening bracket

    def read(self) -> Comparison:
        field = self._field()
        operator = self._operator(field)
        value: Value = None
        if operator in ("in", "not in"):
            value = self._list(operator)
        elif operator != "exists":
            value = self._value()
        if self.at < len(self.lexemes) - 1:
            raise self._fault(
                f"Nothing may follow here: {self._next.text[:40]}",
                ('the closing bracket "]"',),
                "Write one condition between brackets; join two with AND or OR outside of them.",
            )
        return field, operator, value

    @property
    def _next(self) -> _Lexeme:
        return self.lexemes[self.at]

    def _take(self) -> _Lexeme:
        self.at += 1
        return self.lexemes[self.at - 1]

    @property
    def _ended(self) -> bool:
        return self.at >= len(self.lexemes) - 1

    def _field(self) -> str:
        if not self._ended and self._next.kind == "text":
            return _unquoted(self._take().text)
        if not self._ended and self._next.kind == "name" and self._next.text.lower() not in _RESERVED:
            return self._take().text
        hint = 'A condition reads [year >= 1990]; a term that begins with a bracket is written in quotes: "[1]".'
        if not self._ended and self._next.kind == "name":
            hint = f'A field of this name is written in quotes: ["{self._next.text}" = ...].'
        raise self._fault("A condition begins with a field.", FIELD, hint)

    def _operator(self, field: str) -> str:
        hint = f"Write [{field[:40]} = ...], or a field's name in quotes where it has spaces in it."
        if self._ended:
            raise self._fault("The condition has no operator.", OPERATORS, hint)
        taken = self._take()
        if taken.kind == "sign":
            return "=" if taken.text == "==" else taken.text
        word = taken.text.lower() if taken.kind == "name" else ""
        if word == "not" and not self._ended and self._next.text.lower() == "in":
            self.at += 1
            return "not in"
        if word in WORDS:
            return word
        self.at -= 1
        raise self._fault(f"{self._shown()} is not an operator of conditions.", OPERATORS, hint)

    def _list(self, operator: str) -> tuple[Scalar, ...]:
        hint = f'Write the values between brackets of their own: [country {operator} ["France", "Italy"]].'
        if self._ended or self._next.kind != "open":
            raise self._fault(f'"{operator}" needs a list of values.', ('an opening bracket "["',), hint)
        opening = self._take()
        values: list[Scalar] = []
        while True:
            if not self._ended and self._next.kind == "close" and not values:
                raise Fault("The list has no values.", Span(opening.span.start, self._next.span.end), VALUE, hint)
            values.append(self._value())
            if len(values) > MAX_VALUES:
                at = self.lexemes[self.at - 1].span
                raise Fault(f"The list has more than {MAX_VALUES:,} values.", at, (), "Split it, or set a filter.")
            if self._ended or self._next.kind not in ("comma", "close"):
                raise self._fault("The list does not go on like this.", ('a comma ","', 'a closing bracket "]"'), hint)
            if self._take().kind == "close":
                return tuple(values)

    def _value(self) -> Scalar:
        if self._ended:
            raise self._fault("The condition has no value.", VALUE, "Write the value to compare with.")
        taken = self._take()
        if taken.kind == "text":
            return _unquoted(taken.text)
        if taken.kind == "name" and taken.text.lower() in ("true", "false"):
            return taken.text.lower() == "true"
        if taken.kind == "number":
            return _number(taken)
        if taken.kind == "time":
            if (moment := read_time(taken.text)) is None:
                raise Fault(f"There is no such day or time: {taken.text}", taken.span, VALUE, "Check the calendar.")
            return moment
        self.at -= 1
        hint = "Texts stand in double quotes, dates are written 2020-01-31, a time 2020-01-31T12:30."
        if taken.kind == "open":
            hint = "Only in and not in take a list."
        raise self._fault(f"{self._shown()} is no value.", VALUE, hint)

    def _shown(self) -> str:
        return "".join(c if c.isprintable() else " " for c in _quoted(self._next.text[:40]))

    def _fault(self, problem: str, expected: tuple[str, ...], hint: str) -> Fault:
        return Fault(problem, self._next.span, expected, hint)


def _number(lexeme: _Lexeme) -> int | float:
    """The number written; what is too large is refused by the node where it is a float, which int() has no time for."""
    if re.fullmatch(r"[+-]?\d+", lexeme.text):
        if len(lexeme.text.lstrip("+-0")) > _DIGITS:
            hint = "Whole numbers are from -2^63 to 2^63 - 1; write a larger one as 1e20."
            raise Fault("This whole number is too large.", lexeme.span, VALUE, hint)
        return int(lexeme.text.lstrip("+-").lstrip("0") or "0") * (-1 if lexeme.text.startswith("-") else 1)
    return float(lexeme.text)


def _spelled(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1])


def _lexeme(found: re.Match[str], start: int) -> _Lexeme:
    return _Lexeme(found.lastgroup or "other", found[0], Span(start + found.start(), start + found.end()))
