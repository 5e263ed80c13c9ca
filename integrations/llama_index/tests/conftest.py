"""Real vector stores, deterministic embeddings, and an LLM that follows a script."""

import uuid
from typing import Any

import numpy as np
import pytest
from both_frameworks import CompletingLLM, LlamaIndexEmbedding
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQueryResult
from llama_index.core.vector_stores.utils import build_metadata_filter_fn
from vitamin_texts import TEXTS

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.testing.fakes import GivenEmbedder, HashingEmbedder

KINDS = ("simple", "chroma", "qdrant", "foreign")


def id_of(name):
    """Qdrant's ids are UUIDs."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


class HashEmbedding(LlamaIndexEmbedding):
    """Texts that share words are similar."""

    def __init__(self, dimension=256):
        super().__init__(HashingEmbedder(dimension))


class ScriptedLLM(CompletingLLM):
    """A model with prepared answers, and a record of what it was asked."""

    def __init__(self, answers):
        left = list(answers)
        super().__init__(answer=lambda _: left.pop(0))


class ForeignVectorStore(BasePydanticVectorStore):
    """A working vector store that nobody has an adapter for: no vectors by id, and a distance as similarity."""

    stores_text: bool = True

    _nodes: dict[str, Any] = PrivateAttr(default_factory=dict)
    _vectors: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def client(self):
        return None

    def add(self, nodes, **kwargs):
        for node in nodes:
            self._vectors[node.node_id] = np.asarray(node.get_embedding())
            self._nodes[node.node_id] = node.model_copy(update={"embedding": None})
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id, **kwargs):
        raise NotImplementedError

    def delete_nodes(self, node_ids=None, filters=None, **kwargs):
        for id in node_ids:
            self._nodes.pop(id, None)
            self._vectors.pop(id, None)

    def query(self, query, **kwargs):
        passes = build_metadata_filter_fn(lambda id: self._nodes[id].metadata, query.filters)
        target = np.asarray(query.query_embedding)
        distances = {id: float(np.linalg.norm(v - target)) for id, v in self._vectors.items() if passes(id)}
        best = sorted(distances, key=distances.__getitem__)[: query.similarity_top_k]
        return VectorStoreQueryResult(
            nodes=[self._nodes[id] for id in best], similarities=[distances[id] for id in best], ids=best
        )


@pytest.fixture(name="id_of")
def _id_of():
    """The node id of a name."""
    return id_of


@pytest.fixture
def names():
    """Names of found nodes, in order."""
    known = {id_of(name): name for name in TEXTS}
    return lambda nodes: [known[node.node_id] for node in nodes]


@pytest.fixture
def scripted():
    """Makes an LLM of its answers."""
    return lambda *answers: ScriptedLLM(answers)


@pytest.fixture
def given():
    """Makes an embedding model of the vectors of texts."""
    return lambda vectors: LlamaIndexEmbedding(GivenEmbedder(vectors))


@pytest.fixture
def hashing():
    """Makes an embedding model of a dimension."""
    return HashEmbedding


@pytest.fixture
def foreign():
    """A class of vector stores without an adapter."""
    return ForeignVectorStore


@pytest.fixture(scope="session")
def minilm():
    """The encoder that people have, where meaning matters."""
    return LlamaIndexEmbedding(SentenceTransformerEmbedder())


@pytest.fixture
def embedding():
    return HashEmbedding()


@pytest.fixture
def nodes():
    return [TextNode(id_=id_of(n), text=t, metadata={"topic": n[0], "n": i}) for i, (n, t) in enumerate(TEXTS.items())]


@pytest.fixture
def make_index(tmp_path, embedding):
    """An index over a vector store of the given kind."""

    def make(kind, nodes=(), *, embed_model=embedding, whole=False):
        # Vectors of the text alone, unless of the whole: metadata would be part of it.
        for node in nodes:
            node.excluded_embed_metadata_keys = [] if whole else list(node.metadata)
        context = StorageContext.from_defaults(vector_store=_vector_store(kind, tmp_path))
        return VectorStoreIndex(list(nodes), storage_context=context, embed_model=embed_model)

    return make


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def index(kind, make_index, nodes):
    """The same nodes, in each kind of store."""
    return make_index(kind, nodes)


@pytest.fixture
def simple_index(make_index, nodes):
    return make_index("simple", nodes)


def _vector_store(kind, folder):
    if kind == "simple":
        return SimpleVectorStore()
    if kind == "foreign":
        return ForeignVectorStore()
    if kind == "chroma":
        import chromadb
        from llama_index.vector_stores.chroma import ChromaVectorStore

        client = chromadb.PersistentClient(str(folder / "chroma"))
        return ChromaVectorStore(chroma_collection=client.create_collection("passages"))
    import qdrant_client
    from llama_index.vector_stores.qdrant import QdrantVectorStore

    # A payload index has no effect in memory, and Qdrant warns.
    return QdrantVectorStore("passages", client=qdrant_client.QdrantClient(":memory:"), index_doc_id=False)
