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

from logical_retriever.errors import QueryLimitError, StoreCapabilityError
from logical_retriever.query import MAX_VALUES, Condition, LogicalQuery, Term, holds
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import NarrowingStore
from logical_retriever.testing import samples
from logical_retriever.testing.fakes import HashingEmbedder
from logical_retriever.testing.ranking_suite import MakeStore, RankingSuite, WithoutScan
from logical_retriever.testing.samples import compared, conditions, corpus, in_id_order, tree
from logical_retriever.vectors import Vectors

ODD, EARLY = Condition("kind", "=", "odd"), Condition("rank", "<", 8)


class ConditionSuite(RankingSuite):
    """Every demand on conditions; see the module.

    Attributes:
        fields: Metadata of documents; those of JSON by default.
        questions: How many random questions are asked. With fewer than 15, where each takes a second, a third of the
            conditions is tried, drawn at random.
    """

    fields: ClassVar[Mapping[str, Sequence[Any]]] = samples.JSON_FIELDS
    questions: ClassVar[int] = 15

    @pytest.fixture
    def make_described(self, make_store: MakeStore) -> MakeStore:
        """Override: ``make_store`` for documents with the fields."""
        return make_store

    def described(self, make: MakeStore) -> tuple[Any, Vectors, dict[Any, Mapping[str, Any]]]:
        """A store of twelve documents with the fields, their vectors, and the metadata that it has of each."""
        plain, vectors = corpus(self.make_id, 12)
        had = [{name: v[i] for name, v in self.fields.items() if v[i] is not None} for i in range(12)]
        documents = [replace(one, metadata={**one.metadata, **more}) for one, more in zip(plain, had, strict=True)]
        store = self.met(make(documents, vectors))
        return store, vectors, {one.id: one.metadata for one in store.fetch([d.id for d in documents]).documents}

    def asked(self) -> Iterator[LogicalQuery]:
        """Conditions of every kind, odd ones, and trees of them."""
        simple, drawn, slow = list(conditions(self.fields)), random.Random(1), self.questions < 15
        odd = [Condition(name, *rest) for name in samples.ODD_NAMES for rest in (("exists",), ("!=", 1), ("=", "x"))]
        odd += [one for value in samples.ODD_VALUES for one in compared(drawn.choice(list(self.fields)), value)]
        simple = drawn.sample(simple, len(simple) // 3) if slow else simple
        simple += drawn.sample(odd, 4 * self.questions)
        many = (*range(400), *(f"value {n}" for n in range(400)), *(n + 0.5 for n in range(200)))
        simple.append(Condition(drawn.choice(list(self.fields)), "in", many[:MAX_VALUES]))
        for condition in simple:
            yield from (condition, ~condition)
        for _ in range(4 * self.questions):
            one = tree(drawn, simple, 3)
            yield from (one, drawn.choice((one | ~one, one & ~one)))

    @pytest.mark.parametrize("given", [False, True], ids=["alone", "with the caller's"])
    def test_filters_let_through_what_python_does(self, make_described: MakeStore, given: bool) -> None:
        (store, vectors, known), fewer = self.described(make_described), 0
        filter = self.equals("kind", "odd") if given else None
        if (said := store.capabilities.conditions) is None:
            assert not isinstance(store, NarrowingStore) or store.narrowed(filter, EARLY) is None
            return
        exact = said == "all"
        bases: list[tuple[Any, list[LogicalQuery]]] = [(filter, [ODD] if given else [])]
        if (early := store.narrowed(filter, EARLY)) is not None:
            bases.append((early, [*bases[0][1], EARLY]))
        for number, query in enumerate((EARLY, *self.asked())):
            base, parts = bases[number % len(bases)]
            narrower = store.narrowed(base, query)
            if narrower is None:
                assert not exact, query
                continue
            expected = {id for id, had in known.items() if all(holds(part, had) for part in (*parts, query))}
            ids = set(store.search(vectors[:1], len(known), narrower)[0])
            assert expected == ids if exact else expected <= ids, f"{query}: {narrower}"
            assert not given or {known[id]["kind"] for id in ids} <= {"odd"}, f"{query}: {narrower}"
            fewer += len(ids) < len(known)
            if number % 5 == 0 and store.capabilities.scan:
                scanned = [id for batch in store.scan(narrower) for id in batch.ids]
                fetched = store.fetch(list(known), narrower).ids
                assert in_id_order(fetched) == in_id_order(scanned) == in_id_order(ids), f"{query}: {narrower}"
        assert fewer

    def test_a_hostile_reader_is_shown_nothing_outside_the_callers_filter(self, make_described: MakeStore) -> None:
        (store, _, known), given, drawn = self.described(make_described), self.equals("kind", "odd"), random.Random(4)
        leaves: list[LogicalQuery] = list(samples.hostile_conditions(self.fields))
        leaves += [Term(text) for text in samples.HOSTILE] * (len(leaves) // len(samples.HOSTILE))
        ways: Sequence[tuple[Any, Any]] = ((store, {}), (store, {"semantics": "product"}), (WithoutScan(store), {}))
        shown = set()
        for number in range(self.questions if store.capabilities.filters else 0):
            way, settings = ways[number % len(ways)]
            embedder = HashingEmbedder(samples.DIMENSION)
            retriever = LogicalRetriever(way, embedder, k=12, words_index=False, **settings)
            try:
                result = retriever.search(tree(drawn, leaves, 2) | tree(drawn, leaves, 2), filter=given)
            except (StoreCapabilityError, QueryLimitError):
                continue  # of which this way finds nothing
            ids = [*(one.id for one in result.documents), *(one.id for one in result.left_out)]
            shown |= {known[id]["kind"] for id in ids}
            assert shown <= {"odd"}, result.searched
        assert shown or not store.capabilities.filters
