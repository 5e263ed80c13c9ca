"""One request for what is nearest, a second for what words may bring among the best: as reading every document."""

from zlib import crc32

import chromadb
import numpy as np
import pytest

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.search.lists import nearby
from logical_retriever.search.lists.nearby import MARGIN
from logical_retriever.search.statistics import WITNESSES
from logical_retriever.stores import ChromaStore


class WordSums:
    """A text's vector is the sum of its words' own: near to texts with the same words, and never equally so."""

    def embed_queries(self, texts):
        rows = [sum(np.random.default_rng(crc32(word.encode())).normal(size=64) for word in t.split()) for t in texts]
        return np.array(rows, np.float32)

    embed_documents = embed_queries


EMBEDDER = WordSums()
SUBJECTS = ("green tea brewing", "black coffee roasting", "jazz trumpet records", "bone health", "garden roses")
TEXTS = [f"{SUBJECTS[i % 5]} {SUBJECTS[i % 7 % 5]} number n{i} of series s{i % 11}" for i in range(1500)]
QUERIES = (
    '"green tea" AND NOT "jazz trumpet"',
    '("green tea" OR "roses n14") AND "series s3" AND NOT "bone health"',
    '"n77" AND NOT "n78"',
    '"black coffee" AND NOT "garden roses"',
    '"series s3 number" AND NOT "green tea brewing" AND NOT "bone health"',
)


@pytest.fixture(scope="module")
def documents():
    """Every second one is read in the year 1."""
    return [StoredDocument(str(i), text, {"year": i % 2}) for i, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def collection(tmp_path_factory, documents):
    client = chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
    made = client.create_collection("docs", embedding_function=None, configuration={"hnsw": {"space": "cosine"}})
    made.add(
        ids=[d.id for d in documents],
        documents=[d.text for d in documents],
        metadatas=[dict(d.metadata) for d in documents],
        embeddings=EMBEDDER.embed_documents(TEXTS),
    )
    return made


@pytest.fixture(scope="module")
def everything(documents):
    """The oracle: a scan of all vectors and all words."""
    return LogicalRetriever(InMemoryStore(documents, EMBEDDER.embed_documents(TEXTS)), EMBEDDER, k=5)


class Counting(ChromaStore):
    """A collection that counts its requests, and may fail at one of them."""

    fails_at = None

    def __init__(self, collection):
        super().__init__(collection)
        self.requests = []

    def _call(self, method, **arguments):
        self.requests.append(method)
        if self.fails_at == method and len(arguments["ids"]) != WITNESSES:
            raise StoreError("the connection timed out", hint="")
        return super()._call(method, **arguments)


def retriever_of(collection, **settings):
    made = LogicalRetriever(Counting(collection), EMBEDDER, k=5, **settings)
    made.search("tea")  # what the store is like is learnt once
    return made


@pytest.mark.parametrize("query", QUERIES)
def test_balanced_finds_what_reading_everything_finds(collection, everything, query):
    best = everything.search(query)
    found = retriever_of(collection).search(query)
    assert [(d.id, pytest.approx(d.score)) for d in best.documents] == [(d.id, d.score) for d in found.documents]
    assert not found.exact
    assert "effort='balanced'" in found.reason
    assert {d.id: d.excluded for d in best.documents} == {d.id: d.excluded for d in found.documents}
    assert [(one.id, one.term) for one in best.left_out] == [(one.id, one.term) for one in found.left_out]


def test_the_store_is_asked_once_for_all_lists(collection):
    retriever = retriever_of(collection)
    retriever.store.store.requests.clear()
    result = retriever.search(QUERIES[0])
    assert retriever.store.store.requests.count("query") == 1  # the excluded term's list came along
    assert result.store_calls == 2
    assert result.plan.fetch_k == 14 + MARGIN
    assert "by an index of words in memory; at most 50 are read that no list names" in str(result.plan)


@pytest.mark.parametrize("query", QUERIES)
def test_the_second_request_is_the_last(collection, query):
    retriever = retriever_of(collection)
    assert retriever.search(query).store_calls <= 2  # what words may make the best of an excluded term came along


@pytest.mark.parametrize(("size", "share"), [(2000, 0.5), (2000, 0.01), (40, 1.0), (5, 1.0), (0, 1.0)])
def test_the_greatest_of_a_part_do_not_hide_those_of_all(size, share):
    draw = np.random.default_rng(0)
    values = np.where(draw.random(size) < share, draw.integers(1, 200, size) / 10, 0.0)
    found = nearby._greatest(values, 30)
    assert sorted(values[found]) == sorted(values[values > 0])[-30:]


def test_one_request_is_one_request(collection):
    retriever = retriever_of(collection, effort="one_request")
    retriever.store.store.requests.clear()
    result = retriever.search(QUERIES[1], drop_excluded=False)
    assert retriever.store.store.requests.count("query") == 1
    assert len(result.documents) == 5
    assert not result.exact
    assert result.store_calls == 1


def test_proof_goes_on_until_the_lists_prove_it(collection):
    found = retriever_of(collection, evidence="dense").search(QUERIES[0])
    assert found.proved
    assert found.plan.effort == "balanced"
    slow = retriever_of(collection, effort="proof").search(QUERIES[0])
    assert "words were read of the best" in slow.reason


@pytest.mark.parametrize("wanted", [0, 1])
def test_filters_and_conditions_hold_for_what_words_find(collection, everything, wanted):
    query = '"n77" AND NOT "jazz"'
    filtered = retriever_of(collection).search(query, filter={"year": wanted})
    assert {d.metadata["year"] for d in filtered.documents} == {wanted}
    assert ("77" in [d.id for d in filtered.documents]) == (wanted == 1)
    condition = f'"n77" AND NOT "jazz" AND [year = {wanted}]'
    told = retriever_of(collection).search(condition)
    assert [d.id for d in told.documents] == [d.id for d in everything.search(condition).documents]


def test_a_text_that_changed_is_scored_by_its_words_as_they_are(tmp_path):
    client = chromadb.PersistentClient(str(tmp_path))
    made = client.create_collection("docs", embedding_function=None)
    texts = [f"about music n{i}" for i in range(1200)]
    made.add(ids=[str(i) for i in range(1200)], documents=texts, embeddings=EMBEDDER.embed_documents(texts))
    retriever = LogicalRetriever(ChromaStore(made), EMBEDDER, k=3)
    retriever.search('"music n5" AND NOT "tea"')
    made.update(ids=["5"], documents=["about ophicleides"], embeddings=EMBEDDER.embed_documents(["about ophicleides"]))
    found = retriever.search('"ophicleides" AND NOT "tea"').documents[0]
    assert (found.id, found.text) == ("5", "about ophicleides")
    assert found.sources["ophicleides"].words > 0


def test_a_server_that_leaves_out_what_was_asked_for_is_asked_again(collection, everything, monkeypatch):
    own = type(collection).query

    def query(self, **arguments):
        return {**own(self, **arguments), "embeddings": None}

    retriever = retriever_of(collection)
    monkeypatch.setattr(type(collection), "query", query)
    best = everything.search(QUERIES[0]).documents
    assert [d.id for d in retriever.search(QUERIES[0]).documents] == [d.id for d in best]


def test_what_the_second_request_lacks_is_said(collection, monkeypatch):
    retriever = retriever_of(collection)
    monkeypatch.setattr(Counting, "fails_at", "get")
    result = retriever.search(QUERIES[2])
    assert len(result.documents) == 5
    assert not result.exact
    assert "the connection timed out" in result.reason


def test_an_effort_is_one_of_three(collection):
    with pytest.raises(InvalidArgumentError, match="effort"):
        LogicalRetriever(ChromaStore(collection), EMBEDDER, effort="all")


def test_vectors_that_repeat_are_asked_for_once(collection):
    retriever = retriever_of(collection)
    same = np.ones((1, 64), np.float32)

    class Same:
        def embed_queries(self, texts):
            return np.repeat(same, len(texts), axis=0)

        embed_documents = embed_queries

    assert len(LogicalRetriever(retriever.store, Same(), k=5).search('"a" AND NOT "b"').documents) == 5


def test_many_questions_at_once_have_the_same_answers(collection):
    retriever = retriever_of(collection)
    queries = [*QUERIES, '"n77" AND NOT "jazz" AND [year = 1]']
    retriever.store.store.requests.clear()
    together = retriever.search_many(queries)
    assert retriever.store.store.requests.count("query") <= 3  # of two lengths, and through a filter
    for query, many in zip(queries, together, strict=True):
        one = retriever.search(query)
        assert [(d.id, d.score) for d in one.documents] == [(d.id, d.score) for d in many.documents]
