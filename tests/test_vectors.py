"""Vectors of any length that float32 can hold take part by their direction, whatever compares them."""

import numpy as np
import oracle
import pytest
from random_stores import filled, random_terms, random_vectors
from searching import find

from logical_retriever.embedding import embed_texts
from logical_retriever.query import parse
from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.vectors import cosines, nearest, precise_cosines, scales_of

LENGTHS = (1e-36, 1e-25, 1e-16, 1e-3, 1.0, 1e14, 1e16, 1e25, 3e37)


@pytest.fixture
def rng():
    return np.random.default_rng(6)


def of_all_lengths(rng, count, dimension=6):
    return (random_vectors(rng, count, dimension).T * rng.choice(LENGTHS, count)).T.astype(np.float32)


def true_cosines(queries, documents):
    return [[oracle.cosine(q, d) for d in documents.tolist()] for q in queries.tolist()]


def test_cosines_are_those_of_the_directions(rng):
    queries, documents = of_all_lengths(rng, 5), of_all_lengths(rng, 60)
    expected = true_cosines(queries, documents)
    np.testing.assert_allclose(precise_cosines(queries, documents), expected, atol=1e-9)
    np.testing.assert_allclose(cosines(queries, documents), expected, atol=1e-6)
    scales = scales_of(documents)
    np.testing.assert_allclose(cosines(queries, documents, scales), expected, atol=1e-6)
    [(found, _)] = nearest(queries[:1], documents, 60, scales)
    assert found.tolist() == np.argsort(-np.array(expected[0]), kind="stable").tolist()


@pytest.mark.parametrize("text", ['"a"', '"a" AND NOT "b"', '("a" OR "b") AND NOT "c"'])
def test_exact_answers_are_the_true_best(rng, text):
    documents, terms = of_all_lengths(rng, 300), random_terms(rng)
    store = filled(InMemoryStore, documents)
    [ids] = store.search(terms["a"][None], 300)[0]
    [batch] = store.scan()
    stored = dict(zip(batch.ids, documents.tolist(), strict=True))
    given = {name: row.tolist() for name, row in terms.items()}
    result = find(parse(text), store, terms, k=10)
    expected = oracle.ranking(parse(text), given, stored, "product", 10)
    assert len(ids) == 300
    assert result.exact
    assert [document.id for document in result.documents] == [id for id, _ in expected]
    assert [document.score for document in result.documents] == pytest.approx([s for _, s in expected], abs=1e-9)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_is_compared_by_its_direction(rng, length):
    terms, documents = random_terms(rng), random_vectors(rng, 50)
    given = embed_texts(GivenEmbedder({"a": (terms["a"] * length).astype(np.float32)}), ["a"])
    np.testing.assert_allclose(precise_cosines(given, documents), true_cosines(terms["a"][None], documents), atol=1e-6)


def test_a_vector_too_short_for_float32_counts_as_zero():
    short = np.array([[1e-40, 0.0], [1e-36, 0.0]], np.float32)
    assert scales_of(short).tolist() == [0.0, pytest.approx(1e36, rel=1e-3)]
    assert cosines(short[1:], short).tolist() == [[0.0, 1.0]]
