"""Conditions as filters of engines that look into lists as into single values: all they hold of passes, and more.

Such an engine cannot tell ``["France"]`` from ``"France"``. What it finds is decided on metadata, so that a filter may
let too much through, and never too little: that is why nothing is said of a NOT, nor of a value of another kind.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from logical_retriever.integration import EXACT, FilterLanguage, Scalar

Clause = dict[str, Any]
T = TypeVar("T")


class SupersetConditions(FilterLanguage[T]):
    """Filters that hold of every document that a condition holds of."""

    @abstractmethod
    def one_of(self, field: str, values: Sequence[Scalar]) -> T | None:
        """The field has one of these values, or a list with one; None where documents with one could be missed."""

    def equals(self, field: str, values: Sequence[Scalar]) -> T | None:
        """As :meth:`one_of`."""
        return self.one_of(field, values)

    def contains(self, field: str, value: Scalar) -> T | None:
        """As :meth:`one_of`."""
        return self.one_of(field, (value,))


class PineconeConditions(SupersetConditions[Clause]):
    """In Pinecone's filters, which compare numbers in double precision, and texts with texts and lists of texts."""

    def every(self, parts: Sequence[Clause]) -> Clause:
        """All of them."""
        return {"$and": list(parts)}

    def some(self, parts: Sequence[Clause]) -> Clause:
        """One of them."""
        return {"$or": list(parts)}

    def one_of(self, field: str, values: Sequence[Scalar]) -> Clause | None:
        """By ``$in``, a list of texts or of numbers; of true and false by ``$eq``."""
        if field.startswith("$") or not all(isinstance(value, (str, bool)) or _is_number(value) for value in values):
            return None
        texts = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if not isinstance(value, (str, bool))]
        found: list[Clause] = [{field: {"$in": some}} for some in (texts, numbers) if some]
        found += [{field: {"$eq": value}} for value in values if isinstance(value, bool)]
        return found[0] if len(found) == 1 else self.some(found)

    def ordered(self, field: str, operator: str, value: Scalar) -> Clause | None:
        """Of numbers alone."""
        if field.startswith("$") or not _is_number(value):
            return None
        return {field: {{"<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}[operator]: value}}


NUMBERS = frozenset({"long", "integer", "short", "byte", "unsigned_long", "double", "float", "half_float"})
"""Types of fields that hold numbers."""


class SearchEngineConditions(SupersetConditions[Clause]):
    """In the query language of Elasticsearch and OpenSearch, on fields that are mapped and searchable.

    Numbers are compared with what is one less and one more: a field of whole numbers drops what is after the point, and
    one of single precision rounds.

    Args:
        path: Of the object that holds the metadata.
        properties: The mapping of its fields.
    """

    def __init__(self, path: str, properties: Mapping[str, Any]) -> None:
        self.path = path
        self.properties = properties

    def every(self, parts: Sequence[Clause]) -> Clause:
        """All of them."""
        return {"bool": {"filter": list(parts)}}

    def some(self, parts: Sequence[Clause]) -> Clause:
        """One of them."""
        return {"bool": {"should": list(parts), "minimum_should_match": 1}}

    def one_of(self, field: str, values: Sequence[Scalar]) -> Clause | None:
        """Values of the mapping's type, all of them."""
        mapping = self._mapping(field)
        if mapping["type"] in NUMBERS and all(map(_is_number, values)):
            return self.some([self._range(field, gte=_below(value), lte=_above(value)) for value in values])
        if mapping["type"] == "boolean" and all(isinstance(value, bool) for value in values):
            return {"terms": {f"{self.path}.{field}": list(values)}}
        keyword = next((name for name in self._keywords(field, mapping)), None)
        if keyword is None:
            return None
        name, longest = keyword
        if not all(isinstance(value, str) and 2 * len(value) <= longest for value in values):
            return None
        return {"terms": {name: list(values)}}

    def ordered(self, field: str, operator: str, value: Scalar) -> Clause | None:
        """Of numbers alone: texts that are too long are not indexed, and may be in any order."""
        if self._mapping(field)["type"] not in NUMBERS or not _is_number(value):
            return None
        bound = {"lte": _above(value)} if operator[0] == "<" else {"gte": _below(value)}
        return self._range(field, **bound)

    def _range(self, field: str, **bounds: float) -> Clause:
        return {"range": {f"{self.path}.{field}": bounds}}

    def _mapping(self, field: str) -> Mapping[str, Any]:
        """How a field is mapped; of no type where it is not, or where what is not searchable may be in it."""
        found = self.properties.get(field, {})
        searchable = found.get("index", True) and not found.get("ignore_malformed", False) and "." not in field
        return {"type": None, **found} if searchable else {"type": None}

    def _keywords(self, field: str, mapping: Mapping[str, Any]) -> list[tuple[str, float]]:
        """Names under which whole texts are indexed, and the most characters of those that are."""
        name = f"{self.path}.{field}"
        own = {name: mapping, **{f"{name}.{sub}": one for sub, one in mapping.get("fields", {}).items()}}
        return [
            (path, one.get("ignore_above", math.inf))
            for path, one in own.items()
            if one.get("type") == "keyword" and one.get("index", True)
        ]


def _is_number(value: Scalar) -> bool:
    return not isinstance(value, (str, bool, date)) and abs(value) < EXACT


def _below(value: Any) -> int:
    whole: int = math.floor(value)
    return whole - 1


def _above(value: Any) -> int:
    whole: int = math.ceil(value)
    return whole + 1
