"""The part of the stores' conformance suite about words: documents that hold them are found, and no others.

For stores whose ``capabilities.words`` says that they can; of the others, that they do not pretend to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from logical_retriever.lexical import LexicalModel, tokenize
from logical_retriever.results import DocumentId
from logical_retriever.stores import Store, StoredDocument, WordQuery, WordStore
from logical_retriever.testing.corpora import CORPORA
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite, corpus, ids_of, in_id_order
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]

HOSTILE = (
    *("%", "_", "%%", "plum%", "plu_", "plum_jam", "*", "plum*", "?", "\\", "\\w+", ".", ".*", "^", "$", "|"),
    *("'", '"', "o'plum", "''; DROP TABLE docs; --", "' OR 1=1 --", "plum'", "`", ";", "--", "/*", "$$", "%s", ":a"),
    *("!plum", "plum & jam", "plum <-> jam", "plum:*", "a:plum", "text:plum", "plum~2", "plum^3", "AND", "NOT", "("),
    *("plum TO jam", "plum|jam", "[a", "{}", '{"match_all": {}}', '{"$contains": ""}'),
    *("\x00", "pl\x00um", "\n", "\ud800", "🚀", "e\u0301", " ", "", "x" * 5000),
)
"""Pieces of engines' languages. Nothing of it may be executed, nor match anything but itself."""


class WordSuite(RankingSuite):
    """Documents by their words."""

    def words_store(self, make_store: MakeStore, texts: Sequence[str]) -> tuple[Any, list[StoredDocument]]:
        """A store of these texts with random vectors, and its documents."""
        documents, vectors = corpus(self.make_id, len(texts))
        documents = [
            StoredDocument(document.id, text, document.metadata)
            for document, text in zip(documents, texts, strict=True)
        ]
        store = self.searched(make_store(documents, vectors))
        if store.capabilities.words is None:
            pytest.skip("the store does not find documents by words")
        assert isinstance(store, WordStore)
        return store, documents

    def test_a_document_that_only_its_words_find(self, make_store: MakeStore) -> None:
        texts = [f"a passage about music, number {i}" for i in range(40)]
        texts[17] = "The Ophicleide, a keyed brass instrument"
        store, documents = self.words_store(make_store, texts)
        away = -corpus(self.make_id, 40)[1][17]
        for words in (("ophicleide",), ("ophicleide", "music"), ("ophicleide", "nowhere")):
            [found] = store.search_words([WordQuery(words, away)], 40)
            assert documents[17].id in found
        assert store.search_words([WordQuery(("ophicleide",), away)], 40) == [[documents[17].id]]
        assert store.search_words([WordQuery(("sousaphone",), away)], 40) == [[]]

    def test_documents_with_words_are_those_that_plain_python_finds(self, make_store: MakeStore) -> None:
        words = ("plum", "jam", "bread", "2024", "東京", "naïve")
        texts = [" ".join(word for j, word in enumerate(words) if i >> j & 1) or "nothing" for i in range(64)]
        store, documents = self.words_store(make_store, texts)
        queries = [("plum",), ("2024", "bread"), ("jam", "plum", "bread"), ("naïve",)]
        found = store.search_words([WordQuery(query, _anywhere()) for query in queries], 64)
        for query, ids in zip(queries, found, strict=True):
            assert len(set(ids)) == len(ids)
            assert set(ids) <= _having(query, texts, documents)
            assert set(ids) >= _having(query[:1], texts, documents)
        for n in (1, 5):
            found = store.search_words([WordQuery(query, _anywhere()) for query in queries], n)
            for query, ids in zip(queries, found, strict=True):
                assert len(ids) == n
                assert set(ids) <= _having(query, texts, documents)
        assert store.search_words([], 5) == []

    def test_words_are_found_whatever_their_case(self, make_store: MakeStore) -> None:
        texts = ["PLUM jam", "Plum jam", "plum jam", "Jam"]
        store, documents = self.words_store(make_store, texts)
        [found] = store.search_words([WordQuery(("plum",), _anywhere())], 10)
        assert in_id_order(found) == ids_of(documents[:3])

    def test_texts_of_odd_lengths_are_found_by_their_words(self, make_store: MakeStore) -> None:
        long = "ophicleide " + "the same words again and again " * 33_000  # a megabyte
        texts = [long, "plum " * 5000, "x" * 60_000, "the of and", "-", "ophicleide"]
        store, documents = self.words_store(make_store, texts)
        for word, rows in (("ophicleide", [0, 5]), ("plum", [1]), ("sousaphone", [])):
            [found] = store.search_words([WordQuery((word,), _anywhere())], 10)
            assert in_id_order(found) == ids_of([documents[row] for row in rows]), word

    def test_words_of_other_languages_are_found_in_their_forms(self, make_store: MakeStore) -> None:
        self.finds_words_of(make_store, "de", "es", "fr")

    def test_words_of_languages_without_spaces_are_found(self, make_store: MakeStore) -> None:
        self.finds_words_of(make_store, "ja", "th", "zh")

    def finds_words_of(self, make_store: MakeStore, *languages: str) -> None:
        """Texts of all languages in one store: a question in one of them finds what it asks for, and little else."""
        texts = [text for corpus in CORPORA.values() for text in corpus.texts]
        store, documents = self.words_store(make_store, texts)
        for language in languages:
            asked = CORPORA[language]
            words = LexicalModel(texts, language=language).rarest(asked.question)
            query = WordQuery(tuple(words), _anywhere(), tuple(words.values()), language)
            [found] = store.search_words([query], len(texts))
            assert documents[texts.index(asked.texts[asked.answer])].id in found, language
            assert len(found) < len(texts) / 2, language

    def test_a_filter_holds_for_words_as_well(self, make_store: MakeStore) -> None:
        store, documents = self.words_store(make_store, [f"plum jam {i}" for i in range(20)])
        if not store.capabilities.filters:
            return
        odd = [document for document in documents if document.metadata["kind"] == "odd"]
        filter = self.equals("kind", "odd")
        query = WordQuery(("plum",), _anywhere())
        assert in_id_order(store.search_words([query], 20, filter)[0]) == ids_of(odd)
        assert set(store.search_words([query], 3, filter)[0]) <= {document.id for document in odd}
        assert store.search_words([query], 20, self.equals("kind", "neither")) == [[]]

    def test_words_of_an_empty_store(self, make_store: MakeStore) -> None:
        store = make_store([], np.empty((0, DIMENSION), np.float32))
        if store.capabilities.words is not None:
            assert isinstance(store, WordStore)
            assert store.search_words([WordQuery(("plum",), _anywhere())], 5) == [[]]

    def test_hostile_words_match_themselves_alone(self, make_store: MakeStore) -> None:
        texts = ["plum jam", "plumxjam", "plus", "bread and butter", "a much longer text about nothing at all"]
        store, documents = self.words_store(make_store, texts)
        for word in HOSTILE:
            [found] = store.search_words([WordQuery((word,), _anywhere())], 10)
            assert set(found) <= _holding(word, texts, documents), word
        found = store.search_words([WordQuery((word, "butter"), _anywhere()) for word in HOSTILE], 10)
        assert all(documents[3].id in ids for ids in found)
        left = store.fetch([document.id for document in documents])
        assert [document.text for document in left.documents] == texts


def _anywhere() -> Vectors:
    return np.ones(DIMENSION, np.float32)


def _having(words: Sequence[str], texts: Sequence[str], documents: Sequence[StoredDocument]) -> set[DocumentId]:
    """Documents that have one of the words."""
    return {document.id for document, text in zip(documents, texts, strict=True) if set(words) & set(text.split())}


def _holding(word: str, texts: Sequence[str], documents: Sequence[StoredDocument]) -> set[DocumentId]:
    """Documents that hold exactly these characters, or one of the words between them, also those joined by "_"."""
    words = {*tokenize(word), *tokenize(word.replace("_", " "))}
    return {
        document.id
        for document, text in zip(documents, texts, strict=True)
        if (word.strip() and word.casefold() in text.casefold()) or words & set(tokenize(text))
    }
