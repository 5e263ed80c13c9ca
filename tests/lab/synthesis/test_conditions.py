from itertools import product

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.synthesis import (
    hard_negatives,
    negated_terms,
    positive_conditions,
    query_templates,
    satisfies,
)
from logical_retriever.lab.synthesis.conditions import condition_of, disjuncts, is_open
from logical_retriever.query import Not, Or, Term, parse


def rows(conditions):
    return ["".join(condition.about) for condition in conditions]


@pytest.mark.parametrize("template", query_templates(3), ids=str)
def test_conditions_agree_with_pythons_own_logic(template):
    query = template.fill(("a", "b", "c"))
    source = str(template).lower().replace("t1", "a").replace("t2", "b").replace("t3", "c")
    table = {
        "".join(t for t, chosen in zip("abc", row, strict=True) if chosen): bool(
            eval(source, {}, dict(zip("abc", row, strict=True)))
        )
        for row in product((True, False), repeat=3)
    }
    positives = positive_conditions(query)
    negatives = hard_negatives(query, positives)
    assert all(table[row] for row in rows(positives))
    assert not any(table[row] for row in rows(negatives))
    true = sum(table.values())
    assert len(set(positives)) == len(positives) == min(3, true)
    assert 1 <= len(set(negatives)) == len(negatives) <= 3
    for negative in negatives:
        assert min(len({*negative.about} ^ {*positive.about}) for positive in positives) == 1
    for condition in (*positives, *negatives):
        assert sorted((*condition.about, *condition.not_about)) == ["a", "b", "c"]


def test_the_paper_s_example():
    query = parse('("mouse" OR "dog") AND NOT "cat"')
    assert set(disjuncts(query)) == {
        frozenset({("mouse", True), ("cat", False)}),
        frozenset({("dog", True), ("cat", False)}),
    }
    positives = positive_conditions(query)
    assert [c.about for c in positives] == [("mouse",), ("dog",), ("mouse", "dog")]
    assert ("mouse", "cat") in [c.about for c in hard_negatives(query, positives)]


def test_every_disjunct_has_a_document_of_its_own():
    assert rows(positive_conditions(parse('"a" AND "b" OR "c"'))) == ["ab", "c", "ac"]
    assert rows(positive_conditions(parse('"a" OR "b" OR "c"'))) == ["a", "b", "c"]
    assert rows(positive_conditions(parse('NOT "a" OR NOT "b" OR NOT "c"'))) == ["bc", "ac", "ab"]


def test_limits_are_kept():
    query = parse('"a" OR "b" OR "c" OR "d"')
    positives = positive_conditions(query, limit=2)
    assert rows(positives) == ["a", "b"]
    assert rows(hard_negatives(parse('"a" AND "b" AND "c"'), [condition_of("abc", "abc")], limit=1)) == ["bc"]


def test_negation_of_a_group_and_of_a_negation():
    query = Not(Or((Term("a"), Not(Term("b")))))
    assert disjuncts(query) == (frozenset({("a", False), ("b", True)}),)
    assert negated_terms(query) == {"a"}
    assert negated_terms(Not(Not(Term("a")))) == set()
    assert satisfies(query, ("b",))
    assert not satisfies(query, ("a", "b"))


def test_contradictions_have_no_documents():
    query = parse('"a" AND NOT "a"')
    assert disjuncts(query) == ()
    assert positive_conditions(query) == ()
    assert hard_negatives(query, ()) == ()


def test_an_open_query_is_satisfied_by_a_document_about_none_of_its_terms():
    opened = [str(t) for t in query_templates(3) if is_open(t.fill("abc"))]
    assert len(opened) == 18
    assert "t1 AND t2 OR NOT t3" in opened
    assert "t1 AND NOT t2 AND NOT t3" not in opened


def test_a_table_too_large_is_refused():
    with pytest.raises(InvalidArgumentError, match="13 distinct terms"):
        positive_conditions(parse(" OR ".join(f'"{n}"' for n in range(13))))
