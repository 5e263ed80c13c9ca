"""Reading a question takes time linear in its length, up to a bound, and no event loop waits for it."""

from __future__ import annotations

import asyncio
import time

import pytest

from logical_retriever.errors import TransformError
from logical_retriever.query import Term
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import CueQueryTransformer, LogicalQueryTransformer, TransformWarning
from logical_retriever.transform.base import MAX_QUESTION_LENGTH

TOO_LONG = "tea other than green tea, " * 2_000


def seconds(work, text):
    """Least processor time of three runs."""

    def once():
        began = time.process_time()
        work(text)
        return time.process_time() - began

    return min(once() for _ in range(3))


@pytest.mark.parametrize("unit", ["(excluding x) ", "but not the x ", "please don't mention X, "])
def test_the_rules_read_a_question_in_linear_time(unit):
    transform = CueQueryTransformer().transform
    text = (unit * MAX_QUESTION_LENGTH)[:MAX_QUESTION_LENGTH]
    assert seconds(transform, text) < 8 * seconds(transform, text[: len(text) // 4]) + 0.02


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


@pytest.mark.parametrize("length", [MAX_QUESTION_LENGTH, 100_000])
async def test_the_rules_do_not_block_the_event_loop(length):
    question = ("(excluding x) but not the y " * length)[:length]
    assert await busiest(CueQueryTransformer().atransform(question)) < 0.1


async def test_a_question_too_long_to_be_read_is_left_whole_and_says_so():
    made = CueQueryTransformer().transform(TOO_LONG)
    assert (made.query, made.method) == (Term(TOO_LONG), "cue")
    assert made.problem == "The question has 52,000 characters; at most 20,000 are read for exclusions."
    assert CueQueryTransformer().transform(TOO_LONG[: MAX_QUESTION_LENGTH // 26 * 26]).problem is None
    model = ScriptedChatModel([])
    with pytest.warns(TransformWarning, match="52,000 characters"):
        assert LogicalQueryTransformer(model).transform(TOO_LONG).query == Term(TOO_LONG)
    with pytest.raises(TransformError, match="52,000 characters"):
        await LogicalQueryTransformer(model, on_failure="raise").atransform(TOO_LONG)
    assert not model.conversations


def test_a_question_too_long_to_be_read_is_searched_for_by_its_own_vector():
    from logical_retriever import LogicalRetriever

    texts = ["green tea", "timetables of trains", "a garden of roses"]
    embedder = HashingEmbedder()
    documents = [StoredDocument(text, text) for text in texts]
    retriever = LogicalRetriever(InMemoryStore(documents, embedder.embed_documents(texts)), embedder, k=1)
    assert [found.id for found in retriever.retrieve(TOO_LONG)] == ["green tea"]
    assert "52,000 characters" in str(retriever.explain(TOO_LONG))
