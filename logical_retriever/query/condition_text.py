"""Conditions as they are written between brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError, Span
from logical_retriever.query.nodes import Condition
from logical_retriever.query.printer import NAME, RESERVED, quote
from logical_retriever.query.values import ISO_TIME, MAX_VALUES, Scalar, read_time

_TEXT: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_WORD_ENDS: Final = r"(?![\w.\-])"
_SCALAR: Final = (
    rf"(?:{_TEXT}|{ISO_TIME.pattern}(?![\w.:+\-])|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])"
    rf"|(?i:true|false){_WORD_ENDS})"
)
# Every part may be missing, so that any text between brackets fits, and the first one missing is the mistake.
_CONDITION: Final = re.compile(
    rf"""\[\s*(?P<field>{_TEXT}|{NAME.pattern})?\s*
    (?P<operator><=|>=|!=|==|=|<|>|(?i:in|not\s+in|contains|exists){_WORD_ENDS})?\s*
    (?P<value>{_SCALAR}|\[\s*{_SCALAR}\s*(?:,\s*{_SCALAR}\s*)*\])?\s*(?P<rest>.*)\]""",
    re.DOTALL | re.VERBOSE,
)
_VALUES: Final = re.compile(_SCALAR, re.DOTALL)
_LIST_BEGUN: Final = re.compile(rf"\[\s*(?:{_SCALAR}\s*,\s*)*(?:{_SCALAR}\s*)?", re.DOTALL)
_PIECE: Final = re.compile(rf'{_TEXT}|{NAME.pattern}|[<>=!]+|[^\s"\[\],]+|\S', re.DOTALL)
_TIME: Final = re.compile(ISO_TIME.pattern)  # other digits than 0 to 9 look like a time, and are none
_WHOLE_NUMBER: Final = re.compile(r"[+-]?\d+")
_ESCAPE: Final = re.compile(r'\\(["\\])')
_DIGITS: Final = 20
"""Most characters of a whole number of 64 bits, with its sign."""
_OPERATORS: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists")
_Mistake: TypeAlias = tuple[str, tuple[str, ...], str, Span]
"""The problem, what would have been accepted there, what to do, and where."""
_EXPECTED: Final = ("a text in double quotes", "a number", "true", "false", "a date")


def read_condition(text: str, span: Span) -> Condition:
    """Read a condition.

    Args:
        text: The whole text.
        span: Of the condition, from its opening bracket to the closing one.

    Raises:
        LogicalSyntaxError: It is none.
    """
    match: Any = _CONDITION.fullmatch(text, *span)
    operator: Any = " ".join((match["operator"] or "").lower().split()).replace("==", "=")
    written = list(_VALUES.finditer(text, *match.span("value"))) if match["value"] else []
    if mistake := _mistake(match, operator, written):
        problem, expected, hint, where = mistake
        raise LogicalSyntaxError(problem, text=text, span=where, expected=expected, hint=hint)
    values: Any = [_scalar(value[0]) for value in written]
    if operator not in ("in", "not in"):
        values = values[0] if values else None
    try:
        return Condition(_unquoted(match["field"]), operator, values, span)
    except InvalidArgumentError as error:
        raise LogicalSyntaxError(error.message, text=text, span=span, expected=_EXPECTED, hint=error.hint) from None


def _mistake(match: re.Match[str], operator: str, written: Sequence[re.Match[str]]) -> _Mistake | None:
    """The first mistake, or None."""
    text, field, value = match.string, match["field"], match["value"] or ""
    known = match.end("operator" if operator else "field") if field else match.start() + 1
    piece, where = _piece(match, known)
    if field is None or field.lower() in RESERVED:
        hint = 'A condition reads [year >= 1990]; a term that begins with a bracket is written in quotes: "[1]".'
        hint = f'A field of this name is written in quotes: ["{field}" = ...].' if field else hint
        where = Span(*match.span("field")) if field else where
        return "A condition begins with a field.", ("the name of a field",), hint, where
    if not operator:
        problem = f"{_shown(piece)} is not an operator of conditions." if piece else "The condition has no operator."
        hint = f"Write [{_unquoted(field)[:40]} = ...], or a field's name in quotes where it has spaces in it."
        return problem, _OPERATORS, hint, where
    lists, listed = operator in ("in", "not in"), value.startswith("[")
    hint = f'Write the values between brackets of their own: [country {operator} ["France", "Italy"]].'
    if lists and not listed and piece != "[":
        return f'"{operator}" needs a list of values.', ('an opening bracket "["',), hint, where
    if lists and not listed:
        begun: Any = _LIST_BEGUN.match(text, where.start)
        opening, (piece, where) = where.start, _piece(match, begun.end())
        if piece == "]" and begun[0].strip() == "[":
            return "The list has no values.", _EXPECTED, hint, Span(opening, where.end)
        if begun[0].rstrip()[-1] not in "[,":
            return "The list does not go on like this.", ('a comma ","', 'a closing bracket "]"'), hint, where
    if operator != "exists" and (not value or lists is not listed):
        hint = "Texts stand in double quotes, dates are written 2020-01-31, a time 2020-01-31T12:30."
        hint = (
            "Only in and not in take a list." if piece == "[" else hint if piece else "Write the value to compare with."
        )
        return f"{_shown(piece)} is no value." if piece else "The condition has no value.", _EXPECTED, hint, where
    for number, one in enumerate(written):
        here = Span(*one.span())
        if number == MAX_VALUES:
            return f"The list has more than {MAX_VALUES:,} values.", (), "Split it, or set a filter.", here
        if _TIME.fullmatch(one[0]) and read_time(one[0]) is None:
            return f"There is no such day or time: {one[0]}", _EXPECTED, "Check the calendar.", here
        if _WHOLE_NUMBER.fullmatch(one[0]) and len(one[0].lstrip("+-0")) > _DIGITS:
            hint = "Whole numbers are from -2^63 to 2^63 - 1; write a larger one as 1e20."
            return "This whole number is too large.", _EXPECTED, hint, here
    piece, where = _piece(match, known if operator == "exists" else match.start("rest"))
    hint = "Write one condition between brackets; join two with AND or OR outside of them."
    return (f"Nothing may follow here: {piece[:40]}", ('the closing bracket "]"',), hint, where) if piece else None


def _piece(match: re.Match[str], start: int) -> tuple[str, Span]:
    """The first word, text or sign of a condition from a place on; "" at its closing bracket."""
    found = _PIECE.search(match.string, start, match.end() - 1)
    return (found[0], Span(*found.span())) if found else ("", Span(match.end() - 1, match.end()))


def _scalar(text: str) -> Scalar | None:
    if text.startswith('"'):
        return _unquoted(text)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if _TIME.fullmatch(text):
        return read_time(text)
    if not _WHOLE_NUMBER.fullmatch(text):
        return float(text)
    return int(text.lstrip("+-0") or "0") * (-1 if text.startswith("-") else 1)


def _shown(piece: str) -> str:
    return "".join(c if c.isprintable() else " " for c in quote(piece[:40]))


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(r"\1", text[1:-1]) if text.startswith('"') else text
