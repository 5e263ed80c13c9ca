"""Documents that something else has found are scored as the store they come from would score them."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.integration import Encodable, SecondStage, Transformation, parse, reasons
from logical_retriever.semantics import SEMANTICS
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

WORDS = [
    "tea",
    "coffee",
    "water",
    "health",
    "brewing",
    "caffeine",
    "bones",
    "sleep",
    "mood",
    "calcium",
    "garden",
    "piano",
    "river",
    "stone",
]
QUERY = '"tea health" AND NOT "brewing" AND ("mood" OR "sleep")'


class CountingEmbedder(HashingEmbedder):
    """Remembers how many documents it has encoded."""

    def __init__(self):
        super().__init__(256)
        self.encoded = 0

    def embed_documents(self, texts):
        self.encoded += len(texts)
        return super().embed_documents(texts)


@pytest.fixture
def embedder():
    return CountingEmbedder()


@pytest.fixture
def corpus(embedder):
    """Three hundred documents of six words, and their vectors."""
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS, size=6, replace=False)) for _ in range(300)]
    documents = [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)]
    return documents, embedder.embed_documents(texts)


@pytest.mark.parametrize("semantics", sorted(SEMANTICS))
def test_scores_are_those_of_a_search_of_the_whole_store(embedder, corpus, semantics):
    documents, vectors = corpus
    store = InMemoryStore(documents, vectors)
    whole = LogicalRetriever(store, embedder, semantics=semantics, k=300, fetch_k=300).search(QUERY)
    found = [i for i, document in enumerate(documents) if "tea" in document.text][:40]
    assert len(found) == 40
    over = SecondStage(embedder, semantics=semantics, origin=store).over([documents[i] for i in found], vectors[found])
    result = over.search(QUERY)
    expected = [(d.id, d.score) for d in whole.documents if int(d.id[1:]) in found]
    assert [document.id for document in result.documents] == [id for id, _ in expected]
    assert [document.score for document in result.documents] == pytest.approx([score for _, score in expected])
    assert result.exact is True


def test_words_are_evidence_of_found_documents_and_explained(embedder, corpus):
    documents, _ = corpus
    documents = [*documents[:30], StoredDocument("name", "tea with zeolite"), StoredDocument("both", "zeolite quokka")]
    vectors = np.random.default_rng(5).normal(size=(len(documents), 256)).astype(np.float32)  # which tell nothing
    over = SecondStage(embedder, exclusion="rank").over(documents, vectors)
    story = over.explain('"zeolite" AND NOT "quokka"')
    found = {document.id: document for document in story.result.documents}
    assert story.result.documents[0].id == "name"
    assert found["name"].sources["zeolite"].words > 3.0 > abs(found["name"].sources["zeolite"].vectors)
    assert found["both"].sources["quokka"].words > 3.0
    assert story.matched(found["both"], "quokka") == ("quokka",)
    assert any("by its words quokka" in line for line in story.reasons(found["both"]))


def test_without_an_origin_it_is_a_search_of_the_found_documents(embedder, corpus):
    documents, vectors = corpus[0][:30], corpus[1][:30]
    expected = LogicalRetriever(InMemoryStore(documents, vectors), embedder, k=30, exclusion="rank").search(QUERY)
    assert (
        SecondStage(embedder, exclusion="rank").over(documents, vectors).search(QUERY).documents == expected.documents
    )


def test_statistics_are_not_those_of_the_documents_before(embedder, corpus):
    documents, vectors = corpus
    stage = SecondStage(embedder)
    stage.over(documents[:30], vectors[:30]).search(QUERY)
    second = stage.over(documents[30:60], vectors[30:60]).search(QUERY)
    assert second == SecondStage(embedder).over(documents[30:60], vectors[30:60]).search(QUERY)


def test_an_origin_is_sampled_once_and_never_searched(embedder, corpus):
    calls = []

    class Watched(InMemoryStore):
        def sample(self, n, seed):
            calls.append("sample")
            return super().sample(n, seed)

        def search(self, vectors, n, filter=None):
            calls.append("search")

        def scan(self, filter=None):
            calls.append("scan")

    documents, vectors = corpus
    stage = SecondStage(embedder, semantics="calibrated", origin=Watched(documents, vectors))
    for start in (0, 10, 20):
        stage.over(documents[start : start + 10], vectors[start : start + 10], k=3).search(QUERY)
    assert calls == ["sample"]


def test_an_empty_origin_is_none(embedder, corpus):
    documents, vectors = corpus[0][:30], corpus[1][:30]
    stage = SecondStage(embedder, exclusion="rank", semantics="product", origin=InMemoryStore())
    assert len(stage.over(documents, vectors).search(QUERY).documents) == 30


def test_several_threads_and_tasks(embedder, corpus):
    documents, vectors = corpus
    stage = SecondStage(embedder, origin=InMemoryStore(documents, vectors))

    def one(start):
        over = stage.over(documents[start : start + 20], vectors[start : start + 20], k=5)
        return over.search(QUERY), asyncio.run(over.asearch(QUERY))

    with ThreadPoolExecutor(8) as pool:
        for start, (found, awaited) in zip(range(0, 160, 20), pool.map(one, range(0, 160, 20)), strict=True):
            assert found == awaited
            assert {int(d.id[1:]) // 20 for d in found.documents} == {start // 20}


def test_wrong_documents_are_refused(embedder, corpus):
    documents, vectors = corpus
    stage = SecondStage(embedder, semantics="calibrated", origin=InMemoryStore(documents, vectors))
    with pytest.raises(VectorMismatchError):
        stage.over(documents[:3], vectors[:2])
    with pytest.raises(InvalidArgumentError, match="d000"):
        stage.over([documents[0], documents[0]], vectors[:2])
    small = HashingEmbedder(32)
    other = SecondStage(small, semantics="calibrated", origin=InMemoryStore(documents, vectors))
    with pytest.raises(VectorMismatchError, match="dimension 32"):
        other.over(documents[:2], small.embed_documents([d.text for d in documents[:2]])).search(QUERY)


def test_explaining_and_rescoring_draw_no_sample_of_their_own():
    class Sampled(InMemoryStore):
        samples = 0

        def sample(self, n, seed):
            self.samples += 1
            return super().sample(n, seed)

    texts = [f"green tea {i} and health {i % 7}" for i in range(50)]
    embedder = HashingEmbedder()
    vectors = embedder.embed_documents(texts)
    store = Sampled([StoredDocument(str(i), text) for i, text in enumerate(texts)], vectors)
    retriever = LogicalRetriever(store, embedder, k=3)
    stage = SecondStage(embedder, origin=store)
    for _ in range(3):
        retriever.explain("green tea, excluding health 3")
        retriever.search('"green tea" AND NOT "health 3"')
    assert store.samples == 1
    for _ in range(3):
        stage.over([StoredDocument("found", texts[0])], vectors[:1]).search('"green tea"')
    assert store.samples == 1  # what is known of a store is shared by all that look at it


MADE = Transformation("tea, excluding brewing", parse('"green tea" AND NOT "brewing"'), method="tagger")
TEXTS = ["green tea and brewing", "black coffee", "green tea and health"]


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_second_stage_scores_documents_whose_ids_repeat(asynchronous):
    found = [Encodable(StoredDocument("same", text), text) for text in TEXTS]
    stage = SecondStage(HashingEmbedder(), exclusion="rank", semantics="product", top_n=2)
    result = await stage.ascore(MADE, found) if asynchronous else stage.score(MADE, found)
    assert [TEXTS[one.id] for one in result.documents] == ["green tea and health", "green tea and brewing"]
    why = reasons(result.documents[0], result)
    assert (why["query"], set(why["terms"]), why["exact"]) == (str(MADE.query), {"green tea", "brewing"}, True)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_an_empty_document_has_no_vector_and_takes_part(asynchronous):
    found = [Encodable(StoredDocument(text, text), text) for text in ["", *TEXTS]]
    stage = SecondStage(HashingEmbedder(), exclusion="rank", semantics="product")
    result = await stage.ascore(MADE, found) if asynchronous else stage.score(MADE, found)
    assert sorted(one.id for one in result.documents) == [0, 1, 2, 3]


def test_a_second_stage_of_no_documents_is_refused():
    with pytest.raises(InvalidArgumentError, match="top_n must be an integer of at least 1, got 0"):
        SecondStage(HashingEmbedder(), top_n=0)
