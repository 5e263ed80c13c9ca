"""The asynchronous path is native: nothing in it blocks the event loop, and terms are encoded together."""

import asyncio
import threading

import pytest

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from logical_retriever.testing.fakes import HashingEmbedder

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


async def test_model_and_embeddings_are_awaited_not_called(vectorstore, model, embeddings):
    llm = model(QUERY)
    retriever = LogicalRetriever.from_vectorstore(vectorstore, transformer=LogicalQueryTransformer(llm=llm), k=3)
    embeddings.calls.clear()
    found = await retriever.ainvoke(QUESTION)
    assert llm.ways == ["async"]
    # The terms, the excluded one in the light of the wish, and the question; then, once and in a thread, the background
    # sentences of a small store.
    assert embeddings.calls == ["aembed_query"] * 4 + ["embed_documents"]
    assert found == retriever.invoke(QUESTION)
    assert embeddings.calls[5:] == ["embed_query"] * 4


async def test_terms_are_encoded_together(in_memory, hashing_embeddings):
    class Meeting(hashing_embeddings):
        """Each call waits until both are under way."""

        def __init__(self):
            super().__init__()
            self.together, self.waiting = asyncio.Event(), 0

        async def aembed_query(self, text):
            self.waiting += 1
            if self.waiting == 2:
                self.together.set()
            await asyncio.wait_for(self.together.wait(), timeout=10)
            return self.embed_query(text)

    retriever = LogicalRetriever.from_vectorstore(in_memory, embeddings=Meeting())
    assert await retriever.asearch(QUERY)


async def test_a_slow_store_does_not_stop_the_loop(documents, embeddings):
    from logical_retriever.stores import InMemoryStore, StoredDocument

    started, release = threading.Event(), threading.Event()

    class Slow(InMemoryStore):
        def scan(self, filter=None):
            started.set()
            assert release.wait(10)
            return super().scan(filter)

    texts = [document.page_content for document in documents]
    stored = [StoredDocument(document.id, document.page_content) for document in documents]
    retriever = LogicalRetriever.from_vectorstore(
        Slow(stored, HashingEmbedder().embed_documents(texts)), embeddings=embeddings
    )
    search = asyncio.ensure_future(retriever.ainvoke(QUESTION))
    while not (started.is_set() or search.done()):
        await asyncio.sleep(0.001)
    assert not search.done(), search
    release.set()  # the loop runs, or this line would never be reached
    assert len(await search) == 4


async def test_errors_of_the_asynchronous_path_are_typed(in_memory, hashing_embeddings):
    from logical_retriever.errors import EmbeddingError

    class Broken(hashing_embeddings):
        async def aembed_query(self, text):
            raise ConnectionError("no route")

    retriever = LogicalRetriever.from_vectorstore(in_memory, embeddings=Broken())
    with pytest.raises(EmbeddingError, match="no route"):
        await retriever.ainvoke(QUESTION)
