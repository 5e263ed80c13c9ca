"""The asynchronous path is native: nothing in it blocks the event loop."""

import asyncio

import pytest
from vitamin_texts import QUERY, QUESTION

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever


async def test_model_and_embeddings_are_awaited_not_called(vectorstore, model, embeddings):
    llm = model(QUERY)
    retriever = LogicalRetriever(vectorstore, transformer=LogicalQueryTransformer(llm), k=3)
    embeddings.calls.clear()
    found = await retriever.ainvoke(QUESTION)
    assert llm.ways == ["async"]
    # The terms and the question; then, once and in a thread, some stored texts, to see whether this is their encoder,
    # and the background sentences of a small store.
    assert embeddings.calls == ["aembed_query"] * 3 + ["embed_documents"] * 2
    assert found == retriever.invoke(QUESTION)
    assert embeddings.calls[5:] == ["embed_query"] * 3


async def test_a_question_that_is_cancelled_leaves_nothing_behind(in_memory, embeddings):
    class Slow(type(embeddings)):
        async def aembed_query(self, text):
            await asyncio.sleep(60)

    retriever = LogicalRetriever(in_memory, embeddings=Slow())
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(retriever.ainvoke(QUESTION), timeout=0.05)
    assert len(asyncio.all_tasks()) == 1
    assert (await LogicalRetriever(in_memory).ainvoke(QUESTION))[0].id in ("mood", "immune")
