"""The asynchronous path: the LLM and the embedding model are awaited, the store is asked in a thread."""

import asyncio

import pytest

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalQueryTransformer, LogicalRetriever

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
            self.queries.append(query)
            while len(self.queries) < 2:
                await asyncio.sleep(0.001)
            return super()._get_query_embedding(query)

    return Meeting()


async def test_terms_are_encoded_concurrently(simple_index, slow_llm, meeting):
    retriever = LogicalRetriever.from_index(
        simple_index, transformer=LogicalQueryTransformer(slow_llm), embed_model=meeting, metadata=True
    )
    nodes = await asyncio.wait_for(retriever.aretrieve(QUESTION), timeout=10)
    assert nodes[0].metadata["logical_query"] == ANSWER


async def test_the_postprocessor_awaits_too(simple_index, slow_llm, meeting, names):
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    last = LogicalPostprocessor(simple_index, embed_model=meeting, transformer=LogicalQueryTransformer(slow_llm))
    kept = await asyncio.wait_for(last.apostprocess_nodes(nodes, query_str=QUESTION), timeout=10)
    assert {"mood", "immune"} <= set(names(kept))
    assert "bone" not in names(kept)
