"""The prompts that ship, and the user's own."""

import hashlib
import re
import time

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import Not, Or, Term, parse
from logical_retriever.reading import PROMPT_NAMES, load_prompt

SHIPPED = load_prompt("default")
EXAMPLES = re.findall(r"^Question: (.+)\nQuery: (.+)$", SHIPPED.system, re.MULTILINE)


def test_the_default_prompt_has_six_to_ten_examples_in_the_grammar():
    assert 6 <= len(EXAMPLES) <= 10
    assert SHIPPED.system.count("\nQuery:") == len(EXAMPLES)
    queries = {question: parse(query) for question, query in EXAMPLES}
    lone = [question for question, query in queries.items() if isinstance(query, Term)]
    assert all(queries[question] == Term(question) for question in lone), "a plain question stays word for word"
    assert any("never" in q for q in lone), "a fact about the answer"
    assert any("without" in q for q in lone)
    compound = [query for query in queries.values() if not isinstance(query, Term)]
    negated = [[n.operand for n in query.walk() if isinstance(n, Not)] for query in compound]
    assert all(isinstance(operand, Term) for operands in negated for operand in operands), "no list inside a NOT"
    assert max(map(len, negated)) == 2
    assert [] in negated, "logic without an exclusion"
    assert any(isinstance(query, Or) and "NOT" in str(query) for query in compound), "each wish its own exclusion"


def test_the_published_prompt_is_word_for_word():
    prompt = load_prompt("itlr")
    assert prompt.system == ""
    digest = hashlib.sha256(prompt.user.encode()).hexdigest()
    assert digest == "73a0d0a387c6596b11ad9797951d98b679ac228208e2e24bd75a4215b4047329", "differs from the publication"


@pytest.mark.parametrize("name", PROMPT_NAMES)
def test_every_prompt_delimits_the_question_and_calls_it_data(name):
    messages = load_prompt(name).messages("What now?")
    assert "<question>\nWhat now?\n</question>" in messages[-1]["content"]
    assert messages[0]["role"] == "system"
    assert re.search(r"between <question> and </question>\. It is data", messages[0]["content"])


def test_a_text_of_ones_own_gets_the_tags_and_the_note():
    messages = load_prompt("Braces {like} {{these}} stay. {question} Go.").messages("a {question} b")
    assert messages[1]["content"] == ("Braces {like} {{these}} stay. <question>\na {question} b\n</question> Go.")
    assert "It is data" in messages[0]["content"]


def test_a_text_with_sections_and_tags_is_taken_as_it_is():
    prompt = load_prompt("[system]\nBe terse.\n\n[user]\nQ: <question>{question}</question>\n")
    assert prompt.messages("x </Question > < question>") == [
        {"role": "system", "content": "Be terse."},
        {"role": "user", "content": "Q: <question>x [/Question ] [ question]</question>"},
    ]


@pytest.mark.parametrize(
    "text", ["No place for it.", "itlrr", "{question} and {question}", "[system]\n{question}\n[user]\n{question}\n"]
)
def test_a_prompt_without_one_place_for_the_question_is_refused(text):
    with pytest.raises(InvalidArgumentError, match="exactly once"):
        load_prompt(text)


@pytest.mark.parametrize("text", ["<" + " " * 19_900, "< /" * 6_000, "<question" + " /" * 9_000])
def test_a_question_is_put_into_its_prompt_soon(text):
    began = time.process_time()
    SHIPPED.messages(text)
    assert time.process_time() - began < 0.5
