"""Values of metadata: their types in a condition, and how two of them compare.

There are four kinds: texts, numbers, truth values, dates and times. Values of two kinds are neither equal nor ordered.
A date or time also compares with a text in ISO 8601 form, because some stores keep dates as texts.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timezone
from decimal import Decimal
from numbers import Real
from reprlib import repr as short_repr
from typing import Any, Final, Literal, TypeAlias

from logical_retriever.errors import InvalidArgumentError

Scalar: TypeAlias = "str | int | float | bool | date | datetime"
"""One value of a condition."""
Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists"]
"""How a condition compares a field of metadata with its value."""
Value: TypeAlias = "Scalar | tuple[Scalar, ...] | None"
"""Value of a condition: one, a tuple of them for ``in`` and ``not in``, None for ``exists``."""

MAX_TERMS: Final = 64
"""Most terms and conditions of a query, repetitions counted."""
MAX_DEPTH: Final = 32
"""Most levels of a query; a term alone has one."""
MAX_VALUES: Final = 1_000
"""Most values in the list of a condition."""
WHOLE_NUMBERS: Final = range(-(2**63), 2**63)
"""Whole numbers of a condition: those of 64 bits, which every store can hold."""
_ISO_TIME: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?", re.ASCII
)

SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def checked_scalar(value: object) -> Scalar:
    """Return a value of a plain type; a time with a zone becomes one in UTC.

    Raises:
        InvalidArgumentError: The value has another type, is not finite, is a whole number of more than 64 bits, or is
            not valid Unicode.

    Examples:
        >>> checked_scalar(float("nan"))
        Traceback (most recent call last):
        logical_retriever.errors.InvalidArgumentError: A condition cannot name the number nan.
        Hint: Give a finite number; [field exists] asks whether there is any value.
        More: docs/errors.md#invalidargumenterror
    """
    if isinstance(value, str):
        return checked_text(value, "A value")
    if isinstance(value, bool) or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, int):
        if value in WHOLE_NUMBERS:
            return int(value)
        raise InvalidArgumentError(
            "A condition cannot name so large a whole number.",
            hint="Whole numbers are from -2^63 to 2^63 - 1; write a larger one as 1e20.",
        )
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        raise InvalidArgumentError(
            f"A condition cannot name the number {value}.",
            hint="Give a finite number; [field exists] asks whether there is any value.",
        )
    if isinstance(value, datetime):
        try:
            return value if value.tzinfo is None else value.astimezone(timezone.utc)
        except OverflowError:
            raise InvalidArgumentError(
                f"The time {value.isoformat()} is outside the years 1 to 9999 in UTC.", hint="Give a time within."
            ) from None
    raise InvalidArgumentError(
        f"A condition cannot name {short_repr(value)}, of type {type(value).__name__}.",
        hint="Values are texts, numbers, true or false, dates and times; a list of them only after in and not in.",
    )


def checked_text(text: str, what: str) -> str:
    """Return a text as plain ``str``.

    Raises:
        InvalidArgumentError: The text is not valid Unicode.
    """
    if SURROGATE.search(text):
        raise InvalidArgumentError(
            f"{what} needs valid Unicode text, got {short_repr(text)}.",
            hint="Decode the text with the encoding it was written in, most often UTF-8.",
        )
    return str(text)


def read_time(text: str) -> date | datetime | None:
    """Read a date or time in ISO 8601 form; return None for another form, or a day outside the calendar.

    Examples:
        >>> read_time("2020-02-29"), read_time("2021-02-29"), read_time("soon")
        (datetime.date(2020, 2, 29), None, None)
    """
    if not _ISO_TIME.fullmatch(text):
        return None
    try:
        if "T" not in text:
            return date.fromisoformat(text)
        # Python 3.10 reads three digits of a second, or six, and no Z.
        whole = re.sub(r"\.\d+", lambda digits: f"{digits[0]:0<7}", text.replace("Z", "+00:00"))
        return checked_scalar(datetime.fromisoformat(whole))  # type: ignore[return-value]  # a time stays a time
    except (ValueError, InvalidArgumentError):
        return None


def is_missing(actual: object) -> bool:
    """Tell whether a value of metadata counts as missing: None or NaN, which tables write for nothing."""
    return actual is None or (isinstance(actual, (float, Decimal)) and math.isnan(actual))


COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(actual: Any, sign: str, value: Scalar) -> bool:
    """Compare a value of metadata with that of a condition.

    Args:
        actual: From metadata.
        sign: Of :data:`COMPARE`. Values of two kinds are unequal and have no order.
        value: Of the condition.
    """
    if isinstance(value, date) and isinstance(actual, str):
        actual = read_time(actual)
    if _kind(actual) != _kind(value):
        return sign == "!="
    if isinstance(value, datetime):
        return COMPARE[sign](_instant(actual), _instant(value))
    # A date is a whole day, so the time of day of the other value does not count.
    return COMPARE[sign](actual.date() if isinstance(actual, datetime) else actual, value)


def _kind(value: object) -> int | None:
    kinds: tuple[Any, ...] = (bool, (Real, Decimal), str, date)
    return next((number for number, types in enumerate(kinds) if isinstance(value, types)), None)


def _instant(moment: date) -> datetime:
    """Return a moment in UTC: midnight for a day; a time without a zone is in UTC already."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)
