"""Reading a question or an answer takes time linear in its length, up to a bound, and no event loop waits for it."""

from __future__ import annotations

import asyncio
import time

import pytest

from logical_retriever.errors import LogicalRetrieverError, TransformError
from logical_retriever.query import Term
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, TransformWarning, load_prompt
from logical_retriever.transform.answer import MAX_ANSWER_LENGTH, read_answer
from logical_retriever.transform.dialogue import MAX_ANSWER

QUESTION = "benefits of vitamin D other than bone health"
TOO_LONG = "tea other than green tea, " * 2_000


def read(answer):
    try:
        return read_answer(answer, QUESTION)
    except LogicalRetrieverError as error:
        return error


def seconds(work, text):
    """Least processor time of three runs."""

    def once():
        began = time.process_time()
        work(text)
        return time.process_time() - began

    return min(once() for _ in range(3))


# What took quadratic time once, and how long the longer of two texts is.
ANSWERS = {
    "backticks": (lambda n: "`" * n + "x" + "`" * (n - 1), 100_000),
    "escaped quotes": (lambda n: '"a" AND "' + '\\"' * n, 9_000),
    "curly quotes": (lambda n: "“" * n, 19_000),
    "quotes on lines": (lambda n: ("“ " * 80 + "AND\n") * (n // 160), 19_000),
    "continued lines": (lambda n: "(“a”\n" + "\n".join(["b c“d”" * (n // 1_000)] * 150), 19_000),
    "unclosed lines": (lambda n: '“a” "b\n' + "\n".join(["“c” d" * (n // 1_000)] * 150), 19_000),
    "a label": (lambda n: "_" * 40 + "query" + " " * n + "x", 19_000),
}


@pytest.mark.parametrize(("made", "length"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_read_in_time_linear_in_its_length(made, length):
    assert seconds(read, made(length)) < 8 * seconds(read, made(length // 4)) + 0.02


@pytest.mark.parametrize("text", ["`" * 1_000_000 + "x" + "`" * 999_999, "“" * 19_000, '"' * 2_000_000])
def test_a_hostile_answer_of_any_length_ends_soon(text):
    assert seconds(read, text) < 0.5


@pytest.mark.parametrize("text", ["<" + " " * 19_900, "< /" * 6_000, "<question" + " /" * 9_000])
def test_a_question_is_put_into_its_prompt_in_linear_time(text):
    messages = load_prompt("default").messages
    assert seconds(messages, text) < 8 * seconds(messages, text[: len(text) // 4]) + 0.02


async def busiest(coroutine):
    """Most processor time that the event loop's own thread spends between two of its ticks, in seconds.

    Its own time alone, so that other work of the machine does not count.
    """
    longest = 0.0

    async def tick():
        nonlocal longest
        last = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            last, longest = now, max(longest, now - last)

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(0.01)
    await coroutine
    await asyncio.sleep(0.01)
    ticking.cancel()
    return longest


@pytest.mark.filterwarnings("ignore::logical_retriever.transform.TransformWarning")
@pytest.mark.parametrize(
    "answer", ["“ " * 9_500, "`" * 60_000 + "x" + "`" * 59_999, "(“a”\n" + "b “c”\n" * 180], ids=lambda a: a[:3]
)
async def test_a_hostile_answer_does_not_block_the_event_loop(answer):
    answer = answer + " " * (1_001 - len(answer))
    transformer = LogicalQueryTransformer(ScriptedChatModel([answer, answer]))
    assert await busiest(transformer.atransform(QUESTION)) < 0.1


async def test_a_question_too_long_to_be_read_is_left_whole_and_says_so():
    model = ScriptedChatModel([])
    with pytest.warns(TransformWarning, match="52,000 characters"):
        assert LogicalQueryTransformer(model).transform(TOO_LONG).query == Term(TOO_LONG)
    with pytest.raises(TransformError, match="52,000 characters"):
        await LogicalQueryTransformer(model, on_failure="raise").atransform(TOO_LONG)
    assert not model.conversations


def test_an_answer_too_long_to_be_read_is_sent_back_and_cut():
    answers = ["`" * (MAX_ANSWER + 1), '"a" AND NOT "b"']
    model = ScriptedChatModel(answers)
    assert LogicalQueryTransformer(model).transform(QUESTION).answers == tuple(answers)
    assert "200,001 characters" in model.conversations[1][-1]["content"]
    assert len(model.conversations[1][-2]["content"]) <= MAX_ANSWER_LENGTH
