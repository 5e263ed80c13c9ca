"""Nothing outside the caller's filter is shown, whatever a reader makes of a question."""

import random
import uuid

import chromadb
import numpy as np
import pytest
from hostile_calls import hostile_conditions

from logical_retriever import LogicalRetriever, Term
from logical_retriever.errors import QueryLimitError, StoreCapabilityError
from logical_retriever.stores import ChromaStore, InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.ranking_suite import WithoutScan
from logical_retriever.testing.samples import HOSTILE

ROWS = [{"kind": ("even", "odd")[i % 2], "year": 1990 + i} for i in range(12)]
VECTORS = np.random.default_rng(0).normal(size=(12, 8)).astype(np.float32)
LEAVES = [*hostile_conditions({"year": [row["year"] for row in ROWS]}), *(Term(text) for text in HOSTILE * 12)]


def in_memory():
    documents = [StoredDocument(str(i), f"text {i}", row) for i, row in enumerate(ROWS)]
    return InMemoryStore(documents, VECTORS), lambda document: document.metadata["kind"] == "odd"


def without_scan():
    store, filter = in_memory()
    return WithoutScan(store), filter


def chroma():
    collection = chromadb.EphemeralClient().create_collection(uuid.uuid4().hex, embedding_function=None)
    texts = [f"text {i}" for i in range(12)]
    collection.add(list(map(str, range(12))), embeddings=VECTORS, documents=texts, metadatas=ROWS)
    return ChromaStore(collection), {"kind": "odd"}


@pytest.mark.parametrize("semantics", ["calibrated", "product"])
@pytest.mark.parametrize("store_and_filter", [in_memory, without_scan, chroma])
def test_a_hostile_query_is_shown_nothing_outside_the_callers_filter(store_and_filter, semantics):
    (store, filter), drawn, shown = store_and_filter(), random.Random(4), set()
    retriever = LogicalRetriever(store, HashingEmbedder(8), k=12, words_index=False, semantics=semantics)
    for _ in range(40):
        a, b, c = drawn.sample(LEAVES, 3)
        try:
            result = retriever.search(drawn.choice((a | b, a & (b | c), a & ~b, ~(a & b) | c)), filter=filter)
        except (StoreCapabilityError, QueryLimitError):
            continue
        shown |= {int(one.id) % 2 for one in (*result.documents, *result.left_out)}
    assert shown == {1}
