"""Word search, in the conformance suite of stores: it finds the documents with a word, and no others.

The tests are skipped for stores whose ``capabilities.word_search`` is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from logical_retriever.lexical import tokenize
from logical_retriever.stores import StoredDocument, WordQuery, WordStore
from logical_retriever.testing.ranking_suite import MakeStore, RankingSuite
from logical_retriever.testing.samples import DIMENSION, HOSTILE_WORDS, ids_of, in_id_order

ANYWHERE = np.ones(DIMENSION, np.float32)
WORDS = ("plum", "jam", "bread", "2024", "東京", "naïve", "Plum", "OPHICLEIDE")
SUBSETS = [" ".join(word for j, word in enumerate(WORDS) if i >> j & 1) or "nothing" for i in range(256)]
QUERIES = (("plum",), ("2024", "bread"), ("jam", "plum", "bread"), ("naïve",), ("ophicleide", "jam"), ("sousaphone",))


class WordSuite(RankingSuite):
    """All tests of word search; see the module."""

    def worded(self, make_store: MakeStore, texts: Sequence[str]) -> tuple[list[StoredDocument], Any]:
        """Make documents with these texts and random vectors, and a store of them."""
        documents, _, store = self.filled(make_store, len(texts), texts=texts)
        if store.capabilities.word_search is None:
            pytest.skip("the store does not find documents by words")
        assert isinstance(store, WordStore)
        return documents, store

    def assert_words(
        self, make_store: MakeStore, texts: Sequence[str], queries: Sequence[tuple[str, ...]] = QUERIES
    ) -> None:
        """Compare with plain Python: all documents with the first word are found, and none without any of the words."""
        documents, store = self.worded(make_store, texts)
        own = {document.id: set(tokenize(document.text)) for document in documents}
        for n in (1, 5, len(texts) + 1):
            lists = store.search_words([WordQuery(query, ANYWHERE) for query in queries], n)
            for query, ids in zip(queries, lists, strict=True):
                must = {document.id for document in documents if query[0] in document.text.casefold().split()}
                may = {
                    document.id
                    for document in documents
                    if any(_holds(document.text, own[document.id], word) for word in query)
                }
                assert min(n, len(must)) <= len(ids) == len(set(ids)) <= n, query
                assert set(ids) <= may, query
                assert n <= len(texts) or must <= set(ids), query
        assert store.search_words([], 5) == []

    def test_documents_with_words_are_those_that_plain_python_finds(self, make_store: MakeStore) -> None:
        self.assert_words(make_store, [*SUBSETS[:64], *SUBSETS[64::3]])
        self.assert_words(make_store, [])

    def test_texts_of_odd_lengths_are_found_by_their_words(self, make_store: MakeStore) -> None:
        long = "ophicleide " + "the same words again and again " * 33_000  # a megabyte
        self.assert_words(make_store, [long, "plum " * 5000, "x" * 60_000, "the of and", "-", "ophicleide"])

    def test_hostile_words_match_themselves_alone(self, make_store: MakeStore) -> None:
        texts = ["plum jam", "plumxjam", "plus", "bread and butter", "a much longer text about nothing at all"]
        self.assert_words(make_store, texts, [query for w in HOSTILE_WORDS for query in ((w,), ("butter", w))])

    def test_a_filter_holds_for_words_as_well(self, make_store: MakeStore) -> None:
        documents, store = self.worded(make_store, [f"plum jam {i}" for i in range(20)])
        filter, query = self.equals("kind", "odd"), WordQuery(("plum",), ANYWHERE)
        odd = ids_of([document for document in documents if document.metadata["kind"] == "odd"])
        assert in_id_order(store.search_words([query], 20, filter)[0]) == odd
        assert set(store.search_words([query], 3, filter)[0]) <= set(odd)


def _holds(text: str, own: set[str], word: str) -> bool:
    """Return whether a text has exactly these characters, or one of their words, also of words joined by "_"."""
    words = {*tokenize(word), *tokenize(word.replace("_", " "))}
    return not words.isdisjoint(own) or (word.strip() != "" and word.casefold() in text.casefold())
