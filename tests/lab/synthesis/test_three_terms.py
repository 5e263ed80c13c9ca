"""The queries of three terms, and the documents that they want: the paper's example, and all 32 templates."""

from collections import Counter
from itertools import product

import pytest

from logical_retriever.evaluation import load_sample
from logical_retriever.lab.synthesis.three_terms import (
    condition_of,
    disjuncts,
    hard_negatives,
    negated_terms,
    positive_conditions,
    query_templates,
    satisfies,
)
from logical_retriever.query import Not, Or, Term, parse


def test_three_terms_give_32_different_templates_with_0_to_3_negations():
    templates = query_templates(3)
    assert len(set(templates)) == len({str(t) for t in templates}) == 32
    assert Counter(t.negations for t in templates) == {0: 4, 1: 12, 2: 12, 3: 4}


@pytest.mark.parametrize(("terms", "count"), [(1, 2), (2, 8), (4, 128)])
def test_other_numbers_of_terms(terms, count):
    assert len(set(query_templates(terms))) == count


def test_the_text_of_a_template_parses_to_what_it_fills_in():
    for template in query_templates(3):
        words = str(template).split()
        text = " ".join(word if word.isupper() else f'"{word}"' for word in words)
        assert template.fill(("t1", "t2", "t3")) == parse(text)
        assert str(template.fill(("t1", "t2", "t3"))) == text


def test_and_binds_tighter_than_or():
    template = next(t for t in query_templates(3) if str(t) == "t1 OR NOT t2 AND t3")
    assert template.fill(("a", "b", "c")) == Or((Term("a"), Not(Term("b")) & Term("c")))


def test_the_packaged_sample_is_made_of_these_templates():
    templates = query_templates(3)
    for question in load_sample().questions:
        query = parse(question.form)
        number = int(question.id[1:3])
        assert templates[number].fill(query.terms()) == query


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
    opened = [str(t) for t in query_templates(3) if satisfies(t.fill("abc"), ())]
    assert len(opened) == 18
    assert "t1 AND t2 OR NOT t3" in opened
    assert "t1 AND NOT t2 AND NOT t3" not in opened
