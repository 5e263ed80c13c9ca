"""Statistics in a file: the same answers, no second sample, and nothing of another store, encoder or version."""

import json
import time

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import WordsIndexError
from logical_retriever.search import kept_statistics
from logical_retriever.search.statistics import StatisticsCache, shared_statistics
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

QUERY = '"about 3" AND NOT "about 5"'


class Counting(InMemoryStore):
    samples = 0

    def sample(self, n, seed):
        self.samples += 1
        return super().sample(n, seed)


class Named(Counting):
    """Read by several threads at once."""

    identity = "named"


def store(count, embedder, kind=Counting, first=0):
    texts = [f"about {i} {i % 7}" for i in range(first, first + count)]
    return kind([StoredDocument(text, text) for text in texts], embedder.embed_documents(texts))


@pytest.fixture
def embedder():
    return HashingEmbedder(16)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "words.sqlite.statistics"


def asked(documents, embedder, path=None):
    """The answer of a process that has just begun."""
    retriever = LogicalRetriever(documents, embedder, k=20)
    retriever._statistics = StatisticsCache(embedder, path=path)
    return retriever.search(QUERY)


def answers(result):
    return [(d.id, d.score, d.relevance) for d in result.documents]


@pytest.mark.parametrize("count", [300, 1500])
def test_answers_are_the_same_and_no_sample_is_drawn_where_they_were_kept(count, embedder, path):
    documents = store(count, embedder)
    plain, first, before = asked(documents, embedder), asked(documents, embedder, path), documents.samples
    second = asked(documents, embedder, path)
    assert answers(plain) == answers(first) == answers(second)
    assert documents.samples == before
    assert plain.plan.statistics is None
    assert "taken now" in str(first.plan)
    assert "words.sqlite.statistics: kept" in str(second.plan)
    german = [StatisticsCache(embedder, path=p).get(documents, count).words("de") for p in (path, None)]
    assert german[0].dumped() == german[1].dumped()


def test_those_of_other_documents_are_taken_anew_and_so_it_is_said(embedder, path):
    asked(store(300, embedder), embedder, path)
    other = store(300, embedder, first=1000)
    result = asked(other, embedder, path)
    assert "other documents" in result.plan.statistics
    assert answers(result) == answers(asked(other, embedder))
    assert "kept" in asked(other, embedder, path).plan.statistics


def test_those_of_vectors_of_another_encoder_are_taken_anew(embedder, path):
    asked(store(1500, embedder), embedder, path)
    other = HashingEmbedder(24)
    assert "other documents" in asked(store(1500, other), other, path).plan.statistics


class Shifted(HashingEmbedder):
    """Encodes what chance is filled up with in another way."""

    def embed_documents(self, texts):
        return super().embed_documents([f"passage: {text}" for text in texts])


def test_in_a_small_store_the_encoder_itself_counts(embedder, path):
    documents = store(300, embedder)
    asked(documents, embedder, path)
    result = asked(documents, Shifted(16), path)
    assert "another encoder" in result.plan.statistics
    assert answers(result) == answers(asked(documents, Shifted(16)))


def test_those_of_another_version_are_taken_anew(embedder, path, monkeypatch):
    documents = store(300, embedder)
    monkeypatch.setattr(kept_statistics, "VERSION", "0")
    asked(documents, embedder, path)
    monkeypatch.undo()
    assert "of version 0" in asked(documents, embedder, path).plan.statistics
    assert "kept" in asked(documents, embedder, path).plan.statistics


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9])
def test_a_half_written_file_is_taken_anew(share, embedder, path):
    documents = store(300, embedder)
    first = asked(documents, embedder, path)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    again = asked(documents, embedder, path)
    assert "taken" in again.plan.statistics
    assert answers(again) == answers(first)
    assert path.read_bytes() == content


@pytest.mark.parametrize("key", ["version", "nulls", "lexical", "witnesses", "unrelated"])
def test_a_file_that_lacks_something_is_taken_anew(key, embedder, path, monkeypatch):
    documents = store(300, embedder)
    with monkeypatch.context() as patched:
        dumps = json.dumps
        patched.setattr(kept_statistics.json, "dumps", lambda head: dumps({**head, key: None}))
        asked(documents, embedder, path)
    assert "taken anew" in asked(documents, embedder, path).plan.statistics


def test_a_file_of_something_else_is_an_error_and_stays(embedder, path):
    path.write_text("a letter")
    with pytest.raises(WordsIndexError, match="something else"):
        asked(store(300, embedder), embedder, path)
    assert path.read_text() == "a letter"


def test_where_it_cannot_be_written_that_is_said(embedder, tmp_path):
    with pytest.raises(WordsIndexError, match="cannot be written"):
        asked(store(300, embedder), embedder, tmp_path / "missing" / "file")


@pytest.mark.parametrize("id", ["a\udcff", b"\xff\x00", 3, 2.5])
def test_identities_keep_their_types(id, path):
    documents = Counting([StoredDocument(id, "text")], [[1.0, 0.0]])
    StatisticsCache(path=path).get(documents, 1)
    kept, _ = kept_statistics.read_statistics(path)
    assert [(type(one), one) for one in kept.witnesses] == [(type(id), id)]


def test_a_store_that_has_grown_is_answered_by_what_was_kept_while_a_thread_samples(embedder, path):
    asked(store(300, embedder, Named), embedder, path)
    grown = store(600, embedder, Named)
    cache = StatisticsCache(embedder, path=path)
    before = cache.get(grown, 600)
    assert before.count == 300
    assert "of 300 documents, while those of 600 are taken" in cache.said
    while (after := cache.get(grown, 600)) is before:
        time.sleep(0.001)
    assert after.count == 600
    assert "another size" in cache.said
    fresh = StatisticsCache(embedder).get(grown, 600)
    assert np.array_equal(after.nulls.covariance, fresh.nulls.covariance)
    assert "kept" in asked(grown, embedder, path).plan.statistics


def test_where_other_documents_stand_in_their_place_they_do_not_serve(embedder, path):
    class Slow(Named):
        now = 0.0

        def fetch(self, ids):
            self.now += 0.1
            return super().fetch(ids)

    documents = store(300, embedder, Slow)
    cache = StatisticsCache(embedder, clock=lambda: documents.now, path=path)
    cache.get(documents, 300)
    ids = [f"about {i} {i % 7}" for i in range(300)]
    texts = documents.fetch(ids).documents
    documents.delete(ids)
    documents.add(texts, np.random.default_rng(1).normal(size=(300, 16)))
    documents.now += 120.0
    after = cache.get(documents, 300)
    assert np.array_equal(after.nulls.mean, StatisticsCache(embedder).get(documents, 300).nulls.mean)


def test_a_store_that_one_thread_reads_at_a_time_is_sampled_at_once(embedder, path):
    class Remote(Counting):
        capabilities = InMemoryStore.capabilities
        one_request = True

    asked(store(300, embedder), embedder, path)
    documents = store(600, embedder, Remote)
    documents.capabilities = type(documents).capabilities.__class__(**{**vars(documents.capabilities), "in_process": 0})
    assert StatisticsCache(embedder, path=path).get(documents, 600).count == 600


def test_retrievers_of_one_store_and_encoder_share_them(embedder):
    documents = store(300, embedder)
    retrievers = [LogicalRetriever(documents, embedder) for _ in range(3)]
    for retriever in retrievers:
        retriever.search(QUERY)
    assert documents.samples == 1
    assert LogicalRetriever(documents, HashingEmbedder(16))._statistics is not retrievers[0]._statistics
    assert LogicalRetriever(store(300, embedder), embedder)._statistics is not retrievers[0]._statistics


def test_a_path_for_the_index_of_words_keeps_them_beside_it(embedder, tmp_path):
    documents = store(300, embedder)
    for said in ("taken now", "kept"):
        retriever = LogicalRetriever(documents, embedder, words_index=tmp_path / "words.sqlite")
        assert said in retriever.search(QUERY).plan.statistics
        del retriever
    assert {file.name for file in tmp_path.iterdir()} == {"words.sqlite", "words.sqlite.statistics"}
    assert documents.samples > 0
    assert shared_statistics(documents, embedder).said is None


@pytest.mark.parametrize("background", [True, False])
def test_what_was_warmed_up_waits_for_nothing(background, embedder):
    documents = store(300, embedder)
    retriever = LogicalRetriever(documents, embedder)
    retriever.warm_up(background=background)
    while not documents.samples:
        time.sleep(0.001)
    retriever.search(QUERY)
    assert documents.samples == 1


def test_what_fails_while_warming_up_is_left_to_the_question():
    class Broken(HashingEmbedder):
        def embed_queries(self, texts):
            raise ConnectionError("no network")

    retriever = LogicalRetriever(store(300, HashingEmbedder(16)), Broken(16))
    retriever.warm_up()
    with pytest.raises(Exception, match="no network"):
        retriever.warm_up(background=False)
