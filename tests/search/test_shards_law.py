"""The best k of all documents are the best of each shard's best k, where all shards are scored by one statistics."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever import LogicalRetriever
from logical_retriever.results import id_order
from logical_retriever.semantics import SEMANTICS, Composition, NsflSemantics, get_semantics
from logical_retriever.semantics.tnorms import ProductSemantics
from logical_retriever.stores import InMemoryStore, ShardedStore, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.store_wrappers import WithoutScan

EMBEDDER = HashingEmbedder(16)
WORDS = ("tea", "coffee", "health", "brewing", "sleep")
QUERIES = (
    *('"tea"', '"tea" AND NOT "brewing"', '("tea" OR "coffee") AND "health" AND NOT "sleep"'),
    *('NOT "tea"', '"coffee" OR NOT ("tea" AND "sleep")'),
)


class LogProduct(ProductSemantics):
    """The logarithm of the product: -inf where one factor is 0, as for a document without a usable vector."""

    name = "log-product"

    def compose(self, query, evidence):
        made = super().compose(query, evidence)
        with np.errstate(divide="ignore"):
            return Composition(np.log(made.scores), made.values)


ALONE = [*(get_semantics(name) for name in SEMANTICS if get_semantics(name).bounded), LogProduct()]
"""Every semantics that scores a document without looking at others."""
FINITE = [semantics for semantics in ALONE if not isinstance(semantics, LogProduct)]
"""Those with finite slopes, along which lists are asked for."""
splits = st.lists(st.tuples(st.integers(0, 2 ** len(WORDS) - 1), st.sampled_from([0, 0, 0, 0, 1, 2, 3])), max_size=40)
"""Of each document, which words it has (so that many are alike, and one without any has a vector of zeros), and its
shard: most are in the first, and some shard may be empty."""


def corpus(rows):
    """Documents, vectors and shards."""
    texts = [" ".join(word for place, word in enumerate(WORDS) if bits >> place & 1) for bits, _ in rows]
    # Not in the order of shards, so that ties over shards are ordered by id alone.
    documents = [StoredDocument(f"d{(7 * i) % 41:02}", text) for i, text in enumerate(texts)]
    vectors = EMBEDDER.embed_documents(texts) if texts else np.empty((0, 16), np.float32)
    return documents, vectors, np.array([shard for _, shard in rows], dtype=int)


def split(documents, vectors, homes):
    for shard in range(4):
        rows = np.flatnonzero(homes == shard)
        yield [documents[row] for row in rows], vectors[rows]


def ranking(documents):
    return [(document.id, document.score) for document in documents]


def near(scores, semantics):
    """Statistics of documents in another order are sums of float32 in another order."""
    return pytest.approx(scores, abs=1e-6 if semantics.calibrated else 1e-9)


@pytest.mark.parametrize("semantics", ALONE, ids=lambda semantics: semantics.name)
@settings(max_examples=25, deadline=None)
@given(rows=splits, query=st.sampled_from(QUERIES), k=st.integers(1, 12), words=st.booleans())
def test_merged_best_of_shards_are_the_best_of_the_whole(semantics, rows, query, k, words):
    documents, vectors, homes = corpus(rows)
    evidence = "auto" if words else "dense"
    # Scores are of documents alone; leaving out compares with the best of all, which a shard alone does not know.
    alone = {"semantics": semantics, "k": k, "evidence": evidence, "drop_excluded": False}
    whole = LogicalRetriever(InMemoryStore(documents, vectors), EMBEDDER, **alone)
    expected = whole.search(query)
    parts = list(split(documents, vectors, homes))

    merged = [d for part in parts if part[0] for d in whole.over(*part, k=k).search(query).documents]
    merged = sorted(merged, key=lambda document: (-document.score, id_order(document.id)))[:k]
    assert [d.id for d in merged] == [d.id for d in expected.documents]
    assert [d.score for d in merged] == [d.score for d in expected.documents]

    stores = [InMemoryStore(*part) for part in parts]
    found = LogicalRetriever(ShardedStore(stores), EMBEDDER, **alone).search(query)
    assert found.exact
    assert [d.score for d in found.documents] == near([d.score for d in expected.documents], semantics)
    if not semantics.calibrated:  # whose statistics are sums in another order: ties may come out in another
        assert ranking(found.documents) == ranking(expected.documents)


@pytest.mark.parametrize("semantics", FINITE, ids=lambda semantics: semantics.name)
@settings(max_examples=10, deadline=None)
@given(rows=splits, query=st.sampled_from(QUERIES[:3]), k=st.integers(1, 12))
def test_merged_lists_prove_the_best_of_the_whole(semantics, rows, query, k):
    documents, vectors, homes = corpus(rows)
    whole = LogicalRetriever(InMemoryStore(documents, vectors), EMBEDDER, semantics=semantics, k=k, evidence="dense")
    stores = [WithoutScan(InMemoryStore(*part)) for part in split(documents, vectors, homes)]
    store = ShardedStore(stores)
    retriever = LogicalRetriever(store, EMBEDDER, semantics=semantics, k=k, evidence="dense", fetch_k=3)
    found, expected = retriever.search(query), whole.search(query)
    assert found.exact
    assert [d.score for d in found.documents] == near([d.score for d in expected.documents], semantics)


TEXTS = ["tea health", "tea brewing", "tea sleep", "tea coffee", "coffee brewing", "coffee health", "brewing sleep"]


def halves():
    documents = [StoredDocument(text, text) for text in TEXTS]
    return documents, EMBEDDER.embed_documents(TEXTS), np.array([0, 1, 0, 0, 1, 0, 1])


def best_of_each(semantics, borrowed):
    """Scores of each half's documents, by the statistics of the whole or by its own."""
    documents, vectors, homes = halves()
    whole = LogicalRetriever(InMemoryStore(documents, vectors), EMBEDDER, semantics=semantics, k=9, evidence="dense")
    scores = {}
    for part in split(documents, vectors, homes):
        if part[0]:
            own = LogicalRetriever(InMemoryStore(*part), EMBEDDER, semantics=semantics, k=9, evidence="dense")
            found = (whole.over(*part) if borrowed else own).search('"tea" AND NOT "brewing"')
            scores |= dict(ranking(found.documents))
    return scores, dict(ranking(whole.search('"tea" AND NOT "brewing"').documents))


def test_statistics_of_each_shard_of_its_own_would_break_it():
    scores, expected = best_of_each("calibrated", borrowed=True)
    assert scores == pytest.approx(expected)
    scores, expected = best_of_each("calibrated", borrowed=False)
    assert scores != pytest.approx(expected, abs=0.01)


def test_a_semantics_that_compares_documents_breaks_it_and_is_no_part_of_it():
    assert not NsflSemantics().bounded
    scores, expected = best_of_each(NsflSemantics(scale="rescaled"), borrowed=True)
    assert scores != pytest.approx(expected, abs=1e-6)
