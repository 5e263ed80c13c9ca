"""What is taken off a model's answer, what is read in it, and what is refused."""

import contextlib
import json
import time

import pytest
from hypothesis import given, strategies as st
from random_queries import queries

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LogicalQueryError
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.reading.questions.answer import read_answer

QUESTION = "What are the benefits of vitamin D other than bone health?"
FORM = '"Benefits of vitamin D" AND NOT "Bone health"'
ABOUT_AB = "Say a or b or vitamin D, two lines, c, women's health"
ERRORS = (LogicalQueryError, LLMAnswerError, InvalidArgumentError)


def read(answer, question=QUESTION):
    return read_answer(answer, question)[1]


WRAPPED = [
    *(FORM, f"  \n{FORM}\n\n", f"```\n{FORM}\n```", f"```text\n{FORM}\n```", f"```text\nQuery: {FORM}\n```"),
    *(f"Query: {FORM}", f"QUERY:\n{FORM}", FORM.replace(" AND ", "\nAND\n\n")),
    f'<think>maybe "x" OR "y"?\n</think>\n{FORM}',
    '{"alternatives": [{"all_of": ["Benefits of vitamin D"], "none_of": ["Bone health"]}]}',
]


@pytest.mark.parametrize("answer", WRAPPED)
def test_wrapping_is_removed_and_the_not_stays(answer):
    assert read(answer) == parse(FORM)


QUOTED = [
    *('"a" AND "women\'s ‘x’ “health” or b"', '"say \\"a\\" now" AND NOT "b"', '"a ** b" AND NOT "a `b`"'),
    *('"two\nlines" AND NOT "c"', '"Query: two" AND NOT "c"', 'NOT "two"'),
]


@pytest.mark.parametrize("query", QUOTED)
def test_what_stands_in_straight_quotes_is_left_alone(query):
    assert read(query, ABOUT_AB) == parse(query)


NO_QUERY = [
    *(f"{FORM}\n\nExplanation: bone health is out.", f"Here is the query:\n\n{FORM}", f"Sure:\n```\n{FORM}\n```"),
    *(f'```\n"vitamin D"\n```\n{FORM}', f"{FORM}\n{FORM}", f"{FORM}.", json.dumps({"query": FORM})),
    *('"vitamin D" AND NOT "bone health', '"vitamin D" AND NOT "bone health" AND', '"vitamin D" and not "bone health"'),
    *('"vitamin D” AND NOT “bone health"', "“vitamin D” AND NOT “bone health”", "vitamin D"),
    *('"vitamin D"\n"bone health"', '"vitamin D" AND NOT "bone AND health"', '"vitamin D" "AND NOT" "bone health"'),
    *('"vitamin D AND NOT bone health"', "vitamin D AND NOT bone health"),
    *('"vitamin D" AND NOT bone health\nThat is all.', "I'm sorry, I cannot help with that.", "HACKED", "No.", "???"),
    *("Vitamin D supports the immune system.", "<think>the user wants", "```\n```"),
]


@pytest.mark.parametrize("answer", NO_QUERY)
def test_an_answer_that_is_more_or_less_than_a_query_is_an_error_with_a_hint(answer):
    with pytest.raises(ERRORS) as caught:
        read(answer)
    assert caught.value.hint


@pytest.mark.parametrize("answer", ['"vitamin D"', '"Something else"', f'"{QUESTION}"', QUESTION, f"Query: {QUESTION}"])
def test_a_lone_term_is_the_question_word_for_word(answer):
    assert read(answer) == Term(QUESTION)


QUESTIONS = [
    *('Which song is on "Abbey Road" and not on "Help!"?', "How do AND and NOT gates differ?", "line one\nline two?"),
    *("{question} and {0} and %s", "???", "x" * 20_000, "ビタミンDの効果は？", "My query: what is an answer?"),
    'What does \\" mean in C:\\temp?',
]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("write", ["{}", '"{}"', "escaped"])
def test_the_question_repeated_in_any_writing_is_the_question(question, write):
    escaped = question.replace("\\", "\\\\").replace('"', '\\"')
    answer = f'"{escaped}"' if write == "escaped" else write.replace("{}", question)
    assert read(answer, question) == Term(question)


@pytest.mark.parametrize(
    ("question", "answer", "problem"),
    [
        ('"vitamin D" AND NOT "bone health"', '"vitamin D" AND NOT "bone health"', None),
        ("NAND and NOR gates, but not NOT gates", '"NAND and NOR gates" AND NOT "NOT gates"', None),
        ("gates", '"NAND and NOR gates" AND NOT "NOT gates"', "inside the quotes"),
        ("Films but not War and Peace", '"Films" AND NOT "WAR AND PEACE"', None),
        ("Films without war or peace", '"Films" AND NOT "WAR AND PEACE"', "inside the quotes"),
        ("jaguar, the animal not the car", '"Jaguar (animal)" AND NOT "Jaguar cars"', None),
        ("glutne free brad, no yeats", '"Gluten-free bread" AND NOT "Yeast"', None),
        ("Vitamin-D-Nutzen außer Knochen", '"Nutzen von Vitamin D" AND NOT "Knochengesundheit"', None),
        ("维生素D的好处，除了骨骼", '"维生素D的好处" AND NOT "骨骼健康"', None),
        ("uses of AI other than ML", '"AI uses" AND NOT "ML"', None),
        ("???", '"anything" AND NOT "else"', None),
        ("tea, not 2024", '"tea" AND NOT "2024"', None),
        ("tea without milk", '"tea" AND NOT "logical search engine"', "does not mention"),
        ("tea without milk", '"The French Revolution" AND NOT "milk"', "does not mention"),
        ("the best of the tea", '"tea" AND NOT "what is the one for you"', "does not mention"),
        ("茶，不要牛奶", '"茶" AND NOT "milk"', "does not mention"),
    ],
)
def test_a_term_is_about_the_question_and_holds_no_operator_of_its_own(question, answer, problem):
    if problem is None:
        assert read(answer, question) == parse(answer)
    else:
        with pytest.raises(LLMAnswerError, match=problem):
            read(answer, question)


HOSTILE = [
    *('"' * 200_000, "“" * 19_999, '("' * 9_999, '\n"a' * 199, "is" + " " * 19_000 + "x", "<think>" * 20_000),
    *("_" * 40 + "query" + " " * 19_000 + "x", '{"query":' * 20_000 + "}", "[" * 100_000, '{"a":' * 5_000 + "}"),
    *("a:\n" * 50_000, "```" * 30_000, "`" * 1_000_000 + "x" + "`" * 999_999, '"a" AND "' + '\\"' * 9_000),
]


@pytest.mark.parametrize("answer", HOSTILE, ids=lambda answer: repr(answer[:8]))
def test_hostile_answers_end_soon(answer):
    began = time.process_time()
    with pytest.raises(ERRORS):
        read(answer)
    assert time.process_time() - began < 1


def test_many_words_are_compared_in_little_time():
    began = time.process_time()
    with pytest.raises(LLMAnswerError):
        read(" AND ".join(f'"{"x" * 12}{i}"' for i in range(60)), " ".join(f"{i}word" for i in range(3_000)))
    assert time.process_time() - began < 2


PIECES = (*"\"“”'a()\n`{}\\", "b c", " AND ", " OR ", " NOT ", "```", "Query:")


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(max_size=80))
def test_any_answer_ends_in_a_query_or_a_typed_error(answer):
    with contextlib.suppress(*ERRORS):
        assert isinstance(read(answer), LogicalQuery)


WRAPPERS = ["{}".format, "```\n{}\n```".format, "Query: {}".format, lambda query: query.replace(" AND ", "\nAND ")]
TERMS = st.text("ab é'’-&|!(){}.,:;?\\", min_size=1, max_size=12).filter(str.strip)


@given(queries(TERMS), st.sampled_from(WRAPPERS))
def test_any_query_in_any_wrapping_comes_back_unchanged(query, wrap):
    # The question has every term, so that no term is about something else.
    question = f"About {' '.join(query.terms())}"
    assert read(wrap(str(query)), question) == (Term(question) if isinstance(query, Term) else query)
