"""The modes "sqo" and "deo" over real stores: one search, honest about it, and defined for bad input."""

import chromadb
import numpy as np
import pytest
from random_stores import as_mapping, filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, SemanticsError, StoreCapabilityError
from logical_retriever.query import Term, parse
from logical_retriever.search import moved_vector
from logical_retriever.semantics import SEMANTICS
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.stores import ChromaStore, InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.searching import find
from logical_retriever.transform import Transformation

THINGS = ("green tea", "black coffee", "orange juice", "cold water", "hot milk")
ABOUT = ("health", "brewing", "sleep", "sugar", "history", "cups", "trade", "children", "climate", "prices")
TEXTS = [f"{thing} and {about}" for thing in THINGS for about in ABOUT]
DOCUMENTS = [StoredDocument(f"d{i:02}", text) for i, text in enumerate(TEXTS)]
MODES = ("sqo", "deo")
GREEN = parse('"green tea" AND "brewing"')
AND_NOT = parse('"green tea" AND NOT "brewing"')


@pytest.fixture
def embedder():
    return HashingEmbedder()


def remote(embedder):
    return RemoteStore(DOCUMENTS, embedder.embed_documents(TEXTS))


@pytest.fixture(scope="module")
def chroma(tmp_path_factory):
    embedder, client = HashingEmbedder(), chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
    collection = client.create_collection("docs", embedding_function=None)
    collection.add(
        ids=[document.id for document in DOCUMENTS],
        documents=TEXTS,
        embeddings=embedder.embed_documents(TEXTS),
        metadatas=[{"thing": text.split()[1]} for text in TEXTS],
    )
    return ChromaStore(collection)


@pytest.mark.parametrize("semantics", list(SEMANTICS))
def test_candidates_of_one_vector_are_scored_as_all_documents_are(chroma, embedder, semantics):
    exact = LogicalRetriever(chroma, embedder, semantics=semantics, k=50, evidence="dense").search(AND_NOT)
    one = LogicalRetriever(chroma, embedder, semantics=semantics, k=5, fetch_k=20, evidence="dense", mode="sqo")
    result = one.search(AND_NOT)
    assert exact.exact
    assert exact.convergence is None
    assert not result.exact
    assert (result.plan.strategy, result.candidates, result.store_calls, result.rounds) == ("sqo", 20, 2, 1)
    assert result.reason == "only the 20 documents nearest to the optimised vector were scored"
    if semantics != "nsfl":  # NSFL's scores are relative to the candidates
        found = {document.id: document.score for document in exact.documents}
        assert result.documents[0].score == pytest.approx(exact.documents[0].score, rel=1e-5)
        for document in result.documents:
            assert document.score == pytest.approx(found[document.id], rel=1e-5)
            assert set(document.cosines) == {"green tea", "brewing"}


def test_deo_ranks_by_the_moved_vector_alone(chroma, embedder):
    retriever = LogicalRetriever(chroma, embedder, k=5, fetch_k=12, mode="deo")
    result = retriever.search(Transformation("tea without brewing", AND_NOT, method="recorded"))
    rows = embedder.embed_queries(["tea without brewing", "green tea", "brewing"])
    vector, _ = moved_vector(rows[0], rows[1:2], rows[2:])
    cosines = embedder.embed_documents(TEXTS) @ vector
    assert [document.score for document in result.documents] == pytest.approx(sorted(cosines)[::-1][:5], abs=1e-5)
    assert all(document.score == pytest.approx(cosines[int(document.id[1:])]) for document in result.documents)
    assert result.documents[0].strengths["green tea"] > 4.0  # the reasons are the semantics' all the same
    assert not result.exact
    assert result.reason == "documents are ranked by one optimised vector, not by calibrated"
    assert result.plan.lexical_k is None


def test_lexical_evidence_is_added_to_the_candidates(chroma, embedder):
    dense = LogicalRetriever(chroma, embedder, k=3, fetch_k=20, mode="sqo", evidence="dense").search(AND_NOT)
    both = LogicalRetriever(chroma, embedder, k=3, fetch_k=20, mode="sqo").search(AND_NOT)
    assert both.plan.lexical_k == 20
    assert both.documents[0].score > dense.documents[0].score
    exact = LogicalRetriever(chroma, embedder, k=3).search(AND_NOT)
    assert [d.score for d in both.documents] == pytest.approx([d.score for d in exact.documents])


def test_a_list_of_the_whole_store_is_exact(embedder):
    store = remote(embedder)
    result = LogicalRetriever(store, embedder, k=5, fetch_k=len(TEXTS), mode="sqo").search(AND_NOT)
    assert result.exact
    assert result.reason == "every document was read"
    assert store.searched == [(1, len(TEXTS))]
    assert not LogicalRetriever(store, embedder, k=5, fetch_k=len(TEXTS), mode="deo").search(AND_NOT).exact


@pytest.mark.parametrize("mode", MODES)
def test_convergence_is_part_of_the_explanation(chroma, embedder, mode):
    told = LogicalRetriever(chroma, embedder, k=2, fetch_k=10, mode=mode).explain("green tea, excluding brewing")
    how = told.result.convergence
    assert how.converged
    assert 1 < how.iterations < 100
    assert str(how) in str(told)
    assert told.to_dict()["convergence"] == {
        "objective": how.objective,
        "gradient_norm": how.gradient_norm,
        "iterations": how.iterations,
        "starts": how.starts,
        "converged": True,
    }
    assert "optimised from 'Green tea', 'brewing'" in str(told.result.plan)
    assert told.dense[0].score >= told.dense[1].score  # what it is compared with is plain dense retrieval


@pytest.mark.parametrize("mode", MODES)
async def test_asynchronous_search_finds_the_same(chroma, embedder, mode):
    retriever = LogicalRetriever(chroma, embedder, k=3, fetch_k=10, mode=mode)
    assert (await retriever.asearch(AND_NOT)).documents == retriever.search(AND_NOT).documents


def test_over_many_random_documents_one_list_holds_most_of_the_best():
    rng = np.random.default_rng(5)
    store, terms = filled(RemoteStore, random_vectors(rng, 4000, 16)), random_terms(rng, 16)
    query = parse('"a" AND "b" AND NOT "c"')
    best = {document.id for document in find(query, store, terms, k=10).documents}
    one = find(query, store, terms, k=10, fetch_k=100, mode="sqo")
    assert len(best & {document.id for document in one.documents}) >= 8
    assert one.candidates == 100
    scores = [document.score for document in one.documents]
    assert scores == sorted(scores, reverse=True)
    assert as_mapping(store).keys() >= {document.id for document in one.documents}


@pytest.mark.parametrize("mode", ["SQO", "", None, 3, "fast"])
def test_an_unknown_mode_is_refused(embedder, mode):
    with pytest.raises(InvalidArgumentError, match="no search mode"):
        LogicalRetriever(InMemoryStore(), embedder, mode=mode)
    with pytest.raises(InvalidArgumentError, match="no search mode"):
        find(AND_NOT, InMemoryStore(), {}, mode=mode)


def test_a_semantics_without_gradients_is_refused_before_anything_is_encoded(embedder):
    class Flat(NsflSemantics):
        differentiable = False

    retriever = LogicalRetriever(remote(embedder), None, semantics=Flat(), mode="sqo")
    with pytest.raises(SemanticsError, match="'nsfl' has no gradients"):
        retriever.search(AND_NOT)
    assert LogicalRetriever(remote(embedder), embedder, semantics=Flat(), mode="deo").search(AND_NOT).documents


@pytest.mark.parametrize("mode", MODES)
def test_a_query_that_wants_nothing_is_scanned(embedder, mode):
    store = InMemoryStore(DOCUMENTS, embedder.embed_documents(TEXTS))
    result = LogicalRetriever(store, embedder, k=3, mode=mode, evidence="dense").search('NOT "green tea"')
    assert result.exact
    assert (result.plan.strategy, result.convergence) == ("scan", None)
    with pytest.raises(StoreCapabilityError, match="cannot be scanned"):
        LogicalRetriever(_Blind(DOCUMENTS, embedder.embed_documents(TEXTS)), embedder, mode=mode).search('NOT "tea"')


class _Blind(RemoteStore):
    """Neither walked through nor searched exactly."""

    @property
    def capabilities(self):
        from dataclasses import replace

        return replace(RemoteStore.capabilities, exact_search=False)


def test_deo_of_a_question_that_wants_nothing_moves_the_question(embedder):
    made = Transformation("anything but green tea", parse('NOT "green tea"'), method="recorded")
    result = LogicalRetriever(remote(embedder), embedder, k=3, mode="deo").search(made)
    assert result.plan.strategy == "deo"
    assert result.convergence.iterations > 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("semantics", list(SEMANTICS))
@pytest.mark.parametrize("form", ['"green tea" AND NOT "green tea"', '"green tea"', '"green tea" OR "black coffee"'])
def test_contradictions_and_plain_terms_are_answered(chroma, embedder, mode, semantics, form):
    result = LogicalRetriever(chroma, embedder, semantics=semantics, k=4, mode=mode).search(form)
    assert len(result.documents) == 4
    assert all(np.isfinite(document.score) for document in result.documents)
    if form == '"green tea"':
        assert all("green tea" in document.text for document in result.documents)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("semantics", ["calibrated", "product"])
def test_a_filter_that_leaves_nothing_and_an_empty_store_give_nothing(chroma, tmp_path, embedder, mode, semantics):
    retriever = LogicalRetriever(chroma, embedder, semantics=semantics, k=3, mode=mode)
    assert retriever.search(AND_NOT, filter={"thing": "nothing"}).documents == ()
    kept = retriever.search(AND_NOT, filter={"thing": "milk"}).documents
    assert kept
    assert all("milk" in document.text for document in kept)
    empty = chromadb.PersistentClient(str(tmp_path)).create_collection("empty", embedding_function=None)
    for store in (ChromaStore(empty), InMemoryStore()):
        result = LogicalRetriever(store, embedder, semantics=semantics, mode=mode).search(AND_NOT)
        assert result.documents == ()


@pytest.mark.parametrize("mode", MODES)
def test_zero_vectors_are_related_to_nothing(mode):
    terms = {"a": [0.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0]}
    documents = random_vectors(np.random.default_rng(4), 20, 3, unusable=6)
    result = find(parse('"a" AND NOT "b"'), filled(RemoteStore, documents), terms, k=20, mode=mode, fetch_k=20)
    assert len(result.documents) == 20
    assert all(document.cosines["a"] == 0.0 for document in result.documents)
    assert all(np.isfinite(document.score) for document in result.documents)


@pytest.mark.parametrize("mode", MODES)
def test_limits_bind_one_list_too(embedder, mode):
    store = remote(embedder)
    retriever = LogicalRetriever(store, embedder, k=3, fetch_k=30, max_candidates=7, evidence="dense", mode=mode)
    assert retriever.search(AND_NOT).candidates == 7
    assert LogicalRetriever(store, embedder, k=40, fetch_k=5, mode=mode).search(GREEN).candidates == 40
    assert len(LogicalRetriever(store, embedder, k=500, mode=mode).search(Term("green tea")).documents) == len(TEXTS)
