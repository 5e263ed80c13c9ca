"""No document whose cosines lie in the intervals scores above the bound."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, LETTERS, queries

from logical_retriever.errors import SemanticsError
from logical_retriever.query import Term, parse
from logical_retriever.semantics import (
    CalibratedSemantics,
    Composition,
    Evidence,
    NullDistributions,
    Semantics,
    get_semantics,
)
from logical_retriever.semantics.bounds import polarities_apart
from logical_retriever.semantics.nsfl import NsflSemantics

NULLS = NullDistributions(means=np.array([0.05, 0.1, 0.0, 0.2]), deviations=np.array([0.08, 0.1, 0.05, 0.2]))


@settings(max_examples=600, deadline=None)
@given(query=queries(), semantics=st.sampled_from(BOUNDED), seed=st.integers(0, 2**32 - 1), narrow=st.booleans())
def test_no_point_of_a_box_scores_above_its_bound(query, semantics, seed, narrow):
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.uniform(-1, 1, (2, 4, 1)), axis=0)
    if narrow:
        ends[1] = np.minimum(ends[0] + 0.05, 1.0)
    low, high = (Evidence(LETTERS, end, NULLS) for end in ends)
    bound = semantics.upper_bounds(query, low, high)
    assert bound.shape == (1,)
    inside = rng.uniform(ends[0], ends[1], (4, 200))
    inside[:, :100] = np.where(rng.random((4, 100)) < 0.5, ends[0], ends[1])  # corners
    scores = semantics.compose(query, Evidence(LETTERS, inside, NULLS)).scores
    assert scores.max() <= bound[0] + 1e-9 * max(1.0, abs(bound[0]))


@settings(max_examples=300, deadline=None)
@given(
    query=queries(),
    words=st.sampled_from([0.2, 0.5, 0.8, 1.0]),
    asked=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_no_point_of_a_box_of_cosines_and_words_scores_above_its_bound(query, words, asked, seed):
    semantics, question = CalibratedSemantics(words=words), LETTERS[3] if asked else None
    rng = np.random.default_rng(seed)
    bags = semantics.lexical(query, question)
    cosines = np.sort(rng.uniform(-1, 1, (2, 4, 1)), axis=0)
    lexical = np.sort(rng.uniform(0, 6, (2, len(bags), 1)), axis=0)

    def evidence(cosines, lexical):
        return Evidence(LETTERS, cosines, NULLS, dict(zip(bags, lexical, strict=True)), question)

    bound = semantics.upper_bounds(query, evidence(cosines[0], lexical[0]), evidence(cosines[1], lexical[1]))
    inside = rng.uniform(cosines[0], cosines[1], (4, 100)), rng.uniform(lexical[0], lexical[1], (len(bags), 100))
    assert semantics.scores(query, evidence(*inside)).max() <= bound[0] + 1e-9 * max(1.0, abs(bound[0]))
    point = evidence(cosines[1], lexical[0])
    np.testing.assert_allclose(semantics.upper_bounds(query, point, point), semantics.scores(query, point), rtol=1e-9)


@settings(max_examples=200, deadline=None)
@given(query=queries(), semantics=st.sampled_from(BOUNDED), seed=st.integers(0, 2**32 - 1))
def test_the_bound_of_a_point_is_its_score(query, semantics, seed):
    point = Evidence(LETTERS, np.random.default_rng(seed).uniform(-1, 1, (4, 3)), NULLS)
    np.testing.assert_allclose(
        semantics.upper_bounds(query, point, point), semantics.compose(query, point).scores, rtol=1e-9, atol=1e-9
    )


def test_the_question_counts_as_wanted():
    semantics, query = get_semantics("calibrated"), parse('"a" AND NOT "b"')
    nulls = NullDistributions(np.zeros(3), np.full(3, 0.1))

    def evidence(*cosines):
        return Evidence(("a", "b", "q"), np.array(cosines)[:, None], nulls, question="q")

    bound = semantics.upper_bounds(query, evidence(0, 0, 0), evidence(0.5, 0.5, 0.5))
    assert bound == semantics.compose(query, evidence(0.5, 0.0, 0.5)).scores


def test_names_of_negated_texts_never_meet_other_texts():
    query = Term("a") & ~Term("a") & Term("a [negated]")
    renamed, originals = polarities_apart(query)
    assert len(renamed.terms()) == 3
    assert list(originals.values()) == ["a"]


def test_a_text_of_unknown_direction_is_refused():
    class Fusing(Semantics):
        name = "fusing"
        monotone = True

        def texts(self, query, question=None):
            return (*query.terms(), " and ".join(query.terms()))

        def compose(self, query, evidence):
            return Composition(evidence.cosines[-1])

    query = parse('"a" AND NOT "b"')
    evidence = Evidence(Fusing().texts(query), np.zeros((3, 1)))
    with pytest.raises(SemanticsError, match="made of negated terms"):
        Fusing().upper_bounds(query, evidence, evidence)


def test_nsfl_promises_no_bound():
    assert not NsflSemantics().bounded
