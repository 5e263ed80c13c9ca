import pytest

from lab.asking import InvalidAnswer
from lab.synthesis.answers import Judgement, read_judgement, read_question, read_topics


def reason(read, *arguments):
    with pytest.raises(InvalidAnswer) as caught:
        read(*arguments)
    assert caught.value.message
    return caught.value.reason


def test_topics_lose_bullets_numbers_quotes_and_repetitions():
    answer = 'Here are the topics:\n1. Health\n- "Vitamin  D"\n* **Bones**\n(4) health\n\n• 3D printing\n10) B12'
    assert read_topics(answer) == ("Health", "Vitamin D", "Bones", "3D printing", "B12")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("", "question_empty"),
        ("?!", "question_empty"),
        ("What is oranges AND lemons?", "question_has_operators"),
        ('NOT "lemons"', "question_has_operators"),
        ("Sure.\n\nWhat is new?", "question_not_one"),
        ("why " * 101, "question_not_one"),
    ],
)
def test_what_is_not_a_question(answer, expected):
    assert reason(read_question, answer) == expected


def test_judgements_between_words_and_fences():
    answer = 'Let me see {this}.\n```json\n{"relevant": false, "topics": [2]}\n```'
    assert read_judgement(answer, ("a", "b")) == Judgement(False, frozenset({"b"}))
    assert read_judgement('{"relevant": true, "topics": []}', ("a",)) == Judgement(True, frozenset())


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Relevant: yes", "not_json"),
        ('{"relevant": true, "topics": [1', "not_json"),
        ("[1, 2]", "not_json"),
        ('{"a":' * 20_000, "not_json"),
        *((f'{{"relevant": {value}, "topics": []}}', "judgement_form") for value in ('"true"', "1")),
        *((f'{{"relevant": true, "topics": [{topic}]}}', "judgement_form") for topic in ("0", "3", "true", '"a"')),
        ('{"relevant": true}', "judgement_form"),
    ],
)
def test_what_is_not_a_judgement(answer, expected):
    assert reason(read_judgement, answer, ("a", "b")) == expected
