"""Conditions on metadata as Qdrant's filters, which look into lists and know no types."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from logical_retriever.query import Scalar
from logical_retriever.stores.conditions import EXACT, FilterLanguage

RANGES = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}


class QdrantConditions(FilterLanguage[Any]):
    """Filters of ``qdrant_client.models``.

    An order of texts cannot be said.

    Args:
        within: Key of the payload that holds the metadata; None where they stand in the payload itself.
    """

    def __init__(self, within: str | None) -> None:
        from qdrant_client import models

        self.models: Any = models
        self.within = within

    def every(self, parts: Sequence[Any]) -> Any:
        """All of them."""
        return self.models.Filter(must=list(parts))

    def some(self, parts: Sequence[Any]) -> Any:
        """One of them."""
        return self.models.Filter(should=list(parts))

    def inverse(self, part: Any) -> Any:
        """Not this."""
        return self.models.Filter(must_not=[part])

    def equals(self, field: str, values: Sequence[Scalar]) -> Any:
        """A value of these, and no list that has one in it."""
        matches = self._matches(field, values)
        return None if matches is None else self.every([matches, self._no_list(field)])

    def ordered(self, field: str, operator: str, value: Scalar) -> Any:
        """A number in the range."""
        if isinstance(value, (bool, str, date)):
            return None
        within = self._ranged(field, **{RANGES[operator]: value})
        return None if within is None else self.every([within, self._no_list(field)])

    def contains(self, field: str, value: Scalar) -> Any:
        """A list that has the value in it."""
        matches = self._matches(field, (value,))
        return None if matches is None else self.every([matches, self.inverse(self._no_list(field))])

    def _matches(self, field: str, values: Sequence[Scalar]) -> Any:
        """A value of these, by itself or in a list; None where a path or a value cannot be said."""
        texts = [value for value in values if isinstance(value, str)]
        parts = [self._condition(field, match=self.models.MatchAny(any=texts))] if texts else []
        for value in values:
            if isinstance(value, bool):
                parts.append(self._condition(field, match=self.models.MatchValue(value=value)))
            elif not isinstance(value, str):  # as a number, whether it is written as a whole one or not
                parts.append(None if isinstance(value, date) else self._ranged(field, gte=value, lte=value))
        return None if None in parts else self.some(parts)

    def _ranged(self, field: str, **bounds: float) -> Any:
        # Whole numbers are compared as floats.
        if any(abs(bound) >= EXACT for bound in bounds.values()):
            return None
        return self._condition(field, range=self.models.Range(**bounds))

    def _condition(self, field: str, **condition: Any) -> Any:
        path = self._path(field)
        return None if path is None else self.models.FieldCondition(key=path, **condition)

    def _no_list(self, field: str) -> Any:
        """No value, one that is no list, or an empty list."""
        return self.models.IsEmptyCondition(is_empty=self.models.PayloadField(key=f"{self._path(field)}[]"))

    def _path(self, field: str) -> str | None:
        """The field's path; None for one that cannot be written."""
        names = [field] if self.within is None else [self.within, field]
        return None if any('"' in name for name in names) else ".".join(f'"{name}"' for name in names)
