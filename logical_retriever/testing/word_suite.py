"""The part of the stores' conformance suite about words: documents that hold them are found, and no others.

For stores whose ``capabilities.words`` says that they can; of the others, that they do not pretend to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from logical_retriever.lexical import LexicalModel, tokenize
from logical_retriever.results import DocumentId
from logical_retriever.stores import StoredDocument, WordQuery, WordStore
from logical_retriever.testing.ranking_suite import MakeStore, RankingSuite
from logical_retriever.testing.samples import CORPORA, DIMENSION, HOSTILE_WORDS, ids_of, in_id_order

ANYWHERE = np.ones(DIMENSION, np.float32)
WORDS = ("plum", "jam", "bread", "2024", "東京", "naïve", "Plum", "OPHICLEIDE")
QUERIES = (("plum",), ("2024", "bread"), ("jam", "plum", "bread"), ("naïve",), ("ophicleide", "jam"), ("sousaphone",))


class WordSuite(RankingSuite):
    """Documents by their words."""

    def worded(self, make_store: MakeStore, texts: Sequence[str]) -> tuple[list[StoredDocument], Any]:
        """Documents with these texts and random vectors, and a store of them."""
        documents, _, store = self.filled(make_store, len(texts), texts=texts)
        if store.capabilities.words is None:
            pytest.skip("the store does not find documents by words")
        assert isinstance(store, WordStore)
        return documents, store

    def assert_words(self, make_store: MakeStore, texts: Sequence[str]) -> None:
        """Compare what is found with what plain Python finds: all with the first word, none without any."""
        documents, store = self.worded(make_store, texts)
        words = {document.id: set(document.text.casefold().split()) for document in documents}
        for n in (1, 5, len(texts) + 1):
            lists = store.search_words([WordQuery(query, ANYWHERE) for query in QUERIES], n)
            for query, ids in zip(QUERIES, lists, strict=True):
                must = {id for id, own in words.items() if query[0] in own}
                assert len(ids) == len(set(ids)) <= n
                assert len(ids) >= min(n, len(must))
                assert all(words[id] & set(query) for id in ids), query
                assert n < len(texts) or must <= set(ids), query
        assert store.search_words([], 5) == []

    def test_documents_with_words_are_those_that_plain_python_finds(self, make_store: MakeStore) -> None:
        texts = [" ".join(word for j, word in enumerate(WORDS) if i >> j & 1) or "nothing" for i in range(256)]
        self.assert_words(make_store, [*texts[:64], *texts[64::3]])

    def test_texts_of_odd_lengths_are_found_by_their_words(self, make_store: MakeStore) -> None:
        long = "ophicleide " + "the same words again and again " * 33_000  # a megabyte
        self.assert_words(make_store, [long, "plum " * 5000, "x" * 60_000, "the of and", "-", "ophicleide"])

    def test_words_of_other_languages_are_found_in_their_forms(self, make_store: MakeStore) -> None:
        self.assert_languages(make_store, "de", "es", "fr")

    def test_words_of_languages_without_spaces_are_found(self, make_store: MakeStore) -> None:
        self.assert_languages(make_store, "ja", "th", "zh")

    def assert_languages(self, make_store: MakeStore, *languages: str) -> None:
        """Texts of all languages in one store: a question in one of them finds its answer, and little else."""
        texts = [text for corpus in CORPORA.values() for text in corpus.texts]
        documents, store = self.worded(make_store, texts)
        for language in languages:
            asked = CORPORA[language]
            words = LexicalModel(texts, language=language).rarest(asked.question)
            query = WordQuery(tuple(words), ANYWHERE, tuple(words.values()), language)
            [ids] = store.search_words([query], len(texts))
            assert documents[texts.index(asked.texts[asked.answer])].id in ids, language
            assert len(ids) < len(texts) / 2, language

    def test_a_filter_holds_for_words_as_well(self, make_store: MakeStore) -> None:
        documents, store = self.worded(make_store, [f"plum jam {i}" for i in range(20)])
        filter, query = self.equals("kind", "odd"), WordQuery(("plum",), ANYWHERE)
        if store.capabilities.filters:
            odd = ids_of([document for document in documents if document.metadata["kind"] == "odd"])
            assert in_id_order(store.search_words([query], 20, filter)[0]) == odd
            assert set(store.search_words([query], 3, filter)[0]) <= set(odd)
            assert store.search_words([query], 20, self.equals("kind", "neither")) == [[]]

    def test_hostile_words_match_themselves_alone(self, make_store: MakeStore) -> None:
        texts = ["plum jam", "plumxjam", "plus", "bread and butter", "a much longer text about nothing at all"]
        documents, store = self.worded(make_store, texts)
        for word in HOSTILE_WORDS:
            one, two = store.search_words([WordQuery((word, *more), ANYWHERE) for more in ((), ("butter",))], 10)
            assert set(one) <= _holding(word, documents), word
            assert documents[3].id in two
        assert [document.text for document in store.fetch([d.id for d in documents]).documents] == texts
        empty = self.worded(make_store, ())[1]
        assert empty.search_words([WordQuery(("plum",), ANYWHERE)], 5) == [[]]


def _holding(word: str, documents: Sequence[StoredDocument]) -> set[DocumentId]:
    """Documents that hold exactly these characters, or one of the words between them, also those joined by "_"."""
    words, whole = {*tokenize(word), *tokenize(word.replace("_", " "))}, word.strip() and word.casefold()
    return {d.id for d in documents if (whole and whole in d.text.casefold()) or words & set(tokenize(d.text))}
