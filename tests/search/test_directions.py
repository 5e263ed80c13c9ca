"""Directions made of texts rank as the weighted sum of the cosines does, and point uphill."""

import numpy as np
import pytest
from random_stores import random_vectors

from logical_retriever.query import parse
from logical_retriever.search import Problem
from logical_retriever.search.lists.directions import SHOWN, Directions
from logical_retriever.semantics import ItlrSemantics, get_semantics
from logical_retriever.vectors import precise_cosines


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def made(text, vectors, semantics="itlr", texts=None):
    query = parse(text)
    problem = Problem.of(query, get_semantics(semantics))
    return Directions(problem.encoded(query.terms() if texts is None else texts, vectors))


def test_the_weighted_cosines_are_the_cosine_with_the_direction(rng):
    vectors, documents = 3.0 * random_vectors(rng, 2, 32), random_vectors(rng, 50, 32)
    direction = made('"a" AND NOT "b"', vectors).uphill(np.array([[0.6], [0.3]]))
    assert np.linalg.norm(direction.vector) == pytest.approx(1.0, abs=1e-6)
    expected = precise_cosines(direction.vector[None], documents)[0]
    np.testing.assert_allclose(direction.weights @ precise_cosines(vectors, documents), expected, atol=2.0**-22)
    # The gradient of a(1 - b), up to its length.
    assert direction.weights[1] / direction.weights[0] == pytest.approx(-0.6 / 0.7)
    assert direction.row is None


def test_texts_that_nearly_cancel_lose_no_more_to_rounding(rng):
    one, documents = random_vectors(rng, 1, 64), random_vectors(rng, 500, 64)
    vectors = np.concatenate([one, one + 0.12 * random_vectors(rng, 1, 64)])
    direction = made('"a" AND NOT "b"', vectors).uphill(np.array([[0.5], [0.5]]))
    assert np.abs(direction.weights).sum() > 10
    expected = precise_cosines(direction.vector[None], documents)[0]
    np.testing.assert_allclose(direction.weights @ precise_cosines(vectors, documents), expected, atol=2.0**-23)


def test_names_say_what_is_added_to_what(rng):
    long = "x" * 100
    vectors = np.eye(2, 8, dtype=np.float32)
    direction = made(f'"a" AND NOT "{long}"', vectors).uphill(np.array([[0.5], [0.5]]))
    assert direction.name == f'0.71 "a" - 0.71 "{"x" * (SHOWN - 1)}…"'
    one, other = (made('"a" AND "b"', vectors).of_text("a", sign) for sign in (1, -1))
    assert (one.name, one.row, one.opposite) == ("a", 0, False)
    assert (other.name, other.row, other.opposite) == ("NOT a", 0, True)


def test_the_best_documents_are_averaged():
    """A minimum looks at one text of each document; over several it looks at both."""
    directions = made('"a" AND "b"', np.eye(2, 8, dtype=np.float32), "godel")
    cosines = np.array([[0.3, 0.6], [0.6, 0.3]])
    assert directions.uphill(cosines[:, :1]) is None
    assert directions.uphill(cosines).weights == pytest.approx([0.5**0.5, 0.5**0.5])


@pytest.mark.parametrize(
    ("vectors", "cosines"),
    [
        (np.eye(2, 8), [[-0.5], [-0.5]]),  # clipped: flat
        (np.eye(2, 8), [[0.0], [0.5]]),  # rises with one text alone
        ([[1.0, 0.0], [-1.0, 1e-3]], [[0.5], [0.5]]),  # the two cancel
        ([[1.0, 0.0], [0.0, 0.0]], [[0.0], [0.0]]),
        (np.eye(2, 8), np.empty((2, 0))),
    ],
)
def test_where_nothing_points_uphill_there_is_no_direction(vectors, cosines):
    directions = made('"a" AND "b"', np.array(vectors, dtype=np.float32), ItlrSemantics(clip=True))
    assert directions.uphill(np.array(cosines, dtype=float)) is None


def test_slopes_that_are_not_finite_are_left_out():
    class Broken(ItlrSemantics):
        def gradients(self, query, evidence):
            scores, slopes = super().gradients(query, evidence)
            slopes[:, 0] = np.nan
            return scores, slopes

    directions = made('"a" AND "b"', np.eye(2, 8, dtype=np.float32), Broken())
    assert directions.uphill(np.array([[0.5], [0.5]])) is None
    assert directions.uphill(np.array([[0.5, 0.3], [0.5, 0.3]])).weights == pytest.approx([0.5**0.5, 0.5**0.5])


def test_alike_and_towards_what_is_wanted():
    directions = made('"a" AND "b"', np.eye(2, 8, dtype=np.float32))
    one, near, other, away = (
        directions.uphill(np.array(point)[:, None]) for point in ([0.5, 0.5], [0.5, 0.505], [0.5, 0.3], [-0.5, -0.5])
    )
    assert directions.alike(one, near)
    assert not directions.alike(one, other)
    assert directions.towards_wanted(one)
    assert not directions.towards_wanted(away)
