"""The fields of a collection's metadata, and conditions held to them: nothing unknown, nothing of another type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, Final, Literal, TypeAlias, get_args

from logical_retriever.errors import FieldError, InvalidArgumentError
from logical_retriever.query.nodes import Condition, LogicalQuery
from logical_retriever.query.values import Scalar, is_missing, read_time

FieldType: TypeAlias = Literal["text", "integer", "number", "boolean", "date", "time", "list"]
"""Types of fields; a list is one of texts or numbers."""

_TYPES: Final[Mapping[str, FieldType]] = {
    **dict.fromkeys(("text", "str", "string", "enum", "keyword"), "text"),
    **dict.fromkeys(("integer", "int", "long"), "integer"),
    **dict.fromkeys(("number", "float", "double", "decimal"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    "date": "date",
    **dict.fromkeys(("time", "datetime", "timestamp"), "time"),
    **dict.fromkeys(("list", "array", "tags"), "list"),
}
_OPERATORS: Final[Mapping[FieldType, frozenset[str]]] = {
    **{
        kind: frozenset({"=", "!=", "<", "<=", ">", ">=", "in", "not in", "exists"})
        for kind in ("text", "integer", "number", "date", "time")
    },
    "boolean": frozenset({"=", "!=", "in", "not in", "exists"}),
    "list": frozenset({"contains", "exists"}),
}
_PYTHON: Final = (
    *((bool, "boolean"), (int, "integer"), (float, "number"), (str, "text"), (datetime, "time"), (date, "date")),
    ((list, tuple, set, frozenset), "list"),
)
_NAMED: Final[Mapping[str, str]] = {"text": "a text", "boolean": "true or false", "list": "a text or number"}
_MANY: Final = 20
"""Most distinct values that are shown of a sample."""
_LONG: Final = 80
"""Most characters of a text that is shown as a value."""


@dataclass(frozen=True)
class FieldInfo:
    """A field of metadata that conditions may name.

    Attributes:
        name: As the store's metadata has it.
        type: Of :data:`FieldType`, or another usual name of one, such as "string", "int" or "list[string]".
        description: For the model that reads questions; "" for none.
        values: All values that there are, where they are few; a condition may then name no other. () where any may be.
        examples: Some values, where any may be.
        range: Least and greatest value that were seen, or None.

    Raises:
        InvalidArgumentError: The field has no name, or a type of another name.
    """

    name: str
    type: str
    description: str = ""
    values: tuple[Scalar, ...] = ()
    examples: tuple[Scalar, ...] = ()
    range: tuple[Scalar, Scalar] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InvalidArgumentError(
                f"A field needs a name, got {self.name!r}.", hint="Name it as the metadata does."
            )
        given = str(self.type).strip().lower()
        known = _TYPES.get(given.split("[")[0].split("<")[0].split(" ")[0])
        if known is None:
            raise InvalidArgumentError(
                f"The field {self.name!r} has the type {self.type!r}.", hint=f"Types: {', '.join(get_args(FieldType))}."
            )
        object.__setattr__(self, "type", known)
        for name in ("values", "examples"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def __str__(self) -> str:
        """One line for people and models: name, type, values, description."""
        about = [self.type]
        if self.values:
            about.append(f"one of {', '.join(map(_shown, self.values))}")
        elif self.examples:
            about.append(f"such as {', '.join(map(_shown, self.examples))}")
        if self.range is not None:
            about.append(f"from {_shown(self.range[0])} to {_shown(self.range[1])}")
        return f"{self.name} ({'; '.join(about)}){f': {self.description}' if self.description else ''}"


class Fields(Mapping[str, FieldInfo]):
    """The fields of a collection by name.

    Args:
        fields: Each a :class:`FieldInfo`, or anything with ``name``, ``type`` and ``description``, as LangChain's
            ``AttributeInfo`` and LlamaIndex' ``MetadataInfo`` have.
        sampled: Whether they were seen in a sample, and there may be more of them.

    Raises:
        InvalidArgumentError: Two have one name, or one is no field.
    """

    def __init__(self, fields: Iterable[Any], *, sampled: bool = False) -> None:
        self.sampled = sampled
        self._fields: dict[str, FieldInfo] = {}
        for given in fields:
            field = given if isinstance(given, FieldInfo) else _adopted(given)
            if self._fields.setdefault(field.name, field) is not field:
                raise InvalidArgumentError(f"Two fields have the name {field.name!r}.", hint="Describe each once.")

    @classmethod
    def of(cls, fields: Any) -> Fields | None:
        """Fields in any of the forms that a ``fields=`` argument takes; None for None.

        Args:
            fields: :class:`Fields`, a sequence as the class takes it, or LlamaIndex' ``VectorStoreInfo``.

        Raises:
            InvalidArgumentError: They are none of these.
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

    def __getitem__(self, name: str) -> FieldInfo:
        return self._fields[name]

    def __iter__(self) -> Any:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        """One line a field."""
        return "\n".join(f"- {field}" for field in self.values())

    def checked(self, query: LogicalQuery) -> LogicalQuery:
        """The query with its conditions held to the fields; texts that say a date of a field of dates are dates.

        Raises:
            FieldError: A condition names no field, or what its field cannot be compared with.
        """
        return query.fold(
            lambda node, parts: self.condition(node) if isinstance(node, Condition) else node.rebuilt(parts)
        )

    def honest(self, query: LogicalQuery) -> tuple[LogicalQuery | None, tuple[str, ...]]:
        """The query without the conditions that do not hold to the fields, and what was wrong with each of them.

        Nothing else takes their place; the query is None where nothing is left.
        """
        problems: list[str] = []

        def visit(node: LogicalQuery, parts: tuple[LogicalQuery | None, ...]) -> LogicalQuery | None:
            if isinstance(node, Condition):
                try:
                    return self.condition(node)
                except FieldError as error:
                    problems.append(f"{node} is left out: {error.message}")
                    return None
            left = tuple(part for part in parts if part is not None)
            if len(left) == len(parts):
                return node.rebuilt(left)
            return None if not left else left[0] if len(left) == 1 else node.rebuilt(left)

        return query.fold(visit), tuple(problems)

    def condition(self, condition: Condition) -> Condition:
        """One condition, held to its field.

        Raises:
            FieldError: As for :meth:`checked`.
        """
        field = self._fields.get(condition.field)
        if field is None:
            close = get_close_matches(condition.field, self._fields, n=1)
            meant = f"Did you mean {close[0]!r}? " if close else ""
            raise FieldError(
                f"There is no field {condition.field!r}.", hint=f"{meant}Fields: {', '.join(self._fields) or 'none'}."
            )
        kind: Any = field.type
        if condition.operator not in _OPERATORS[kind]:
            hint = (
                f"Write [{field.name} contains ...]."
                if kind == "list"
                else f"Operators: {', '.join(sorted(_OPERATORS[kind]))}."
            )
            raise FieldError(f"{condition.operator} does not go with {field.name}, which is a {kind}.", hint=hint)
        if condition.operator == "exists":
            return condition
        several = isinstance(condition.value, tuple)
        values: Any = condition.value if several else (condition.value,)
        held = tuple(_held(field, value) for value in values)
        return replace(condition, value=held if several else held[0])


def discovered(metadata: Iterable[Mapping[str, Any]]) -> Fields:
    """The fields of some documents: types, few values, ranges; said to be of a sample.

    A field with values of several types, or of none that conditions know, is left out.

    Args:
        metadata: Of each document.

    Examples:
        >>> print(discovered([{"year": 1990, "genres": ["noir"]}, {"year": 2001, "genres": ["noir", "drama"]}]))
        - year (integer; such as 1990, 2001; from 1990 to 2001)
        - genres (list; such as drama, noir)
    """
    found: dict[str, list[Any]] = {}
    for one in metadata:
        for name, value in one.items():
            if isinstance(name, str) and name.strip() and not is_missing(value):
                found.setdefault(name, []).append(value)
    return Fields([field for name, values in found.items() if (field := _seen(name, values))], sampled=True)


def _seen(name: str, values: list[Any]) -> FieldInfo | None:
    kinds = {_kind(value) for value in values}
    kind = "number" if kinds == {"integer", "number"} else kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        return None
    each = [one for value in values for one in (value if kind == "list" else (value,))]
    known = {one for one in each if isinstance(one, (str, int, float, date)) and not isinstance(one, bool)}
    numbers = sorted(one for one in known if isinstance(one, (int, float)))
    distinct: list[Any] = [*numbers, *sorted(known.difference(numbers), key=str)]
    short = [one for one in distinct if not isinstance(one, str) or len(one) <= _LONG]
    ordered = kind in ("integer", "number", "date", "time") and distinct
    return FieldInfo(
        name,
        kind,
        examples=tuple(short) if len(short) <= _MANY else (),
        range=(distinct[0], distinct[-1]) if ordered else None,
    )


def _kind(value: Any) -> str | None:
    moment = read_time(value) if isinstance(value, str) else None
    return next((kind for types, kind in _PYTHON if isinstance(value if moment is None else moment, types)), None)


def _held(field: FieldInfo, value: Scalar) -> Scalar:
    """A value, if the field can be compared with it."""
    if field.type in ("date", "time") and isinstance(value, str):
        value = value if (moment := read_time(value)) is None else moment
    fits = {
        "text": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": isinstance(value, (int, float)) and not isinstance(value, bool),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool),
        "date": isinstance(value, date),
        "time": isinstance(value, date),
        "list": not isinstance(value, date),
    }[field.type]
    if not fits:
        wanted = _NAMED.get(field.type, f"a {field.type}" if field.type != "integer" else "a number")
        raise FieldError(f"{field.name} is not compared with {_shown(value)}.", hint=f"Give {wanted}.")
    if field.values and value not in field.values:
        close = get_close_matches(str(value), list(map(str, field.values)), n=1)
        close = close or [str(one) for one in field.values if str(one).casefold() == str(value).casefold()]
        meant = f"Did you mean {close[0]!r}? " if close else ""
        raise FieldError(
            f"{field.name} is never {_shown(value)}.", hint=f"{meant}Values: {', '.join(map(_shown, field.values))}."
        )
    return value


def _adopted(given: Any) -> FieldInfo:
    """A field as a framework describes it."""
    name, kind = getattr(given, "name", None), getattr(given, "type", None)
    if not isinstance(name, str) or not isinstance(kind, str):
        raise InvalidArgumentError(
            f"{type(given).__name__} is no field.", hint='Describe each: FieldInfo("year", "integer", "of release").'
        )
    return FieldInfo(name, kind, getattr(given, "description", "") or "")


def _shown(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
