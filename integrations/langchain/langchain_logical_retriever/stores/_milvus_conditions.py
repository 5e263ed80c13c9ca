"""Conditions on metadata as Milvus' expressions: on fields by their types, on dynamic keys by each value's."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeGuard

from logical_retriever.integration import (
    EXACT,
    NOTHING,
    OTHER,
    Comparison,
    Condition,
    FieldType,
    FilterLanguage,
    Kind,
    Scalar,
    TypedLanguage,
    named_values,
)

OPERATORS = {"=": "==", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
KINDS: Mapping[str, Kind] = {
    **{"VARCHAR": "text", "BOOL": "truth", "DOUBLE": "real"},
    **dict.fromkeys(("INT8", "INT16", "INT32", "INT64"), "whole"),
}
NAME = re.compile(r"(?!(?:and|or|not|in|like|exists|is|null|true|false)$)[a-z_]\w*", re.ASCII | re.IGNORECASE)
"""Fields that can stand in an expression as they are."""
UNWRITTEN = re.compile(r"[\x00-\x07\x0b\x0e-\x1f]")
"""Characters that JSON writes as ``\\u0000``, which Milvus does not read."""


class _Expressions(FilterLanguage[str]):
    """Expressions that are true or false; Milvus' own are neither, of what has no value."""

    def every(self, parts: Sequence[str]) -> str:
        """All of them."""
        return " and ".join(f"({part})" for part in parts)

    def some(self, parts: Sequence[str]) -> str:
        """One of them."""
        return " or ".join(f"({part})" for part in parts)

    def inverse(self, part: str) -> str:
        """Not this."""
        return f"not ({part})"


class MilvusConditions(_Expressions):
    """Conditions on a collection's metadata.

    Args:
        fields: Of the collection's schema, as its description has them, that are metadata.
        dynamic: Whether keys that are no fields are kept.
    """

    def __init__(self, fields: Mapping[str, Mapping[str, Any]], dynamic: bool) -> None:
        self.fields = fields
        self.by_type = _Fields(fields)
        self.of_values = _Keys() if dynamic else None

    def condition(self, condition: Condition) -> str | None:
        """One condition on texts that can be written."""
        texts = [condition.field, *(value for value in named_values(condition) if isinstance(value, str))]
        return None if any(UNWRITTEN.search(text) for text in texts) else super().condition(condition)

    def equals(self, field: str, values: Sequence[Scalar]) -> str | None:
        """One of these values."""
        return self._of(field).equals(field, values)

    def ordered(self, field: str, operator: str, value: Scalar) -> str | None:
        """A value less or greater than this."""
        return self._of(field).ordered(field, operator, value)

    def contains(self, field: str, value: Scalar) -> str | None:
        """A list with this value in it."""
        return self._of(field).contains(field, value)

    def _of(self, field: str) -> FilterLanguage[str]:
        return self.by_type if field in self.fields or self.of_values is None else self.of_values


class _Fields(_Expressions, TypedLanguage[str]):
    """Conditions on fields of the schema."""

    def __init__(self, fields: Mapping[str, Mapping[str, Any]]) -> None:
        self.fields = fields

    def type_of(self, field: str) -> FieldType:
        if field not in self.fields:
            return NOTHING
        known = self.fields[field]
        listed = known["type"].name == "ARRAY"
        kind = KINDS.get((known["element_type"] if listed else known["type"]).name)
        return OTHER if kind is None or not NAME.fullmatch(field) else FieldType(kind, listed)

    def never(self) -> str:
        return "1 == 2"

    def _present(self, field: str, type: FieldType) -> str:
        # NaN is not null, and in no order.
        ordered = [f"({field} >= 0 or {field} < 0)"] if type.kind == "real" and not type.listed else []
        return " and ".join([f"{field} is not null", *ordered])

    def compared(self, field: str, type: FieldType, comparison: Comparison) -> str:
        test = f"{field} {OPERATORS[comparison.operator]} {_literal(comparison.value)}"
        return self.every([self._present(field, type), test])

    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> str:
        return self.every([self._present(field, type), f"{field} in [{', '.join(map(_literal, values))}]"])

    def has_element(self, field: str, type: FieldType, value: Any) -> str:
        return self.every([self._present(field, type), f"array_contains({field}, {_literal(value)})"])


class _Keys(_Expressions):
    """Conditions on dynamic keys; true and false count as 1 and 0 there, beside numbers and texts."""

    def equals(self, field: str, values: Sequence[Scalar]) -> str | None:
        if not all(isinstance(value, str) or (_is_plain(value) and value not in (0, 1)) for value in values):
            return None
        return self.every([f"exists {_key(field)}", self.some([f"{_key(field)} == {_literal(v)}" for v in values])])

    def ordered(self, field: str, operator: str, value: Scalar) -> str | None:
        if not _is_plain(value) or (value <= 1 if operator[0] == ">" else value >= 0):
            return None
        return self.every([f"exists {_key(field)}", f"{_key(field)} {operator} {_literal(value)}"])

    def contains(self, field: str, value: Scalar) -> str | None:
        if not isinstance(value, str) or not NAME.fullmatch(field):  # no other path may stand here
            return None
        return self.every([f"exists {_key(field)}", f"json_contains({field}, {_literal(value)})"])


def _is_plain(value: Scalar) -> TypeGuard[float]:
    return not isinstance(value, (str, bool, date)) and abs(value) < EXACT


def _key(field: str) -> str:
    return f"$meta[{json.dumps(field, ensure_ascii=False)}]"


def _literal(value: Any) -> str:
    # JSON's escapes are Milvus' as well.
    return json.dumps(value, ensure_ascii=False)
