"""FAISS: flat and HNSW indexes, both metrics, scaled vectors; and indexes of other forms."""

import warnings

import faiss
import numpy as np
import pytest
from changing import ChangingVectorStore

from langchain_logical_retriever.stores import as_store
from langchain_logical_retriever.stores.fallback import FallbackAdapter
from logical_retriever.testing.samples import DIMENSION, corpus
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package says at import that it is no longer developed
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_community.vectorstores.faiss import FAISS


class Faiss(ChangingVectorStore):
    def index(self):
        return faiss.IndexFlatL2(DIMENSION)

    @pytest.fixture
    def make_store(self, given_embeddings, fill):
        def make(documents, vectors):
            embeddings = given_embeddings(documents, vectors)
            vectorstore = FAISS(embeddings, self.index(), InMemoryDocstore(), {})
            return as_store(fill(vectorstore, documents))

        return make


class TestFlat(Faiss, StoreSuite):
    pass


class TestHNSW(Faiss, StoreSuite):
    def index(self):
        return faiss.IndexHNSWFlat(DIMENSION, 16)

    def delete(self, store, ids):
        pytest.skip("FAISS cannot remove vectors from an HNSW index")


def filled(given_embeddings, fill, index, count=300):
    documents, vectors = corpus(lambda i: f"d{i:03}", count)
    if not index.is_trained:
        index.train(vectors)
    return fill(FAISS(given_embeddings(documents, vectors), index, InMemoryDocstore(), {}), documents), vectors


@pytest.mark.parametrize(
    "index",
    [
        lambda: faiss.IndexScalarQuantizer(DIMENSION, faiss.ScalarQuantizer.QT_4bit),
        lambda: faiss.IndexIVFFlat(faiss.IndexFlatL2(DIMENSION), DIMENSION, 4),
    ],
    ids=["codes", "IVF"],
)
def test_texts_are_encoded_again_where_the_index_is_no_array(given_embeddings, fill, index):
    index = index()
    vectorstore, vectors = filled(given_embeddings, fill, index)
    store = as_store(vectorstore)
    assert isinstance(store, FallbackAdapter)
    store.search(vectors[:1], 10)
    [found] = store.fetch(["d000"]).vectors
    np.testing.assert_array_equal(found, vectors[0])


def test_the_filter_may_be_a_function_of_the_metadata(given_embeddings, fill):
    vectorstore, vectors = filled(given_embeddings, fill, faiss.IndexFlatL2(DIMENSION))
    store = as_store(vectorstore)
    filter = store.read_search_kwargs({"filter": lambda metadata: metadata["rank"] < 3})
    assert sorted(store.search(vectors[:1], 5, filter)[0][0]) == ["d000", "d001", "d002"]


def test_a_flat_index_is_read_where_it_lies_as_it_is_now(given_embeddings, fill):
    store = as_store(filled(given_embeddings, fill, faiss.IndexFlatL2(DIMENSION))[0])
    [batch] = store.scan()
    before = faiss.rev_swig_ptr(store.vectorstore.index.get_xb(), DIMENSION)
    assert np.shares_memory(batch.vectors, before)
    assert not batch.vectors.flags.writeable
    ids = list(batch.ids)
    store.vectorstore.delete(ids[:3])
    [batch] = store.scan()
    assert list(batch.ids) == ids[3:]
    np.testing.assert_array_equal(batch.vectors, store.fetch(ids[3:]).vectors)
    store.vectorstore.add_embeddings([("tea", batch.vectors[0].tolist())], ids=["new"])
    [batch] = store.scan()
    assert list(batch.ids) == [*ids[3:], "new"]
