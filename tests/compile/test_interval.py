"""Intervals hold every value that an expression takes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import queries

from logical_retriever.compile import evaluate
from logical_retriever.compile.expression import Cosine, Divide, Exp, Log, Log1p, Maximum, Minimum, Sqrt
from logical_retriever.compile.interval import EVERYTHING, Interval, check_score
from logical_retriever.compile.lower import lower
from logical_retriever.compile.versions import parse_version, require_version
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError
from logical_retriever.semantics import NullDistributions
from logical_retriever.testing.compiler_corpus import SEMANTICS

X = Cosine(0)


@pytest.mark.parametrize("name", SEMANTICS)
@given(query=queries(max_leaves=10), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_every_score_lies_within(name, query, seed):
    rng = np.random.default_rng(seed)
    count = len(SEMANTICS[name].texts(query))
    nulls = NullDistributions(rng.uniform(-0.2, 0.3, count), rng.uniform(0.05, 0.4, count))
    expression = lower(query, SEMANTICS[name], nulls).expression
    low, high = expression.values
    corners = rng.choice([-1.0, 0.0, 1.0], size=(count, 20))
    values = evaluate(expression, np.hstack([corners, rng.uniform(-1, 1, size=(count, 20))]))
    assert math.isfinite(low)
    assert math.isfinite(high)
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    assert (values >= low - slack).all()
    assert (values <= high + slack).all()


@pytest.mark.parametrize("name", ["product", "product-logistic", "godel", "lukasiewicz", "hamacher"])
@given(query=queries(max_leaves=10))
@settings(max_examples=20, deadline=None)
def test_truth_values_are_known_not_to_be_negative(name, query):
    assert lower(query, SEMANTICS[name]).expression.values.low >= 0.0


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (X * 2.0 - 1.0, (-3.0, 1.0)),
        (-(X + 3.0), (-4.0, -2.0)),
        (Minimum.of(X, 0.5), (-1.0, 0.5)),
        (Maximum.of(X, 0.0), (0.0, 1.0)),
        (1.0 / (X + 3.0), (0.25, 0.5)),
        (Exp(X * 0.0), (1.0, 1.0)),
        (Log(X + 2.0), (0.0, math.log(3.0))),
        (Log1p(X * 0.25 + 0.5), (math.log(1.25), math.log(1.75))),
        (1.0 / X, (-math.inf, math.inf)),
        (Log(X), (-math.inf, 0.0)),
        (Sqrt(X + 1.0), (0.0, math.sqrt(2.0))),
        (Sqrt(X), (-math.inf, 1.0)),
        (Exp(X * 800.0), (math.exp(-800.0), math.inf)),
    ],
)
def test_operators(expression, expected):
    assert expression.values == pytest.approx(expected)


def test_what_is_not_known_is_infinite():
    assert Divide.interval(EVERYTHING, EVERYTHING) == EVERYTHING


def test_scores_that_fit_no_single_precision():
    check_score("An engine", Interval(-1e38, 2.9e38))
    for wide in (Interval(-4e38, 0.0), Interval(0.0, math.inf)):
        with pytest.raises(UnsupportedByEngineError, match="An engine keeps scores in 32 bits"):
            check_score("An engine", wide)


def test_versions():
    assert parse_version("1.20") == parse_version("v1.20.3-rc1") == (1, 20)
    with pytest.raises(InvalidArgumentError, match="'new' is not a version"):
        parse_version("new")
    require_version("An engine", None, (2, 0), "wheels")
    require_version("An engine", (2, 10), (2, 9), "wheels")
    with pytest.raises(UnsupportedByEngineError, match=r"An engine 2\.9 has no wheels; it came with An engine 2\.10"):
        require_version("An engine", (2, 9), (2, 10), "wheels")
