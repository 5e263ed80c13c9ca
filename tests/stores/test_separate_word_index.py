"""An index of words beside a store: made on demand, found again in its file, and changed with the store."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID

import chromadb
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from languages import LanguageSuite

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, StoreError
from logical_retriever.lexical import WordIndex, tokenize
from logical_retriever.stores import (
    Capabilities,
    ChromaStore,
    InMemoryStore,
    StoredDocument,
    WordQuery,
    separate_word_index,
)
from logical_retriever.stores.separate_word_index import (
    HEADER,
    IndexedDocuments,
    SeparateWordIndex,
    read_index,
    write_index,
)
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.ranking_suite import WithoutScan

ANYWHERE = np.ones(4, np.float32)
TEXTS = {f"d{i}": f"a passage about music {i}" for i in range(50)} | {"x": "the ophicleides of Paris"}


class WithoutWords(InMemoryStore):
    """A store whose words nobody indexes, which tells what texts are read."""

    capabilities = Capabilities("Plain", exact_search=True, stored_vectors=True, scan=True, cosine_order=True)

    def __init__(self, documents=(), vectors=()):
        self.read = []
        super().__init__(documents, vectors)

    def fetch(self, ids, filter=None):
        self.read += ids
        return super().fetch(ids, filter)


def store_of(texts, kind=WithoutWords):
    documents = [StoredDocument(id, text, {"place": i}) for i, (id, text) in enumerate(texts.items())]
    return kind(documents, np.random.default_rng(1).normal(size=(len(documents), 4)))


def found(store, word, language="en", n=100, filter=None):
    [ids] = store.search_words([WordQuery((word,), ANYWHERE, language=language)], n, filter, store.store.count())
    return sorted(ids)


def beside(texts, path):
    return SeparateWordIndex.of(store_of(texts), path)


class Beside(WithoutWords):
    """A store that finds words by the index beside it."""

    capabilities = replace(WithoutWords.capabilities, word_search="an index of its words")

    def search_words(self, queries, n, filter=None):
        return self.beside.search_words(queries, n, filter, self.count())


def with_index(documents, vectors, path=None):
    store = Beside(documents, vectors)
    store.beside = SeparateWordIndex(WithoutWords(documents, vectors), path)
    return store


class TestWords(LanguageSuite):
    @pytest.fixture
    def make_store(self):
        return with_index

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value


class TestWordsInAFile(TestWords):
    @pytest.fixture
    def make_store(self, tmp_path):
        return lambda documents, vectors: with_index(documents, vectors, tmp_path / "words")


def test_what_is_new_or_gone_is_seen_after_a_rest(monkeypatch):
    monkeypatch.setattr(separate_word_index, "REST", 1e6)
    inner = store_of(TEXTS)
    store = SeparateWordIndex(inner)
    assert len(found(store, "music")) == 50
    inner.add([StoredDocument("new", "an ophicleide")], np.ones((1, 4)))
    inner.delete(["x", "d1"])
    assert found(store, "ophicleide") == ["x"]  # it rests
    monkeypatch.setattr(separate_word_index.time, "monotonic", lambda: time.time() + 1e9)  # it has rested
    assert found(store, "ophicleide") == ["new"]
    assert len(found(store, "music")) == 49


def test_questions_at_once_build_one_index(caplog):
    inner = store_of(TEXTS)
    store = SeparateWordIndex(inner)
    with caplog.at_level("INFO"), ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: found(store, "ophicleide"), range(16))) == [["x"]] * 16
    assert sorted(inner.read) == sorted(TEXTS)
    assert "The words of 51 documents of Plain were indexed in" in caplog.text


def test_a_filter_is_decided_by_the_store():
    store = SeparateWordIndex(store_of(TEXTS))
    late = lambda document: document.metadata["place"] >= 40  # noqa: E731
    assert found(store, "music", filter=late) == [f"d{i}" for i in range(40, 50)]
    assert len(found(store, "music", n=3, filter=late)) == 3
    assert found(store, "music", filter=lambda document: False) == []


def test_of_more_documents_than_the_sample_none_is_made_unasked(monkeypatch):
    class Small(WithoutWords):
        capabilities = replace(WithoutWords.capabilities, indexed_if_small=True)

    inner = store_of(TEXTS, Small)
    retriever = LogicalRetriever(inner, HashingEmbedder(4), verify=False)
    assert retriever.search('"ophicleides"').cost.words == "an index of its words"
    monkeypatch.setattr(separate_word_index, "FEW", 50)
    retriever = LogicalRetriever(inner, HashingEmbedder(4), verify=False)
    inner.read.clear()
    results = [retriever.search('"ophicleides"', k=1) for _ in range(2)]
    assert [result.cost.words for result in results] == ["of the candidates alone"] * 2
    assert len(inner.read) <= 2 * 40
    assert [result.note.count("words_index=True indexes those of all 51") for result in results] == [1, 0]
    asked = LogicalRetriever(inner, HashingEmbedder(4), verify=False, words_index=True)
    assert asked.search('"ophicleides"').cost.words == "an index of its words"


def test_a_store_that_fails_is_said_in_the_log_and_its_words_are_not_found(caplog):
    class Failing(WithoutWords):
        def scan(self, filter=None):
            raise StoreCapabilityError("It is gone.", hint="")

    assert found(SeparateWordIndex(store_of(TEXTS, Failing)), "music") == []
    assert "No index of words could be made of Plain: It is gone." in caplog.text


def test_a_file_is_made_once_and_found_again(tmp_path):
    path = tmp_path / "words"
    assert found(beside(TEXTS, path), "ophicleide") == ["x"]
    later = store_of(TEXTS)
    again = SeparateWordIndex.of(later, str(path))
    assert found(again, "music") == sorted(set(TEXTS) - {"x"})
    assert later.read == []
    assert [file.name for file in tmp_path.iterdir()] == ["words"]


def test_an_index_of_other_documents_is_made_anew(tmp_path):
    found(beside(TEXTS, tmp_path / "words"), "music")
    later = beside({f"other {id}": "about tubas" for id in TEXTS}, tmp_path / "words")
    assert found(later, "tuba") == sorted(f"other {id}" for id in TEXTS)
    assert found(later, "music") == []


def test_another_language_makes_the_file_anew(tmp_path):
    words = beside({"a": "viele Häuser", "b": "ein Boot"}, tmp_path / "words")
    assert found(words, "haus") == []
    assert found(words, "haus", "de") == ["a"]
    assert read_index(tmp_path / "words", "de") is not None


def changed(**values):
    def change(path):
        with np.load(path) as arrays:
            kept = {**arrays, **values}
        with open(path, "wb") as file:
            np.savez(file, **{name: value for name, value in kept.items() if value is not None})

    return change


def test_a_file_of_another_form_is_made_anew(tmp_path):
    found(beside(TEXTS, tmp_path / "words"), "music")
    changed(**{HEADER: np.frombuffer(b'{"form": "1", "language": "en"}', np.uint8)})(tmp_path / "words")
    assert found(beside(TEXTS, tmp_path / "words"), "ophicleide") == ["x"]
    assert read_index(tmp_path / "words", "en") is not None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        lambda path: path.write_bytes(b""),
        changed(lengths=None),
        changed(lengths=np.zeros(3, np.int32)),
        lambda path: path.write_text("my notes, " * 50),
    ],
)
def test_a_damaged_file_or_one_of_something_else_is_named_and_left_alone(tmp_path, spoil):
    path = tmp_path / "words"
    found(beside(TEXTS, path), "music")
    spoil(path)
    store, spoilt = beside(TEXTS, path), path.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError, match="words is something else than an index of words, or damaged"):
            found(store, "music")
    assert path.read_bytes() == spoilt
    path.unlink()
    assert found(store, "ophicleide") == ["x"]


def test_bad_arguments_are_refused(tmp_path):
    for path in ("", " ", 3):
        with pytest.raises(InvalidArgumentError, match="words_index is"):
            SeparateWordIndex.of(store_of(TEXTS), path)
    with pytest.raises(StoreCapabilityError, match="cannot be walked through"):
        SeparateWordIndex.of(WithoutScan(store_of(TEXTS)), tmp_path / "words")
    with pytest.raises(InvalidArgumentError, match="cannot be written"):
        found(beside(TEXTS, tmp_path / "no" / "folder"), "music")
    with pytest.raises(StoreError, match="or damaged: IsADirectoryError"):
        found(beside(TEXTS, tmp_path), "music")
    with pytest.raises(StoreError, match="known by values of type tuple"):
        found(beside({("a", 1): "tea"}, tmp_path / "words"), "tea")
    assert list(tmp_path.iterdir()) == []


def test_only_stores_that_allow_it_have_one_unasked_and_stores_of_one_key_share_it(tmp_path):
    plain = store_of(TEXTS)
    assert SeparateWordIndex.of(plain, None) is SeparateWordIndex.of(plain, False) is None
    client = chromadb.PersistentClient(str(tmp_path))
    collection = client.create_collection("docs", embedding_function=None)
    collection.add(ids=["a"], documents=["tea"], embeddings=[[1.0, 0.0]])
    one, other = (SeparateWordIndex.of(ChromaStore(collection), None) for _ in range(2))
    assert one._shared is other._shared
    assert found(one, "tea") == ["a"]
    elsewhere = client.create_collection("others", embedding_function=None)
    assert SeparateWordIndex.of(ChromaStore(elsewhere), None)._shared is not one._shared
    key = (one.store.cache_key, None)
    del one, other
    assert key not in separate_word_index._living


IDS = ["a", "1", "\ud800", 1, -(2**70), UUID(int=7)]


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text("ab é'\x00\ud800 ", max_size=8), min_size=len(IDS), max_size=len(IDS)))
def test_what_is_written_is_what_is_read(texts, tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "words"
    index = WordIndex.of(texts[:3]).added(texts[3:])
    write_index(path, IndexedDocuments(tuple(IDS), index))
    words = read_index(path, "en")
    assert list(words.ids) == IDS
    assert [type(id) for id in words.ids] == list(map(type, IDS))
    assert words.index.lengths.tolist() == index.lengths.tolist()
    for word in {word for text in texts for word in tokenize(text)}:
        for one, other in zip(words.index.postings(word), index.postings(word), strict=True):
            assert one.tolist() == other.tolist()
