"""The conformance suite of stores whose engine computes scores itself: they rank as this process does.

``make_store``, ``equals`` and ``ids`` are those of :class:`~logical_retriever.testing.store_suite.StoreSuite`.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

import hostile_texts
import numpy as np
import pytest
import searching
from compiler_corpus import LETTERS, random_query
from random_queries import possible

from logical_retriever.query import Term, parse
from logical_retriever.reading import ReadQuestion
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import InMemoryStore, ScoringStore, StoredDocument
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing.fakes import HashingEmbedder
from logical_retriever.testing.ranking_suite import Suite, WithoutScan, over
from logical_retriever.testing.samples import DIMENSION, corpus, ids_of, in_id_order
from logical_retriever.testing.store_suite import assert_keys

HOSTILE = (*hostile_texts.HOSTILE[:3], hostile_texts.HOSTILE[6], "a" * 10_000)
"""Texts that no statement has by chance."""
COUNT = 70
PHRASES = ("tea", "milk", "no milk", "sugar", "trade", "water", "a heated pool", "no pool")
K = 8


find = partial(searching.find, semantics="calibrated", words=0.0)
"""Searches by vectors alone."""


class EngineScoringSuite(Suite):
    """Everything that is asked of a store whose engine computes scores; see the module.

    Attributes:
        trees: How many queries are generated.
        tolerance: How far scores may differ: what the store's vectors are rounded by.
    """

    trees = 30
    tolerance = 1e-4

    def corpus(self):
        """Vectors of any length, one of zeros and two that are alike among them."""
        documents, vectors = corpus(self.make_id, COUNT)
        vectors[4] = 0.0
        vectors[9] = 2.0 * vectors[8]
        return documents, vectors

    def both(self, make_store):
        """The store, and one of this process with the same documents."""
        documents, vectors = self.corpus()
        return make_store(documents, vectors), InMemoryStore(documents, vectors)

    def test_rankings_are_those_of_this_process(self, make_store):
        store, here = self.both(make_store)
        rng, by_engine = np.random.default_rng(7), 0
        for query in (
            parse('NOT "a"'),
            *islice(filter(possible, iter(lambda: random_query(rng, 5), None)), self.trees),
        ):
            result = find(query, store, letters(), k=K, fetch_k=2 * K)
            self.assert_same(result, find(query, here, letters(), k=COUNT), query)
            if result.cost.strategy == "engine":
                by_engine += 1
                assert result.cost.statement
                assert result.exact
        assert by_engine > self.trees // 4

    def test_every_value_of_an_explanation_is_there(self, make_store):
        store, here = self.both(make_store)
        query = parse('"a" AND NOT "b"')
        true = {d.id: d for d in find(query, here, letters(), k=COUNT).documents}
        for document in find(query, store, letters(), k=K).documents:
            expected = true[document.id]
            assert document.text == expected.text
            assert document.truth_values == pytest.approx(expected.truth_values, abs=self.tolerance)
            assert document.cosines == pytest.approx(expected.cosines, abs=self.tolerance)

    def test_filters_hold_and_their_hostile_values_find_and_change_nothing(self, make_store):
        store, here = self.both(make_store)
        query = parse('("a" OR "b") AND NOT "c"')
        result = find(query, store, letters(), k=K, filter=self.equals("kind", "odd"))
        all = find(query, here, letters(), k=COUNT, filter=lambda document: document.metadata["kind"] == "odd")
        self.assert_same(result, all, query)
        for text in ("neither", *HOSTILE):
            assert find(query, store, letters(), k=K, filter=self.equals("kind", text)).documents == ()
        assert store.count() == COUNT

    def test_hostile_terms_are_texts(self, make_store):
        store, here = self.both(make_store)
        rng = np.random.default_rng(1)
        vectors = {text: rng.normal(size=DIMENSION).astype(np.float32) for text in HOSTILE}
        for text in HOSTILE:
            query = Term(text) & ~Term(HOSTILE[0] if text != HOSTILE[0] else HOSTILE[1])
            result = find(query, store, vectors, k=K)
            self.assert_same(result, find(query, here, vectors, k=COUNT), query)
            assert result.cost.statement is not None
            assert text not in result.cost.statement

    @pytest.mark.parametrize("exclusion", ["drop", "strict", "rank"])
    def test_answers_and_their_evidence_of_words_are_those_of_a_scan(self, make_store, exclusion):
        """An engine reads no text: words are added to the best."""
        rng, embedder = np.random.default_rng(2), HashingEmbedder(DIMENSION)
        texts = [f"{' '.join(rng.choice(PHRASES, size=rng.integers(1, 5)))} id{i}" for i in range(2 * COUNT)]
        documents = [StoredDocument(self.make_id(i), text, {"kind": "x", "rank": i}) for i, text in enumerate(texts)]
        vectors = embedder.embed_documents(texts)
        there, here = (
            LogicalRetriever(store, embedder, k=4, exclusion=exclusion)
            for store in (make_store(documents, vectors), InMemoryStore(documents, vectors))
        )
        for text in ('"tea" AND NOT "milk"', '("tea" AND NOT "milk") OR ("water" AND NOT "a pool")'):
            for query in (parse(text), ReadQuestion("tea without milk, nothing about pools", parse(text), "llm")):
                result, expected = there.search(query), here.search(query)
                assert result.cost.strategy == "engine"
                assert [one.id for one in result.documents] == [one.id for one in expected.documents]
                true = [one.score for one in expected.documents]
                assert [one.score for one in result.documents] == pytest.approx(true, abs=1e-3)
                assert result.cost.statement.splitlines()[0] in str(there.explain(query))

    def test_keys_come_back_as_they_are(self, make_store, id_type):
        documents, vectors = self.keyed(id_type)
        store, here = Recording(make_store(documents, vectors)), InMemoryStore(documents, vectors)
        texts = {document.id: document.text for document in documents}
        for query in map(parse, ("a AND b", "a AND NOT b", "(a OR b) AND NOT c")):
            result = find(query, store, letters(), k=len(documents))
            self.assert_same(result, find(query, here, letters(), k=len(documents)), query)
            assert (result.exact, len(result.documents)) == (True, len(documents))
            assert [d.text for d in result.documents] == [texts[d.id] for d in result.documents]
            assert_keys(in_id_order(store.named), in_id_order(texts))
            assert_keys(store.fetch(store.named).ids, store.named)

    def test_equal_scores_are_in_the_order_of_keys(self, make_store, id_type):
        documents, vectors = self.keyed(id_type)
        store = make_store(documents, np.repeat(vectors[:1], len(documents), axis=0))
        for way in (store, WithoutScan(store)):
            for k in (len(documents) // 2, len(documents)):
                result = over(way, {"A": vectors[0], "B": vectors[1]}, k=k).search(parse('"A" AND NOT "B"'))
                ids = [document.id for document in result.documents]
                assert_keys(ids, ids_of(documents)[:k] if result.exact else in_id_order(ids))

    def test_what_the_engine_cannot_say_is_computed_here(self, make_store):
        store = make_store(*self.corpus())
        assert isinstance(store, ScoringStore)
        result = find(parse('"a" AND "b"'), store, letters(), semantics="godel", words=None)
        assert result.cost.strategy == "nearest"

    def test_searches_from_eight_threads(self, make_store):
        store = make_store(*self.corpus())
        texts = ['"a" AND NOT "b"', '"b" AND "c"', '"c" AND NOT "a"'] * 8

        def answer(text):
            return [d.id for d in find(parse(text), store, letters(), k=K).documents]

        alone = [answer(text) for text in texts[:3]] * 8
        with ThreadPoolExecutor(max_workers=8) as pool:
            assert list(pool.map(answer, texts)) == alone

    def assert_same(self, result, all, query):
        """Compare with every document's score: those of the best, place by place, and of each document."""
        close = partial(pytest.approx, rel=self.tolerance, abs=self.tolerance)
        true = {document.id: document.score for document in all.documents}
        scores = [document.score for document in result.documents]
        # Scores rather than ids: rounding may exchange neighbours.
        assert scores == close(sorted(true.values(), reverse=True)[: len(scores)]), query
        assert scores == close([true[document.id] for document in result.documents]), query
        assert len(scores) >= min(K, len(true))


class Recording(WrappedStore):
    """A store that remembers what its engine named last."""

    named = ()

    def search_by_score(self, expression, n, filter=None):
        answer = self.store.search_by_score(expression, n, filter)
        self.named = answer.ids
        return answer


def letters():
    """Vectors of the terms, not of length 1."""
    rng = np.random.default_rng(3)
    return dict(zip(LETTERS, rng.normal(size=(len(LETTERS), DIMENSION)).astype(np.float32), strict=True))
