"""An index of words beside a LlamaIndex vector store that has none."""

import pytest
from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient

from llama_index.retrievers.logical import LogicalRetriever

TEXTS = [f"a passage about music, number {i}" for i in range(300)] + ["the ophicleides of Paris"]


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect")
def test_a_node_that_only_its_words_find(tmp_path):
    model = MockEmbedding(embed_dim=8)
    nodes = [TextNode(text=text, metadata={"kind": "odd" if i % 2 else "even"}) for i, text in enumerate(TEXTS)]
    storage = StorageContext.from_defaults(vector_store=QdrantVectorStore("nodes", client=QdrantClient(":memory:")))
    index = VectorStoreIndex(nodes, storage_context=storage, embed_model=model)
    question, arguments = "an ophicleide, but no music", {"similarity_top_k": 2, "fetch_k": 5, "embed_model": model}
    retriever = LogicalRetriever.from_index(index, words_index=tmp_path / "words", **arguments)
    assert retriever.retrieve(question)[0].text == TEXTS[-1]
    index.insert_nodes([TextNode(text="one serpent", metadata={"kind": "odd"})])
    assert retriever.retrieve("a serpent, but no music")[0].text == "one serpent"
    odd = MetadataFilters(filters=[MetadataFilter(key="kind", value="odd")])
    filtered = LogicalRetriever.from_index(index, words_index=tmp_path / "words", filters=odd, **arguments)
    found = filtered.retrieve("a serpent or an ophicleide, but no music")
    assert {node.metadata["kind"] for node in found} == {"odd"}
    assert found[0].text == "one serpent"
