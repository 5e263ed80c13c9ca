"""Statistics of a store: sampled once, drawn again as it grows, filled up where it is small."""

import dataclasses
import threading

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import VectorMismatchError
from logical_retriever.search.statistics import BACKGROUND_SIZE, StatisticsCache, background
from logical_retriever.semantics import NullModel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder


class Counting(InMemoryStore):
    samples = 0

    def sample(self, n, seed):
        self.samples += 1
        return super().sample(n, seed)


def store(n, d=16, kind=Counting):
    vectors = np.random.default_rng(n).normal(size=(n, d)).astype(np.float32)
    return kind([StoredDocument(f"d{i}", f"text {i}") for i in range(n)], vectors if n else ())


@pytest.mark.parametrize(("count", "samples"), [(100, 1), (124, 1), (125, 2), (81, 1), (80, 2), (300, 2)])
def test_the_sample_is_drawn_again_when_the_size_has_changed_by_a_quarter(count, samples):
    documents, cache = store(100), StatisticsCache()
    cache.get(documents, 100)
    cache.get(documents, count)
    assert documents.samples == samples


def test_threads_wait_for_one_sample():
    documents, cache, found = store(200), StatisticsCache(), []
    threads = [threading.Thread(target=lambda: found.append(cache.get(documents, 200))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert documents.samples == 1
    assert len({id(statistics) for statistics in found}) == 1


def test_an_empty_store_has_no_statistics_until_it_has_documents():
    documents, cache = store(0), StatisticsCache()
    assert cache.get(documents, 0) is None
    documents.add([StoredDocument("a", "a")], [[1.0, 0.0]])
    statistics = cache.get(documents, 1)
    assert statistics is not None
    assert statistics.sampled == 1


def replaced(documents, ids):
    """The same ids and texts with other vectors."""
    found = documents.fetch(ids)
    documents.delete(ids)
    documents.add(found.documents, np.random.default_rng(1).normal(size=found.vectors.shape))


@pytest.mark.parametrize(("share", "samples"), [(0.0, 1), (0.1, 1), (0.5, 2), (1.0, 2)])
def test_the_sample_is_drawn_again_when_as_many_other_vectors_stand_in_their_place(share, samples):
    documents, cache = store(400), StatisticsCache()
    before = cache.get(documents, 400)
    replaced(documents, [f"d{i}" for i in range(int(400 * share))])
    after = cache.get(documents, 400)
    assert documents.samples == samples
    assert (after is before) == (samples == 1)
    assert cache.get(documents, 400) is after


def test_other_texts_or_ids_are_other_documents():
    documents, cache = store(100), StatisticsCache()
    cache.get(documents, 100)
    found = documents.fetch([f"d{i}" for i in range(100)])
    for samples, change in ((2, {"text": "other"}), (3, {"id": "x"})):
        documents.delete([d.id for d in found.documents])
        documents.add(
            [dataclasses.replace(d, **{k: f"{v}{d.id}" for k, v in change.items()}) for d in found.documents],
            found.vectors,
        )
        cache.get(documents, 100)
        assert documents.samples == samples


def test_after_vectors_were_replaced_answers_are_those_of_a_new_retriever():
    embedder, texts = HashingEmbedder(16), [f"about {i} {i % 7}" for i in range(300)]
    documents = InMemoryStore([StoredDocument(t, t) for t in texts], embedder.embed_documents(texts))
    retriever = LogicalRetriever(documents, embedder, evidence="dense", k=20)
    query = '"about 3" AND NOT "about 5"'
    before = retriever.search(query)
    replaced(documents, texts)
    found = retriever.search(query)
    fresh = LogicalRetriever(documents, embedder, evidence="dense", k=20).search(query)
    assert found.exact
    assert [(d.id, d.score) for d in found.documents] == [(d.id, d.score) for d in fresh.documents]
    assert [d.id for d in found.documents] != [d.id for d in before.documents]


class Slow(Counting):
    """Reading takes a tenth of a second of a clock that stands still otherwise."""

    now, reads = 0.0, 0

    def fetch(self, ids):
        self.now, self.reads = self.now + 0.1, self.reads + 1
        return super().fetch(ids)


def test_where_reading_takes_time_it_is_looked_for_seldom():
    documents = store(100, kind=Slow)
    cache = StatisticsCache(clock=lambda: documents.now)
    for _ in range(5):
        cache.get(documents, 100)
    assert documents.reads == 2
    replaced(documents, [f"d{i}" for i in range(100)])
    documents.now += 59.0
    cache.get(documents, 100)
    assert documents.samples == 1
    documents.now += 1.0
    cache.get(documents, 100)
    assert documents.samples == 2


def test_a_store_that_never_brings_back_what_it_sampled_is_sampled_once():
    class Forgetful(Counting):
        def fetch(self, ids):
            return super().fetch([])

    documents, cache = store(100, kind=Forgetful), StatisticsCache()
    assert cache.get(documents, 100) is cache.get(documents, 100)
    assert documents.samples == 1


def test_background_sentences_make_a_small_store_of_one_subject_stand_out():
    embedder = HashingEmbedder(64)
    texts = ["vitamin d and bones", "vitamin d and mood", "vitamin d and sleep"]
    documents = InMemoryStore([StoredDocument(t, t) for t in texts], embedder.embed_documents(texts))
    query = embedder.embed_queries(["vitamin d"])
    cosines = query @ embedder.embed_documents(texts).T
    alone = StatisticsCache().get(documents, 3).nulls.of(query).standardise(cosines)
    filled = StatisticsCache(embedder).get(documents, 3).nulls.of(query).standardise(cosines)
    assert alone.max() < 2
    assert filled.min() > 4


def test_a_large_store_needs_no_background():
    class Refusing(HashingEmbedder):
        def embed_documents(self, texts):
            raise AssertionError("not needed")

    assert StatisticsCache(Refusing()).get(store(BACKGROUND_SIZE), BACKGROUND_SIZE).sampled == BACKGROUND_SIZE


def test_background_of_another_dimension_is_named():
    with pytest.raises(VectorMismatchError, match="dimension 64, the stored vectors 16"):
        StatisticsCache(HashingEmbedder(64)).get(store(10), 10)


def test_background_sentences_are_distinct_and_about_many_subjects():
    sentences = background()
    assert len(sentences) == len(set(sentences)) == 64


def test_the_product_with_the_covariance_is_computed_once_a_question(monkeypatch):
    computed = []
    own = NullModel.products
    monkeypatch.setattr(NullModel, "products", lambda self, rows: (computed.append(len(rows)), own(self, rows))[1])
    retriever = LogicalRetriever(store(300), HashingEmbedder(16), k=5)
    for _ in range(2):
        retriever.search('"text 4" AND NOT "text 9"')
    assert computed == [2, 2]


def test_an_empty_store_that_cannot_be_scanned_answers_with_nothing():
    class Listed(InMemoryStore):
        capabilities = dataclasses.replace(InMemoryStore.capabilities, scan=False, in_process=False)

    retriever = LogicalRetriever(Listed(), HashingEmbedder())
    result = retriever.search('"tea" AND NOT "milk"')
    assert result.documents == ()
    assert result.exact
    assert "empty" in result.reason
