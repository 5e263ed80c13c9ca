"""Documents that something else has brought are judged as the store that they come from would judge them."""

import numpy as np
import pytest
from verifying import encoder

from logical_retriever import LogicalRetriever
from logical_retriever.adapters import Encodable, ReadQuestion, asearch_documents, parse, search_documents
from logical_retriever.demo import load_passages
from logical_retriever.errors import EmbeddingError, VectorMismatchError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

WORDS = [
    *("tea", "coffee", "water", "health", "brewing", "caffeine", "bones", "sleep", "mood", "calcium", "garden"),
    *("piano", "river", "stone"),
]
QUERY = '"tea health" AND NOT "brewing" AND ("mood" OR "sleep")'


def read(query):
    return ReadQuestion(query, parse(query), "typed")


@pytest.fixture
def embedder():
    return HashingEmbedder(256)


@pytest.fixture
def corpus(embedder):
    """Three hundred documents of six words, and their vectors."""
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS, size=6, replace=False)) for _ in range(300)]
    return [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)], embedder.embed_documents(texts)


def brought(documents, vectors=None):
    rows = [None] * len(documents) if vectors is None else vectors
    return [Encodable(document, document.text, row) for document, row in zip(documents, rows, strict=True)]


@pytest.mark.parametrize("carried", [True, False])
@pytest.mark.parametrize("exclusion", ["drop", "rank"])
def test_they_are_judged_as_by_a_search_of_the_whole_store(embedder, corpus, exclusion, carried):
    documents, vectors = corpus
    retriever = LogicalRetriever(
        InMemoryStore(documents, vectors), embedder, exclusion=exclusion, k=300, fetch_k=300, verify=False
    )
    rows = [i for i, document in enumerate(documents) if "tea" in document.text][:40]
    some = brought([documents[i] for i in rows], vectors[rows] if carried else None)
    result = search_documents(retriever.but(k=1), read(QUERY), some)
    places = {f"d{i:03}": place for place, i in enumerate(rows)}
    expected = [(places[d.id], d.score) for d in retriever.search(QUERY).documents if d.id in places]
    assert [document.id for document in result.documents] == [place for place, _ in expected]
    scores = [score for _, score in expected]
    assert [document.score for document in result.documents] == pytest.approx(scores, abs=1e-5)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_ids_may_repeat_and_an_empty_document_takes_part(embedder, asynchronous):
    texts = ["", "green tea and brewing", "black coffee", "green tea and health"]
    some = brought([StoredDocument("same", text) for text in texts])
    alone = LogicalRetriever(InMemoryStore(), embedder, semantics="product", verify=False)
    query = read('"green tea" AND NOT "brewing"')
    found = await asearch_documents(alone, query, some) if asynchronous else search_documents(alone, query, some)
    assert sorted(document.id for document in found.documents) == [0, 2, 3]
    assert found.documents[0].id == 3


async def test_where_nothing_is_excluded_nothing_is_encoded(embedder, corpus):
    embedder.embed_documents = None
    retriever = LogicalRetriever(InMemoryStore(*corpus), embedder)
    some = brought(corpus[0][:3])
    assert search_documents(retriever, read('"tea"'), some) is None
    assert await asearch_documents(retriever, read('"tea"'), some) is None
    with pytest.raises(EmbeddingError):
        search_documents(retriever.but(always_exclude=["coffee"]), read('"tea"'), some)


def test_a_store_is_sampled_once(embedder, corpus, monkeypatch):
    documents, vectors = corpus
    store, samples = InMemoryStore(documents, vectors), []
    sample = store.sample
    monkeypatch.setattr(store, "sample", lambda n, seed: samples.append(n) or sample(n, seed))
    retriever = LogicalRetriever(store, embedder)
    for start in (0, 10, 20):
        search_documents(retriever, read(QUERY), brought(documents[start : start + 10]))
    assert len(samples) == 1


@pytest.mark.parametrize("k", [4, 12])
def test_what_a_search_has_left_is_left_again(k):
    """Real texts, with the package's reader: the second stage does not judge a handful by itself."""
    retriever = LogicalRetriever.from_texts([passage.content for passage in load_passages()], encoder(), k=k)
    for excluded in ("bone health", "cancer", "side effects", "children"):
        query = read(f'"vitamin D" AND NOT "{excluded}"')
        stays = [document.text for document in retriever.search(query).documents]
        once = search_documents(retriever, query, brought([StoredDocument(i, text) for i, text in enumerate(stays)]))
        assert sorted(document.text for document in once.documents) == sorted(stays)
        assert not once.left_out


def test_vectors_of_another_length_are_refused(embedder, corpus):
    documents, vectors = corpus
    store = InMemoryStore(documents, vectors)
    with pytest.raises(VectorMismatchError, match="dimension 32"):
        search_documents(LogicalRetriever(store, HashingEmbedder(32)), read(QUERY), brought(documents[:2]))
    mixed = [*brought(documents[:1], vectors[:1]), *brought(documents[1:2], [np.ones(3)])]
    with pytest.raises(EmbeddingError, match="lengths 3, 256"):
        search_documents(LogicalRetriever(store, embedder), read(QUERY), mixed)
