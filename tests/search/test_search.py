"""Rankings over real stores equal the oracle's, and say truthfully when they might not."""

import chromadb
import numpy as np
import oracle
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import LETTERS, queries
from searching import find

from logical_retriever.errors import SemanticsError, StoreCapabilityError, VectorMismatchError
from logical_retriever.query import Term, parse
from logical_retriever.scoring import SEMANTICS, CalibratedSemantics
from logical_retriever.search.question import open_ended
from logical_retriever.search.scan import best_rows
from logical_retriever.search.scores import ordered
from logical_retriever.stores import ChromaStore, InMemoryStore, StoredDocument
from logical_retriever.testing.ranking_suite import WithoutScan

RNG = np.random.default_rng(11)
TERMS = dict(zip(LETTERS, RNG.normal(size=(4, 8)).astype(np.float32), strict=True))
DOCUMENTS = {f"d{i:03}": row for i, row in enumerate(RNG.normal(size=(60, 8)).astype(np.float32))}


def in_memory(documents=DOCUMENTS):
    return InMemoryStore([StoredDocument(id, f"text {id}") for id in documents], list(documents.values()))


def chroma(tmp_path, documents=DOCUMENTS, space="l2", name="docs"):
    client = chromadb.PersistentClient(str(tmp_path))
    collection = client.create_collection(name, embedding_function=None, configuration={"hnsw": {"space": space}})
    if documents:
        collection.add(
            ids=list(documents), embeddings=list(documents.values()), documents=[f"text {d}" for d in documents]
        )
    return ChromaStore(collection)


def search(query, store, name="product", k=5, filter=None, **settings):
    return find(query, store, TERMS, name, k=k, filter=filter, **settings)


@settings(max_examples=300, deadline=None)
@given(query=queries(), name=st.sampled_from(sorted(oracle.OPERATORS)), k=st.integers(1, 70))
def test_in_memory_equals_the_oracle(query, name, k):
    result = search(query, in_memory(), name, k=k)
    expected = oracle.ranking(query, TERMS, DOCUMENTS, name, k)
    assert result.exact
    assert result.cost.scored == len(DOCUMENTS)
    np.testing.assert_allclose([d.score for d in result.documents], [s for _, s in expected], rtol=1e-4, atol=1e-5)
    scores = dict(oracle.ranking(query, TERMS, DOCUMENTS, name, len(DOCUMENTS)))
    # Neighbours closer than float32 can tell may change places; each document has the score of its place.
    for document, (_, score) in zip(result.documents, expected, strict=True):
        assert scores[document.id] == pytest.approx(score, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("wrap", [lambda store: store, WithoutScan], ids=["by scan", "by lists"])
def test_terms_of_another_dimension_than_the_store_are_refused(wrap):
    with pytest.raises(VectorMismatchError, match="dimension"):
        find(parse('"a" AND NOT "b"'), wrap(in_memory()), {"a": [1.0, 2.0], "b": [2.0, 1.0]})


@pytest.mark.parametrize("space", ["l2", "cosine", "ip"])
def test_a_collection_that_the_lists_cover_is_exact_in_any_space(tmp_path, space):
    query = parse('("a" OR "b") AND NOT "c"')
    result = search(query, chroma(tmp_path, space=space), fetch_k=60, k=24)
    assert result.exact
    assert [d.id for d in result.documents] == [id for id, _ in oracle.ranking(query, TERMS, DOCUMENTS, "product", 24)]


@pytest.mark.parametrize("text", ['"a" AND NOT "c"', '"a"'])
def test_a_larger_collection_is_asked_for_lists_and_scored_completely(tmp_path, text):
    documents = {f"d{i:04}": row for i, row in enumerate(RNG.normal(size=(1500, 8)).astype(np.float32))}
    query = parse(text)
    result = search(query, chroma(tmp_path, documents, space="cosine"))
    assert (result.cost.strategy, result.exact) == ("nearest", False)  # HNSW promises nothing
    assert result.cost.scored <= 80
    expected = dict(oracle.ranking(query, TERMS, documents, "product", len(documents)))
    for document in result.documents:  # no cosine of a candidate is missing or taken as zero
        assert document.score == pytest.approx(expected[document.id], abs=1e-5)
    assert {d.id for d in result.documents} == set(list(expected)[:5])


@pytest.mark.parametrize("terms", [("a", "b"), ("a", "b", "c")])
def test_the_best_of_an_and_of_unrelated_texts_are_in_the_list_of_their_sum(tmp_path, terms):
    documents = {f"d{i:05}": row for i, row in enumerate(RNG.normal(size=(6000, 8)).astype(np.float32))}
    query = parse(" AND ".join(terms))
    result = search(query, WithoutScan(in_memory(documents)), k=10)
    expected = [id for id, _ in oracle.ranking(query, TERMS, documents, "product", 10)]
    assert len(set(expected) & {d.id for d in result.documents}) >= 9


@pytest.mark.parametrize("text", ['NOT "a"', '"a" OR NOT "b"', 'NOT ("a" AND "b")'])
def test_queries_that_documents_about_nothing_answer_are_scanned_or_refused(tmp_path, text):
    documents = {f"d{i:04}": row for i, row in enumerate(RNG.normal(size=(1500, 8)).astype(np.float32))}
    query = parse(text)
    result = search(query, chroma(tmp_path, documents))
    assert result.exact
    assert result.cost.scored == 1500
    assert [d.id for d in result.documents] == [id for id, _ in oracle.ranking(query, TERMS, documents, "product", 5)]
    with pytest.raises(StoreCapabilityError, match="cannot be scanned"):
        search(query, WithoutScan(in_memory()))


@pytest.mark.parametrize(
    ("text", "open_"),
    [('"a"', False), ('NOT "a"', True), ('NOT NOT "a"', False), ('"a" AND NOT "b"', False), ('"a" OR NOT "b"', True),
     ('NOT ("a" OR "b")', True), ('NOT "a" AND NOT "b"', True), ('("a" OR NOT "b") AND "c"', False)],
)  # fmt: skip
def test_open_ended(text, open_):
    assert open_ended(parse(text)) is open_


@pytest.mark.parametrize("name", list(SEMANTICS))
def test_zero_and_nan_vectors_are_related_to_nothing(name):
    documents = {"nan": np.full(8, np.nan), "zero": np.zeros(8), "inf": np.full(8, np.inf), "good": TERMS["a"]}
    result = search(parse('"a" AND NOT "b"'), in_memory(documents), name, k=4)
    assert result.documents[0].id == "good"
    for document in result.documents[1:]:
        assert document.cosines == {"a": 0.0, "b": 0.0}
        assert np.isfinite(document.score)


@given(scores=st.lists(st.sampled_from([0.0, 0.5, 1.0, -1.0]), min_size=1, max_size=12), k=st.integers(1, 14))
def test_the_best_rows_hold_the_head_of_the_order(scores, k):
    ids = [f"{(7 * i) % 13:02}" for i in range(len(scores))]
    order = ordered(np.array(scores), ids)
    assert order == sorted(range(len(scores)), key=lambda i: (-scores[i], ids[i]))
    assert set(order[:k]) <= set(best_rows(np.array(scores), k))


def test_a_semantics_that_gives_a_term_no_value_is_named():
    class Terse(CalibratedSemantics):
        name = "terse"

        def truth_values(self, query, evidence):
            return {}

    with pytest.raises(SemanticsError, match="'terse' gives no value for the term 'a'"):
        search(parse('"a" AND NOT "b"'), in_memory(DOCUMENTS), Terse())


@pytest.mark.parametrize("function", [lambda scores: ordered(scores, ["a", "b"]), lambda scores: best_rows(scores, 1)])
def test_a_score_that_is_no_number_is_refused(function):
    with pytest.raises(SemanticsError, match="not a number"):
        function(np.array([0.1, np.nan]))


def test_near_copies_keep_the_order_of_float64():
    rng = np.random.default_rng(2)
    base = rng.normal(size=8)
    rows = [base + 1e-4 * rng.normal(size=8) for _ in range(400)]
    documents = {f"d{i:03}": row.astype(np.float32).tolist() for i, row in enumerate(rows)}
    term = {"a": base.astype(np.float32).tolist()}
    expected = [id for id, _ in oracle.ranking(Term("a"), term, documents, "product", 10)]
    result = find(Term("a"), in_memory(documents), term, k=10)
    assert [d.id for d in result.documents] == expected


class Counted(InMemoryStore):
    """Counts more documents than it has."""

    def count(self):
        return super().count() + 1


def test_a_store_that_counts_more_than_it_brings_is_not_exact():
    store = Counted([StoredDocument(id, id) for id in DOCUMENTS], list(DOCUMENTS.values()))
    result = search(parse('"a" AND NOT "b"'), store)
    assert not result.exact
    assert result.reason == "the store counts 61 documents, and a scan brought 60"
