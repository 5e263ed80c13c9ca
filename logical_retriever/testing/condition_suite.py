"""The part of the stores' conformance suite about conditions: a store's filters let through what Python does.

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
    """Every demand on conditions; see the module.

    Attributes:
        fields: Metadata of documents; those of JSON by default.
        questions: How many random questions are asked. With fewer than 15, where each takes a second, a third of the
            conditions is tried, drawn at random.
    """

    fields: ClassVar[Mapping[str, Sequence[Any]]] = JSON_FIELDS
    questions: ClassVar[int] = 15

    @pytest.fixture
    def make_described(self, make_store: MakeStore) -> MakeStore:
        """Override: ``make_store`` for documents with the fields."""
        return make_store

    def described(self, make: MakeStore) -> tuple[Any, Vectors, dict[Any, Mapping[str, Any]]]:
        """A store of twelve documents with the fields, their vectors, and the metadata that it has of each."""
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
        """Conditions of every kind, odd ones, hostile ones that mean to lift ``kind = "odd"``, and trees of them."""
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
            # A filter that was narrowed is narrowed further, as the parts of a question do.
            twice = early is not None and number % 3 == 0
            narrower = store.with_condition(early if twice else filter, query)
            if narrower is None:
                assert supported != "all", query
                continue
            whole = EARLY & query if twice else query
            expected = {id for id in callers if holds(whole, metadata[id])}
            ids = set(store.search(vectors[:1], len(metadata), narrower)[0][0])
            assert expected <= ids <= (expected if supported == "all" else callers), f"{query}: {narrower}"
            fewer += len(ids) < len(metadata)
            if number % 5 == 0 and store.capabilities.scan:
                scanned = [id for batch in store.scan(narrower) for id in batch.ids]
                fetched = store.fetch(list(metadata), narrower).ids
                assert in_id_order(fetched) == in_id_order(scanned) == in_id_order(ids), f"{query}: {narrower}"
        assert fewer
