"""Each component of LlamaIndex that worked with ``as_retriever()`` works with the logical retriever."""

from __future__ import annotations

import chromadb
import pytest
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceWindowNodeParser, get_leaf_nodes
from llama_index.core.postprocessor import MetadataReplacementPostProcessor, SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import AutoMergingRetriever, QueryFusionRetriever, RouterRetriever
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.tools import RetrieverTool
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index.retrievers.logical import LogicalRetriever

QUESTION = "vitamin D benefits other than bone health"
VARIANTS = "vitamin D benefits excluding bone health\nvitamin D benefits"


@pytest.fixture
def retriever(simple_index):
    return LogicalRetriever.from_index(simple_index, similarity_top_k=3)


def test_a_store_of_flat_metadata_takes_what_was_found(retriever, embedding, tmp_path):
    store = ChromaVectorStore(
        chroma_collection=chromadb.PersistentClient(str(tmp_path)).create_collection("found_again")
    )
    found = retriever.retrieve(QUESTION)
    IngestionPipeline(transformations=[embedding], vector_store=store).run(nodes=[node.node for node in found])
    index = VectorStoreIndex.from_vector_store(store, embed_model=embedding)
    again = LogicalRetriever.from_index(index, similarity_top_k=9).retrieve("vitamin D benefits")
    assert {node.node_id for node in again} == {node.node_id for node in found}


def test_ingestion_knows_a_node_again_whatever_it_was_found_for(retriever, embedding):
    pipeline = IngestionPipeline(
        transformations=[embedding], docstore=SimpleDocumentStore(), docstore_strategy="duplicates_only"
    )
    first = pipeline.run(nodes=[node.node for node in retriever.retrieve(QUESTION)])
    more = pipeline.run(nodes=[node.node for node in retriever.retrieve("vitamin D benefits")])
    assert len(first) == 3
    assert not {node.node_id for node in first} & {node.node_id for node in more}


@pytest.mark.parametrize("mode", ["reciprocal_rerank", "simple"])
@pytest.mark.parametrize("k", [3, 6])
def test_fusion_adds_up_what_each_variant_says_of_a_node(retriever, simple_index, scripted, mode, k):
    fused = QueryFusionRetriever(
        [retriever], llm=scripted(VARIANTS), mode=mode, num_queries=3, similarity_top_k=k, use_async=False
    ).retrieve(QUESTION)
    asked = [retriever.retrieve(question) for question in (QUESTION, *VARIANTS.split("\n"))]
    seen = {node.node_id for nodes in asked for node in nodes}
    assert len(fused) == len({node.node_id for node in fused}) == min(k, len(seen))
    if mode == "reciprocal_rerank":
        rank = [sum(1 / (60 + [n.node_id for n in nodes].index(fused[0].node_id)) for nodes in asked)]
        assert fused[0].score == pytest.approx(rank[0])


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


def test_a_router_chooses_it(retriever, scripted):
    llm = scripted('[{"choice": 1, "reason": "fits"}]')
    router = RouterRetriever(
        selector=LLMSingleSelector.from_defaults(llm),
        llm=llm,
        retriever_tools=[RetrieverTool.from_defaults(retriever, description="health")],
    )
    assert [n.node_id for n in router.retrieve(QUESTION)] == [n.node_id for n in retriever.retrieve(QUESTION)]


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


def test_a_sentence_is_replaced_by_its_window(embedding, scripted):
    text = "Vitamin D benefits for mood. It helps. Calcium and bone health matter. Tea is nice."
    nodes = SentenceWindowNodeParser.from_defaults(window_size=1).get_nodes_from_documents([Document(text=text)])
    retriever = LogicalRetriever.from_index(VectorStoreIndex(nodes, embed_model=embedding), similarity_top_k=1)
    window = MetadataReplacementPostProcessor(target_metadata_key="window")
    engine = RetrieverQueryEngine.from_args(retriever, llm=scripted("Mood."), node_postprocessors=[window])
    [source] = engine.query(QUESTION).source_nodes
    assert " ".join(source.text.split()) == "Vitamin D benefits for mood. It helps."
