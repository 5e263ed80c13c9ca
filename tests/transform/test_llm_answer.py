"""What is tolerated around a logical query in a model's answer, and what is not."""

import json
import time

import pytest
from hypothesis import assume, given, strategies as st
from random_queries import queries

from logical_retriever.errors import LLMAnswerError, LogicalQueryError, LogicalSyntaxError
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.transform.answer import MAX_BARE_WORDS, read_answer
from logical_retriever.transform.delimiters import STRAIGHT, straighten

QUESTION = "What are the benefits of vitamin D other than bone health?"
A_NOT_B = parse('"a" AND NOT "b"')

WRAPPED = [
    '"a" AND NOT "b"',
    '  \n"a" AND NOT "b"\n\n',
    '\ufeff"a" AND NOT "b"\r\n',
    '```\n"a" AND NOT "b"\n```',
    '```text\n"a" AND NOT "b"\n```',
    '~~~\n"a" AND NOT "b"\n~~~',
    'Sure:\n```\n"a"\nAND NOT "b"\n```\nIt does NOT return "b".',
    'Here it is: ```"a" AND NOT "b"```',
    '`"a" AND NOT "b"`',
    'Query: "a" AND NOT "b"',
    'QUERY: "a" AND NOT "b"',
    'Logical query: "a" AND NOT "b"',
    "Query: a AND NOT b",
    '**Query:** "a" AND NOT "b"',
    '**Logical Query**: "a" AND NOT "b"',
    '### Query\n"a" AND NOT "b"',
    'Query:\n\n"a" AND NOT "b"',
    'Query:\n```\n"a" AND NOT "b"\n```\nThis query excludes b.',
    'Here is the query:\n\n"a" AND NOT "b"\n\nIt leaves out b.',
    'Here is the logical query: "a" AND NOT "b"',
    'Sure! The query is "a" AND NOT "b".',
    '"a" AND NOT "b"\n\nExplanation: the AND NOT part removes "b".',
    '"a" AND NOT "b"\n- "a": what is wanted\n- "b"',
    '"a" AND NOT "b".',
    '"a" AND NOT "b" (this excludes b)',
    '"a" AND NOT "b". Bones are out.',
    '- "a" AND NOT "b"',
    '1. "a" AND NOT "b"',
    '> "a" AND NOT "b"',
    '"a" **AND NOT** "b"',
    "“a” AND NOT “b”",
    '“a" AND NOT “b”',
    "„a“ AND NOT „b“",
    "«a» AND NOT «b»",
    "»a« AND NOT »b«",
    "「a」 AND NOT 「b」",
    "‘a’ AND NOT ‘b’",
    "'a' AND NOT 'b'",
    "a AND NOT b",
    "a AND NOT b\n\nThis excludes bone health.",
    '"a"\nAND NOT\n"b"',
    '"a"\n\nAND NOT "b"',
    '"a" AND (\nNOT "b"\n)',
    '<think>maybe "x" OR "y"?\n"x" AND "y"</think>\n"a" AND NOT "b"',
    'The user wants "x" OR "y".\n</think>\n"a" AND NOT "b"',
    '<query>"a" AND NOT "b"</query>',
    json.dumps('"a" AND NOT "b"'),
    json.dumps({"query": '"a" AND NOT "b"'}),
    f"```json\n{json.dumps({'logical_query': json.dumps('a') + ' AND NOT ' + json.dumps('b')})}\n```",
    '""a" AND NOT "b""',
    '\'"a" AND NOT "b"\'',
    '"a AND NOT b"',
    'Query: "a"\nQuery: "a" AND NOT "b"',
]


@pytest.mark.parametrize("answer", WRAPPED)
def test_wrapping_is_removed_and_the_not_stays(answer):
    assert read_answer(answer, QUESTION) == A_NOT_B


@pytest.mark.parametrize(
    ("answer", "query"),
    [
        ('Query: "a" OR "b"\n\n"a" AND NOT "b"', '"a" OR "b"'),
        ('```\n"a" OR "b"\n```\n"a" AND NOT "b"', '"a" OR "b"'),
        ('"vitamin D"\n"a" AND NOT "b"', '"a" AND NOT "b"'),
        ('"a" AND "women\'s ‘x’ “health”"', '"a" AND "women\'s ‘x’ “health”"'),
        ("“women's health” AND NOT “men’s”", '"women\'s health" AND NOT "men’s"'),
        ('“say "hi" now” AND NOT “b”', '"say \\"hi\\" now" AND NOT "b"'),
        ('"a ** b" AND NOT "__init__ `x`"', '"a ** b" AND NOT "__init__ `x`"'),
        ('"two\nlines" AND NOT "b"', '"two\nlines" AND NOT "b"'),
        ('"Salt & pepper" AND NOT "AT&T"', '"Salt & pepper" AND NOT "AT&T"'),
        ("'don\\'t' AND NOT 'b'", '"don\'t" AND NOT "b"'),
        ('"DNA AND NOT RNA"', '"DNA" AND NOT "RNA"'),
        ("'NOT \":\"'", 'NOT ":"'),
        ('"Query: a" AND NOT "b"', '"Query: a" AND NOT "b"'),
        ('-"b" AND "a"', 'NOT "b" AND "a"'),
    ],
)
def test_which_query_wins_and_what_stays_in_a_term(answer, query):
    assert read_answer(answer, QUESTION) == parse(query)


@pytest.mark.parametrize(
    "answer",
    [
        '"a" AND NOT "b',
        '"a" AND NOT "b" AND',
        '"a" and not "b"',
        '"a" but NOT "b"',
        '"a” AND NOT “b"',
        '"a"\n"b"',
        '"a"\nNOT "b"',
        '"a" AND NOT "b AND c"',
        '"a" "AND NOT" "b"',
        '1. "a" AND NOT "b"\n2. "a" OR "b"',
        'Query: "a"\n"a" AND NOT "b"',
        '```\n"a"\n```\n"a" AND NOT "b"',
        'Query: "a" AND NOT "b\n"a" OR "b"',
        '"vitamin D"\nvitamin D AND NOT bone health',
        '"a", NOT "b"',
        '"NOT "\n"b"',
        '"a AND NOT"\n"b"',
        '"a" (NOT "b")',
        'The wanted part is "a".\nThe unwanted part is "b".',
    ],
)
def test_an_answer_that_could_lose_an_operator_is_an_error(answer):
    with pytest.raises((LogicalQueryError, LLMAnswerError)):
        read_answer(answer, QUESTION)


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, I cannot help with that.",
        "HACKED",
        "Vitamin D supports the immune system.",
        "No.",
        "<think>the user wants",
        "```\n```",
        "???",
        " ".join(["word"] * (MAX_BARE_WORDS + 1)) + " AND NOT b",
        "a AND NOT " + " ".join(["word"] * (MAX_BARE_WORDS + 1)),
    ],
)
def test_prose_is_no_query(answer):
    with pytest.raises((LogicalQueryError, LLMAnswerError)) as caught:
        read_answer(answer, QUESTION)
    assert caught.value.hint


@pytest.mark.parametrize(
    "answer",
    [
        "vitamin D",
        '"vitamin D"',
        '"Something else, as a title"',
        f'"{QUESTION}"',
        QUESTION,
        f"Query: {QUESTION}",
        "“x”",
    ],
)
def test_a_lone_term_is_the_question_word_for_word(answer):
    assert read_answer(answer, QUESTION) == Term(QUESTION)


@pytest.mark.parametrize(
    "question",
    [
        'Which song is on "Abbey Road" and not on "Help!"?',
        "How do AND and NOT gates differ?",
        "line one\nline two?",
        "{question} and {0} and %s",
        "???",
        "x" * 20_000,
        'a "b" ' * 3_500,
        "ビタミンDの効果は？",
        "Which query languages are there?",
        "My query: what is an answer?",
    ],
)
@pytest.mark.parametrize("write", ["{}", '"{}"', "“{}”", "`{}`", "escaped"])
def test_the_question_repeated_in_any_writing_is_the_question(question, write):
    escaped = question.replace("\\", "\\\\").replace('"', '\\"')
    answer = f'"{escaped}"' if write == "escaped" else write.replace("{}", question)
    assert read_answer(answer, question) == Term(question)


def test_a_question_with_backslashes_repeated_with_escapes_is_the_question():
    question = 'What does \\" mean in C:\\temp?'
    assert read_answer('"What does \\\\\\" mean in C:\\\\temp?"', question) == Term(question)


def test_a_question_that_is_a_logical_query_keeps_its_operators():
    question = '"vitamin D" AND NOT "bone health"'
    assert read_answer(question, question) == parse(question)


def test_an_operator_word_of_the_question_may_stand_in_a_term():
    question = "NAND and NOR gates, but not NOT gates"
    assert read_answer('"NAND and NOR gates" AND NOT "NOT gates"', question) == parse(
        '"NAND and NOR gates" AND NOT "NOT gates"'
    )
    with pytest.raises(LLMAnswerError, match="inside the quotes"):
        read_answer('"NAND and NOR gates" AND NOT "NOT gates"', "gates")


def test_a_name_of_the_question_may_be_written_in_capitals():
    answer = '"Films" AND NOT "WAR AND PEACE"'
    assert read_answer(answer, "Films but not War and Peace") == parse(answer)
    with pytest.raises(LLMAnswerError, match="inside the quotes"):
        read_answer(answer, "Films without war or peace")


def test_the_parsers_own_message_reaches_the_caller():
    with pytest.raises(LogicalSyntaxError) as caught:
        read_answer('Query: "a" and "b"', QUESTION)
    assert '"a" and "b"' in str(caught.value)
    assert "^^^" in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        '"' * 20_000,
        "“" * 19_999,
        "“ " * 9_999,
        '("' * 9_999,
        '\n"a' * 199,
        "is " * 6_000,
        "is" + " " * 19_000 + "x",
        "<think>" * 20_000,
        "<think></think>" * 20_000,
        '{"query":' * 20_000 + "}",
        "a:\n" * 50_000,
        "```" * 30_000,
    ],
    ids=lambda answer: repr(answer[:8]),
)
def test_hostile_answers_end_soon(answer):
    started = time.perf_counter()
    with pytest.raises((LogicalQueryError, LLMAnswerError)):
        read_answer(answer, QUESTION)
    assert time.perf_counter() - started < 10


PIECES = [
    '"',
    "“",
    "”",
    "'",
    "a",
    "b c",
    " AND ",
    " OR ",
    " NOT ",
    "(",
    ")",
    "\n",
    "```",
    "Query:",
    "`",
    "**",
    "\\",
    "- ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(max_size=80))
def test_any_answer_ends_in_a_query_or_a_typed_error(answer):
    try:
        query = read_answer(answer, QUESTION)
    except (LogicalQueryError, LLMAnswerError):
        return
    assert isinstance(query, LogicalQuery)


def _smart(query):
    return STRAIGHT.sub(lambda m: "“" + m.group()[1:-1].replace('\\"', '"').replace("\\\\", "\\") + "”", query)


WRAPPERS = [
    "{}".format,
    "```\n{}\n```".format,
    "**Query:** {}\n\nThis is all.".format,
    "Here you are:\n\n```text\n{}\n```\n".format,
    "`{}`".format,
    json.dumps,
    lambda query: json.dumps({"query": query}),
    lambda query: query.replace(" AND ", "\nAND "),
    _smart,
]
TERMS = st.text("ab é'’-&|!(){}.,:;?\\", min_size=1, max_size=12).filter(str.strip)


@given(queries(TERMS), st.sampled_from(WRAPPERS))
def test_any_query_in_any_wrapping_comes_back_unchanged(query, wrap):
    # Within curly quotes two backslashes may be one that is escaped.
    assume(wrap is not _smart or not any("\\\\" in term for term in query.terms()))
    expected = Term(QUESTION) if isinstance(query, Term) else query
    assert read_answer(wrap(str(query)), QUESTION) == expected


@given(st.text(max_size=60))
def test_straight_quotes_are_left_as_they_are(text):
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert straighten(quoted) == quoted
