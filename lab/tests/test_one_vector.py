"""Ascent on the sphere against optima that are known, and the two objectives it is used for."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import queries

from lab.one_vector import TOLERANCE, ascend, decomposed, most_possible, moved_vector, spherical_optimum
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import parse
from logical_retriever.scoring import SEMANTICS, Evidence, NullDistributions, get_semantics


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def test_the_top_of_a_quadratic_form_is_its_first_eigenvector():
    rng = np.random.default_rng(1)
    form = rng.normal(size=(30, 30))
    form = form @ form.T / 30

    def objective(points):
        return np.einsum("sd,sd->s", points @ form, points), 2.0 * points @ form

    how = ascend(objective, unit(rng.normal(size=(5, 30))), max_iterations=500)
    values, vectors = np.linalg.eigh(form)
    assert how.converged
    assert how.objective == pytest.approx(values[-1], rel=1e-4)
    assert abs(how.vector @ vectors[:, -1]) == pytest.approx(1.0, abs=1e-3)
    assert np.linalg.norm(how.vector) == pytest.approx(1.0)


def cosines(query, point, rows, semantics):
    texts = semantics.texts(query)
    return evidence(texts, rows[: len(texts)] @ point[:, None])


def evidence(texts, cosines):
    found = nulls(len(texts))
    return Evidence(texts, cosines, found, strongest=most_possible(texts, found))


def nulls(count):
    return NullDistributions(np.linspace(0.0, 0.2, count), np.full(count, 0.08))


@pytest.mark.parametrize("name", list(SEMANTICS))
@settings(max_examples=25, deadline=None)
@given(query=queries(max_leaves=5), seed=st.integers(0, 2**32 - 1))
def test_no_point_nearby_scores_higher(name, query, seed):
    rng = np.random.default_rng(seed)
    semantics = get_semantics(name)
    texts = semantics.texts(query)
    rows = unit(rng.normal(size=(len(texts), 6)) + 0.5)
    how = spherical_optimum(query, semantics, rows.astype(np.float32), nulls=nulls(len(texts)))
    point = how.vector
    found = semantics.compose(query, cosines(query, point, rows, semantics))[0]
    assert found == pytest.approx(how.objective, rel=1e-5, abs=1e-5)
    # Never below where it began, and no random step away is much better.
    starts = rows[[texts.index(text) for text in semantics.wanted_texts(query)]]
    if len(starts):
        begun = semantics.compose(query, cosines(query, unit(starts.sum(axis=0)), rows, semantics))[0]
        assert found >= begun - 1e-5
    # Corners of a minimum, which the calibrated AND has as well, and plateaus stop any gradient.
    level = how.gradient_norm <= TOLERANCE * (1.0 + abs(how.objective))
    if how.converged and level and name not in ("godel", "lukasiewicz"):
        near = unit(point + 0.02 * unit(rng.normal(size=(50, 6))))
        assert semantics.compose(query, evidence(texts, rows @ near.T)).max() <= found + 0.01 * (1.0 + abs(found))


@pytest.mark.parametrize("semantics", list(map(get_semantics, SEMANTICS)))
@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ('"a" AND NOT "a"', [[1.0, 0.0, 0.0]]),
        ('"a" AND "b"', [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]),  # no centroid
        ('"a" AND NOT "b"', [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
        ('"a" AND NOT "b"', [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        ('NOT "a"', [[1.0, 0.0, 0.0]]),
        ('"a" AND NOT "b"', [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        ('"a" AND NOT "b"', [[2.0], [-1.0]]),  # one dimension: a sphere of two points
    ],
)
def test_degenerate_vectors_still_give_a_direction(semantics, form, rows):
    query = parse(form)
    texts = semantics.texts(query)
    vectors = np.array([rows[i % len(rows)] for i in range(len(texts))], dtype=np.float32)
    how = spherical_optimum(query, semantics, vectors, nulls=nulls(len(texts)))
    assert np.linalg.norm(how.vector) == pytest.approx(1.0)
    assert np.isfinite([how.objective, how.gradient_norm]).all()


def test_a_query_is_decomposed_into_what_it_wants_and_what_not():
    query = parse('("a" AND NOT "b") OR NOT ("c" AND NOT "d")')
    assert decomposed(query, "the question") == ("the question", ("a", "d"), ("b", "c"))
    assert decomposed(query)[0] == "a and d"
    assert decomposed(parse('NOT "b"'), "q") == ("q", ("q",), ("b",))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.25, 2.0]), st.sampled_from([0.1, 0.5]))
def test_the_moved_vector_has_the_least_loss_around(seed, weight, temperature):
    rng = np.random.default_rng(seed)
    q, *others = unit(rng.normal(size=(4, 5)) + 0.4)
    p, n = np.array(others[:2]), np.array(others[2:])

    def loss(u):
        wanted, unwanted = (np.exp(u @ x.T / temperature).sum(axis=-1) for x in (p, n))
        return -np.log(wanted / (wanted + unwanted)) + weight * np.sum((u - q) ** 2, axis=-1)

    how = moved_vector(q, p, n, weight=weight, temperature=temperature)
    u = how.vector
    assert how.objective == pytest.approx(-loss(u), abs=1e-5)
    assert loss(u) <= loss(q) + 1e-9
    assert loss(u) <= loss(unit(u + 0.05 * rng.normal(size=(100, 5)))).min() + 2e-3


def test_conditions_have_no_vector():
    query = parse('"tea" AND [year > 1990]')
    with pytest.raises(InvalidArgumentError, match="SQO knows terms alone"):
        spherical_optimum(query, get_semantics("product"), np.eye(3))
    with pytest.raises(InvalidArgumentError, match="DEO knows terms alone"):
        decomposed(query)
