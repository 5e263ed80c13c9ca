"""Conditions on metadata as LanceDB's SQL over the column of metadata, whose fields have types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from logical_retriever.integration import NOTHING, OTHER, Comparison, FieldType, Kind, TypedLanguage

KINDS: tuple[tuple[str, Kind], ...] = (
    ("(large_)?string", "text"),
    (r"u?int\d+", "whole"),
    ("double", "real"),
    ("bool", "truth"),
)
LIST = re.compile(r"(?:large_)?list<\w+: (.*?)(?: not null)?>")


class LanceDBConditions(TypedLanguage[str]):
    """Conditions on the fields of a column of structures.

    Args:
        types: Names of their types, by their names.
        literal: SQL of a value.
    """

    def __init__(self, types: Mapping[str, str], literal: Callable[[Any], str]) -> None:
        self.types = types
        self.literal = literal

    def every(self, parts: Sequence[str]) -> str:
        """All of them."""
        return " AND ".join(f"({part})" for part in parts)

    def some(self, parts: Sequence[str]) -> str:
        """One of them."""
        return " OR ".join(f"({part})" for part in parts)

    def inverse(self, part: str) -> str:
        """Not this; nothing here is NULL."""
        return f"NOT ({part})"

    def type_of(self, field: str) -> FieldType:
        """Of a field of the structures."""
        if field not in self.types:
            return NOTHING
        name = self.types[field]
        found = LIST.fullmatch(name)
        single = name if found is None else found[1]
        kinds = [kind for pattern, kind in KINDS if re.fullmatch(pattern, single)]
        return FieldType(kinds[0], found is not None) if kinds else OTHER

    def never(self) -> str:
        """Nothing."""
        return "false"

    def compared(self, field: str, type: FieldType, comparison: Comparison) -> str:
        """By the engine's operator."""
        return self._true(field, type, f"{comparison.operator} {self._written(comparison.value)}")

    def one_of(self, field: str, type: FieldType, values: Sequence[Any]) -> str:
        """One of a list."""
        return self._true(field, type, f"IN ({', '.join(map(self._written, values))})")

    def has_element(self, field: str, type: FieldType, value: Any) -> str:  # noqa: ARG002  the protocol's
        """In the field's list."""
        return f"COALESCE(array_has({_path(field)}, {self._written(value)}), false)"

    def _true(self, field: str, type: FieldType, test: str) -> str:
        true = f"COALESCE({_path(field)} {test}, false)"
        if type.kind == "real" and not type.listed:  # NaN is the greatest number there
            return self.every([f"COALESCE(NOT isnan({_path(field)}), false)", true])
        return true

    def _written(self, value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else self.literal(value)


def _path(field: str) -> str:
    name = field.replace("`", "``")
    return f"metadata.`{name}`"
