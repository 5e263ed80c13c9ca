"""Times of a question's stages: each counted once, of this question alone."""

import asyncio
import time

import pytest

from logical_retriever import LogicalRetriever, Term
from logical_retriever.stages import stage, timed
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea and brewing", "green tea and health", "a garden of green tea", "coffee and sleep"]
QUESTION = "green tea, excluding brewing"
STAGES = {"read", "plan", "encode", "statistics", "scan", "words", "compose", "cut"}


@pytest.fixture
def retriever():
    return LogicalRetriever.from_texts(TEXTS, HashingEmbedder(), k=2)


def test_a_stage_within_another_is_part_of_it_and_counted_once():
    with timed() as times:
        with stage("outer"):
            time.sleep(0.01)
            with stage("inner"):
                time.sleep(0.01)
        with stage("outer"):
            time.sleep(0.01)
    assert [*times.milliseconds] == ["outer"]
    assert times.milliseconds["outer"] >= 30.0


def test_outside_of_a_question_nothing_is_counted_and_errors_pass():
    with pytest.raises(KeyError), stage("nowhere"):
        raise KeyError
    with timed() as times, pytest.raises(KeyError), stage("somewhere"):
        raise KeyError
    assert [*times.milliseconds] == ["somewhere"]


def test_a_search_within_a_stage_takes_times_of_its_own(retriever):
    with timed() as times, stage("read"):
        inner = retriever.search(Term("coffee"))
    assert [*times.milliseconds] == ["read"]
    assert inner.milliseconds.keys() == STAGES - {"read"}


def test_the_stages_of_a_question_add_up_to_its_time(retriever):
    started = time.perf_counter()
    story = retriever.explain(QUESTION)
    took = 1000.0 * (time.perf_counter() - started)
    milliseconds = story.result.milliseconds
    assert milliseconds.keys() == STAGES
    assert 0.0 < sum(milliseconds.values()) <= took
    assert 0.0 < story.result.store_milliseconds <= sum(milliseconds.values())
    assert story.to_dict()["milliseconds"] == milliseconds
    assert f"Time           {sum(milliseconds.values()):.1f} ms (read " in str(story)


async def test_questions_at_once_have_times_of_their_own(retriever):
    class Slow(HashingEmbedder):
        async def aembed_queries(self, texts):
            await asyncio.sleep(0.05 if "coffee" in texts else 0.0)
            return self.embed_queries(texts)

    retriever.embedder = Slow()
    slow, fast = await asyncio.gather(retriever.asearch('"coffee"'), retriever.asearch('"sleep"'))
    assert slow.milliseconds["encode"] >= 50.0
    assert slow.milliseconds is not fast.milliseconds
    assert fast.milliseconds.keys() == STAGES - {"read"}
