"""The queries of three terms, and the documents that they want: the paper's example, and all 32 templates."""

from collections import Counter
from itertools import product

import pytest

from lab.synthesis.three_terms import disjuncts, hard_negatives, positive_conditions, query_templates
from logical_retriever.query import parse


def test_three_terms_give_32_different_templates_with_0_to_3_negations():
    templates = query_templates()
    assert len(set(templates)) == len({str(t) for t in templates}) == 32
    assert Counter(t.negations for t in templates) == {0: 4, 1: 12, 2: 12, 3: 4}


def test_the_text_of_a_template_parses_to_what_it_fills_in():
    for template in query_templates():
        words = str(template).split()
        text = " ".join(word if word.isupper() else f'"{word}"' for word in words)
        assert template.fill(("t1", "t2", "t3")) == parse(text)
        assert str(template.fill(("t1", "t2", "t3"))) == text


def rows(conditions):
    return ["".join(condition.about) for condition in conditions]


@pytest.mark.parametrize("template", query_templates(), ids=str)
def test_conditions_agree_with_pythons_own_logic(template):
    query = template.fill(("a", "b", "c"))
    source = str(template).lower().replace("t1", "a").replace("t2", "b").replace("t3", "c")
    table = {}
    for row in product((True, False), repeat=3):
        chosen = dict(zip("abc", row, strict=True))
        table["".join(term for term in chosen if chosen[term])] = bool(eval(source, {}, chosen))
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
    assert set(disjuncts(query)) == {frozenset({(wanted, True), ("cat", False)}) for wanted in ("mouse", "dog")}
    positives = positive_conditions(query)
    assert [c.about for c in positives] == [("mouse",), ("dog",), ("mouse", "dog")]
    assert ("mouse", "cat") in [c.about for c in hard_negatives(query, positives)]
