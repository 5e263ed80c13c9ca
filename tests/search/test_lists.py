"""What is claimed about lists that promise less than the exact nearest documents by cosine."""

from dataclasses import replace

import chromadb
import faiss
import numpy as np
import pytest
from random_stores import as_mapping, filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import parse
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.stores import ChromaStore
from logical_retriever.testing import oracle
from logical_retriever.testing.searching import find

QUERY = parse('("a" OR "b") AND NOT "c"')


def variant(**changes):
    """A remote store that states other facts about itself."""

    class Variant(RemoteStore):
        capabilities = replace(RemoteStore.capabilities, **changes)

    return Variant


class FaissStore(RemoteStore):
    """Lists from a flat FAISS index."""

    capabilities = replace(RemoteStore.capabilities, name="FAISS", cosine_order=False)
    index_class = faiss.IndexFlatL2

    def search(self, vectors, n, filter=None):
        ids = list(as_mapping(self))
        rows = np.stack(list(as_mapping(self).values()))
        index = self.index_class(rows.shape[1])
        index.add(rows)
        _, found = index.search(vectors, min(n, len(ids)))
        return [[ids[i] for i in row] for row in found]


class FaissProducts(FaissStore):
    index_class = faiss.IndexFlatIP


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def expected(query, terms, store, k=5, semantics="product"):
    return [id for id, _ in oracle.ranking(query, terms, as_mapping(store), semantics, k)]


@pytest.mark.parametrize("kind", [FaissStore, FaissProducts])
def test_a_flat_index_proves_what_it_can_of_vectors_of_one_length(rng, kind):
    store, terms = filled(kind, random_vectors(rng, 1500)), random_terms(rng)
    result = find(QUERY, store, terms, fetch_k=10)
    assert result.proved
    assert not result.exact
    assert "if vectors that were not read are as long" in result.completeness
    assert [document.id for document in result.documents] == expected(QUERY, terms, store)
    assert result.candidates < 750


def test_a_flat_index_of_unit_vectors_that_says_so_is_exact(rng):
    class Cosines(FaissProducts):
        capabilities = replace(FaissProducts.capabilities, cosine_order=True)

    store, terms = filled(Cosines, random_vectors(rng, 1500)), random_terms(rng)
    result = find(QUERY, store, terms, fetch_k=10)
    assert result.exact
    assert [document.id for document in result.documents] == expected(QUERY, terms, store)


def test_vectors_stored_in_half_precision_are_of_one_length(rng):
    vectors = random_vectors(rng, 1500, 16).astype(np.float16).astype(np.float32)
    store, terms = filled(FaissStore, vectors), random_terms(rng, 16)
    result = find(QUERY, store, terms, fetch_k=10)
    assert result.proved
    assert [document.id for document in result.documents] == expected(QUERY, terms, store)


@pytest.mark.parametrize("kind", [FaissStore, FaissProducts])
def test_an_index_over_vectors_of_many_lengths_proves_nothing(rng, kind):
    store, terms = filled(kind, random_vectors(rng, 1500, unit=False)), random_terms(rng)
    result = find(QUERY, store, terms, fetch_k=50)
    assert (result.exact, result.proved, result.bound) == (False, False, None)
    assert "does not rank by cosine" in result.completeness
    assert result.depths == {"a": 50, "b": 50}


def test_a_store_that_claims_the_order_of_cosines_is_not_believed_blindly(rng):
    class Liar(FaissProducts):
        capabilities = replace(FaissProducts.capabilities, cosine_order=True)

    result = find(QUERY, filled(Liar, random_vectors(rng, 1500, unit=False)), random_terms(rng), fetch_k=50)
    assert not result.proved
    assert "does not rank by cosine" in result.reason


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
def test_an_approximate_index_is_never_called_exact(tmp_path, rng, space):
    documents = dict(zip((f"d{i:04}" for i in range(3000)), random_vectors(rng, 3000, 24), strict=True))
    client = chromadb.PersistentClient(str(tmp_path))
    collection = client.create_collection("docs", embedding_function=None, configuration={"hnsw": {"space": space}})
    collection.add(ids=list(documents), embeddings=list(documents.values()))
    terms = random_terms(rng, 24)
    for text in ('"a" AND "b"', '"a" AND NOT "c"', '("a" OR "b") AND NOT ("c" AND "d")'):
        query = parse(text)
        result = find(query, ChromaStore(collection), terms, fetch_k=100)
        assert result.plan.strategy == "threshold"
        assert result.proved
        assert not result.exact
        assert "the index is approximate" in result.completeness
        everything = dict(oracle.ranking(query, terms, documents, "product", 3000))
        for document in result.documents:
            assert document.score == pytest.approx(everything[document.id], abs=1e-5)
        best = set(list(everything)[:5])
        assert len(best & {document.id for document in result.documents}) >= 4  # HNSW may miss one


def test_an_index_that_gives_short_lists_is_not_taken_for_a_small_store(rng):
    class Short(variant(exact_search=False, name="Short")):
        def search(self, vectors, n, filter=None):
            return super().search(vectors, min(n, 15), filter)

    result = find(parse('"a" AND "b"'), filled(Short, random_vectors(rng, 900)), random_terms(rng), k=10, fetch_k=20)
    assert not result.proved
    assert "Short gives no more documents" in result.reason
    assert result.gap > 0


def test_an_approximate_index_read_to_its_end_is_exact(rng):
    store, terms = filled(variant(exact_search=False), random_vectors(rng, 40)), random_terms(rng)
    result = find(QUERY, store, terms, k=40)
    assert result.exact
    assert result.reason == "every document was read"


def test_an_approximate_index_is_not_deepened_for_a_bound_that_depth_cannot_lower(rng):
    store, terms = filled(variant(exact_search=False), random_vectors(rng, 2000)), random_terms(rng)
    # Two cosines below 0 have a positive product: nothing bounds it where the least cosines are unknown.
    result = find(parse('"a" AND "b"'), store, terms, "itlr", fetch_k=30)
    assert not result.proved
    assert result.depths == {"a": 30, "b": 30}
    assert "no list of this length bounds what was not read" in result.reason
    exact = find(parse('"a" AND "b"'), filled(RemoteStore, random_vectors(rng, 2000)), terms, "itlr", fetch_k=30)
    assert exact.exact
    assert {"NOT a", "NOT b"} <= set(exact.depths)


def test_vectors_that_were_encoded_again_prove_nothing_about_those_stored(rng):
    store, terms = filled(variant(stored_vectors=False), random_vectors(rng, 900)), random_terms(rng)
    result = find(QUERY, store, terms, fetch_k=10)
    assert result.proved
    assert not result.exact
    assert "encoded again" in result.reason


def test_a_semantics_without_a_bound_scores_lists_of_fixed_length(rng):
    terms = random_terms(rng)
    terms |= {text: random_vectors(rng, 1)[0] for text in NsflSemantics().texts(QUERY)[3:]}
    result = find(QUERY, filled(RemoteStore, random_vectors(rng, 900)), terms, NsflSemantics(), fetch_k=40)
    assert result.plan.strategy == "union"
    assert (result.exact, result.proved, result.bound) == (False, False, None)
    assert result.depths == {"a": 40, "b": 40}
    assert "nsfl has no bound" in result.completeness


def test_documents_without_a_usable_vector_are_bounded_wherever_the_index_puts_them(rng):
    class UnusableLast(RemoteStore):
        def search(self, vectors, n, filter=None):
            found = super().search(vectors, self.count(), filter)
            return [sorted(ids, key=lambda id: id == "d00000")[:n] for ids in found]

    vectors = random_vectors(rng, 300)
    terms = {"a": -vectors.mean(axis=0), "b": vectors[1]}
    terms["a"] = terms["a"] / np.linalg.norm(terms["a"])
    vectors[vectors @ terms["a"] > -0.1] = -terms["a"]  # all documents are less like the text than one without vector
    vectors[0] = 0.0
    store = filled(UnusableLast, vectors)
    result = find(parse('"a" AND NOT "b"'), store, terms, "itlr", k=1, fetch_k=2)
    assert result.exact
    assert [document.id for document in result.documents] == ["d00000"]


@pytest.mark.parametrize("exact", [True, False])
def test_a_store_with_a_longest_list_is_read_to_it_and_no_further(rng, exact):
    class Capped(variant(max_results=20, exact_search=exact, name="Capped")):
        def search(self, vectors, n, filter=None):
            if n > 20:
                raise StoreCapabilityError("Capped returns at most 20.", hint="Ask for fewer.")
            return super().search(vectors, n, filter)

    store, terms = filled(Capped, random_vectors(rng, 900)), random_terms(rng)
    result = find(parse('"a" AND "b"'), store, terms, k=10, fetch_k=200)
    assert (result.exact, result.proved) == (False, False)
    assert "Capped gives at most 20 documents for a text; a document that was not read may score" in result.completeness
    assert result.gap > 0
    assert result.plan.fetch_k == 20
    assert set(result.depths.values()) == {20}
    everything = dict(oracle.ranking(parse('"a" AND "b"'), terms, as_mapping(store), "product", 900))
    unread = everything.keys() - {id for batch in store.fetched for id in batch}
    assert max(everything[id] for id in unread) <= result.bound
    for document in result.documents:
        assert document.score == pytest.approx(everything[document.id], abs=1e-5)


def test_more_documents_can_be_asked_for_than_one_list_has(rng):
    store, terms = filled(variant(max_results=20), random_vectors(rng, 900)), random_terms(rng)
    result = find(QUERY, store, terms, k=30)
    assert len(result.documents) == 30
    assert not result.exact
    assert max(length for _, length in store.searched) == 20


def test_a_longest_list_does_not_matter_where_less_proves_the_best(rng):
    store, terms = filled(variant(max_results=20), random_vectors(rng, 900)), random_terms(rng)
    result = find(parse('"a" AND NOT "b"'), store, terms, k=1)
    assert result.exact
    assert [document.id for document in result.documents] == expected(parse('"a" AND NOT "b"'), terms, store, k=1)
