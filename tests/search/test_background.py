"""The background of a store: sampled once, drawn again as it grows, filled up where it is small, counted seldom."""

import dataclasses
import threading

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import VectorMismatchError
from logical_retriever.search.background import BACKGROUND_SIZE, Background, sentences
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
    background = Background(documents, None)
    background.statistics()
    documents.count = lambda: count
    background.statistics()
    assert documents.samples == samples


def test_threads_wait_for_one_sample():
    documents, taken = store(200), []
    background = Background(documents, None)
    threads = [threading.Thread(target=lambda: taken.append(background.statistics())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert documents.samples == 1
    assert len({id(statistics) for statistics in taken}) == 1


def test_an_empty_store_has_no_statistics_until_it_has_documents():
    documents = store(0)
    background = Background(documents, None)
    assert background.statistics() is None
    documents.add([StoredDocument("a", "a")], [[1.0, 0.0]])
    statistics = background.statistics()
    assert statistics is not None
    assert statistics.count == 1


def replaced(documents, ids):
    """The same ids and texts with other vectors."""
    found = documents.fetch(ids)
    documents.delete(ids)
    documents.add(found.documents, np.random.default_rng(1).normal(size=found.vectors.shape))


@pytest.mark.parametrize(("share", "samples"), [(0.0, 1), (0.1, 1), (0.5, 2), (1.0, 2)])
def test_the_sample_is_drawn_again_when_as_many_other_vectors_stand_in_their_place(share, samples):
    documents = store(400)
    background = Background(documents, None)
    before = background.statistics()
    replaced(documents, [f"d{i}" for i in range(int(400 * share))])
    after = background.statistics()
    assert documents.samples == samples
    assert (after is before) == (samples == 1)
    assert background.statistics() is after


def test_other_texts_or_ids_are_other_documents():
    documents = store(100)
    background = Background(documents, None)
    background.statistics()
    found = documents.fetch([f"d{i}" for i in range(100)])
    for samples, change in ((2, {"text": "other"}), (3, {"id": "x"})):
        documents.delete([d.id for d in found.documents])
        documents.add(
            [dataclasses.replace(d, **{k: f"{v}{d.id}" for k, v in change.items()}) for d in found.documents],
            found.vectors,
        )
        background.statistics()
        assert documents.samples == samples


def test_after_vectors_were_replaced_answers_are_those_of_a_new_retriever():
    embedder, texts = HashingEmbedder(16), [f"about {i} {i % 7}" for i in range(300)]
    documents = InMemoryStore([StoredDocument(t, t) for t in texts], embedder.embed_documents(texts))
    retriever = LogicalRetriever(documents, embedder, words=0.0, k=20)
    query = '"about 3" AND NOT "about 5"'
    before = retriever.search(query)
    replaced(documents, texts)
    found = retriever.search(query)
    fresh = LogicalRetriever(documents, embedder, words=0.0, k=20).search(query)
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
    documents.capabilities = dataclasses.replace(InMemoryStore.capabilities, in_process=False)
    background = Background(documents, None, clock=lambda: documents.now)
    for _ in range(5):
        background.statistics()
    assert documents.reads == 1
    replaced(documents, [f"d{i}" for i in range(100)])
    documents.now += 59.0
    background.statistics()
    assert documents.samples == 1
    documents.now += 1.0
    background.statistics()
    assert documents.samples == 2


def test_a_store_that_never_brings_back_what_it_sampled_is_sampled_once():
    class Forgetful(Counting):
        def fetch(self, ids):
            return super().fetch([])

    documents = store(100, kind=Forgetful)
    background = Background(documents, None)
    assert background.statistics() is background.statistics()
    assert documents.samples == 1


def test_background_sentences_make_a_small_store_of_one_subject_stand_out():
    embedder = HashingEmbedder(64)
    texts = ["vitamin d and bones", "vitamin d and mood", "vitamin d and sleep"]
    documents = InMemoryStore([StoredDocument(t, t) for t in texts], embedder.embed_documents(texts))
    query = embedder.embed_queries(["vitamin d"])
    cosines = query @ embedder.embed_documents(texts).T
    alone = Background(documents, None).statistics().nulls.of(query).standardise(cosines)
    filled = Background(documents, embedder).statistics().nulls.of(query).standardise(cosines)
    assert alone.max() < 2
    assert filled.min() > 4


def test_a_large_store_needs_no_background():
    class Refusing(HashingEmbedder):
        def embed_documents(self, texts):
            raise AssertionError("not needed")

    assert Background(store(BACKGROUND_SIZE), Refusing()).statistics().count == BACKGROUND_SIZE


def test_background_of_another_dimension_is_named():
    with pytest.raises(VectorMismatchError, match="dimension 64, the stored vectors 16"):
        Background(store(10), HashingEmbedder(64)).statistics()


def test_background_sentences_are_distinct_and_about_many_subjects():
    assert len(sentences()) == len(set(sentences())) == 64


@pytest.mark.parametrize(("size", "counted"), [(9_999, 4), (10_000, 2)])
def test_a_large_store_is_counted_again_after_a_thousand_times_what_it_took(size, counted):
    class Slow(InMemoryStore):
        now, counts = 0.0, 0

        def count(self):
            self.now, self.counts = self.now + 0.01, self.counts + 1
            return size

    documents = Slow()
    background = Background(documents, None, clock=lambda: documents.now)
    for wait in (0.0, 1.0, 8.9, 0.2):
        documents.now += wait
        assert background.count() == size
    assert documents.counts == counted


def test_an_empty_store_that_cannot_be_scanned_answers_with_nothing():
    class Listed(InMemoryStore):
        capabilities = dataclasses.replace(InMemoryStore.capabilities, scan=False, in_process=False)

    retriever = LogicalRetriever(Listed(), HashingEmbedder())
    result = retriever.search('"tea" AND NOT "milk"')
    assert result.documents == ()
    assert result.exact
    assert "empty" in result.reason
