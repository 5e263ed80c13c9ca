"""Components of LlamaIndex that read scores or relations of what ``as_retriever()`` finds."""

from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import AutoMergingRetriever
from vitamin_texts import QUESTION

from llama_index.retrievers.logical import LogicalRetriever


def test_a_cutoff_of_similarity_is_a_cutoff_of_relevance(simple_index, scripted):
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=6)
    every = retriever.retrieve(QUESTION)
    assert all(0.0 <= node.score <= 1.0 for node in every)
    cutoff = every[1].score
    kept = SimilarityPostprocessor(similarity_cutoff=cutoff).postprocess_nodes(every)
    assert 2 <= len(kept) < len(every)
    own = LogicalRetriever.from_index(simple_index, similarity_top_k=6, min_relevance=cutoff).retrieve(QUESTION)
    assert [node.node_id for node in own] == [node.node_id for node in kept]
    strict = [SimilarityPostprocessor(similarity_cutoff=0.5)]
    engine = RetrieverQueryEngine.from_args(retriever, llm=scripted("never said"), node_postprocessors=strict)
    assert str(engine.query("quarterly revenue of a shipping company")) == "Empty Response"


def test_leaves_are_merged_into_their_parents(embedding):
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[128, 32], chunk_overlap=0)
    texts = {"mood": "vitamin D benefits for mood. " * 8, "bone": "calcium and bone health. " * 8}
    nodes = parser.get_nodes_from_documents([Document(text=text, doc_id=id) for id, text in texts.items()])
    leaves, storage = get_leaf_nodes(nodes), StorageContext.from_defaults()
    storage.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=storage, embed_model=embedding)
    found = AutoMergingRetriever(LogicalRetriever.from_index(index, similarity_top_k=4), storage).retrieve(QUESTION)
    assert found[0].node.ref_doc_id == "mood"
    assert found[0].node_id not in {leaf.node_id for leaf in leaves}
