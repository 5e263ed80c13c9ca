"""An index of words in a file beside a store: made, found again, changed with the store, and never of another one."""

import copy
import json
import sqlite3
from contextlib import closing
from datetime import date
from decimal import Decimal
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, WordsIndexError
from logical_retriever.lexical import WordIndex, tokenize
from logical_retriever.stores import InMemoryStore, StoredDocument, StoreWithWords, WordQuery, with_words_index
from logical_retriever.stores.words_file import VERSION, KeptWords, read_words, write_words
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.store_suite import StoreSuite
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.testing.word_suite import WordSuite

ANYWHERE = np.ones(4, np.float32)


class WithoutWords(InMemoryStore):
    """A store whose words nobody indexes, which counts the texts that are read."""

    read = 0

    @property
    def capabilities(self):
        return InMemoryStore.capabilities.__class__(
            "Plain", exact_search=True, stored_vectors=True, scan=True, cosine_order=True
        )

    def fetch(self, ids):
        type(self).read += len(ids)
        return super().fetch(ids)


def store_of(texts):
    documents = [StoredDocument(id, text) for id, text in texts.items()]
    return WithoutWords(documents, np.random.default_rng(1).normal(size=(len(documents), 4)))


def found(store, word, language="en"):
    [ids] = store.search_words([WordQuery((word,), ANYWHERE, language=language)], 100)
    return sorted(ids)


TEXTS = {f"d{i}": f"a passage about music {i}" for i in range(50)} | {"x": "the ophicleides of Paris"}


class TestKeptWords(StoreSuite, WordSuite):
    @pytest.fixture
    def make_store(self, tmp_path):
        return lambda documents, vectors: with_words_index(InMemoryStore(documents, vectors), tmp_path / "words")

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value


def test_an_index_is_made_once_and_found_again(tmp_path):
    store, told = store_of(TEXTS), []
    words = with_words_index(store, tmp_path / "words", progress=lambda done, total: told.append((done, total)))
    assert found(words, "ophicleide") == ["x"]
    assert told == [(51, 51)]
    assert words.capabilities.words == "the index of words in words"
    assert words.said == "made now"
    again = with_words_index(store, tmp_path / "words", progress=lambda *of: pytest.fail(f"read again: {of}"))
    assert found(again, "music") == sorted(set(TEXTS) - {"x"})
    assert again.said == "up to date"
    assert found(copy.copy(again), "ophicleide") == ["x"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["words"]


def test_only_what_is_new_is_read(tmp_path):
    store, told = store_of(TEXTS), []
    words = with_words_index(store, tmp_path / "words", progress=lambda *of: told.append(of))
    found(words, "music")
    store.add([StoredDocument("new", "an ophicleide")], np.ones((1, 4)))
    store.delete(["d1", "d2"])
    assert found(words, "ophicleide") == ["new", "x"]
    assert words.said == "1 documents added and 2 taken out"
    assert told == [(51, 51), (1, 1)]
    assert found(with_words_index(store, tmp_path / "words"), "music") == sorted(set(TEXTS) - {"x", "d1", "d2"})


def test_texts_that_changed_under_their_ids_are_seen(tmp_path):
    words = with_words_index(store_of(TEXTS), tmp_path / "words")
    found(words, "music")
    changed = {**TEXTS, **dict.fromkeys(list(TEXTS)[:20], "about tubas")}
    later = with_words_index(store_of(changed), tmp_path / "words")
    assert found(later, "tuba") == sorted(list(TEXTS)[:20])
    assert found(later, "music") == sorted(set(list(TEXTS)[20:]) - {"x"})
    one = {**changed, "d30": "one serpent"}
    last = StoreWithWords(store_of(one), tmp_path / "words")
    last.update()
    assert found(last, "serpent") == ["d30"]


def test_an_index_of_another_store_is_made_anew_and_that_is_said(tmp_path):
    found(with_words_index(store_of(TEXTS), tmp_path / "words"), "music")
    other = with_words_index(store_of({f"d{i}": f"bread {i}" for i in range(51)}), tmp_path / "words")
    assert len(found(other, "bread")) == 51
    assert found(other, "music") == []
    assert other.said == "made anew: the file was of other documents"


def damaged(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def of_another_version(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def without_an_array(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM arrays WHERE name = '0.rows'")


def of_another_stemmer(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE words SET stemmer = '0.1'")


def with_words_of_others(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE words SET vocabulary = ?", (json.dumps(["a"]),))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (damaged, "made anew: the file could not be used"),
        (of_another_version, f"made anew: the file was of version {VERSION + 1}"),
        (without_an_array, "made anew: the file could not be used"),
        (of_another_stemmer, "made anew: the file could not be used (its stems are those of snowballstemmer 0.1)"),
        (with_words_of_others, "made anew: the file could not be used"),
        (lambda path: path.write_bytes(b""), "made now"),
    ],
)
def test_what_cannot_be_used_is_made_anew_and_that_is_said(tmp_path, spoil, said):
    store = store_of(TEXTS)
    found(with_words_index(store, tmp_path / "words"), "music")
    spoil(tmp_path / "words")
    again = with_words_index(store, tmp_path / "words")
    assert found(again, "ophicleide") == ["x"]
    assert again.said.startswith(said)
    assert found(with_words_index(store, tmp_path / "words"), "ophicleide") == ["x"]


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes, " * 50)
    with pytest.raises(WordsIndexError, match="something else than an index of words"):
        found(with_words_index(store_of(TEXTS), path), "music")
    assert path.read_text() == "my notes, " * 50
    with closing(sqlite3.connect(tmp_path / "mine.db")) as connection, connection:
        connection.execute("CREATE TABLE mine (a)")
    with pytest.raises(WordsIndexError, match="something else"):
        found(with_words_index(store_of(TEXTS), tmp_path / "mine.db"), "music")


def test_bad_arguments_are_refused(tmp_path):
    for path in ("", " ", 3, None):
        with pytest.raises(InvalidArgumentError, match="words_index is"):
            with_words_index(store_of(TEXTS), path)
    with pytest.raises(StoreCapabilityError, match="cannot be walked through"):
        with_words_index(WithoutScan(store_of(TEXTS)), tmp_path / "words")
    with pytest.raises(WordsIndexError, match="cannot be written"):
        found(with_words_index(store_of(TEXTS), tmp_path / "no" / "folder"), "music")
    with pytest.raises(WordsIndexError, match="known by values of type tuple"):
        found(with_words_index(store_of({("a", 1): "tea"}), tmp_path / "words"), "tea")
    assert list(tmp_path.iterdir()) == []


def test_another_language_makes_the_index_anew(tmp_path):
    store = store_of({"a": "viele Häuser", "b": "ein Boot"})
    words = with_words_index(store, tmp_path / "words")
    assert found(words, "haus") == []
    assert found(words, "haus", "de") == ["a"]
    assert words.said == "made anew: its words were read as 'en'"


IDS = ["a", "1", "\ud800", 1, -(2**70), 0.1, b"\x00", UUID(int=7), Decimal("1.10"), date(2020, 2, 29)]


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text("ab é'\x00\ud800 ", max_size=8), min_size=len(IDS), max_size=len(IDS)))
def test_what_is_written_is_what_is_read(texts, tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "words"
    index = WordIndex.of(texts[:6]).added(texts[6:])
    write_words(path, KeptWords(tuple(IDS), np.arange(len(IDS), dtype=np.uint64), index))
    kept, said = read_words(path)
    assert said == "up to date"
    assert list(kept.ids) == IDS
    assert [type(id) for id in kept.ids] == list(map(type, IDS))
    assert kept.index.lengths.tolist() == index.lengths.tolist()
    rows = [3, -1, 0, 7]
    for word in {word for text in texts for word in tokenize(text)}:
        for one, other in zip(kept.index.postings(word), index.postings(word), strict=True):
            assert one.tolist() == other.tolist()
        of_rows = WordIndex.of(["" if row < 0 else texts[row] for row in rows])
        for start in (0, 1):
            for one, other in zip(
                index.ordered(rows).postings(word, start), of_rows.postings(word, start), strict=True
            ):
                assert one.tolist() == other.tolist()


def test_answers_of_a_scanned_store_are_exact_with_words(tmp_path):
    store = store_of(TEXTS | {f"e{i}": f"music, {i} songs" for i in range(400)})
    asked, options = '"ophicleide" AND NOT "music"', {"k": 3, "fetch_k": 20}
    assert not LogicalRetriever(store, HashingEmbedder(4), **options).search(asked).exact
    result = LogicalRetriever(store, HashingEmbedder(4), words_index=tmp_path / "words", **options).search(asked)
    assert result.exact
    assert result.documents[0].id == "x"
    assert result.plan.words == "of every document, by the index of words in words (made now)"
