"""Keys, metadata, texts and vectors to test stores with, hostile ones included."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np

from logical_retriever.query import Condition, Operator
from logical_retriever.results import DocumentId, id_order
from logical_retriever.stores import StoredDocument
from logical_retriever.vectors import Vectors

DIMENSION = 8
KEYS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "text": (  # texts that look like something else, or like each other
            *("", " ", "0", "1", "-1", "01", "1.0", "1e3", "A", "a", "None", "null", "NULL", "nan", "true", "é"),
            *("e\u0301", "ﬁ", "東京", "مرحبا", "👩\u200d🚀", "\U0010ffff", "it's", 'a "quote"', "back\\slash", "\\x41"),
            *("`", "%s $1 {a:String} :a ?", "'; DROP TABLE docs; --", "line\nbreak\ttab", "x" * 200),
        ),
        "int32": (-(1 << 31), -10, -9, -1, 0, 1, 9, 10, (1 << 31) - 1),
        "int64": (-(1 << 63), -(1 << 53) - 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, (1 << 63) - 1),
        "uint64": (0, 1, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 1),
        "float": (-1.5, -1e-7, 0.0, 5e-324, 1e-7, 0.1, 1 / 3, 0.1 + 0.2, 1e16, 1.7976931348623157e308, np.inf),
        "date": (date(1970, 1, 1), date(2020, 2, 29), date(2100, 12, 31)),
        "datetime": (datetime(1970, 1, 1), *(datetime(2020, 2, 29, 1, 2, 3, micro) for micro in (0, 4, 4000))),
        "bytes": (b"", b"1", b"\x00", b"\xff\xfe", b"it's \\x41"),
        "UUID": (UUID(int=0), UUID(int=1), UUID(int=(1 << 127) + 5), UUID(int=(1 << 128) - 1)),
        # No two are equal, though some have one text.
        "mixed": (
            "1",
            1,
            b"1",
            1.5,
            Decimal("2.5"),
            date(1970, 1, 1),
            datetime(2020, 2, 29, 1, 2, 3),
            UUID(int=1),
            ("a", 1),
        ),
    }
)
"""Keys of every type."""
HOSTILE = (
    "it's",
    'a "quote"',
    "back\\slash\\",
    "'; DROP TABLE docs; --",
    "' OR '1'='1",
    '" or 1 == 1 or "',
    '{"$ne": null}',
    "*:* OR _exists_:year",
    "%s $1 :a {a:String} ? {} {0}",
    "[year >= 1] OR NOT",
    "line\nbreak\ttab",
    "%",
    "_",
)
"""Texts with a meaning in some engine's language."""
FIELDS: Mapping[str, Sequence[Any]] = MappingProxyType(
    {
        "year": (1990, None, 1999, 2000, -5, 0, 1, 1990, None, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63)),
        "rating": (7.5, 5.0, None, -0.5, 0.0, 1e308, 7.25, np.nan, 5e-324, 0.1, 1990.0, -7.5),
        "language": ("French", "français", None, "東京", "1990", "7.5", "true", "2020-02-29", "", "french", "Z", "été"),
        "animated": (True, False, None, True, True, False, None, None, False, True, False, True),
        "genres": (["drama", "war"], [], None, ["war"], ["5"], ["Drama"], ["it's"], ["été"], None, ["a"], ["true"], []),
        "note": (*HOSTILE[:11], None),
        "select": (1, None, 2, 3, None, 1, 2, 3, 1, 2, 3, 1),
        "release year": (1, None, 2, 3, None, 1, 2, 3, 1, 2, 3, 1),
        "a.b": (1, None, 2, 3, None, 1, 2, 3, 1, 2, 3, 1),
        "été": ("a", None, "b", "c", None, "a", "b", "c", "a", "b", "c", "a"),
        'o\'brien "x" `y` {}': (1, None, 2, 3, None, 1, 2, 3, 1, 2, 3, 1),
        "mixed": (5, "5", 5.5, True, ["5", 5], "2020-02-29", None, 1, 0, False, [5], ""),
        "released": (date(2020, 2, 29), None, date(1999, 12, 31), *(date(2020, 3, 1) + timedelta(n) for n in range(9))),
        "seen": (datetime(2020, 2, 29), None, *(datetime(2020, 2, 28, 23) + timedelta(hours=n * 7) for n in range(10))),
    }
)
"""Values of each field, document by document; None for a missing field. NaN is stored, and means the same."""
JSON_FIELDS: Mapping[str, Sequence[Any]] = MappingProxyType(
    {name: values for name, values in FIELDS.items() if name not in ("released", "seen")}
)
"""The fields that JSON can hold."""
VALUES: tuple[Any, ...] = (
    *(1990, 1990.0, 1990.5, -5, 0, 1, 5, 5.5, 7.5, -0.5, 0.1, 1e308, -1e308, (1 << 53) + 1, 1 << 53, (1 << 63) - 1),
    *("French", "", "1990", "été", "e\u0301t\u00e9", "東京", "5", "drama", "a", True, False),
    *(date(2020, 2, 29), datetime(2020, 2, 29, 5), datetime(2020, 2, 29, tzinfo=timezone.utc), date.max),
    *HOSTILE,
)
"""Values of every kind to compare fields with."""
ODD_VALUES: tuple[Any, ...] = (
    *(-(1 << 63), 5e-324, 1.7976931348623157e308, -0.0, date.min, datetime.max, "NaN", "null", "2020-02-30", "1e308"),
    *("9223372036854775808", "a\0b", "\0", "\ufeff", "x" * 100_000),
)
"""Values at the limits, and texts that some engine takes for something else."""
ODD_NAMES = (
    *("and", "or", "not", "in", "null", "true", "*", "a.b.c", ".", "a b", "a\0b", "x" * 300, "$or", "#id", "_id"),
    *(
        "__class__",
        "metadata",
        "metadata.kind",
        "kind\" = 'even' OR \"kind",
        "id",
        "text",
        "{}",
        "[0]",
        "'",
        '"',
        "`",
        "\\",
    ),
)
"""Names of fields with a meaning in some engine's language, and impossible ones."""
HOSTILE_WORDS = (
    *("%", "_", "%%", "plum%", "plu_", "plum_jam", "*", "plum*", "?", "\\", "\\w+", ".", ".*", "^", "$", "|"),
    *("'", '"', "o'plum", "''; DROP TABLE docs; --", "' OR 1=1 --", "plum'", "`", ";", "--", "/*", "$$", "%s", ":a"),
    *("!plum", "plum & jam", "plum <-> jam", "plum:*", "a:plum", "text:plum", "plum~2", "plum^3", "AND", "NOT", "("),
    *("plum TO jam", "plum|jam", "[a", "{}", '{"match_all": {}}', '{"$contains": ""}'),
    *("\x00", "pl\x00um", "\n", "\ud800", "🚀", "e\u0301", " ", "", "x" * 5000),
)
"""Pieces of engines' languages. None may be executed, or match anything but itself."""


def corpus(
    make_id: Callable[[int], DocumentId],
    count: int,
    *,
    unit: bool = False,
    texts: Sequence[str] = (),
    fields: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> tuple[list[StoredDocument], Vectors]:
    """Make documents with random vectors, shape (N, 8): of length 1, or of very different lengths.

    Every second document is odd in its metadata. ``fields`` are further metadata, as in :data:`FIELDS`.
    """
    rng = np.random.default_rng(count)
    vectors = rng.normal(size=(count, DIMENSION))
    lengths = 1.0 if unit else 10.0 ** rng.uniform(-1, 1, size=(count, 1))
    more = [{name: values[i] for name, values in fields.items() if values[i] is not None} for i in range(count)]
    documents = [
        StoredDocument(
            make_id(i), texts[i] if texts else f"text {i}", {"kind": ("even", "odd")[i % 2], "rank": i, **metadata}
        )
        for i, metadata in enumerate(more)
    ]
    return documents, (vectors / np.linalg.norm(vectors, axis=1, keepdims=True) * lengths).astype(np.float32)


def terms(vectors: Vectors) -> dict[str, list[float]]:
    """Make vectors of the terms A, B and C: near some documents, and not of length 1."""
    near = vectors[:3] / np.maximum(np.linalg.norm(vectors[:3], axis=1, keepdims=True), 1e-9)
    noise = 0.3 * np.random.default_rng(0).normal(size=near.shape)
    return dict(zip("ABC", (2.0 * (near + noise)).astype(np.float32).tolist(), strict=True))


def in_id_order(ids: Iterable[DocumentId]) -> list[DocumentId]:
    """Sort ids of any types."""
    return sorted(ids, key=id_order)


def ids_of(documents: Sequence[StoredDocument]) -> list[DocumentId]:
    """Return the sorted ids of documents."""
    return in_id_order(document.id for document in documents)


def holding(keeps: Callable[[str, Any], bool]) -> Mapping[str, Sequence[Any]]:
    """Return the fields of :data:`FIELDS` without the values that a store cannot hold.

    Args:
        keeps: Returns whether the store can hold this value in the field of this name.
    """
    fields = {
        name: [v if v is not None and keeps(name, v) else None for v in values] for name, values in FIELDS.items()
    }
    return MappingProxyType({name: values for name, values in fields.items() if any(v is not None for v in values)})


def conditions(fields: Mapping[str, Sequence[Any]]) -> Iterator[Condition]:
    """Generate every operator on every field, and on an unknown one, with values of the field and other values."""
    drawn = random.Random(0)
    for field in (*fields, "nobody's"):
        elements = [one for value in fields.get(field, ()) for one in (value if isinstance(value, list) else [value])]
        own = [value for value in elements if value is not None and value == value]  # not NaN
        values = [*drawn.sample(own, min(len(own), 4)), *drawn.sample(VALUES, 5)]
        yield Condition(field, "exists")
        for value in values:
            yield from compared(field, value)
        for some in (own[-3:] or values, values, [1990, -5, 0.1], ["1990", "drama", "été"], [True, False]):
            yield from (Condition(field, "in", tuple(some[:3])), Condition(field, "not in", tuple(some[:2])))


def compared(field: str, value: Any) -> list[Condition]:
    """Compare a field with a value by every operator."""
    operators: tuple[Operator, ...] = ("=", "!=", "contains", "<", "<=", ">", ">=")
    return [Condition(field, operator, value) for operator in operators[: 3 if isinstance(value, bool) else None]]
