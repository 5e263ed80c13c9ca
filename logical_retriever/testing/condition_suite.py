"""Conditions, in the conformance suite of stores: filters match the documents that Python's comparisons match.

    class TestMine(ConditionSuite):
        fields = holding(lambda name, value: isinstance(value, (str, int, float)))   # the values it can hold

        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(...)
            return make

Where a table needs its columns declared, override ``make_described``: it makes stores of documents with these fields.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from logical_retriever.query import MAX_VALUES, Condition, LogicalQuery, holds
from logical_retriever.stores import ConditionStore
from logical_retriever.testing.ranking_suite import MakeStore, RankingSuite
from logical_retriever.testing.samples import (
    HOSTILE,
    JSON_FIELDS,
    ODD_NAMES,
    ODD_VALUES,
    compared,
    conditions,
    corpus,
    in_id_order,
)
from logical_retriever.vectors import Vectors

EARLY = Condition("rank", "<", 8)


class ConditionSuite(RankingSuite):
    """All tests of conditions; see the module.

    Attributes:
        fields: Metadata of the documents; by default, all that JSON can hold.
        questions: Number of random questions. Below 15, for stores that take a second for each, only a random third of
            the conditions is tried.
    """

    fields: ClassVar[Mapping[str, Sequence[Any]]] = JSON_FIELDS
    questions: ClassVar[int] = 15

    @pytest.fixture
    def make_described(self, make_store: MakeStore) -> MakeStore:
        """Override: return ``make_store`` for documents with the fields."""
        return make_store

    def described(self, make: MakeStore) -> tuple[Any, Vectors, dict[Any, Mapping[str, Any]]]:
        """Make a store of twelve documents with the fields. Return it, their vectors, and their metadata as fetched."""
        plain, vectors = corpus(self.make_id, 12)
        had = [{name: v[i] for name, v in self.fields.items() if v[i] is not None} for i in range(12)]
        documents = [
            replace(document, metadata={**document.metadata, **more}) for document, more in zip(plain, had, strict=True)
        ]
        store = self.met(make(documents, vectors))
        return (
            store,
            vectors,
            {document.id: document.metadata for document in store.fetch([d.id for d in documents]).documents},
        )

    def asked(self) -> Iterator[LogicalQuery]:
        """Generate conditions: usual, odd, hostile ones that try to lift ``kind = "odd"``, and trees of them."""
        fields, drawn = {**self.fields, "kind": ("even", "odd")}, random.Random(1)
        usual = list(conditions(fields))
        odd = [Condition(name, *rest) for name in ODD_NAMES for rest in (("exists",), ("!=", 1), ("=", "x"))]
        odd += [
            condition for value in (*ODD_VALUES, *HOSTILE) for condition in compared(drawn.choice(list(fields)), value)
        ]
        many = (*range(400), *(f"value {n}" for n in range(400)), *(n + 0.5 for n in range(200)))
        simple = [
            *drawn.sample(usual, len(usual) // (3 if self.questions < 15 else 1)),
            *drawn.sample(odd, 4 * self.questions),
            Condition(drawn.choice(list(fields)), "in", many[:MAX_VALUES]),
        ]
        for condition in simple:
            yield from (condition, ~condition)
        for _ in range(4 * self.questions):
            a, b, c = drawn.sample(simple, 3)
            yield from (drawn.choice((a & b & ~c, a & (b | ~c), a | (b & ~c), ~(a & b) | c)), a | ~b | ~a, a & b & ~a)

    @pytest.mark.parametrize("given", [False, True], ids=["alone", "with the caller's"])
    def test_filters_let_through_what_python_does(self, make_described: MakeStore, given: bool) -> None:
        (store, vectors, metadata), fewer = self.described(make_described), 0
        filter = self.equals("kind", "odd") if given else None
        early = store.with_condition(filter, EARLY) if isinstance(store, ConditionStore) else None
        if (supported := store.capabilities.conditions) is None:
            assert early is None
            return
        callers = {id for id, had in metadata.items() if not given or had["kind"] == "odd"}
        for number, query in enumerate((EARLY, *self.asked())):
            # Every third condition is joined to a filter that has one already, as with several parts of a question.
            twice = early is not None and number % 3 == 0
            joined = store.with_condition(early if twice else filter, query)
            if joined is None:
                assert supported != "all", query
                continue
            whole = EARLY & query if twice else query
            expected = {id for id in callers if holds(whole, metadata[id])}
            ids = set(store.search(vectors[:1], len(metadata), joined)[0][0])
            assert expected <= ids <= (expected if supported == "all" else callers), f"{query}: {joined}"
            fewer += len(ids) < len(metadata)
            if number % 5 == 0 and store.capabilities.scan:
                scanned = [id for batch in store.scan(joined) for id in batch.ids]
                fetched = store.fetch(list(metadata), joined).ids
                assert in_id_order(fetched) == in_id_order(scanned) == in_id_order(ids), f"{query}: {joined}"
        assert fewer
