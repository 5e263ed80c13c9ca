"""Behind other retrievers, the last stage keeps the promise: about meaning, and so with the real encoder."""

import re

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine, TransformQueryEngine
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, TextNode

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalQueryTransformer, LogicalRetriever
from logical_retriever.demo import load_passages, load_topics
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError

pytestmark = pytest.mark.slow

QUESTION = "How is renewable electricity made? Please don't mention solar panels."
SOLAR = {id for id, topics in load_topics().items() if "solar" in topics}
MAINLY_SOLAR = SOLAR & {id for id, topics in load_topics().items() if "renewable energy" in topics}
VARIANTS = "Where does clean electricity come from?\nSolar panels and wind turbines"


class Words(BaseRetriever):
    """A hybrid arm: nodes that have most of the question's words."""

    def __init__(self, nodes, k=8):
        super().__init__()
        self.nodes, self.k = nodes, k

    def _retrieve(self, query_bundle):
        said = (query_bundle.query_str, *(node.text for node in self.nodes))
        asked, *texts = (set(re.findall(r"\w+", text.lower())) for text in said)
        scored = [NodeWithScore(node=n, score=len(asked & text)) for n, text in zip(self.nodes, texts, strict=True)]
        return sorted(scored, key=lambda node: -node.score)[: self.k]


@pytest.fixture(scope="module")
def nodes():
    return [TextNode(id_=passage.id, text=passage.text) for passage in load_passages()]


@pytest.fixture(scope="module")
def passages(nodes, minilm):
    return VectorStoreIndex(nodes, embed_model=minilm)


@pytest.fixture(scope="module")
def postprocessor(passages):
    return LogicalPostprocessor(passages, exclusion="strict")


def ids(nodes):
    return [node.node_id for node in nodes]


def fused(retrievers, llm, n=1, mode="reciprocal_rerank"):
    return QueryFusionRetriever(retrievers, llm=llm, num_queries=n, similarity_top_k=20, mode=mode, use_async=False)


@pytest.mark.parametrize("composition", ["dense", "hybrid", "hybrid with the logical arm", "several questions"])
async def test_an_excluded_passage_that_an_arm_brings_is_gone(nodes, passages, postprocessor, scripted, composition):
    dense, logical = passages.as_retriever(similarity_top_k=12), LogicalRetriever.from_index(passages)
    retriever = {
        "dense": dense,
        "hybrid": fused([dense, Words(nodes)], scripted()),
        "hybrid with the logical arm": fused([logical, Words(nodes), dense], scripted(), mode="simple"),
        "several questions": fused([dense], scripted(VARIANTS, VARIANTS), n=3),
    }[composition]
    brought = retriever.retrieve(QUESTION)
    before = [(node.score, node.node.to_dict()) for node in brought]
    assert set(ids(brought)) & MAINLY_SOLAR
    kept = postprocessor.postprocess_nodes(brought, query_str=QUESTION)
    assert not set(ids(kept)) & MAINLY_SOLAR
    assert set(ids(brought)) - set(ids(kept)) <= SOLAR
    assert [node for node in brought if node.node_id in ids(kept)] == kept  # order, scores, nodes
    assert [(node.score, node.node.to_dict()) for node in brought] == before
    assert ids(await postprocessor.apostprocess_nodes(brought, query_str=QUESTION)) == ids(kept)
    engine = RetrieverQueryEngine.from_args(retriever, llm=scripted("So."), node_postprocessors=[postprocessor])
    assert ids(engine.query(QUESTION).source_nodes) == ids(kept)


def test_one_reading_serves_all_stages(passages, scripted, postprocessor):
    reader, llm = scripted('"renewable electricity" AND NOT "solar panels"'), scripted("So.")
    cutoff = SimilarityPostprocessor(similarity_cutoff=0.1)
    dense, stages = passages.as_retriever(similarity_top_k=12), [postprocessor, cutoff]
    answering = RetrieverQueryEngine.from_args(dense, llm=llm, node_postprocessors=stages)
    engine = TransformQueryEngine(answering, query_transform=LogicalQueryTransformer(reader))
    assert not set(ids(engine.query("Renewable electricity? Spare me the panels.").source_nodes)) & MAINLY_SOLAR
    assert (len(reader.asked), len(llm.asked)) == (1, 1)


def test_what_else_it_takes(passages, postprocessor):
    brought = passages.as_retriever(similarity_top_k=12).retrieve(QUESTION)
    few = LogicalPostprocessor(passages, exclusion="strict", top_n=3).postprocess_nodes(brought, query_str=QUESTION)
    assert few == postprocessor.postprocess_nodes(brought, query_str=QUESTION)[:3]
    drop = LogicalPostprocessor(passages).postprocess_nodes(brought, query_str=QUESTION)
    assert set(ids(postprocessor.postprocess_nodes(brought, query_str=QUESTION))) <= set(ids(drop))
    assert postprocessor.postprocess_nodes([], query_str=QUESTION) == []
    called = postprocessor.postprocess_nodes(brought, query_str=f"\ninput is {QUESTION}\n")
    assert called == postprocessor.postprocess_nodes(brought, query_str=QUESTION)


def test_without_an_index_similarity_is_measured_on_the_nodes(passages, minilm):
    brought = passages.as_retriever(similarity_top_k=12).retrieve(QUESTION)
    kept = LogicalPostprocessor(embed_model=minilm).postprocess_nodes(brought, query_str=QUESTION)
    assert len(set(ids(kept)) & SOLAR) <= 1 < len(set(ids(brought)) & SOLAR)


def test_bad_input(simple_index, embedding):
    found = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    with pytest.raises(InvalidArgumentError, match="no question"):
        LogicalPostprocessor(simple_index).postprocess_nodes(found)
    with pytest.raises(EmptyQuestionError):
        LogicalPostprocessor(simple_index).postprocess_nodes(found, query_str=" ")
    with pytest.raises(InvalidArgumentError, match="top_n must be"):
        LogicalPostprocessor(embed_model=embedding, top_n=0)
    with pytest.raises(InvalidArgumentError, match="LogicalPostprocessor has no exclusion"):
        LogicalPostprocessor(embed_model=embedding, exclusion="rank")
    with pytest.raises(InvalidArgumentError, match="no embedding model"):
        LogicalPostprocessor()
