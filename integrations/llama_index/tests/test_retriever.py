"""The retriever as LlamaIndex users meet it."""

import copy

from llama_index.core import QueryBundle, Settings
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from vitamin_texts import TEXTS

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever import parse

QUESTION = "vitamin D benefits, excluding bone health"
QUERY = '"vitamin D" AND NOT "bone health"'


def test_the_exclusion_is_honoured_in_every_store(index, names):
    dense = names(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))
    assert "bone" in dense or "calcium" in dense
    found = LogicalRetriever.from_index(index, similarity_top_k=2).retrieve(QUESTION)
    assert set(names(found)) == {"mood", "immune"}
    assert [node.text for node in found] == [TEXTS[name] for name in names(found)]
    assert [node.score for node in found] == sorted((node.score for node in found), reverse=True)
    assert all(0.0 <= node.score <= 1.0 for node in found)


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
    retriever = LogicalRetriever.from_index(
        index, filters=is_topic(["b", "t"], condition=FilterCondition.OR), similarity_top_k=6
    )
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


def test_a_question_without_logic_is_plain_dense_retrieval(index, names):
    dense = index.as_retriever(similarity_top_k=3).retrieve("calcium and sleep")
    assert names(LogicalRetriever.from_index(index, similarity_top_k=3).retrieve("calcium and sleep")) == names(dense)


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
