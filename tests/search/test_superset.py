"""What a store's filters cannot say exactly is told it as far as it can, and decided on metadata."""

import uuid

import chromadb
import pytest

from logical_retriever.query import parse
from logical_retriever.search.filters import narrow
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
    ("condition", "where", "found"),
    [
        ('[kind != "odd"]', {"kind": {"$nin": ["odd"]}}, {0, 2, 4, 6, 8, 10}),
        ("[rank not in [0, 1, 2]]", {"rank": {"$nin": [0, 1, 2]}}, set(range(3, 12))),
        (
            "[rank = 3] AND [kind exists] OR [rank = 4] AND [nothing exists]",
            {"$or": [{"rank": {"$in": [3]}}, {"rank": {"$in": [4]}}]},
            {3},
        ),
        ("NOT ([rank >= 2] OR [kind exists])", None, set()),
        ("[rank = 3] OR [nothing exists]", None, {3}),
    ],
)
def test_chroma_is_told_what_all_answers_fulfil(chroma, condition, where, found):
    store, vectors = chroma
    asked = parse(condition)
    assert store.narrowed(None, asked) is None
    assert store.superset_filter(None, asked) == (None if where is None else ChromaFilter(where))
    told = narrow(store, None, asked)
    batch = store.fetch(store.search(vectors[:1], 12, told.filter)[0])
    assert {d.id for d in batch.documents if told.passes(d.metadata)} == {f"d{i}" for i in found}
