"""The fields of a collection's metadata, and conditions held to them: nothing unknown, nothing of another type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from logical_retriever.errors import FieldError, InvalidArgumentError, did_you_mean
from logical_retriever.query.nodes import Condition, LogicalQuery
from logical_retriever.query.printer import spell_value
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
_ORDERED: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "exists")
# What each type is compared by and with, and the values that it has in metadata; a truth value is an int to Python.
_OPERATORS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("text", "integer", "number", "date", "time"), _ORDERED),
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
_PYTHON: Final[Sequence[tuple[Any, FieldType]]] = (
    *((bool, "boolean"), (int, "integer"), (float, "number"), (str, "text"), (datetime, "time"), (date, "date")),
    ((list, tuple, set, frozenset), "list"),
)
_MANY: Final = 20
"""Most distinct values that are shown of a sample; of more, the least and the greatest."""
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

    Raises:
        InvalidArgumentError: The field has no name, or a type of another name.
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
                f"The field {self.name!r} has the type {self.type!r}.", hint=f"Types: {', '.join(get_args(FieldType))}."
            )
        object.__setattr__(self, "type", kind)
        for name in ("values", "examples"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def __str__(self) -> str:
        """One line for people and models: name, type, values, description."""
        about = [self.type]
        if self.values:
            about.append(f"one of {', '.join(map(_shown, self.values))}")
        elif self.examples:
            about.append(f"such as {', '.join(map(_shown, self.examples))}")
        return f"{self.name} ({'; '.join(about)}){f': {self.description}' if self.description else ''}"


class Fields(dict[str, FieldInfo]):
    """The fields of a collection by name.

    Args:
        fields: Each a :class:`FieldInfo`, or anything with ``name``, ``type`` and ``description``, as LangChain's
            ``AttributeInfo`` and LlamaIndex' ``MetadataInfo`` have.
        sampled: Whether they were seen in a sample, and there may be more of them.

    Raises:
        InvalidArgumentError: Two have one name, or one is no field.
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

    def condition(self, condition: Condition) -> Condition:
        """One condition, held to its field.

        Raises:
            FieldError: As for :meth:`checked`.
        """
        field = self.get(condition.field)
        if field is None:
            raise FieldError(
                f"There is no field {condition.field!r}.",
                hint=f"{did_you_mean(condition.field, self)}Fields: {', '.join(self) or 'none'}.",
            )
        operators = _OPERATORS[field.type]
        if condition.operator not in operators:
            contains = f"Write [{field.name} contains ...]." if field.type == "list" else ""
            raise FieldError(
                f"{condition.operator} does not go with {field.name}, which is a {field.type}.",
                hint=contains or f"Operators: {', '.join(operators)}.",
            )
        if isinstance(condition.value, tuple):
            return replace(condition, value=tuple(_held(field, value) for value in condition.value))
        return condition if condition.value is None else replace(condition, value=_held(field, condition.value))


def discovered(metadata: Iterable[Mapping[str, Any]]) -> Fields:
    """The fields of some documents: types and values; said to be of a sample.

    A field with values of several types, or of none that conditions know, is left out.

    Args:
        metadata: Of each document.

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


def _held(field: FieldInfo, value: Any) -> Any:
    """A value, if the field can be compared with it."""
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
    """A field as a framework describes it."""
    name, kind = getattr(described, "name", None), getattr(described, "type", None)
    if not isinstance(name, str) or not isinstance(kind, str):
        raise InvalidArgumentError(
            f"{type(described).__name__} is no field.",
            hint='Describe each: FieldInfo("year", "integer", "of release").',
        )
    return FieldInfo(name, kind, getattr(described, "description", "") or "")


def _shown(value: Scalar) -> str:
    return value if isinstance(value, str) else spell_value(value)
