"""The background of a store: sampled once, drawn again as it grows, filled up where it is small, counted seldom."""

import dataclasses
import threading

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import VectorMismatchError
from logical_retriever.search.statistics import BACKGROUND_SIZE, LIFETIME, StoreStatistics
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
    documents = store(100)
    statistics = StoreStatistics(documents, None)
    statistics.current(statistics.count())
    documents.count = lambda: count
    statistics.current(statistics.count())
    assert documents.samples == samples


def test_threads_wait_for_one_sample():
    documents, taken = store(200), []
    statistics = StoreStatistics(documents, None)
    threads = [threading.Thread(target=lambda: taken.append(statistics.current(statistics.count()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert documents.samples == 1
    assert len({id(statistics) for statistics in taken}) == 1


def test_an_empty_store_has_no_statistics_until_it_has_documents():
    documents = store(0)
    statistics = StoreStatistics(documents, None)
    assert statistics.current(statistics.count()) is None
    documents.add([StoredDocument("a", "a")], [[1.0, 0.0]])
    statistics = statistics.current(statistics.count())
    assert statistics is not None
    assert statistics.count == 1


def replaced(documents, ids):
    """The same ids and texts with other vectors."""
    found = documents.fetch(ids)
    documents.delete(ids)
    documents.add(found.documents, np.random.default_rng(1).normal(size=found.vectors.shape))


def test_after_vectors_were_replaced_the_sample_is_drawn_again_within_the_hour():
    documents, now = store(100), [0.0]
    statistics = StoreStatistics(documents, None, clock=lambda: now[0])
    before = statistics.current(statistics.count())
    replaced(documents, [f"d{i}" for i in range(100)])
    assert statistics.current(statistics.count()) is before
    now[0] += LIFETIME
    after = statistics.current(statistics.count())
    assert not np.allclose(after.null_model.mean, before.null_model.mean)
    assert documents.samples == 2


def test_background_sentences_make_a_small_store_of_one_subject_stand_out():
    embedder = HashingEmbedder(64)
    texts = ["vitamin d and bones", "vitamin d and mood", "vitamin d and sleep"]
    documents = InMemoryStore([StoredDocument(t, t) for t in texts], embedder.embed_documents(texts))
    query = embedder.embed_queries(["vitamin d"])
    cosines = query @ embedder.embed_documents(texts).T
    alone = StoreStatistics(documents, None).current(documents.count()).null_model.of(query).standardise(cosines)
    filled = StoreStatistics(documents, embedder).current(documents.count()).null_model.of(query).standardise(cosines)
    assert alone.max() < 2
    assert filled.min() > 4


def test_a_large_store_needs_no_background():
    class Refusing(HashingEmbedder):
        def embed_documents(self, texts):
            raise AssertionError("not needed")

    assert StoreStatistics(store(BACKGROUND_SIZE), Refusing()).current(BACKGROUND_SIZE).count == BACKGROUND_SIZE


def test_background_of_another_dimension_is_named():
    with pytest.raises(VectorMismatchError, match="dimension 64, the stored vectors 16"):
        StoreStatistics(store(10), HashingEmbedder(64)).current(10)


@pytest.mark.parametrize(("size", "counted"), [(9_999, 4), (10_000, 2)])
def test_a_large_store_is_counted_again_after_a_thousand_times_what_it_took(size, counted):
    class Slow(InMemoryStore):
        now, counts = 0.0, 0

        def count(self):
            self.now, self.counts = self.now + 0.01, self.counts + 1
            return size

    documents = Slow()
    statistics = StoreStatistics(documents, None, clock=lambda: documents.now)
    for wait in (0.0, 1.0, 8.9, 0.2):
        documents.now += wait
        assert statistics.count() == size
    assert documents.counts == counted


def test_an_empty_store_that_cannot_be_scanned_answers_with_nothing():
    class Listed(InMemoryStore):
        capabilities = dataclasses.replace(InMemoryStore.capabilities, scan=False, in_process=False)

    retriever = LogicalRetriever(Listed(), HashingEmbedder())
    result = retriever.search('"tea" AND NOT "milk"')
    assert result.documents == ()
    assert result.exact
    assert "empty" in result.reason
