from collections import Counter

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.loading import load_sample
from logical_retriever.lab.synthesis import query_templates
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


def test_a_template_refuses_another_number_of_terms():
    with pytest.raises(InvalidArgumentError, match="3 placeholders, got 2"):
        query_templates(3)[0].fill(("a", "b"))
    with pytest.raises(InvalidArgumentError):
        query_templates(0)
