"""Every adapter passes the core's conformance suite, judged by its oracle."""

import uuid
from typing import ClassVar

import chromadb
import numpy as np
import pytest
from changing import ChangingIndex, InChroma
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters, SimpleVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient, models

from llama_index.retrievers.logical.stores import as_store
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.testing.ranking_suite import WAYS
from logical_retriever.testing.samples import DIMENSION, KEYS, holding
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


class Adapter(ChangingIndex):
    """Makes an index over a new vector store, with the nodes' vectors as given."""

    def make_id(self, i):
        return str(uuid.uuid5(uuid.NAMESPACE_DNS, f"d{i:03}"))

    def vector_store(self):
        raise NotImplementedError

    @pytest.fixture
    def make_store(self, hashing):
        return lambda documents, vectors: self.made(documents, vectors, hashing(DIMENSION))

    def made(self, documents, vectors, model):
        nodes = [
            TextNode(id_=d.id, text=d.text, metadata=dict(d.metadata), embedding=vector.tolist())
            for d, vector in zip(documents, vectors, strict=True)
        ]
        context = StorageContext.from_defaults(vector_store=self.vector_store())
        index = VectorStoreIndex(nodes, storage_context=context, embed_model=model)
        return as_store(index, self.embedder(nodes))[0]

    def embedder(self, nodes):
        return object.__new__(GivenEmbedder)  # must not be asked

    def delete(self, store, ids):
        store.index.delete_nodes(list(ids), delete_from_docstore=True)

    def equals(self, key, value):
        return MetadataFilters(filters=[MetadataFilter(key=key, value=value)])


class TestSimple(Adapter, StoreSuite):
    def vector_store(self):
        return SimpleVectorStore()


@pytest.fixture(scope="module")
def chroma(tmp_path_factory):
    return chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))


class TestChroma(Adapter, StoreSuite):
    ids = InChroma.ids
    fields = holding(lambda name, value: isinstance(value, (str, int, float)))

    @pytest.fixture(autouse=True)
    def _client(self, chroma):
        self.client = chroma

    def vector_store(self):
        collection = self.client.create_collection(uuid.uuid4().hex, embedding_function=None)
        return ChromaVectorStore(chroma_collection=collection)


class TestQdrant(Adapter, StoreSuite):
    ids: ClassVar = {"UUID": tuple(map(str, KEYS["UUID"]))}

    def vector_store(self):
        return QdrantVectorStore(
            "docs",
            client=QdrantClient(":memory:"),
            index_doc_id=False,
            dense_config=models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE),
        )


class TestAnyOther(Adapter, StoreSuite):
    """Candidates by the store's own query, vectors encoded again."""

    @pytest.fixture(autouse=True)
    def _class(self, foreign):
        self.vector_store = foreign

    def embedder(self, nodes):
        # The index embeds a node's metadata with its text.
        contents = {node.get_content("embed"): node.embedding for node in nodes}
        self.given = GivenEmbedder({**contents, "documents": np.ones(DIMENSION)})
        return self.given

    def change(self, store, document, vector):
        node = TextNode(text=document.text, metadata=dict(document.metadata))
        self.given.vectors[node.get_content("embed")] = vector
        super().change(store, document, vector)

    def delete(self, store, ids):
        store.index.vector_store.delete_nodes(list(ids))

    @WAYS
    @pytest.mark.xfail(reason="it cannot be asked whether a node it has given is still there", strict=True)
    def test_documents_deleted_between_two_questions_are_gone(self, make_store, scans):
        super().test_documents_deleted_between_two_questions_are_gone(make_store, scans)
