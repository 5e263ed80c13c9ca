"""The retriever as LlamaIndex users meet it, and under components that read scores or relations of what it finds."""

import asyncio
import copy

import pytest
from llama_index.core import Document, QueryBundle, Settings, StorageContext, VectorStoreIndex
from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from vitamin_texts import TEXTS

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalQueryTransformer, LogicalRetriever
from logical_retriever import parse

QUESTION = "vitamin D benefits, excluding bone health"
QUERY = '"vitamin D" AND NOT "bone health"'


def test_every_store_honours_an_exclusion_and_is_searched_plainly_without_one(index, names):
    dense = names(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))
    assert "bone" in dense or "calcium" in dense
    found = LogicalRetriever.from_index(index, similarity_top_k=2).retrieve(QUESTION)
    assert set(names(found)) == {"mood", "immune"}
    assert [node.text for node in found] == [TEXTS[name] for name in names(found)]
    assert [node.score for node in found] == sorted((node.score for node in found), reverse=True)
    assert all(0.0 <= node.score <= 1.0 for node in found)
    dense = index.as_retriever(similarity_top_k=3).retrieve("calcium and sleep")
    assert names(LogicalRetriever.from_index(index, similarity_top_k=3).retrieve("calcium and sleep")) == names(dense)


async def test_async_finds_the_same(index, names):
    retriever = LogicalRetriever.from_index(index, similarity_top_k=6)
    there, here = await retriever.aretrieve(QUESTION), retriever.retrieve(QUESTION)
    assert [(n.node_id, n.score, n.metadata) for n in there] == [(n.node_id, n.score, n.metadata) for n in here]
    there, here = await retriever.asearch(QUERY), retriever.search(parse(QUERY))
    assert [(one.id, one.score) for one in there.documents] == [(one.id, one.score) for one in here.documents]


def test_nothing_shared_is_changed(index):
    plain = index.as_retriever(similarity_top_k=6)
    before = {n.node_id: n.node.to_dict() for n in plain.retrieve("vitamin")}
    bundle = QueryBundle(QUESTION, embedding=[0.0])
    kept = copy.deepcopy(bundle)
    for node in LogicalRetriever.from_index(index, similarity_top_k=6, metadata=True).retrieve(bundle):
        node.metadata["n"] = "changed"
        node.node.excluded_llm_metadata_keys.append("x")
        node.node.relationships["x"] = None
        node.score = -1
    assert bundle == kept
    assert {n.node_id: n.node.to_dict() for n in plain.retrieve("vitamin")} == before


def is_topic(value, operator=FilterOperator.EQ, condition=FilterCondition.AND):
    return MetadataFilters(
        filters=[MetadataFilter(key="topic", value=v, operator=operator) for v in value], condition=condition
    )


def test_metadata_filters_reach_the_store(index, names):
    either = is_topic(["b", "t"], condition=FilterCondition.OR)
    retriever = LogicalRetriever.from_index(index, filters=either, similarity_top_k=6)
    assert set(names(retriever.retrieve("vitamin OR bone"))) == {"bone", "tea"}
    assert set(names(retriever.retrieve(QUESTION))) == {"tea"}
    assert set(names(retriever.retrieve("vitamin OR tea", filters=is_topic(["m"])))) == {"mood"}
    assert names(retriever.retrieve("vitamin OR tea", filters=is_topic(["none"]))) == []
    assert set(names(retriever.retrieve("vitamin OR bone", filters=None))) == {"bone", "tea"}
    more = MetadataFilters(filters=[MetadataFilter(key="n", value=3, operator=FilterOperator.GTE)])
    assert set(names(retriever.retrieve("vitamin OR tea", filters=more))) == {"calcium", "tea", "coffee"}
    assert len(retriever.retrieve("vitamin OR tea", filters=MetadataFilters(filters=[]))) == 6


def test_settings_llm_is_never_touched(simple_index, monkeypatch):
    class Untouched(type(Settings)):
        @property
        def llm(self):
            raise AssertionError

    monkeypatch.setattr(Settings, "__class__", Untouched)
    assert LogicalRetriever.from_index(simple_index).retrieve(QUESTION)


def test_top_k_can_be_set_later(simple_index):
    retriever = LogicalRetriever.from_index(simple_index)
    assert retriever.similarity_top_k == 4
    retriever.similarity_top_k = 1
    assert len(retriever.retrieve(QUESTION)) == 1


def test_a_retriever_tool_asks_the_same_question(simple_index, embedding):
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=2)
    tool = RetrieverTool.from_defaults(retriever, description="search")
    for output in (tool.call(QUESTION), tool.call(input=QUESTION), tool.call(query=QUESTION)):
        assert output.raw_output == retriever.retrieve(QUESTION)
    assert not [query for query in embedding.queries if "input is" in query or "\n" in query]


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


# ---- Asynchronously: models are awaited, the store is asked in a thread ----


@pytest.fixture
def slow_llm(scripted):
    """An LLM whose achat lets others run; chat must not be called."""

    class Slow(type(scripted())):
        def chat(self, messages, **kwargs):
            raise AssertionError("the synchronous method was called")

        async def achat(self, messages, **kwargs):
            await asyncio.sleep(0.05)
            return super().chat(messages, **kwargs)

    return Slow([QUERY] * 4)


@pytest.fixture
def meeting(hashing):
    """An embedding model whose concurrent calls wait for each other; the synchronous method must not be called."""

    class Meeting(hashing):
        def _get_query_embedding(self, query):
            raise AssertionError("the synchronous method was called")

        async def _aget_query_embedding(self, query):
            self.queries.append(query)
            while len(self.queries) < 2:
                await asyncio.sleep(0.001)
            return super()._get_query_embedding(query)

    return Meeting()


async def test_terms_are_encoded_concurrently(simple_index, slow_llm, meeting):
    models = {"transformer": LogicalQueryTransformer(slow_llm), "embed_model": meeting}
    retriever = LogicalRetriever.from_index(simple_index, metadata=True, **models)
    nodes = await asyncio.wait_for(retriever.aretrieve(QUESTION), timeout=10)
    assert nodes[0].metadata["logical_query"] == QUERY


async def test_the_postprocessor_awaits_too(simple_index, slow_llm, meeting, names):
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    last = LogicalPostprocessor(simple_index, embed_model=meeting, transformer=LogicalQueryTransformer(slow_llm))
    kept = await asyncio.wait_for(last.apostprocess_nodes(nodes, query_str=QUESTION), timeout=10)
    assert {"mood", "immune"} <= set(names(kept))
    assert "bone" not in names(kept)
