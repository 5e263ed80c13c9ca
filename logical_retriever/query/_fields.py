"""The fields of a collection's metadata, and the check of conditions against them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from logical_retriever.errors import FieldError, InvalidArgumentError, did_you_mean
from logical_retriever.query._nodes import Condition, LogicalQuery
from logical_retriever.query._printer import spell_value
from logical_retriever.query._values import COMPARE, Scalar, is_missing, read_time

_TYPES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("text", "str", "string", "enum", "keyword"), "text"),
    **dict.fromkeys(("integer", "int", "long"), "integer"),
    **dict.fromkeys(("number", "float", "double", "decimal"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    "date": "date",
    **dict.fromkeys(("time", "datetime", "timestamp"), "time"),
    **dict.fromkeys(("list", "array", "tags"), "list"),
}
# By type: operators, values to compare with, and values in metadata. True is an int to Python, so bool is first.
_OPERATORS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("text", "integer", "number", "date", "time"), (*COMPARE, "in", "not in", "exists")),
    "boolean": ("=", "!=", "in", "not in", "exists"),
    "list": ("contains", "exists"),
}
_VALUES: Final[Mapping[str, tuple[Any, str]]] = {
    "boolean": (bool, "true or false"),
    "integer": ((int, float), "a number"),
    "number": ((int, float), "a number"),
    "text": (str, "a text"),
    "time": (date, "a time"),
    "date": (date, "a date"),
    "list": ((str, int, float), "a text or number"),
}
_PYTHON: Final[Sequence[tuple[Any, str]]] = (
    *((bool, "boolean"), (int, "integer"), (float, "number"), (str, "text"), (datetime, "time"), (date, "date")),
    ((list, tuple, set, frozenset), "list"),
)
_MANY: Final = 20
"""Most distinct values to show of a sample; beyond that, only the least and the greatest."""
_LONG: Final = 80
"""Most characters of a text to show as a value."""


@dataclass(frozen=True)
class FieldInfo:
    """A field of metadata, for conditions.

    Attributes:
        name: Name in the store's metadata.
        type: "text", "integer", "number", "boolean", "date", "time" or "list" (of texts or numbers); or another usual
            name such as "string", "int" or "list[string]".
        description: For the model that reads questions; may be "".
        values: All possible values, if they are few; conditions with others are rejected. () for any value.
        examples: Some values, for a field of any value.

    Raises:
        InvalidArgumentError: The name is blank or the type unknown.
    """

    name: str
    type: str
    description: str = ""
    values: tuple[Scalar, ...] = ()
    examples: tuple[Scalar, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InvalidArgumentError(
                f"A field needs a name, got {self.name!r}.", hint="Name it as the metadata does."
            )
        kind = _TYPES.get(str(self.type).strip().lower().split("[")[0].split("<")[0].split(" ")[0])
        if kind is None:
            raise InvalidArgumentError(
                f"The field {self.name!r} has the type {self.type!r}.",
                hint=f"Types: {', '.join(dict.fromkeys(_TYPES.values()))}.",
            )
        object.__setattr__(self, "type", kind)
        for name in ("values", "examples"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def __str__(self) -> str:
        """Return one line for people and models: name, type, values, description."""
        about = [self.type]
        if self.values:
            about.append(f"one of {', '.join(map(_shown, self.values))}")
        elif self.examples:
            about.append(f"such as {', '.join(map(_shown, self.examples))}")
        return f"{self.name} ({'; '.join(about)}){f': {self.description}' if self.description else ''}"


class Fields(dict[str, FieldInfo]):
    """The fields of a collection by name.

    Args:
        fields: :class:`FieldInfo`, or other objects with ``name``, ``type`` and ``description``, such as LangChain's
            ``AttributeInfo`` and LlamaIndex' ``MetadataInfo``.
        sampled: Whether they come from a sample, so that there may be more values.

    Raises:
        InvalidArgumentError: Two fields have the same name, or an object is no field.
    """

    def __init__(self, fields: Iterable[Any], *, sampled: bool = False) -> None:
        super().__init__()
        self.sampled = sampled
        for described in fields:
            field = described if isinstance(described, FieldInfo) else _adopted(described)
            if self.setdefault(field.name, field) is not field:
                raise InvalidArgumentError(f"Two fields have the name {field.name!r}.", hint="Describe each once.")

    @classmethod
    def of(cls, fields: Any) -> Fields | None:
        """Read a ``fields=`` argument; None stays None.

        Args:
            fields: :class:`Fields`, an iterable of fields, or LlamaIndex' ``VectorStoreInfo``.

        Raises:
            InvalidArgumentError: The argument has another type.
        """
        if fields is None or isinstance(fields, Fields):
            return fields
        fields = getattr(fields, "metadata_info", fields)
        if isinstance(fields, (str, bytes, Mapping)) or not isinstance(fields, Iterable):
            raise InvalidArgumentError(
                f"fields is {type(fields).__name__}.",
                hint='Give a list, fields=[FieldInfo("year", "integer")], or to a retriever "discover".',
            )
        return cls(fields)

    def named_in(self, text: str) -> str | None:
        """Return the first field that a text seems to have a condition on: by name, value or year; None for none."""
        words = text.casefold()
        year = re.search(r"\b(?:1[5-9]|20)\d\d\b", words) is not None

        def stands(value: Scalar) -> bool:
            told = str(value).casefold()
            return len(told) > 2 and re.search(rf"(?<!\w){re.escape(told)}(?!\w)", words) is not None

        named = (name for name in self if stands(name))
        by_value = (name for name, field in self.items() if any(map(stands, (*field.values, *field.examples))))
        dated = (name for name, field in self.items() if field.type in ("date", "time") or "year" in name.casefold())
        return next(named, None) or next(by_value, None) or (next(dated, None) if year else None)

    def __str__(self) -> str:
        """Return one line per field."""
        return "\n".join(f"- {field}" for field in self.values())

    def checked(self, query: LogicalQuery) -> LogicalQuery:
        """Check the conditions of a query, and read their texts as dates where the field has dates.

        Raises:
            FieldError: A condition names an unknown field, or its operator or value does not fit the field.
        """
        return query.fold(
            lambda node, parts: self._checked(node) if isinstance(node, Condition) else node.rebuilt(parts)
        )

    def _checked(self, condition: Condition) -> Condition:
        field = self.get(condition.field)
        if field is None:
            raise FieldError(
                f"There is no field {condition.field!r}.",
                hint=f"{did_you_mean(condition.field, self)}Fields: {', '.join(self) or 'none'}.",
            )
        operators = _OPERATORS[field.type]
        if condition.operator not in operators:
            raise FieldError(
                f"{condition.operator} does not go with {field.name}, which is a {field.type}.",
                hint=f"Write [{field.name} contains ...]."
                if field.type == "list"
                else f"Operators: {', '.join(operators)}.",
            )
        if isinstance(condition.value, tuple):
            return replace(condition, value=tuple(_checked_value(field, value) for value in condition.value))
        return (
            condition if condition.value is None else replace(condition, value=_checked_value(field, condition.value))
        )


def discovered(metadata: Iterable[Mapping[str, Any]]) -> Fields:
    """Describe the metadata fields of a sample of documents by their types and some values.

    Fields with values of several types, or of a type unknown to conditions, are left out.

    Args:
        metadata: Metadata of each document.

    Examples:
        >>> print(discovered([{"year": 1990, "genres": ["noir"]}, {"year": 2001, "genres": ["noir", "drama"]}]))
        - year (integer; such as 1990, 2001)
        - genres (list; such as drama, noir)
    """
    columns: dict[str, list[Any]] = {}
    for document in metadata:
        for name, value in document.items():
            if isinstance(name, str) and name.strip() and not is_missing(value):
                columns.setdefault(name, []).append(value)
    return Fields([field for name, values in columns.items() if (field := _seen(name, values))], sampled=True)


def _seen(name: str, values: list[Any]) -> FieldInfo | None:
    kinds = {_kind(value) for value in values}
    kind = "number" if kinds == {"integer", "number"} else kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        return None
    elements = [element for value in values for element in (value if kind == "list" else (value,))]
    scalars = {
        element
        for element in elements
        if isinstance(element, (str, int, float, date)) and not isinstance(element, bool)
    }
    distinct: list[Any] = sorted(
        scalars, key=lambda scalar: (1, str(scalar)) if isinstance(scalar, (str, date)) else (0, scalar)
    )
    short = [scalar for scalar in distinct if not isinstance(scalar, str) or len(scalar) <= _LONG]
    return FieldInfo(name, kind, examples=tuple(short if len(short) <= _MANY else (short[0], short[-1])))


def _kind(value: Any) -> str | None:
    moment = read_time(value) if isinstance(value, str) else None
    return next((kind for types, kind in _PYTHON if isinstance(value if moment is None else moment, types)), None)


def _checked_value(field: FieldInfo, value: Any) -> Any:
    """Check one value of a condition against its field."""
    if field.type in ("date", "time") and isinstance(value, str):
        value = read_time(value) or value
    types, wanted = _VALUES[field.type]
    if not isinstance(value, types) or (isinstance(value, bool) and field.type in ("integer", "number")):
        raise FieldError(f"{field.name} is not compared with {_shown(value)}.", hint=f"Give {wanted}.")
    if field.values and value not in field.values:
        values = [_shown(choice) for choice in field.values]
        raise FieldError(
            f"{field.name} is never {_shown(value)}.",
            hint=f"{did_you_mean(_shown(value), values)}Values: {', '.join(values)}.",
        )
    return value


def _adopted(described: Any) -> FieldInfo:
    """Read a framework's description of a field."""
    name, kind = getattr(described, "name", None), getattr(described, "type", None)
    if not isinstance(name, str) or not isinstance(kind, str):
        raise InvalidArgumentError(
            f"{type(described).__name__} is no field.",
            hint='Describe each: FieldInfo("year", "integer", "of release").',
        )
    return FieldInfo(name, kind, getattr(described, "description", "") or "")


def _shown(value: Scalar) -> str:
    return value if isinstance(value, str) else spell_value(value)
