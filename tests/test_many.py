"""Many searches at once: the same answers as one by one, shared requests, and errors that stay with their question."""

import threading
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from logical_retriever import InMemoryStore, LogicalRetriever
from logical_retriever.errors import EmbeddingError, EmptyQuestionError, InvalidArgumentError, StoreError
from logical_retriever.stores import StoredDocument
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing import HashingEmbedder

WORDS = ("tea", "coffee", "green", "black", "health", "brewing", "sleep", "garden", "history", "price")
QUESTIONS = [
    "green tea, excluding brewing",
    "black coffee and sleep",
    "garden",
    '"tea" AND NOT ("health" OR "history")',
    '("coffee" OR "garden") AND "price" AND NOT "black"',
    "green tea, excluding brewing",
    'NOT "tea"',
]


def documents(count=300):
    rng = np.random.default_rng(5)
    return [" ".join(rng.choice(WORDS, size=4)) + f" {number}" for number in range(count)]


class Counting(HashingEmbedder):
    """Counts calls, and the texts in them."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def embed_queries(self, texts):
        self.calls.append(list(texts))
        return super().embed_queries(texts)


class Remote(WrappedStore):
    """A store outside of this process, by what it says of itself; counts the requests it gets."""

    def __init__(self, store):
        super().__init__(store)
        self.requests = []
        self.broken = lambda vectors: False
        self.lock = threading.Lock()

    @property
    def capabilities(self):
        return replace(self.store.capabilities, name="Remote", in_process=False, indexes_words=False, scan=False)

    def search(self, vectors, n, filter=None):
        with self.lock:
            self.requests.append(("search", len(vectors)))
        if self.broken(vectors):
            raise StoreError("It is broken.", hint="Mend it.")
        return super().search(vectors, n, filter)

    def search_words(self, queries, n, filter=None):
        self.requests.append(("words", len(queries)))
        return super().search_words(queries, n, filter)

    def fetch(self, ids):
        self.requests.append(("fetch", len(ids)))
        return super().fetch(ids)


def retriever(*, remote=False, count=300, **settings):
    texts, embedder = documents(count), Counting()
    store = InMemoryStore(
        [StoredDocument(str(i), text) for i, text in enumerate(texts)], embedder.embed_documents(texts)
    )
    return LogicalRetriever(Remote(store) if remote else store, embedder, **{"k": 5, "fetch_k": 20, **settings})


def answer(result):
    """All that a result says, but for its times, and what requests were shared."""
    return replace(result, milliseconds={}, store_milliseconds=0.0)


def ready(searching):
    """Statistics are read by the first search, whichever it is."""
    searching.search('"tea"')
    searching.embedder.calls.clear()
    return searching


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("semantics", ["calibrated", "product", "nsfl"])
async def test_results_are_those_of_one_by_one(remote, semantics):
    searching = ready(retriever(remote=remote, semantics=semantics))
    asked = [searching.transformer.transform(question) for question in QUESTIONS[: -1 if remote else None]]
    alone = [answer(searching.search(one)) for one in asked]
    assert [answer(one) for one in searching.search_many(asked)] == alone
    assert [answer(one) for one in await searching.asearch_many(asked)] == alone
    assert searching.retrieve_many(QUESTIONS[:3]) == [one.documents for one in alone[:3]]
    assert await searching.aretrieve_many(QUESTIONS[:3]) == [one.documents for one in alone[:3]]


@pytest.mark.parametrize("settings", [{"mode": "sqo", "semantics": "product"}, {"mode": "deo"}, {"evidence": "dense"}])
@pytest.mark.parametrize("remote", [False, True])
def test_every_way_to_look_gives_the_same(settings, remote):
    searching = ready(retriever(remote=remote, **settings))
    asked = QUESTIONS[:6]
    assert searching.retrieve_many(asked) == [searching.retrieve(question) for question in asked]


def test_texts_are_encoded_in_one_call_and_each_once():
    searching = ready(retriever())
    searching.retrieve_many(QUESTIONS)
    [texts] = searching.embedder.calls
    assert len(texts) == len(set(texts))


def test_vectors_in_memory_are_compared_in_one_pass_that_finds_the_same(monkeypatch):
    from logical_retriever.stores import together

    passes = []
    product = together.table_of_cosines
    monkeypatch.setattr(together, "table_of_cosines", lambda *given: passes.append(len(given[0])) or product(*given))
    searching = ready(retriever())
    found = searching.retrieve_many(QUESTIONS, k=7)
    assert len(passes) == 1
    monkeypatch.setattr("logical_retriever.many.PRODUCT_MEMORY", 4 * 300 * 8)  # eight texts at a time
    assert searching.retrieve_many(QUESTIONS, k=7) == found
    assert len(passes) > 2
    filtered = searching.retrieve_many(QUESTIONS, filter=lambda document: int(document.id) % 2)
    assert filtered == [searching.retrieve(one, filter=lambda document: int(document.id) % 2) for one in QUESTIONS]


def test_a_document_that_comes_between_two_searches_is_seen_by_the_second(monkeypatch):
    searching = ready(retriever())
    store, scan, scans = searching.store, searching.store.scan, []
    new = StoredDocument("new", "garden price")

    def scanned(filter=None):
        scans.append(filter)
        if len(scans) == 2:
            store.add([new], searching.embedder.embed_documents([new.text]))
        return scan(filter)

    monkeypatch.setattr(store, "scan", scanned)
    before, after = searching.search_many(['"garden"', '"garden" AND "price"'], k=100)
    assert "new" not in {document.id for document in before.documents}
    assert "new" in {document.id for document in after.documents}
    assert after.documents == searching.search('"garden" AND "price"', k=100).documents


def test_a_store_is_asked_for_many_questions_together():
    searching = ready(retriever(remote=True))
    asked = [f'"{one}" AND NOT "{other}"' for one in WORDS[:5] for other in WORDS[5:]]
    searching.store.requests.clear()
    searching.search_many(asked)
    together = Counter(kind for kind, _ in searching.store.requests)
    searching.store.requests.clear()
    for query in asked:
        searching.search(query)
    alone = Counter(kind for kind, _ in searching.store.requests)
    for kind in ("search", "words"):  # lists of several lengths are asked for apart
        assert together[kind] < alone[kind] / 2


def test_the_fault_of_one_question_is_its_own():
    class Picky(Counting):
        def embed_queries(self, texts):
            vectors = np.array(super().embed_queries(texts))
            vectors[[text == "nothing" for text in texts]] = 0.0
            return vectors

    searching = ready(retriever())
    searching.embedder = Picky()
    asked = [QUESTIONS[0], "  ", '"tea" AND NOT "nothing"', 7, QUESTIONS[2]]
    found = searching.retrieve_many(asked, return_exceptions=True)
    assert [type(one) for one in found[1:4]] == [EmptyQuestionError, EmbeddingError, InvalidArgumentError]
    assert found[0] == searching.retrieve(QUESTIONS[0])
    assert found[4] == searching.retrieve(QUESTIONS[2])
    with pytest.raises(EmptyQuestionError):
        searching.retrieve_many(asked)


async def test_the_fault_of_one_query_is_its_own_without_a_wait():
    searching = ready(retriever())
    found = await searching.asearch_many(['"tea"', '"tea" AND', '"garden"'], return_exceptions=True)
    assert isinstance(found[1], Exception)
    assert [one.searched for one in (found[0], found[2])] == ['"tea"', '"garden"']
    with pytest.raises(type(found[1])):
        await searching.asearch_many(['"tea"', '"tea" AND', '"garden"'])


def test_a_request_that_fails_is_made_again_for_each_question_alone():
    searching = ready(retriever(remote=True))
    poison = searching.embedder.embed_queries(["sleep"])[0]
    searching.store.broken = lambda vectors: any(np.allclose(row, poison) for row in vectors)
    found = searching.search_many(['"garden"', '"sleep"', '"price"'], return_exceptions=True)
    assert isinstance(found[1], StoreError)
    assert [answer(found[0]), answer(found[2])] == [answer(searching.search(one)) for one in ('"garden"', '"price"')]


def test_nothing_asked_is_nothing_found_and_a_text_is_no_list():
    searching = retriever()
    assert searching.retrieve_many([]) == []
    assert searching.embedder.calls == []
    for bad in ("tea", 7, None):
        with pytest.raises(InvalidArgumentError):
            searching.search_many(bad)
        with pytest.raises(InvalidArgumentError):
            searching.retrieve_many(bad, return_exceptions=True)


def test_more_questions_than_threads_are_all_answered():
    searching = ready(retriever(remote=True))
    asked = [f'"{one}" AND NOT "{other}"' for one in WORDS for other in WORDS if one != other]
    found = searching.search_many(asked)
    assert [one.searched for one in found] == asked
    assert [answer(one) for one in found[::17]] == [answer(searching.search(one)) for one in asked[::17]]


@pytest.mark.parametrize("way", ["search", "search_words"])
def test_another_number_of_lists_than_was_asked_for_is_an_error_of_the_store(way, monkeypatch):
    searching = ready(retriever(remote=True))
    given = getattr(searching.store, way)
    monkeypatch.setattr(searching.store, way, lambda asked, n, filter=None: given(asked, n, filter)[1:])
    found = searching.search_many(['"garden" AND "tea"', '"price"'], return_exceptions=True)
    assert [type(one) for one in found] == [StoreError] * 2
    assert "lists" in str(found[0])
    assert "logical_retriever.testing" in found[0].hint
