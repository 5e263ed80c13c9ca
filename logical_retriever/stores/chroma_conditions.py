"""Conditions on metadata in Chroma's ``where``, which has no NOT and never asks whether a key is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from logical_retriever.query import Condition, Scalar
from logical_retriever.stores.conditions import EXACT, FilterLanguage, Said, named_values

Clause = dict[str, Any]

NAMES = {"<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}


class ChromaConditions(FilterLanguage[Clause]):
    """``$ne``, ``$nin`` and ``$not_contains`` let through what has no such key: they say a NOT, and no ``!=``.

    What asks for a key of any value has no form there, nor has the NOT of an order. An order of texts is refused.
    """

    def every(self, parts: Sequence[Clause]) -> Clause:
        """All of them."""
        return parts[0] if len(parts) == 1 else {"$and": list(parts)}

    def some(self, parts: Sequence[Clause]) -> Clause:
        """One of them."""
        return parts[0] if len(parts) == 1 else {"$or": list(parts)}

    def condition(self, condition: Condition) -> Said[Clause]:
        """One condition on a key that Chroma takes."""
        if condition.field.startswith(("$", "#", "chroma:")):
            return Said(None, None)
        operator, plain = condition.operator, [_plain(value) for value in named_values(condition)]
        values = [value for value in plain if value is not None]
        if len(values) < len(plain):
            return Said(None, None)
        if operator in ("=", "in"):
            return self._equals(condition.field, values)
        if operator == "contains":
            return self._contains(condition.field, values[0])
        if operator in NAMES and isinstance(values[0], (int, float)):
            return Said(self._ordered(condition.field, operator, values[0]), None)
        return Said(None, None)

    def wider(self, condition: Condition) -> Said[Clause]:
        """Of what has another value, whatever has not this one."""
        if condition.operator not in ("!=", "not in"):
            return self.condition(condition)
        return Said(self.condition(replace(condition, operator="in", value=tuple(named_values(condition)))).fails, None)

    def _equals(self, field: str, values: Sequence[Scalar]) -> Said[Clause]:
        lists: dict[type, list[Scalar]] = {}
        holds: list[Clause] = []
        fails: list[Clause] = []
        for value in values:
            if isinstance(value, float):  # a fraction
                holds.append(_fraction(field, value))
                fails.append({"$or": [{field: {"$ne": value}}, {field: {"$eq": int(value)}}]})
            else:
                lists.setdefault(type(value), []).append(value)
        holds += [{field: {"$in": some}} for some in lists.values()]
        fails += [{field: {"$nin": some}} for some in lists.values()]
        return Said(self.some(holds), self.every(fails))

    def _contains(self, field: str, value: Scalar) -> Said[Clause]:
        # Lists have one type, and a whole number is none of floats.
        forms = [value, float(value)] if isinstance(value, int) and not isinstance(value, bool) else [value]
        return Said(
            self.some([{field: {"$contains": form}} for form in forms]),
            self.every([{field: {"$not_contains": form}} for form in forms]),
        )

    def _ordered(self, field: str, operator: str, value: float) -> Clause:
        """An order of numbers; of whole numbers, Chroma compares a fraction without what is after its point."""
        plain, whole = {field: {NAMES[operator]: value}}, int(value)
        if whole == value or operator in ((">", "<=") if value > 0 else ("<", ">=")):
            return plain
        if operator in ("<", ">"):
            return self.some([plain, {field: {"$eq": whole}}])
        return self.some([{field: {NAMES[operator[0]]: value}}, _fraction(field, value)])


def _plain(value: Scalar) -> str | int | float | None:
    """A value that Chroma compares as Python does, whole numbers as such; None for a date, which a text may be."""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, date) or abs(value) >= EXACT:
        return None
    return int(value) if value == int(value) else value


def _fraction(field: str, value: float) -> Clause:
    """Equal to a number that is not whole; ``$eq`` alone would be true of the whole number before its point as well."""
    return {"$and": [{field: {"$eq": value}}, {field: {"$gt" if value > 0 else "$lt": int(value)}}]}
