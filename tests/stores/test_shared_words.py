"""An index of words in memory, made in the background beside a store that reads every text for a word."""

import copy
import pickle
import subprocess
import sys
import threading

import chromadb
import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.stores import ChromaStore, WordQuery, words_keeper
from logical_retriever.stores.kept_words import StoreWithSharedWords, with_words
from logical_retriever.testing import HashingEmbedder

COUNT = words_keeper.AT_ONCE + 100
EMBEDDER = HashingEmbedder(16)


@pytest.fixture
def client(tmp_path):
    return chromadb.PersistentClient(str(tmp_path))


def filled(client, count=COUNT, name="docs"):
    collection = client.create_collection(name, embedding_function=None)
    texts = [f"a passage about music, number n{i}" for i in range(count)]
    vectors = EMBEDDER.embed_documents(texts)
    for start in range(0, count, 1000):
        rows = slice(start, start + 1000)
        ids = [str(i) for i in range(count)][rows]
        collection.add(ids=ids, documents=texts[rows], embeddings=vectors[rows])
    return collection


def found(store, word):
    [ids] = store.search_words([WordQuery((word,), np.ones(16, np.float32))], 5)
    return ids


@pytest.fixture
def requests(monkeypatch):
    """The words that Chroma was asked for."""
    asked = []
    own = ChromaStore.search_words
    monkeypatch.setattr(
        ChromaStore,
        "search_words",
        lambda store, queries, n, filter=None: (
            asked.extend(query.words[0] for query in queries) or own(store, queries, n, filter)
        ),
    )
    return asked


def test_a_larger_store_answers_itself_until_the_index_is_made(client, requests):
    store = with_words(ChromaStore(filled(client)), None)
    assert store.count() == COUNT
    assert "filter on texts" in store.capabilities.words
    assert found(store, "n7") == ["7"]
    assert requests == ["n7"]
    assert store.wait(60)
    assert store.capabilities.words == "an index of words in memory"
    assert found(store, "n8") == ["8"]
    assert requests == ["n7"]


def test_no_vector_is_read_for_an_index_of_words(client, monkeypatch):
    asked = []
    own = ChromaStore._call

    def spied(store, method, **arguments):
        asked.append(arguments.get("include"))
        return own(store, method, **arguments)

    monkeypatch.setattr(ChromaStore, "_call", spied)
    store = with_words(ChromaStore(filled(client)), None)
    store.count()
    found(store, "n7")
    assert store.wait(60)
    assert asked.count(["documents", "metadatas"]) >= 3
    assert not any("embeddings" in (included or ()) for included in asked)


def test_a_small_store_has_it_at_once_and_current(client, requests):
    collection = filled(client, 5)
    store = with_words(ChromaStore(collection), None)
    store.count()
    assert found(store, "n3") == ["3"]
    collection.add(ids=["new"], documents=["an ophicleide"], embeddings=np.ones((1, 16), np.float32))
    store.count()
    assert found(store, "ophicleide") == ["new"]
    assert requests == []


def test_what_is_new_is_found_after_a_look_in_the_background(client):
    collection = filled(client)
    store = with_words(ChromaStore(collection), None)
    store.count()
    found(store, "n7")
    assert store.wait(60)
    keeper = words_keeper.shared_keeper(store.identity)
    collection.add(ids=["new"], documents=["an ophicleide"], embeddings=np.ones((1, 16), np.float32))
    collection.delete(ids=["7"])
    keeper._waiting = keeper._due = 0.0  # the last look is long ago
    store.count()
    assert found(store, "ophicleide") == []
    assert store.wait(60)
    assert found(store, "ophicleide") == ["new"]
    assert found(store, "n7") == []


def test_retrievers_of_one_collection_share_it_and_its_end(client, requests):
    collection = filled(client)
    one, other = (LogicalRetriever(ChromaStore(collection), EMBEDDER) for _ in range(2))
    one.search('"n7" AND NOT "n8"')
    assert one.store.wait(60)
    asked = len(requests)
    assert asked > 0
    answer = other.search('"n7" AND NOT "n8"')
    assert "an index of words in memory" in answer.plan.words
    assert len(requests) == asked
    assert one.but(k=2).store is one.store
    identity = one.store.identity
    elsewhere = filled(client, 3, "others")
    assert with_words(ChromaStore(elsewhere), None).identity != identity
    del one, other, answer
    assert identity not in words_keeper._shared


def test_the_same_documents_are_found_by_either(client):
    collection = filled(client)
    waiting = LogicalRetriever(ChromaStore(collection), EMBEDDER, words_index=False)
    made = LogicalRetriever(ChromaStore(collection), EMBEDDER)
    made.search("n1")
    assert made.store.wait(60)
    for query, expected in (
        ('"music number n7" AND NOT "n8"', ["7"]),
        ('"n5" OR "n6"', ["5", "6"]),
        ("n2099", ["2099"]),
    ):
        one, other = (retriever.search(query, k=len(expected)).documents for retriever in (waiting, made))
        assert [document.id for document in other] == expected
        # Chroma's own lists are its approximate index's, which may miss the second among so many near copies.
        assert one[0].id == expected[0]
        scores = {document.id: document.score for document in other}
        assert all(d.score == pytest.approx(scores[d.id]) for d in one if d.id in scores)


def test_too_many_documents_are_left_to_the_store(client, monkeypatch):
    monkeypatch.setattr(words_keeper, "MOST", COUNT - 1)
    store = with_words(ChromaStore(filled(client)), None)
    store.count()
    assert found(store, "n7") == ["7"]
    assert store.wait(60)
    assert store.said == f"none is made in memory of {COUNT:,} documents"
    assert found(store, "n7") == ["7"]


def test_a_collection_that_goes_in_the_meantime_is_said(client, monkeypatch):
    store = with_words(ChromaStore(filled(client)), None)
    store.count()
    begun, goes_on = threading.Event(), threading.Event()
    own = ChromaStore.fetch_texts

    def fetch_texts(self, ids):
        begun.set()
        goes_on.wait(30)
        return own(self, ids)

    monkeypatch.setattr(ChromaStore, "fetch_texts", fetch_texts)
    found(store, "n7")
    assert begun.wait(30)
    assert store.said == "an index of its words is being made"
    client.delete_collection("docs")
    goes_on.set()
    assert store.wait(60)
    assert store.said.startswith("no index of words could be made")


def test_false_leaves_the_store_as_it_is(client):
    store = ChromaStore(filled(client, 3))
    assert LogicalRetriever(store, EMBEDDER, words_index=False).store is store
    assert isinstance(LogicalRetriever(store, EMBEDDER).store, StoreWithSharedWords)


def test_copies_share_the_index(client):
    store = with_words(ChromaStore(filled(client, 3)), None)
    other = copy.copy(store)
    assert other.identity == store.identity
    with pytest.raises((TypeError, AttributeError)):
        pickle.dumps(store)  # as a collection's own client


def test_a_process_ends_while_an_index_is_made(tmp_path):
    script = (
        "import chromadb, numpy as np\n"
        "from logical_retriever.stores import ChromaStore, WordQuery\n"
        "from logical_retriever.stores.kept_words import with_words\n"
        f"client = chromadb.PersistentClient({str(tmp_path)!r})\n"
        "collection = client.create_collection('docs', embedding_function=None)\n"
        "for i in range(3):\n"
        "    collection.add(ids=[f'{i}-{j}' for j in range(5000)], documents=['tea ' * 50] * 5000,\n"
        "                   embeddings=np.ones((5000, 4), np.float32))\n"
        "store = with_words(ChromaStore(collection), None)\n"
        "store.count()\n"
        "store.search_words([WordQuery(('tea',), np.ones(4, np.float32))], 5)\n"
        "print(store.said)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "an index of its words is being made\n", "")


def test_the_thread_rests_while_it_counts_words_and_a_question_does_not(client, monkeypatch):
    rested = []
    own = words_keeper.time.sleep
    monkeypatch.setattr(words_keeper, "WORK", 0.0)
    monkeypatch.setattr(
        words_keeper.time, "sleep", lambda seconds: (rested.append(threading.current_thread().name), own(seconds))
    )
    store = with_words(ChromaStore(filled(client)), None)
    store.count()
    found(store, "n7")
    assert store.wait(60)
    assert "index of words" in rested
    rested.clear()
    small = with_words(ChromaStore(filled(client, 5, "small")), None)
    small.count()
    assert found(small, "n3") == ["3"]
    assert threading.current_thread().name not in rested
