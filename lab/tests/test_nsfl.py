import numpy as np
import pytest

from lab.nsfl import NsflSemantics
from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.query import parse
from logical_retriever.scoring import Evidence


def composed(form: str, rows: dict[str, list[float]], **parameters: str) -> list[float]:
    semantics = NsflSemantics(**parameters)  # type: ignore[arg-type]
    query = parse(form)
    texts = semantics.texts(query)
    assert set(texts) == set(rows)
    evidence = Evidence(texts, np.array([rows[text] for text in texts]))
    return semantics.compose(query, evidence).tolist()


AB = {"a": [0.6], "b": [0.8], "a and b": [0.7]}
ABC = {"a": [0.6], "b": [0.5], "c": [0.8], "a and b": [0.7], "a and b and c": [0.9]}
NEITHER = {"a": [0.6], "b": [0.1], "c": [0.1], "b and c": [0.4], "a and b and c": [0.7]}
SCALED = {"a": [0.6, 0.6], "b": [0.0, 1.0], "a and b": [0.4, 0.8]}


@pytest.mark.parametrize(
    ("form", "rows", "parameters", "expected"),
    [
        # AND adds what the weaker atom adds: 0.7 + (0.7 - 0.6); 0.5 + (0.5 - 0.6); reinforcement: 0.3 >= 0.1 + 0.1.
        ('"a" AND "b"', {"a": [0.6, 0.6, 0.1], "b": [0.4, 0.4, 0.1], "a and b": [0.7, 0.5, 0.3]}, {}, [0.8, 0.4, 0.3]),
        # OR takes the best unless the fusion departs.
        (
            '"a" OR "b"',
            {"a": [0.6, 0.6], "b": [0.4, 0.4], "a and b": [0.5, 0.3], "a or b": [0.65, 0.9]},
            {},
            [0.65, 0.4],
        ),
        # An AND of three adds both weaker atoms.
        (
            '"a" AND "b" AND "c"',
            {
                **{"a": [0.6], "b": [0.5], "c": [0.4], "a and b and c": [0.7]},
                **{"b and c": [0.55], "a and c": [0.62], "a and b": [0.66]},
            },
            {},
            [0.7 + (0.7 - 0.62) + (0.7 - 0.66)],
        ),
        # AND(a, b) = 0.7 + 0.1; confidence 1; the fusion with c adds 0.2.
        ('"a" AND "b" AND NOT "c"', ABC, {}, [0.8 - 0.2]),
        # Several negated terms are one fused text.
        ('"a" AND NOT "b" AND NOT "c"', NEITHER, {}, [0.5]),
        ('"a" AND NOT ("b" OR "c")', {**NEITHER, "b or c": [0.0]}, {}, [0.5]),
        # An OR does not fuse the negated term back in; a penalty inside a part is kept outside.
        ('("a" AND NOT "b") OR "c"', {**AB, "c": [0.2]}, {}, [0.5]),
        ('("a" AND NOT "b") AND "c"', {**AB, "c": [0.5], "a and c": [0.7]}, {}, [0.7 + 0.1 - 0.1]),
        # A lone NOT is the complement.
        ('NOT "a"', {"a": [0.25, -0.5]}, {}, [0.75, 1.0]),
        ('NOT "a" AND NOT "b"', {"a": [0.25], "b": [0.5]}, {}, [0.5]),
        ('NOT NOT "a"', {"a": [0.25]}, {}, [0.25]),
        ('"a" AND "b"', {"a": [0.6], "b": [0.4], "a that are also b": [0.7]}, {"wording": "that are also"}, [0.8]),
        # The scale decides what an unrelated text weighs. S = (1 + s)/2: 0.8, confidence 0.5 / 1, delta 0.7 - 0.8; not
        # a departure, since 0.7 is above 0.5.
        ('"a" AND NOT "b"', SCALED, {}, [0.6, 0.4]),
        # No document is similar to the negated term: it costs nothing.
        ('"a" AND NOT "b"', {"a": [0.6, 0.5], "b": [-0.1, 0.0], "a and b": [0.7, 0.6]}, {}, [0.6, 0.5]),
        ('"a" AND NOT "b"', {"a": [], "b": [], "a and b": []}, {}, []),
    ],
)
def test_scores_are_those_of_the_paper(form, rows, parameters, expected):
    assert composed(form, rows, **parameters) == pytest.approx(expected)


def test_an_unknown_wording_is_refused():
    with pytest.raises(InvalidArgumentError, match="no wording 'plus'"):
        NsflSemantics("plus")


def test_missing_evidence_is_named():
    with pytest.raises(SemanticsError, match="'a and b'"):
        NsflSemantics().compose(parse('"a" AND "b"'), Evidence(("a", "b"), np.zeros((2, 1))))
