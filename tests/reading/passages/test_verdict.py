"""A verdict's five probabilities."""

from fractions import Fraction

import numpy as np
import pytest

from logical_retriever import Verdict
from logical_retriever.errors import InvalidArgumentError


def states(verdict):
    return [verdict.has, verdict.denies, verdict.open, verdict.absent]


SUMS = [
    *((1, 0, 0, 0, True), (0.25, 0.25, 0.25, 0.25, 0), (0.33, 0.33, 0.33, 0, 1), (0.3, 0.3, 0.3, 0.115, 0.5)),
    *(tuple(np.float32([0.1, 0.2, 0.3, 0.4, 0.5])), (Fraction(1, 3), Fraction(2, 3), 0, 0, 0)),
]


@pytest.mark.parametrize("values", SUMS)
def test_states_add_up_to_one_and_are_floats(values):
    verdict = Verdict(*values)
    assert sum(states(verdict)) == pytest.approx(1, abs=1e-9)
    assert states(verdict) == pytest.approx([float(value) for value in values[:4]], abs=0.02)
    assert verdict.about == values[4]
    assert {type(value) for value in vars(verdict).values()} == {float}


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.1, 1.1, "0.2", None, 10**400, np.array([0.2])])
@pytest.mark.parametrize("field", ["has", "absent", "about"])
def test_what_is_no_probability_is_refused(field, bad):
    with pytest.raises(InvalidArgumentError, match="five probabilities"):
        Verdict(**{"has": 0.2, "denies": 0.3, "open": 0.3, "absent": 0.2, "about": 0.5, field: bad})


@pytest.mark.parametrize("values", [(0.3, 0.3, 0.3, 0.13), (0.3, 0.3, 0.3, 0.07), (0, 0, 0, 0), (1, 1, 1, 1)])
def test_sums_that_are_off_are_refused(values):
    with pytest.raises(InvalidArgumentError, match="add up to 1"):
        Verdict(*values, about=0.5)
