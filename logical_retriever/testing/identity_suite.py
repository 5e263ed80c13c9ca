"""The part of the stores' conformance suite about identities: keys go to the engine and come back as they are.

A store says in ``ids`` which keys it takes, under the store's own name of their type:

    class TestMine(StoreSuite):
        ids = {"VARCHAR": TEXTS, "BIGINT": WHOLE_64}

        @pytest.fixture
        def make_store(self):
            def make(documents, vectors):
                return MyStore(..., column=self.id_type)   # the type that is tried, where the store has to be told
            return make
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar
from uuid import UUID

import numpy as np
import pytest

from logical_retriever.query import parse
from logical_retriever.results import DocumentId
from logical_retriever.stores import Store, StoredDocument
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite, corpus, in_id_order, over
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]

TEXTS = (
    *("", " ", "0", "1", "-1", "01", "1.0", "1e3", "A", "a", "None", "null", "NULL", "nan", "true"),
    *(
        "é",
        "e\u0301",
        "ﬁ",
        "東京",
        "مرحبا",
        "👩\u200d🚀",
        "\U0010ffff",
        "it's",
        'a "quote"',
        "back\\slash",
        "\\x41",
        "`",
    ),
    *("%s $1 {a:String} :a ?", "'; DROP TABLE docs; --", "line\nbreak\ttab", "x" * 200),
)
"""Texts that look like something else, or like each other."""
WHOLE_32 = (-(1 << 31), -10, -9, -1, 0, 1, 9, 10, (1 << 31) - 1)
WHOLE_64 = (-(1 << 63), -(1 << 53) - 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, (1 << 63) - 1)
UNSIGNED_64 = (0, 1, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 1)
FLOATS = (-1.5, -1e-7, 0.0, 5e-324, 1e-7, 0.1, 1 / 3, 0.1 + 0.2, 1e16, 1.7976931348623157e308, float("inf"))
FLOATS_32 = tuple(float(np.float32(number)) for number in (-1.5, 0.0, 1e-45, 0.1, 1 / 3, 16_777_217, 3e38))
DECIMALS = (Decimal("-1.5"), Decimal(0), Decimal("0.0001"), Decimal("0.1"), Decimal("12345678901234.5678"))
DATES = (date(1970, 1, 1), date(2020, 2, 29), date(2100, 12, 31))
TIMES = (time(0), time(1, 2, 3), time(1, 2, 3, 4), time(23, 59, 59, 999_999))
MOMENTS = (
    *(datetime(1970, 1, 1), datetime(2020, 2, 29, 1, 2, 3), datetime(2020, 2, 29, 1, 2, 4)),
    *(datetime(2020, 2, 29, 1, 2, 3, 4000), datetime(2020, 2, 29, 1, 2, 3, 4)),
)
"""The first three of whole seconds, the fourth of whole milliseconds."""
MOMENTS_UTC = tuple(moment.replace(tzinfo=timezone.utc) for moment in MOMENTS)
DURATIONS = (timedelta(0), timedelta(days=-1, microseconds=1), timedelta(days=400), timedelta(hours=25))
BYTES = (b"", b"1", b"\x00", b"\xff\xfe", b"it's \\x41")
UUIDS = (UUID(int=0), UUID(int=1), UUID(int=(1 << 127) + 5), UUID(int=(1 << 128) - 1))
MIXED = ("1", 1, b"1", 1.5, Decimal("2.5"), DATES[0], MOMENTS[1], UUIDS[1], ("a", 1))
"""Keys of a store that takes any: no two are equal, though some have one text."""


class Keyed:
    """Tests that have a parameter ``id_type`` run for each type of keys.

    Attributes:
        ids: Keys that the store takes, three or more of each type, by the store's name of the type.
        id_type: The one of them that a test tries.
    """

    ids: ClassVar[Mapping[str, Sequence[DocumentId]]] = MappingProxyType({"text": TEXTS})
    id_type: str = "text"

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run what looks at keys for each type of them."""
        if "id_type" in metafunc.fixturenames:
            metafunc.parametrize("id_type", list(self.ids))

    def keyed(self, id_type: str) -> tuple[list[StoredDocument], Vectors]:
        """Documents with all keys of a type, not in their order, and their vectors of length 1."""
        self.id_type = id_type
        keys = list(self.ids[id_type])
        order = np.random.default_rng(len(keys)).permutation(len(keys)).tolist()
        return corpus(lambda i: keys[order[i]], len(keys), lengths=np.ones(len(keys)))


class IdentitySuite(Keyed, RankingSuite):
    """Every demand on keys; see the module."""

    def test_keys_come_back_as_they_are(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        keys = [document.id for document in documents]
        store = self.searched(make_store(documents, vectors))
        by_key = {document.id: (document.text, row) for document, row in zip(documents, vectors, strict=True)}
        lists = store.search(vectors[:3], 2 * len(keys))
        named = [key for found in lists for key in found]
        if store.capabilities.exact_search:
            assert [len(found) for found in lists] == [len(keys)] * 3
        assert_keys(in_id_order(set(named)), [key for key in in_id_order(keys) if key in named])
        for asked in (*lists, keys, keys[::-1], *([key] for key in keys)):
            batch = store.fetch(asked)
            assert_keys(batch.ids, asked)
            assert [document.text for document in batch.documents] == [by_key[key][0] for key in asked]
            assert batch.vectors.shape == (len(asked), DIMENSION)
            self.assert_same_directions(batch.vectors, np.array([by_key[key][1] for key in asked]))
        if store.capabilities.scan:
            assert_keys(in_id_order(store.sample(len(keys), 0).ids), in_id_order(keys))
            assert_keys(in_id_order(key for batch in store.scan() for key in batch.ids), in_id_order(keys))

    def test_the_text_of_a_key_is_another_key(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store = self.searched(make_store(documents, vectors))
        keys = {document.id for document in documents}
        texts = [f"{key}{more}" for key in keys for more in ("", " ", "\u0301")]
        assert store.fetch([text for text in texts if text not in keys]).ids == ()

    def test_answers_over_keys_are_the_oracles(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store = make_store(documents, vectors)
        self.assert_true_answers(store, documents, vectors)
        self.assert_true_answers(WithoutScan(store), documents, vectors)

    def test_equal_scores_are_ordered_by_key(self, make_store: MakeStore, id_type: str) -> None:
        documents, vectors = self.keyed(id_type)
        store = make_store(documents, np.repeat(vectors[:1], len(documents), axis=0))
        keys = in_id_order(document.id for document in documents)
        for ways in (store, WithoutScan(store)):
            for k in (len(keys) // 2, len(keys)):
                result = over(ways, {"A": vectors[0], "B": vectors[1]}, k=k).search(parse('"A" AND NOT "B"'))
                found = [document.id for document in result.documents]
                if result.exact:
                    assert_keys(found, keys[:k])
                elif k == len(keys) and store.capabilities.exact_search:
                    assert_keys(found, keys)
                assert_keys(found, in_id_order(found))


def assert_keys(found: Iterable[DocumentId], expected: Iterable[DocumentId]) -> None:
    """The same keys in the same order, of the same types."""
    found, expected = list(found), list(expected)
    assert found == expected
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, type(other)), f"{one!r} is no {type(other).__name__}"
