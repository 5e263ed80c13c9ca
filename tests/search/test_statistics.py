"""Statistics of a store: sampled once, drawn again as it grows, filled up where it is small."""

import dataclasses
import threading

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import VectorMismatchError
from logical_retriever.search.statistics import BACKGROUND_SIZE, StatisticsCache, background
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


def test_an_empty_store_that_cannot_be_scanned_answers_with_nothing():
    class Listed(InMemoryStore):
        capabilities = dataclasses.replace(InMemoryStore.capabilities, scan=False, in_process=False)

    retriever = LogicalRetriever(Listed(), HashingEmbedder())
    result = retriever.search('"tea" AND NOT "milk"')
    assert result.documents == ()
    assert result.exact
    assert "empty" in result.reason
