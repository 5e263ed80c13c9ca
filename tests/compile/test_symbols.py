"""A stranger's semantics is pushed down as it stands; one that cannot be is refused, and what it does is named."""

from functools import reduce

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import LETTERS, queries
from random_stores import random_vectors

from logical_retriever.compile import evaluate, lower, symbols
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import And, Term, parse
from logical_retriever.semantics import (
    CalibratedSemantics,
    Composition,
    Evidence,
    GodelSemantics,
    NullDistributions,
    ProductSemantics,
    Semantics,
    gradients,
)
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.semantics.truth_functional import TruthFunctional
from logical_retriever.stores import DuckDBStore, InMemoryStore, StoredDocument
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.ranking_suite import DIMENSION
from logical_retriever.testing.searching import find


class Einstein(TruthFunctional):
    """Einstein product and sum, of truth values that are a curve over cosines."""

    name = "einstein"
    monotone = True

    def __init__(self):
        super().__init__(lambda cosines: (1.0 + np.tanh(3.0 * cosines)) / 2.0)

    def conjunction(self, x, y):
        return x * y / (2.0 - (x + y - x * y))

    def disjunction(self, x, y):
        return (x + y) / (1.0 + x * y)


class PNorm(Semantics):
    """The extended Boolean model of Salton, Fox and Wu (1983) with p = 2: operators of any number of operands."""

    name = "p-norm"
    monotone = True

    def compose(self, query, evidence):
        truth = evidence.cosines.clip(0.0, 1.0)
        terms = {Term(text): truth[evidence.row(text)] for text in query.terms()}

        def visit(node, parts):
            if isinstance(node, Term):
                return terms[node]
            if len(parts) == 1:
                return 1.0 - parts[0]
            values = np.stack([np.abs(part - isinstance(node, And)) for part in parts]).view(type(truth))
            mean = np.sqrt(np.mean(np.multiply(values, values), axis=0))
            return 1.0 - mean if isinstance(node, And) else mean

        return Composition(query.fold(visit), terms)


class Standardised(Semantics):
    """The least calibrated evidence: what a semantics of one's own does with null distributions."""

    name = "standardised"
    monotone = False
    calibrated = True

    def compose(self, query, evidence):
        strengths = evidence.nulls.standardise(evidence.cosines)
        return Composition(reduce(np.minimum, strengths), dict(zip(map(Term, evidence.texts), strengths, strict=True)))


OWN = [Einstein(), PNorm(), Standardised()]


@pytest.mark.parametrize("semantics", OWN, ids=lambda s: s.name)
@given(query=queries(max_leaves=8), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_any_semantics_in_elementwise_arithmetic_has_an_expression(semantics, query, seed):
    rng = np.random.default_rng(seed)
    texts = semantics.texts(query)
    nulls = NullDistributions(rng.uniform(-0.2, 0.2, len(texts)), rng.uniform(0.05, 0.2, len(texts)))
    cosines = rng.uniform(-1.0, 1.0, (len(texts), 50))
    expected = semantics.scores(query, Evidence(texts, cosines, nulls))
    np.testing.assert_allclose(evaluate(lower(query, semantics, nulls).expression, cosines), expected, atol=1e-9)


@pytest.fixture(scope="module")
def stores():
    vectors = random_vectors(np.random.default_rng(0), 1500, DIMENSION)
    documents = [StoredDocument(f"d{i:04}", f"text {i}") for i in range(len(vectors))]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[{DIMENSION}])")
        rows = [(d.id, d.text, v) for d, v in zip(documents, vectors.tolist(), strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
        yield DuckDBStore.from_table(connection, "docs"), InMemoryStore(documents, vectors)


@pytest.mark.parametrize("semantics", OWN, ids=lambda s: s.name)
@pytest.mark.parametrize("text", ['"a" AND NOT "b"', '("a" OR "b") AND "c" AND NOT "d"', 'NOT ("a" AND "b") OR "c"'])
def test_an_engine_ranks_by_a_semantics_of_ones_own_as_memory_does(stores, semantics, text):
    there, here = stores
    query = parse(text)
    found = find(query, there, letters(), semantics, k=20, pushdown="auto")
    expected = find(query, here, letters(), semantics, k=20)
    assert found.plan.strategy == "pushdown"
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]
    assert [d.score for d in found.documents] == pytest.approx([d.score for d in expected.documents], abs=1e-5)
    assert found.exact == semantics.monotone


class Own(ProductSemantics):
    """Product logic with another conjunction; see the subclasses."""


class Nilpotent(Own):
    def conjunction(self, x, y):
        return np.where(x + y > 1.0, np.minimum(x, y), 0.0)


class BestIsOne(Own):
    def conjunction(self, x, y):
        return x * y / (1.0 + np.max(x))


class Sorted(Own):
    def conjunction(self, x, y):
        return np.sort([x, y], axis=0)[0]


class Powers(Own):
    def conjunction(self, x, y):
        return (x * y) ** 0.3


class Unguarded(Own):
    def conjunction(self, x, y):
        return x * y / (x + y - x * y)


class Branching(Own):
    def conjunction(self, x, y):
        return x * y if (x < y).all() else y


class Numbers(Own):
    def conjunction(self, x, y):
        return np.asarray(x, dtype=np.float64) * y


class OwnCalibrated(CalibratedSemantics):
    """A subclass may compose in a way of its own: the form of its parent is not taken for it."""


@pytest.mark.parametrize(
    ("semantics", "named"),
    [
        (NsflSemantics(), r"'nsfl' \(NsflSemantics\).*numpy\.greater"),
        (OwnCalibrated(), r"OwnCalibrated.*numpy\.less has no expression"),
        (Nilpotent(), r"Nilpotent.*numpy\.greater has no expression"),
        (BestIsOne(), r"BestIsOne.*each document by itself"),
        (Sorted(), "Sorted.*not supported between"),
        (Powers(), r"Powers.*numpy\.power has no expression"),
        (Unguarded(), "Unguarded.*invalid value encountered in divide"),
        (Branching(), r"Branching.*numpy\.less has no expression"),
        (Numbers(), "Numbers.*real number, not 'Maximum'"),
        (ProductSemantics(np.cos), r"numpy\.cos has no expression"),
    ],
)
def test_what_has_no_expression_is_refused_and_named(semantics, named):
    nulls = NullDistributions(np.zeros(2), np.ones(2))
    with pytest.raises(UnsupportedByEngineError, match=named):
        lower(parse("a AND b"), semantics, nulls)


def test_what_has_a_derivative_has_an_expression():
    assert {"clip", *(ufunc.__name__ for ufunc in gradients._SLOPES)} == set(symbols._FUNCTIONS)


def test_operands_that_are_read_twice_are_refused_before_they_are_too_many():
    class Twice(GodelSemantics):
        def disjunction(self, x, y):
            return x + y - x * y

    few, many = (reduce(lambda x, y: x | y, [Term(text) for text in LETTERS * n]) for n in (1, 16))
    assert lower(few, Twice()).expression.size > 16
    with pytest.raises(UnsupportedByEngineError, match="more than 10000 parts"):
        lower(many, Twice())


def test_a_score_that_looks_at_no_cosine_is_a_constant():
    class Same(GodelSemantics):
        def scores(self, query, evidence):
            return np.full(evidence.cosines.shape[1], 0.25)

    assert evaluate(lower(Term("a"), Same()).expression, np.zeros((1, 3))).tolist() == [0.25] * 3
