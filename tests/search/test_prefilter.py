"""What a scan leaves uncomposed cannot be among the best."""

from dataclasses import replace

import numpy as np
import pytest

from logical_retriever.query import parse
from logical_retriever.search import Problem
from logical_retriever.search.scan.prefilter import Prefilter
from logical_retriever.semantics import CalibratedSemantics, Evidence, ItlrSemantics, NullDistributions
from logical_retriever.vectors.approximate import ApproximateCosines

SEMANTICS = CalibratedSemantics()
QUESTION = "what was asked"
COUNT = 5000
FORMS = (
    '"a" AND NOT "b"',
    '("a" OR "b") AND NOT "c"',
    '"a" AND "b" AND NOT ("c" OR "d")',
    '("a" AND NOT "b") OR ("c" AND NOT "d")',
    '"a" AND NOT ("a" AND "b")',
    '"a" OR NOT "b"',
)


def case(form, question, *, seed=0, semantics=SEMANTICS):
    query = parse(form)
    texts = semantics.texts(query, question)
    cosines = np.clip(np.random.default_rng(seed).normal(0.1, 0.1, size=(len(texts), COUNT)), -1.0, 1.0)
    nulls = NullDistributions(np.full(len(texts), 0.1), np.full(len(texts), 0.1))
    scores = semantics.compose(query, Evidence(texts, cosines, nulls, question=question)).scores
    problem = replace(Problem.of(query, semantics, question), nulls=nulls)
    return Prefilter(problem), measured(problem, cosines, np.random.default_rng(seed)), scores


def measured(problem, cosines, rng):
    """Cosines of the wanted texts, each document's as far from the true ones as it says."""
    errors = rng.uniform(0.0, 0.01, size=COUNT).astype(np.float32)
    wanted = cosines[list(problem.wanted)]
    return ApproximateCosines(
        (wanted + errors * rng.uniform(-0.99, 0.99, size=wanted.shape)).astype(np.float32), errors
    )


@pytest.mark.parametrize("question", [None, QUESTION])
@pytest.mark.parametrize("form", FORMS)
def test_all_that_reach_the_floor_pass(form, question):
    chosen = 0
    for seed in range(5):
        prefilter, approximate, scores = case(form, question, seed=seed)
        for place in (0, 3, 30, 300):
            floor = np.sort(scores)[::-1][place]
            rows = prefilter.rows_above(approximate, floor)
            if rows is None:
                continue
            chosen += 1
            assert np.all(np.diff(rows) > 0)
            assert set(np.flatnonzero(scores >= floor)) <= set(rows.tolist())
            assert len(rows) < 0.6 * COUNT
    assert chosen > 0


@pytest.mark.parametrize("form", FORMS)
def test_limits_of_one_block_hold_in_every_other(form):
    prefilter, first, scores = case(form, QUESTION, seed=1)
    floor = scores.max()
    assert prefilter.rows_above(first, floor) is not None
    for seed in range(2, 6):
        _, approximate, scores = case(form, QUESTION, seed=seed)
        # Another kind of documents than those that the limits were taken from.
        rows = prefilter.rows_above(approximate, floor)
        assert set(np.flatnonzero(scores >= floor)) <= set(rows.tolist())


def test_a_floor_that_any_document_may_reach_leaves_none_out():
    prefilter, approximate, scores = case(FORMS[0], None)
    assert prefilter.rows_above(approximate, scores.min()) is None
    assert prefilter.rows_above(approximate, -np.inf) is None


def test_without_a_wanted_text_all_are_composed():
    prefilter, approximate, scores = case('NOT "a"', None)
    assert prefilter.rows_above(approximate, scores.max()) is None


def test_every_bounded_semantics_leaves_documents_out():
    prefilter, approximate, scores = case(FORMS[0], None, semantics=ItlrSemantics(clip=True))
    rows = prefilter.rows_above(approximate, scores.max())
    assert set(np.flatnonzero(scores >= scores.max())) <= set(rows.tolist())
    assert prefilter.few
