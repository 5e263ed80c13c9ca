"""What the suite of the core does not ask: which adapter is chosen, what it costs, what it says."""

import logging

import numpy as np
import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import IndexNode, TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient, models

from llama_index.retrievers.logical import LogicalRetriever, register_adapter
from llama_index.retrievers.logical.stores import registry
from llama_index.retrievers.logical.stores.reembedding import ReembeddingStore
from logical_retriever.demo import load_passages
from logical_retriever.errors import StoreError
from logical_retriever.stores import InMemoryStore, StoredDocument

QUERY = '"vitamin D" AND NOT "bone health"'


def test_an_adapter_can_be_registered(make_index, nodes, foreign, monkeypatch):
    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    index = make_index("foreign", nodes)
    assert isinstance(LogicalRetriever(index).store, ReembeddingStore)
    stored = InMemoryStore([StoredDocument("a", "tea", {"n": 1})], np.ones((1, 256)))
    register_adapter(foreign, lambda index: stored)
    [found] = LogicalRetriever(index).retrieve("tea")
    assert (found.node_id, found.text, found.metadata["n"]) == ("a", "tea", 1)


def test_a_docstore_that_was_lost_is_an_error_not_an_empty_answer(simple_index, id_of):
    for node_id in list(simple_index.docstore.docs):
        simple_index.docstore.delete_document(node_id)
    with pytest.raises(StoreError, match="docstore has no node"):
        LogicalRetriever.from_index(simple_index).retrieve(QUERY)


def test_indices_that_share_a_vector_store_answer_from_their_own_nodes(embedding, nodes, names):
    shared = SimpleVectorStore()
    first, second = (
        VectorStoreIndex(part, storage_context=StorageContext.from_defaults(vector_store=shared), embed_model=embedding)
        for part in (nodes[:3], nodes[3:])
    )
    assert set(names(LogicalRetriever(first).retrieve("vitamin OR tea"))) == {"bone", "mood", "immune"}
    assert set(names(LogicalRetriever(second).retrieve("vitamin OR tea"))) == {"calcium", "tea", "coffee"}


def test_the_text_encoded_again_is_the_one_the_index_embeds(foreign, embedding):
    node = TextNode(text="tea", metadata={"topic": "drinks", "secret": "x"}, excluded_embed_metadata_keys=["secret"])
    index = VectorStoreIndex(
        [node], storage_context=StorageContext.from_defaults(vector_store=foreign()), embed_model=embedding
    )
    assert embedding.texts == ["topic: drinks\n\ntea"]
    LogicalRetriever.from_index(index).retrieve("tea")
    assert [text for text in embedding.texts if text.endswith("tea")] == ["topic: drinks\n\ntea"] * 2


async def test_qdrant_on_disk_is_read_from_other_threads(tmp_path, nodes, embedding, names):
    client = QdrantClient(path=str(tmp_path / "qdrant"))
    store = QdrantVectorStore("docs", client=client, index_doc_id=False)
    index = VectorStoreIndex(
        nodes, storage_context=StorageContext.from_defaults(vector_store=store), embed_model=embedding
    )
    found = await LogicalRetriever.from_index(index, similarity_top_k=2).aretrieve(QUERY)
    client.close()
    assert set(names(found)) == {"mood", "immune"}


def test_qdrant_collections_of_unnamed_vectors_and_numbered_points(embedding):
    client = QdrantClient(":memory:")
    client.create_collection("old", vectors_config=models.VectorParams(size=256, distance=models.Distance.DOT))
    texts = ["vitamin D and mood", "vitamin D and bone health", "tea"]
    vectors = embedding.get_text_embedding_batch(texts)
    for i, (text, vector) in enumerate(zip(texts, vectors, strict=True)):
        client.upsert("old", [models.PointStruct(id=i, vector=vector, payload={"text": text})])
    index = VectorStoreIndex.from_vector_store(
        QdrantVectorStore("old", client=client, index_doc_id=False), embed_model=embedding
    )
    retriever = LogicalRetriever.from_index(index, similarity_top_k=3)
    found = retriever.retrieve(QUERY)
    assert (found[0].node_id, found[0].text) == ("0", "vitamin D and mood")
    assert retriever.store.capabilities.cosine_order is False


def test_chroma_collections_made_by_others(tmp_path, embedding):
    import chromadb
    from llama_index.vector_stores.chroma import ChromaVectorStore

    collection = chromadb.PersistentClient(str(tmp_path)).create_collection("theirs", embedding_function=None)
    texts = ["vitamin D and mood", "vitamin D and bone health"]
    collection.add(
        ids=["m", "b"],
        documents=texts,
        metadatas=[{"topic": "x"}, None],
        embeddings=np.array(embedding.get_text_embedding_batch(texts), dtype=np.float32),
    )
    index = VectorStoreIndex.from_vector_store(ChromaVectorStore(chroma_collection=collection), embed_model=embedding)
    [first, second] = LogicalRetriever.from_index(index, exclusion="rank").retrieve(QUERY)
    assert (first.node_id, first.text, first.metadata["topic"]) == ("m", texts[0], "x")
    assert (second.node_id, "topic" in second.metadata) == ("b", False)


def test_nodes_keep_their_class(make_index, kind, id_of):
    inner = IndexNode(id_=id_of("bone"), text="vitamin D", index_id="elsewhere", metadata={"a": 1})
    index = make_index(kind, [inner])
    [found] = LogicalRetriever.from_index(index).retrieve("vitamin")
    assert isinstance(found.node, IndexNode)
    assert found.node.index_id == "elsewhere"


LONG = {"path": "/srv/data/2024/archive/" * 60}


@pytest.mark.parametrize("kind", ["simple", "chroma", "qdrant"])
@pytest.mark.slow
async def test_it_is_said_in_the_log_and_only_then(make_index, id_of, kind, minilm, hashing, caplog):
    nodes = [TextNode(id_=id_of(one.id), text=one.text, metadata=LONG) for one in load_passages()[:20]]
    index = make_index(kind, nodes, embed_model=minilm, whole=True)
    with caplog.at_level(logging.WARNING):
        assert LogicalRetriever.from_index(index).retrieve("vitamin D, but not bone health")
        assert caplog.records == []
        other = LogicalRetriever.from_index(index, embed_model=hashing(384))
        for _ in range(2):
            await other.aretrieve("vitamin D, but not bone health")
    [record] = caplog.records
    assert "do not look like those of HashEmbedding" in record.getMessage()


def test_an_index_of_words_is_kept_in_a_file(make_index, nodes, names, tmp_path):
    retriever = LogicalRetriever.from_index(make_index("chroma", nodes), words_index=tmp_path / "words", fetch_k=3)
    assert names(retriever.retrieve("brewing"))[0] == "tea"
    assert (tmp_path / "words").stat().st_size
