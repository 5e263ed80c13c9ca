"""What a store's filters cannot say exactly is told it as far as it can, and decided on metadata."""

import uuid

import chromadb
import pytest

from logical_retriever.query import parse
from logical_retriever.search.filters import store_filter
from logical_retriever.stores import ChromaFilter, ChromaStore
from logical_retriever.testing.samples import corpus


@pytest.fixture
def chroma():
    documents, vectors = corpus(lambda i: f"d{i}", 12)
    collection = chromadb.EphemeralClient().create_collection(f"superset-{uuid.uuid4().hex}")
    collection.add(
        [d.id for d in documents], vectors.tolist(), [dict(d.metadata) for d in documents], [d.text for d in documents]
    )
    return ChromaStore(collection), vectors


@pytest.mark.parametrize(
    ("condition", "where", "passing"),
    [
        ("[rank <= 2.5]", {"rank": {"$lte": 3}}, {0, 1, 2}),
        ("[rank > 9.5] AND [rank < 100]", {"$and": [{"rank": {"$gte": 9}}, {"rank": {"$lte": 100}}]}, {10, 11}),
        ('[kind = "odd"]', {"kind": {"$in": ["odd"]}}, {1, 3, 5, 7, 9, 11}),
        ("[rank in [3, 4.0, 4.5]]", {"rank": {"$in": [3.0, 4.0, 4.5]}}, {3, 4}),
        (
            "[rank = 3] AND [kind exists] OR [rank = 4] AND [nothing exists]",
            {"$or": [{"rank": {"$in": [3.0]}}, {"rank": {"$in": [4.0]}}]},
            {3},
        ),
        ("[rank = 3] OR [nothing exists]", None, {3}),
        ("NOT [rank >= 2]", None, {0, 1}),
        ('[kind != "odd"]', None, {0, 2, 4, 6, 8, 10}),
        ('[kind > "even"]', None, {1, 3, 5, 7, 9, 11}),
        ('[rank in [3, "3"]]', None, {3}),
        ("[rank < 9007199254740992]", None, set(range(12))),
        ("[rank = 2020-01-01]", None, set()),
    ],
)
def test_chroma_is_told_what_all_answers_fulfil(chroma, condition, where, passing):
    store, vectors = chroma
    query = parse(condition)
    assert store.with_condition(None, query) == (None if where is None else ChromaFilter(where))
    told = store_filter(store, None, query)
    batch = store.search(vectors[:1], 12, told.filter)[1]
    assert {d.id for d in batch.documents if told.passes(d.metadata)} == {f"d{i}" for i in passing}
