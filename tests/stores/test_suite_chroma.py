"""Chroma collections in each space pass the suite."""

import uuid

import chromadb
import pytest
from changing import InChroma

from logical_retriever.stores import ChromaStore
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))


class Chroma(InChroma):
    space = "l2"

    @pytest.fixture
    def make_store(self, client):
        def make(documents, vectors):
            index = {"hnsw": {"space": self.space}}
            collection = client.create_collection(uuid.uuid4().hex, embedding_function=None, configuration=index)
            if documents:
                collection.add(
                    ids=[d.id for d in documents],
                    embeddings=vectors,
                    documents=[d.text for d in documents],
                    metadatas=[dict(d.metadata) for d in documents],
                )
            return ChromaStore(collection)

        return make

    def delete(self, store, ids):
        store.collection.delete(ids=list(ids))

    def change(self, store, document, vector):
        store.collection.update([document.id], [vector], [dict(document.metadata)], [document.text])

    def equals(self, key, value):
        return {key: value}


class TestChroma(Chroma, StoreSuite):
    pass


class TestChromaCosine(Chroma, RankingSuite):
    space = "cosine"


class TestChromaInnerProduct(Chroma, RankingSuite):
    space = "ip"
