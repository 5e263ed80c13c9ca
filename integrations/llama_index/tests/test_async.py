"""The asynchronous path: the LLM and the embedding model are awaited, the store is asked in a thread."""

import asyncio
import threading

import pytest

from llama_index.retrievers.logical import LogicalQueryTransformer, LogicalRerank, LogicalRetriever

QUESTION = "vitamin D, excluding bone health"
ANSWER = '"vitamin D" AND NOT "bone health"'


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
        simple_index, transformer=LogicalQueryTransformer(slow_llm), embed_model=meeting
    )
    found = await asyncio.wait_for(retriever.aretrieve(QUESTION), timeout=10)
    assert found[0].metadata["logical_query"] == ANSWER


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


async def test_many_at_once(simple_index, names):
    retriever = LogicalRetriever.from_index(simple_index)
    questions = [QUESTION, "coffee and sleep", "green tea, excluding brewing"] * 5
    together = await asyncio.gather(*(retriever.aretrieve(question) for question in questions))
    assert [names(found) for found in together] == [names(retriever.retrieve(question)) for question in questions]


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


async def test_the_reranker_awaits_too(simple_index, slow_llm, meeting, names):
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    rerank = LogicalRerank(meeting, transformer=LogicalQueryTransformer(slow_llm), semantics="product", top_n=2)
    found = await asyncio.wait_for(rerank.apostprocess_nodes(nodes, query_str=QUESTION), timeout=10)
    assert set(names(found)) == {"mood", "immune"}
