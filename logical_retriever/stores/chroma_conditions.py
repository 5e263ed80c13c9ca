"""Conditions on metadata in Chroma's ``where``, which has no NOT and never asks whether a key is there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from logical_retriever.query import Condition, Scalar
from logical_retriever.stores.conditions import EXACT, FilterLanguage, named_values

Clause = dict[str, Any]

NAMES = {"<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}
INVERSE = {"$in": "$nin", "$contains": "$not_contains", "$and": "$or", "$or": "$and"}


class ChromaConditions(FilterLanguage[Clause]):
    """``$nin`` and ``$not_contains`` let through what has no such key: they say a NOT.

    The NOT of an order has no form there. An order of texts is refused.
    """

    def every(self, parts: Sequence[Clause]) -> Clause:
        """All of them."""
        return parts[0] if len(parts) == 1 else {"$and": list(parts)}

    def some(self, parts: Sequence[Clause]) -> Clause:
        """One of them."""
        return parts[0] if len(parts) == 1 else {"$or": list(parts)}

    def inverse(self, part: Clause) -> Clause | None:
        """By the opposite of each operator."""
        [(key, value)] = part.items()
        if isinstance(value, list):
            parts = [self.inverse(one) for one in value]
            return None if None in parts else {INVERSE[key]: parts}
        [(operator, operand)] = value.items()
        return {key: {INVERSE[operator]: operand}} if operator in INVERSE else None

    def condition(self, condition: Condition) -> Clause | None:
        """One condition on a key and with values that Chroma takes; a text may be that of a date."""
        values = named_values(condition)
        whole = (abs(value) < EXACT for value in values if isinstance(value, int | float))
        fits = not any(isinstance(value, date) for value in values) and all(whole)
        reserved = condition.field.startswith(("$", "#", "chroma:"))
        return super().condition(condition) if fits and not reserved else None

    def equals(self, field: str, values: Sequence[Scalar]) -> Clause:
        """Values of one type in a list."""
        lists: dict[type, list[Any]] = {}
        parts: list[Clause] = []
        for value in map(_plain, values):
            if isinstance(value, float):
                parts.append(_fraction(field, value))
            else:
                lists.setdefault(type(value), []).append(value)
        return self.some([*parts, *({field: {"$in": some}} for some in lists.values())])

    def contains(self, field: str, value: Scalar) -> Clause:
        """Lists have one type, and a whole number is none of floats."""
        plain = _plain(value)
        forms = [plain, float(plain)] if isinstance(plain, int) and not isinstance(plain, bool) else [plain]
        return self.some([{field: {"$contains": form}} for form in forms])

    def ordered(self, field: str, operator: str, value: Scalar) -> Clause | None:
        """An order of numbers; of whole numbers, Chroma compares a fraction without what is after its point."""
        value = _plain(value)
        if isinstance(value, str):
            return None
        plain, whole = {field: {NAMES[operator]: value}}, int(value)
        if whole == value or operator in ((">", "<=") if value > 0 else ("<", ">=")):
            return plain
        if operator in ("<", ">"):
            return self.some([plain, {field: {"$in": [whole]}}])
        return self.some([{field: {NAMES[operator[0]]: value}}, _fraction(field, value)])


def _plain(value: Any) -> Any:
    """A number that is whole as such."""
    return int(value) if isinstance(value, float) and value == int(value) else value


def _fraction(field: str, value: float) -> Clause:
    """Equal to a number that is not whole; ``$eq`` alone would be true of the whole number before its point as well."""
    return {"$and": [{field: {"$eq": value}}, {field: {"$gt" if value > 0 else "$lt": int(value)}}]}
