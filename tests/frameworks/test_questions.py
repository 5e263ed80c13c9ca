"""Questions, good and bad: what an answer carries, what is refused, and what fails with an error of its own kind."""

import asyncio
import datetime
import math
import threading
import uuid

import numpy as np
import pytest
from vitamin_texts import QUERY, QUESTION

from logical_retriever.demo import load_passages
from logical_retriever.errors import (
    EmbeddingError,
    EmptyQuestionError,
    InvalidArgumentError,
    LogicalSyntaxError,
)
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

TEXTS = {
    "bone": ("vitamin D benefits for bone health", {"n": 0}),
    "mood": ("vitamin D benefits for mood", {"n": 1}),
    "tea": ("green tea and brewing water", {"n": 2}),
}


async def test_metadata_are_the_documents_own_unless_a_not_was_not_understood(framework, hashing, ask):
    store = framework.store(TEXTS, hashing)
    plain, scored = (framework.package.LogicalRetriever(store, metadata=scores) for scores in (False, True))
    answer = await ask(plain, QUESTION)
    assert answer.keys() >= {"mood"}
    assert all(metadata == TEXTS[id][1] for id, metadata in answer.items())
    for metadata in (await ask(scored, QUESTION)).values():
        assert metadata.keys() == {"n", "logical_score", "logical_relevance", "logical_query"}
        assert metadata["logical_query"] == QUERY
    for metadata in (await ask(plain, "no spoilers please: what is Dune about")).values():
        assert metadata.keys() == {"n", "logical_problem"}
        assert "not sure whether this excludes something" in metadata["logical_problem"]


@pytest.mark.parametrize("question", ["", "  \n\t", "\u200b"])
async def test_an_empty_question_is_refused_before_a_model_is_paid(framework, hashing, ask, question):
    llm = framework.llm(QUERY)
    transformer = framework.package.LogicalQueryTransformer(llm)
    retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing), transformer=transformer)
    with pytest.raises(EmptyQuestionError):
        await ask(retriever, question)
    with pytest.raises(EmptyQuestionError):
        retriever.explain(question)
    assert llm.asked == []


@pytest.mark.parametrize("error", [TimeoutError("after 3 s"), RuntimeError("quota"), ValueError("too long")])
async def test_what_the_embedding_model_raises_is_the_cause_as_it_is(framework, hashing, ask, error):
    class Failing(HashingEmbedder):
        def embed_queries(self, texts):
            raise error

    model = {framework.encoder: framework.embeddings(Failing())}
    with pytest.raises(EmbeddingError, match=str(error)) as caught:
        await ask(framework.package.LogicalRetriever(framework.store(TEXTS, hashing), **model), QUESTION)
    assert type(caught.value.__cause__) is type(error)


@pytest.mark.parametrize("row", [[0.0] * 256, [math.nan] * 256, [math.inf] * 256, [], [[1.0]]])
async def test_an_embedding_without_a_direction_is_an_error(framework, hashing, ask, row):
    class Odd(HashingEmbedder):
        def embed_queries(self, texts):
            return [np.array(row)]

    model = {framework.encoder: framework.embeddings(Odd())}
    with pytest.raises(EmbeddingError):
        await ask(framework.package.LogicalRetriever(framework.store(TEXTS, hashing), **model), QUESTION)


@pytest.mark.parametrize(
    "id", ["a", 7, -1, 2.5, uuid.uuid4(), datetime.date(2026, 1, 2), b"key"], ids=lambda id: type(id).__name__
)
async def test_a_core_store_is_used_as_it_is_and_its_ids_become_texts(framework, hashing, ask, id):
    documents = [StoredDocument(id, "tea"), StoredDocument("b", "milk")]
    stored = InMemoryStore(documents, hashing.embed_documents(["tea", "milk"]))
    tea = {framework.filter: lambda document: document.text == "tea"}
    retriever = framework.package.LogicalRetriever(stored, **{framework.encoder: hashing}, **tea)
    assert await ask(retriever, "tea") == {str(id): {}}
    with pytest.raises(InvalidArgumentError, match="embedding"):
        framework.package.LogicalRetriever(stored)


async def test_a_slow_store_does_not_stop_the_loop(framework, hashing):
    started, release = threading.Event(), threading.Event()

    class Slow(InMemoryStore):
        def scan(self, filter=None):
            started.set()
            assert release.wait(10)
            return super().scan(filter)

    texts = [text for text, _ in TEXTS.values()]
    stored = Slow([StoredDocument(text, text) for text in texts], hashing.embed_documents(texts))
    retriever = framework.package.LogicalRetriever(stored, **{framework.encoder: hashing})
    search = asyncio.ensure_future(framework.aask(retriever, QUESTION))
    while not (started.is_set() or search.done()):
        await asyncio.sleep(0.001)
    assert not search.done(), search
    release.set()  # the loop runs, or this line would never be reached
    assert await search


@pytest.mark.slow
async def test_two_hundred_at_once_have_the_answers_of_one_by_one(framework, hashing):
    documents = {passage.id: (passage.text, {}) for passage in load_passages()}
    retriever = framework.package.LogicalRetriever(framework.store(documents, hashing))
    topics = ["vitamin D but not bone health", "Italian cities except Venice", "jazz trumpeters", "guide dogs"]
    questions = [f"{topic}, question {i}" for i in range(10) for topic in topics] * 5
    expected = {question: framework.ask(retriever, question) for question in set(questions)}
    before = threading.active_count()
    together = await asyncio.gather(*(framework.aask(retriever, question) for question in questions))
    assert together == [expected[question] for question in questions]
    assert threading.active_count() <= before + 40  # no more than asyncio's own pool, however many ask


def test_queries_that_are_none_are_refused(framework, hashing):
    retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing))
    with pytest.raises(LogicalSyntaxError):
        retriever.search('"tea" AND')
    with pytest.raises(InvalidArgumentError, match="must be a LogicalQuery or a text, got int"):
        retriever.search(7)


async def test_the_last_stage_decides_conditions_on_metadata(framework, hashing):
    languages = ("French", "German", "French")
    store = framework.store({f"d{n}": (f"tea {n}", {"language": one}) for n, one in enumerate(languages)}, hashing)
    left, aleft = framework.last_stage(store)
    for query, expected in (
        ('"tea" AND NOT [language = "French"]', ["d1"]),
        ('"tea" AND [language = "French"]', ["d0", "d2"]),
    ):
        assert left(query) == await aleft(query) == expected
