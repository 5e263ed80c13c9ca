from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation.measures import rank


def ranked(scores: list[float], depth: int = 10, ids: str = "abcd") -> tuple[str, ...]:
    return rank(np.array(scores), ids, depth)


def test_best_first_and_no_deeper_than_asked():
    assert ranked([0.1, 0.4, 0.3, 0.2]) == ("b", "c", "d", "a")
    assert ranked([0.1, 0.4, 0.3, 0.2], depth=2) == ("b", "c")
    assert ranked([-1.0, 0.0, -0.5, -2.0], depth=3) == ("b", "c", "a")


def test_a_document_that_was_not_retrieved_is_not_ranked():
    assert ranked([0.1, -np.inf, 0.3, -np.inf], depth=3) == ("c", "a")
    assert ranked([-np.inf] * 4) == ()


def test_ties_do_not_depend_on_where_documents_stand():
    whole = ranked([1.0] * 4)
    assert sorted(whole) == list("abcd")
    assert ranked([1.0] * 4, ids="cadb") == whole
    assert ranked([1.0] * 4, depth=2) == whole[:2]
    pairs = [(f"d{2 * i}", f"d{2 * i + 1}") for i in range(1000)]
    assert 450 < sum(rank(np.zeros(2), pair, 1)[0] == pair[0] for pair in pairs) < 550


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(SemanticsError, match="1 of 4 scores are not numbers"):
        ranked([0.1, np.nan, 0.3, 0.2])
