"""Conditions as filters of Weaviate, on properties as the collection's schema has them.

An equal text is found by its words, whatever their order, and a list by each of its elements: a filter lets too much
through, and what it finds is decided on metadata.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from langchain_logical_retriever.stores._superset_conditions import SupersetConditions
from logical_retriever.integration import EXACT, Comparison, Kind, Scalar, reduced

KINDS: Mapping[str, Kind] = {"text": "text", "int": "whole", "number": "real", "boolean": "truth", "date": "moment"}
"""Kinds of the values of a property, by its type; that of a list has "[]" after it."""
STOPWORDS: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    "en": frozenset(
        re.findall(
            r"\w+",
            "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
            "they this to was will with",
        )
    ),
}
"""Weaviate's own lists of words that it drops from a filter; one that is left empty is an error."""
TOKENIZATIONS = frozenset({"word", "lowercase", "whitespace", "field"})
"""Ways to take words from a text by which equal texts have equal words, and one with a letter has a word."""
LONGEST = 1000
"""Characters of a text that is named; what is much longer may not be indexed as a whole."""
WORD = re.compile(r"[^\W_]+")


class WeaviateConditions(SupersetConditions[Any]):
    """In the filters of Weaviate's client.

    Args:
        config: The collection's, as its client reads it.
    """

    def __init__(self, config: Any) -> None:
        self.properties = {one.name: one for one in config.properties if one.index_filterable}
        stopwords = config.inverted_index_config.stopwords
        known = STOPWORDS.get(_name(stopwords.preset))
        self.stopwords = None if known is None else known | {word.casefold() for word in stopwords.additions or ()}

    def every(self, parts: Sequence[Any]) -> Any:
        """All of them."""
        from weaviate.classes.query import Filter

        return parts[0] if len(parts) == 1 else Filter.all_of(list(parts))

    def some(self, parts: Sequence[Any]) -> Any:
        """One of them."""
        from weaviate.classes.query import Filter

        return parts[0] if len(parts) == 1 else Filter.any_of(list(parts))

    def one_of(self, field: str, values: Sequence[Scalar]) -> Any | None:
        """Values of the property's type, all of them."""
        found = [self._compared(field, "=", value) for value in values]
        return None if any(one is None for one in found) else self.some(found)

    def ordered(self, field: str, operator: str, value: Scalar) -> Any | None:
        """Of numbers, dates and times: how Weaviate orders texts is not documented."""
        return None if isinstance(value, (str, bool)) else self._compared(field, operator, value)

    def _compared(self, field: str, operator: str, value: Scalar) -> Any | None:
        found = self.properties.get(field)
        kind: Kind = "other" if found is None else KINDS.get(_name(found.data_type).removesuffix("[]"), "other")
        if isinstance(value, (int, float)) and abs(value) > EXACT:
            return None
        tests = reduced(kind, operator, value)
        if not tests or (kind == "text" and not self._has_words(found, tests[0].value)):
            return None
        return self.every([self._test(field, kind, test) for test in tests])

    def _test(self, field: str, kind: Kind, test: Comparison) -> Any:
        from weaviate.classes.query import Filter

        bound = Filter.by_property(field)
        if kind == "moment":  # Weaviate's are of nanoseconds, Python's of microseconds
            low, high = _around(test.value)
            if test.operator == "=":
                return self.every([bound.greater_or_equal(low), bound.less_or_equal(high)])
            return bound.less_or_equal(high) if test.operator[0] == "<" else bound.greater_or_equal(low)
        return {
            "=": bound.equal,
            "<": bound.less_than,
            "<=": bound.less_or_equal,
            ">": bound.greater_than,
            ">=": bound.greater_or_equal,
        }[test.operator](test.value)

    def _has_words(self, found: Any, text: str) -> bool:
        """Whether something is left of a text when it is taken for words, so that a filter may name it."""
        if self.stopwords is None or _name(found.tokenization) not in TOKENIZATIONS or len(text) > LONGEST:
            return False
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            return False
        return any(word.casefold() not in self.stopwords for word in WORD.findall(text))


def _around(moment: datetime) -> tuple[datetime, datetime]:
    """A second before a moment in UTC, and one after, of those that there are."""
    first, last = (one.replace(tzinfo=timezone.utc) for one in (datetime.min, datetime.max))
    given, second = moment.replace(tzinfo=timezone.utc), timedelta(seconds=1)
    return (given - second if given - first > second else first), (given + second if last - given > second else last)


def _name(value: Any) -> str:
    """The client's enumerations and plain texts alike."""
    return str(getattr(value, "value", value))
