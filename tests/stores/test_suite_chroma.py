"""Chroma collections in each space pass the suite."""

import uuid
from types import MappingProxyType

import chromadb
import pytest

from logical_retriever.stores import ChromaStore
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import KEYS, holding
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))


def takes(name, value):
    """Chroma's lists are not empty, and of one type."""
    return isinstance(value, (str, int, float)) or (isinstance(value, list) and value != [] and name != "mixed")


class Chroma:
    fields = holding(takes)
    space = "l2"

    @pytest.fixture
    def make_store(self, client):
        def make(documents, vectors):
            collection = client.create_collection(
                uuid.uuid4().hex, embedding_function=None, configuration={"hnsw": {"space": self.space}}
            )
            if documents:
                collection.add(
                    ids=[d.id for d in documents],
                    embeddings=vectors,
                    documents=[d.text for d in documents],
                    metadatas=[dict(d.metadata) for d in documents],
                )
            return self.made(ChromaStore(collection))

        return make

    def made(self, store):
        return store

    def delete(self, store, ids):
        store.collection.delete(ids=list(ids))

    def change(self, store, document, vector):
        collection = getattr(store, "store", store).collection
        collection.update([document.id], [vector], [dict(document.metadata)], [document.text])

    def equals(self, key, value):
        return {key: value}


class TestChroma(Chroma, StoreSuite):
    ids = MappingProxyType({"text": KEYS["text"][1:]})  # Chroma refuses an empty id


class TestChromaCosine(Chroma, RankingSuite):
    space = "cosine"


class TestChromaInnerProduct(Chroma, RankingSuite):
    space = "ip"
