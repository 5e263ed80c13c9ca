"""The asynchronous path: the LLM and the embedding model are awaited, the store is asked in a thread."""

import asyncio
import math
import threading

import pytest
from llama_index.core import Document

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalQueryTransformer, LogicalRetriever
from logical_retriever.demo import load_passages
from logical_retriever.errors import EmbeddingError

QUESTION = "vitamin D, excluding bone health"
ANSWER = '"vitamin D" AND NOT "bone health"'


def ids(nodes):
    return [node.node_id for node in nodes]


@pytest.fixture
def slow_llm(scripted):
    """An LLM whose achat lets others run; chat must not be called."""

    class Slow(type(scripted())):
        def chat(self, messages, **kwargs):
            raise AssertionError("the synchronous method was called")

        async def achat(self, messages, **kwargs):
            await asyncio.sleep(0.05)
            return super().chat(messages, **kwargs)

    return Slow([ANSWER] * 4)


@pytest.fixture
def meeting(hashing):
    """An embedding model whose concurrent calls wait for each other; the synchronous method must not be called."""

    class Meeting(hashing):
        def _get_query_embedding(self, query):
            raise AssertionError("the synchronous method was called")

        async def _aget_query_embedding(self, query):
            self._queries.append(query)
            while len(self._queries) < 2:
                await asyncio.sleep(0.001)
            return super()._get_query_embedding(query)

    return Meeting()


async def test_terms_are_encoded_concurrently(simple_index, slow_llm, meeting):
    retriever = LogicalRetriever.from_index(
        simple_index, transformer=LogicalQueryTransformer(slow_llm), embed_model=meeting, metadata=True
    )
    nodes = await asyncio.wait_for(retriever.aretrieve(QUESTION), timeout=10)
    assert nodes[0].metadata["logical_query"] == ANSWER


async def test_the_loop_goes_on_while_the_store_is_asked(make_index, nodes, kind, monkeypatch):
    retriever = LogicalRetriever.from_index(make_index(kind, nodes))
    entered, go_on, threads = threading.Event(), threading.Event(), set()
    count = type(retriever.store).count

    def waiting(self):
        threads.add(threading.get_ident())
        entered.set()
        assert go_on.wait(10)
        return count(self)

    monkeypatch.setattr(type(retriever.store), "count", waiting)
    task = asyncio.create_task(retriever.aretrieve(QUESTION))
    while not entered.is_set():
        await asyncio.sleep(0.001)
    assert not task.done()
    go_on.set()
    assert await task
    assert threading.get_ident() not in threads


async def test_two_hundred_at_once(embedding):
    texts = [passage.text for passage in load_passages()]
    retriever = LogicalRetriever.from_documents([Document(text=text) for text in texts], embedding)
    topics = ["vitamin D but not bone health", "Italian cities except Venice", "jazz trumpeters", "guide dogs"]
    questions = [f"{topic}, question {i}" for i in range(10) for topic in topics] * 5
    expected = {question: ids(retriever.retrieve(question)) for question in set(questions)}
    before = threading.active_count()
    together = await asyncio.gather(*(retriever.aretrieve(question) for question in questions))
    assert [ids(nodes) for nodes in together] == [expected[question] for question in questions]
    assert threading.active_count() <= before + 40  # no more than asyncio's own pool, however many ask


@pytest.mark.parametrize("error", [TimeoutError("after 3 s"), RuntimeError("quota"), ValueError("too long")])
async def test_what_the_embed_model_raises_is_the_cause_as_it_is(simple_index, hashing, error):
    class Late(hashing):
        def _get_query_embedding(self, query):
            raise error

    retriever = LogicalRetriever.from_index(simple_index, embed_model=Late())
    with pytest.raises(EmbeddingError, match=str(error)) as here:
        retriever.retrieve(QUESTION)
    with pytest.raises(EmbeddingError, match=str(error)) as there:
        await retriever.aretrieve(QUESTION)
    assert here.value.__cause__ is there.value.__cause__ is error


@pytest.mark.parametrize(
    ("returned", "said"),
    [([math.nan] * 256, "zero vector or NaN"), ([0.0] * 256, "zero vector or NaN"), ([], "zero vector or NaN|shape")],
)
async def test_what_an_embed_model_may_return(simple_index, hashing, returned, said):
    class Odd(hashing):
        def _get_query_embedding(self, query):
            return returned

    retriever = LogicalRetriever.from_index(simple_index, embed_model=Odd())
    with pytest.raises(EmbeddingError, match=said):
        retriever.retrieve(QUESTION)
    with pytest.raises(EmbeddingError, match=said):
        await retriever.aretrieve(QUESTION)


async def test_a_cancelled_question_is_cancelled(simple_index, scripted):
    started = asyncio.Event()

    class Hanging(type(scripted())):
        async def achat(self, messages, **kwargs):
            started.set()
            await asyncio.sleep(3600)

    task = asyncio.create_task(
        LogicalRetriever.from_index(simple_index, transformer=LogicalQueryTransformer(Hanging([]))).aretrieve(QUESTION)
    )
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_postprocessor_awaits_too(simple_index, slow_llm, meeting, names):
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    last = LogicalPostprocessor(simple_index, embed_model=meeting, transformer=LogicalQueryTransformer(slow_llm))
    kept = await asyncio.wait_for(last.apostprocess_nodes(nodes, query_str=QUESTION), timeout=10)
    assert {"mood", "immune"} <= set(names(kept))
    assert "bone" not in names(kept)
