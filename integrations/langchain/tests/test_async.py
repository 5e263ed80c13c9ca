"""The asynchronous path is native: nothing in it blocks the event loop, and terms are encoded together."""

import asyncio
import threading

import pytest

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from logical_retriever.errors import EmbeddingError
from logical_retriever.testing.fakes import HashingEmbedder

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


async def test_model_and_embeddings_are_awaited_not_called(vectorstore, model, embeddings):
    llm = model(QUERY)
    retriever = LogicalRetriever(vectorstore, transformer=LogicalQueryTransformer(llm), k=3)
    embeddings.calls.clear()
    found = await retriever.ainvoke(QUESTION)
    assert llm.ways == ["async"]
    # The terms, the excluded one in the light of the wish, and the question; then, once and in a thread, some stored
    # texts, to see whether this is their encoder, and the background sentences of a small store.
    assert embeddings.calls == ["aembed_query"] * 4 + ["embed_documents"] * 2
    assert found == retriever.invoke(QUESTION)
    assert embeddings.calls[6:] == ["embed_query"] * 4


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

    retriever = LogicalRetriever(in_memory, embeddings=Meeting())
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
    retriever = LogicalRetriever(Slow(stored, HashingEmbedder().embed_documents(texts)), embeddings=embeddings)
    search = asyncio.ensure_future(retriever.ainvoke(QUESTION))
    while not (started.is_set() or search.done()):
        await asyncio.sleep(0.001)
    assert not search.done(), search
    release.set()  # the loop runs, or this line would never be reached
    assert len(await search) == 4


async def test_errors_of_the_asynchronous_path_are_typed(in_memory, hashing_embeddings):
    class Broken(hashing_embeddings):
        async def aembed_query(self, text):
            raise ConnectionError("no route")

    retriever = LogicalRetriever(in_memory, embeddings=Broken())
    with pytest.raises(EmbeddingError, match="no route"):
        await retriever.ainvoke(QUESTION)


@pytest.mark.parametrize("writing", [False, True])
async def test_two_hundred_questions_at_once_have_the_answers_of_one_by_one(vectorstore, writing):
    retriever = LogicalRetriever(vectorstore, k=2)
    questions = [QUESTION, "calcium", "green tea without coffee", "vitamin D but not the mood"] * 50
    expected = [retriever.invoke(question) for question in questions[:4]] * 50
    before = threading.active_count()

    async def write():
        for number in range(5 * writing):
            [id] = await vectorstore.aadd_texts([f"rust on ships {number}"])
            await vectorstore.adelete([id])

    *answers, _ = await asyncio.gather(*(retriever.ainvoke(question) for question in questions), write())
    if writing:  # what is written is among the others that chance is measured by
        assert all(best in documents for documents, (best, *_) in zip(answers, expected, strict=True))
    else:
        assert answers == expected
    assert threading.active_count() - before <= 40  # the event loop's own, which stay


async def test_a_question_that_is_cancelled_leaves_nothing_behind(in_memory, hashing_embeddings):
    class Slow(hashing_embeddings):
        async def aembed_query(self, text):
            await asyncio.sleep(60)

    retriever = LogicalRetriever(in_memory, embeddings=Slow())
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(retriever.ainvoke(QUESTION), timeout=0.05)
    assert len(asyncio.all_tasks()) == 1
    assert (await LogicalRetriever(in_memory).ainvoke(QUESTION))[0].id in ("mood", "immune")


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_timeout_of_the_embeddings_is_the_cause_of_the_error(in_memory, hashing_embeddings, asynchronous):
    class Late(hashing_embeddings):
        def embed_query(self, text):
            raise TimeoutError("no answer within 10 s")

        async def aembed_query(self, text):
            return self.embed_query(text)

    retriever = LogicalRetriever(in_memory, embeddings=Late())
    with pytest.raises(EmbeddingError, match="no answer within 10 s") as error:
        await retriever.ainvoke(QUESTION) if asynchronous else retriever.invoke(QUESTION)
    assert isinstance(error.value.__cause__, TimeoutError)
