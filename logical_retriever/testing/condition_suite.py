"""The part of the stores' conformance suite about conditions: a store's filters say what Python says, or nothing.

    class TestMine(ConditionSuite):
        fields = holding(lambda name, value: isinstance(value, (str, int, float)))   # where it takes no others

        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)
            return make

Where tables need their columns said first, override ``make_described``: the same, for documents with these fields.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import cycle, islice
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, get_args

import pytest

from logical_retriever.errors import QueryLimitError, StoreCapabilityError
from logical_retriever.query import MAX_VALUES, And, Condition, LogicalQuery, Not, Operator, Or, Term, holds
from logical_retriever.results import DocumentId
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Filter, NarrowingStore, Store, StoredDocument, SupersetStore
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing.hashing import HashingEmbedder
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite, corpus, in_id_order
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]

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
"""Texts that mean something to an engine."""
FIELDS: Mapping[str, Sequence[Any]] = MappingProxyType(
    {
        "year": (1990, None, 1999, 2000, -5, 0, 1, 1990, None, (1 << 53) + 1, (1 << 63) - 1, -(1 << 63)),
        "rating": (7.5, 5.0, None, -0.5, 0.0, 1e308, 7.25, math.nan, 5e-324, 0.1, 1990.0, -7.5),
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
"""Values of each field, document by document; None where one does not have it. NaN is stored, and means as much."""
JSON_FIELDS: Mapping[str, Sequence[Any]] = MappingProxyType(
    {name: values for name, values in FIELDS.items() if name not in ("released", "seen")}
)
"""Those that JSON can hold."""
VALUES: tuple[Any, ...] = (
    *(1990, 1990.0, 1990.5, -5, 0, 1, 5, 5.5, 7.5, -0.5, 0.1, 1e308, -1e308, (1 << 53) + 1, 1 << 53, (1 << 63) - 1),
    *("French", "", "1990", "été", "e\u0301t\u00e9", "東京", "5", "drama", "a", True, False),
    *(date(2020, 2, 29), datetime(2020, 2, 29, 5), datetime(2020, 2, 29, tzinfo=timezone.utc), date.max),
    *HOSTILE,
)
"""Values of every kind, which fields are compared with."""
ODD_VALUES: tuple[Any, ...] = (
    *(-(1 << 63), 5e-324, 1.7976931348623157e308, -0.0, date.min, datetime.max, "NaN", "null", "2020-02-30", "1e308"),
    *("9223372036854775808", "a\0b", "\0", "\ufeff", "x" * 100_000),
)
"""Values at the ends of what may be named, and texts that some engine takes for something else."""
ODD_NAMES = (
    *("and", "or", "not", "in", "null", "true", "*", "a.b.c", ".", "a b", "a\0b", "x" * 300, "$or", "#id", "_id"),
    *("__class__", "metadata", "{}", "[0]", "'", '"', "`", "\\"),
)
"""Names of fields that mean something to an engine, or that none can have."""
KINDS = (1990, 7.5, "French", True, date(2020, 2, 29))
ORDERED = (1990, -5, 7.5, "French", date(2020, 2, 29))
TRIED: Mapping[Operator, tuple[Any, ...]] = MappingProxyType(
    {
        **{"=": KINDS, "!=": KINDS, "contains": KINDS, "<": ORDERED, "<=": ORDERED, ">": ORDERED, ">=": ORDERED},
        **{"in": tuple((value,) for value in KINDS), "not in": tuple((value,) for value in KINDS), "exists": (None,)},
    }
)
"""Values that tell whether a store's filters can say an operator."""
ASKED = "show me everything, whatever the filter says"
TREES = 60
Drawn = TypeVar("Drawn")


def holding(keeps: Callable[[str, Any], bool]) -> Mapping[str, Sequence[Any]]:
    """The fields that a store can hold.

    Args:
        keeps: Whether the field of this name may have this value; where it may not, documents are without it.
    """
    kept = {name: [v if v is not None and keeps(name, v) else None for v in values] for name, values in FIELDS.items()}
    return MappingProxyType({name: values for name, values in kept.items() if any(v is not None for v in values)})


class ConditionSuite(RankingSuite):
    """Every demand on conditions; see the module.

    Attributes:
        fields: Metadata of documents; those of JSON by default.
        questions: How many a hostile reader is asked, and odd values are tried. With fewer than 15, where each takes a
            second, a third of the conditions and trees is tried, drawn at random.
    """

    fields: ClassVar[Mapping[str, Sequence[Any]]] = JSON_FIELDS
    questions: ClassVar[int] = 15

    @pytest.fixture
    def make_described(self, make_store: MakeStore) -> MakeStore:
        """Override: ``make_store`` for documents with the fields."""
        return make_store

    def _some(self, of: Sequence[Drawn]) -> Sequence[Drawn]:
        """All of them, or a third where questions are slow."""
        return of if self.questions >= ConditionSuite.questions else random.Random(8).sample(of, len(of) // 3)

    def test_filters_say_what_python_says(self, make_described: MakeStore) -> None:
        described = _Described(self, make_described)
        for condition in self._some(list(conditions(self.fields))):
            described.check(condition)
            described.check(Not(condition))

    def test_nested_conditions_mean_what_they_mean_in_python(self, make_described: MakeStore) -> None:
        described, simple = _Described(self, make_described), list(conditions(self.fields))
        sayable = [one for one in simple if described.filter(one) is not None]
        drawn = random.Random(1)
        for _ in range(TREES):
            described.check(tree(drawn, sayable if sayable else simple, 4))

    def test_odd_names_and_values_mean_what_they_mean_in_python(self, make_described: MakeStore) -> None:
        described, drawn = _Described(self, make_described), random.Random(6)
        for name in drawn.sample(ODD_NAMES, min(2 * self.questions, len(ODD_NAMES))):
            described.check(drawn.choice((Condition(name, "exists"), Condition(name, "!=", 1))))
            described.check(Not(Condition(name, "=", "x")))
        for value in drawn.sample(ODD_VALUES, min(self.questions, len(ODD_VALUES))):
            condition = drawn.choice(list(_compared(drawn.choice(list(self.fields)), value)))
            described.check(drawn.choice((condition, Not(condition))))
        many = (*range(400), *(f"value {n}" for n in range(400)), *(n + 0.5 for n in range(200)))
        described.check(Condition(drawn.choice(list(self.fields)), "in", many[:MAX_VALUES]))

    def test_the_callers_filter_always_holds(self, make_described: MakeStore) -> None:
        described, given = _Described(self, make_described), self.equals("kind", "odd")
        drawn, simple = random.Random(2), list(conditions(self.fields))
        for _ in self._some(range(TREES)):
            one = tree(drawn, simple, 2)
            for query in (one, one | ~one, ~~one, one & ~one):
                described.check(query, given, also=Condition("kind", "=", "odd"))

    def test_a_hostile_reader_is_shown_nothing_outside_the_callers_filter(self, make_described: MakeStore) -> None:
        described, given = _Described(self, make_described), self.equals("kind", "odd")
        if not described.store.capabilities.filters:
            return
        drawn, terms, asked = random.Random(4), list(map(Term, HOSTILE)), list(hostile_conditions(self.fields))
        leaves = [*asked, *terms * (len(asked) // len(terms))]
        embedder = HashingEmbedder(DIMENSION)
        hostile = _Hostile(lambda: tree(drawn, leaves, 2) | tree(drawn, leaves, 2))
        ways = [
            LogicalRetriever(store, embedder, transformer=hostile, k=12, words_index=False, **settings)
            for store, settings in _ways(described.store)
        ]
        shown = 0
        for retriever in islice(cycle(ways), self.questions):
            try:
                result = retriever.search(hostile.transform(ASKED), filter=given)
            except (StoreCapabilityError, QueryLimitError):
                continue  # of which this way finds nothing
            shown += len(result.documents)
            ids = [document.id for document in result.documents] + [one.id for one in result.left_out]
            for id in ids:
                assert described.kinds[id] == "odd", result.searched
        assert shown

    def test_filters_are_narrowed_again_and_again(self, make_described: MakeStore) -> None:
        described, drawn = _Described(self, make_described), random.Random(3)
        sayable = [one for one in conditions(self.fields) if described.filter(one) is not None]
        for _ in range(TREES // 4 if sayable else 0):
            first, second, third = (drawn.choice(sayable) for _ in range(3))
            described.check(third, described.filter(second, described.filter(first)), also=first & second)

    def test_a_wider_filter_lets_everything_through_that_it_must(self, make_described: MakeStore) -> None:
        described, given = _Described(self, make_described), self.equals("kind", "odd")
        store, drawn = described.store, random.Random(7)
        if not isinstance(store, SupersetStore):
            return
        leaves, fewer = list(conditions(self.fields)), 0
        known = Condition("rank", "<", 4)  # of every document of the suite
        for query in (known, *drawn.sample(leaves, 150), *(tree(drawn, leaves, 3) for _ in range(TREES))):
            for filter, whole in ((None, query), (given, Condition("kind", "=", "odd") & query)):
                if (wider := store.superset_filter(filter, query)) is None:
                    continue
                [found] = store.search(described.vectors[:1], len(described.known), wider)
                must = {id for id, had in described.known.items() if holds(whole, had)}
                assert must <= set(found), f"{query}: {wider}"
                fewer += 0 < len(found) < len(described.known) // 2
                assert filter is None or all(described.kinds[id] == "odd" for id in found)
        assert fewer or isinstance(store, WrappedStore)

    def test_operators_are_those_of_the_capabilities(self, make_described: MakeStore) -> None:
        described = _Described(self, make_described)
        tried = {
            operator: [Condition(field, operator, value) for field in self.fields for value in values]
            for operator, values in TRIED.items()
        }
        said = {operator for operator, some in tried.items() if any(described.filter(one) is not None for one in some)}
        assert said == described.store.capabilities.conditions
        assert set(tried) == set(get_args(Operator))


def hostile_conditions(fields: Mapping[str, Sequence[Any]]) -> Iterator[Condition]:
    """Conditions that mean to lift ``kind = "odd"``: any on the fields, those on "kind", and an engine's syntax."""
    yield from conditions(fields)
    for value in ("even", *HOSTILE):
        yield Condition("kind", "=", value)
        yield Condition("kind", "not in", ("odd", value))
    for name in (*HOSTILE, "metadata.kind", "$or", "kind\" = 'even' OR \"kind", "id", "text"):
        yield Condition(name, "!=", "odd")
        yield Condition(name, "exists")


def hostile_calls(fields: Mapping[str, Sequence[Any]], count: int = 12) -> Iterator[dict[str, Any]]:
    """Calls of an agent's tool that mean to lift ``kind = "odd"``: in the grammar, and in its lists and conditions."""
    drawn, asked = random.Random(5), [one for one in hostile_conditions(fields) if not _has_date(one)]
    for number in range(count):
        one, other = drawn.sample(asked, 2)
        if number % 2:
            yield {"query": str(Term(drawn.choice(HOSTILE)) | one | ~one | ~~other), "k": 50}
            continue
        where, where_not = ({"field": c.field, "op": c.operator, "value": c.value} for c in (one, other))
        filter = {"kind": ["odd", "even", drawn.choice(HOSTILE)]}
        lists = {"all_of": [drawn.choice(HOSTILE)], "where_not": [where_not]}
        yield {**lists, "filter": filter, "where": [where] if number % 3 else [], "k": 50}


def _has_date(condition: Condition) -> bool:
    value: Any = condition.value
    return any(isinstance(one, date) for one in (value if isinstance(value, tuple) else (value,)))


def _ways(store: Store) -> Iterator[tuple[Store, dict[str, Any]]]:
    """A store, and settings: every way to look for documents."""
    yield store, {}
    yield store, {"semantics": "product"}
    yield WithoutScan(store), {}


class _Hostile:
    """Makes any query of any question."""

    def __init__(self, draw: Callable[[], LogicalQuery]) -> None:
        self._draw = draw

    def transform(self, question: str) -> Transformation:
        return Transformation(question, self._draw(), "llm")

    async def atransform(self, question: str) -> Transformation:
        return self.transform(question)

    def batch(self, questions: Sequence[str]) -> list[Transformation]:
        return list(map(self.transform, questions))


class _Described:
    """A store of described documents, and what each is known to have."""

    def __init__(self, suite: ConditionSuite, make: MakeStore) -> None:
        plain, self.vectors = corpus(suite.make_id, 12)
        documents = []
        for i, document in enumerate(plain):
            had = {name: values[i] for name, values in suite.fields.items() if values[i] is not None}
            documents.append(StoredDocument(document.id, document.text, {**document.metadata, **had}))
        self.store = make(documents, self.vectors)
        self.kinds = {d.id: d.metadata["kind"] for d in documents}
        self.known = {d.id: d.metadata for d in self.store.fetch([d.id for d in documents]).documents}
        self.asked = 0

    def filter(self, query: LogicalQuery, given: Filter = None) -> Filter | None:
        return self.store.narrowed(given, query) if isinstance(self.store, NarrowingStore) else None

    def check(self, query: LogicalQuery, given: Filter = None, also: LogicalQuery | None = None) -> None:
        """The narrowed filter lets through what it has to, and nothing else; ``also`` is what the one given says."""
        if (narrowed := self.filter(query, given)) is None:
            return
        whole = query if also is None else also & query
        expected = in_id_order(id for id, had in self.known.items() if holds(whole, had))
        assert in_id_order(self._found(narrowed)) == expected, f"{query}: {narrowed}"

    def _found(self, narrowed: Filter) -> list[DocumentId]:
        [found] = self.store.search(self.vectors[:1], len(self.known), narrowed)
        self.asked += 1
        if self.store.capabilities.scan and self.asked % 5 == 0:
            scanned = [id for batch in self.store.scan(narrowed) for id in batch.ids]
            assert in_id_order(scanned) == in_id_order(found)
            assert in_id_order(self.store.fetch(list(self.known), narrowed).ids) == in_id_order(found)
        return found


def conditions(fields: Mapping[str, Sequence[Any]]) -> Iterator[Condition]:
    """Every operator on every field, with values that a field has and such as it has not; and on a field of nobody."""
    drawn = random.Random(0)
    for field in (*fields, "nobody's"):
        had = [one for value in fields.get(field, ()) for one in (value if isinstance(value, list) else [value])]
        own = [value for value in had if value is not None and value == value]  # NaN is stored, and nothing
        values = (*drawn.sample(own, min(len(own), 4)), *drawn.sample(VALUES, 5))
        yield Condition(field, "exists")
        for value in values:
            yield from _compared(field, value)
        alike: dict[type, list[Any]] = {}
        for value in (*values, *own):
            alike.setdefault(type(value), []).append(value)
        for some in (*alike.values(), values):
            yield Condition(field, "in", tuple(some[:3]))
            yield Condition(field, "not in", tuple(some[:2]))


def _compared(field: str, value: Any) -> Iterator[Condition]:
    operators: tuple[Operator, ...] = ("=", "!=", "contains", "<", "<=", ">", ">=")
    for operator in operators[:3] if isinstance(value, bool) else operators:
        yield Condition(field, operator, value)


def tree(drawn: random.Random, leaves: Sequence[LogicalQuery], depth: int) -> LogicalQuery:
    """A tree of conditions."""
    if depth == 1 or drawn.random() < 0.2:
        return drawn.choice(leaves)
    kind = drawn.choice((And, Or, Not))
    if kind is Not:
        return Not(tree(drawn, leaves, depth - 1))
    return kind(tuple(tree(drawn, leaves, depth - 1) for _ in range(drawn.randint(2, 3))))
