"""The retriever as LlamaIndex users meet it."""

import copy
import json
from functools import partial

import pytest
from llama_index.core import QueryBundle, Settings
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, TextNode
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index.retrievers.logical import LogicalQueryTransformer, LogicalRetriever
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits, excluding bone health"

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_index, semantics="product")


def test_the_exclusion_is_honoured_in_every_store(index, names, texts):
    dense = names(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))
    assert "bone" in dense or "calcium" in dense
    found = over(index, similarity_top_k=2).retrieve(QUESTION)
    assert set(names(found)) == {"mood", "immune"}
    assert [node.text for node in found] == [texts[name] for name in names(found)]
    assert [node.score for node in found] == sorted((node.score for node in found), reverse=True)


async def test_async_finds_the_same(index, names):
    retriever = over(index, similarity_top_k=6)
    there, here = await retriever.aretrieve(QUESTION), retriever.retrieve(QUESTION)
    assert [(n.node_id, n.score, n.metadata) for n in there] == [(n.node_id, n.score, n.metadata) for n in here]
    assert names(await retriever.asearch("vitamin AND NOT bone")) == names(retriever.search("vitamin AND NOT bone"))


def test_nodes_say_why(simple_index):
    retriever = over(simple_index, similarity_top_k=6)
    for node in retriever.search('"vitamin D" AND NOT "bone health"'):
        why, terms = node.metadata, json.loads(node.metadata["logical_terms"])
        assert why["logical_query"] == '"vitamin D" AND NOT "bone health"'
        assert why["logical_relevance"] == node.score
        assert why["logical_score"] == pytest.approx(terms["vitamin D"] * (1 - terms["bone health"]), abs=1e-6)
        assert why["logical_exact"] is True


@pytest.mark.parametrize("key", ["why", None])
def test_the_key_can_be_renamed_or_left_out(make_index, key):
    index = make_index("simple", [TextNode(text="tea", metadata={"logical_score": "mine"})])
    [node] = over(index, metadata_key=key).retrieve("tea")
    assert node.metadata["logical_score"] == "mine"
    assert ("why_score" in node.metadata) is (key is not None)
    assert "why" not in node.node.get_content(MetadataMode.LLM)
    with pytest.raises(InvalidArgumentError, match="metadata of its own under 'logical_score'") as error:
        over(index).retrieve("tea")
    assert "metadata_key=" in error.value.hint


def test_reasons_stay_out_of_prompts_and_embeddings(index):
    [node] = over(index, similarity_top_k=1).retrieve(QUESTION)
    assert "logical_score" in node.metadata
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert "truth" not in node.node.get_content(mode)
        assert "logical" not in node.node.get_content(mode)
    assert "topic: " in node.node.get_content(MetadataMode.LLM)


def test_nothing_shared_is_changed(index):
    plain = index.as_retriever(similarity_top_k=6)
    before = {n.node_id: n.node.to_dict() for n in plain.retrieve("vitamin")}
    retriever = over(index, similarity_top_k=6)
    bundle = QueryBundle(QUESTION, embedding=[0.0])
    kept = copy.deepcopy(bundle)
    for node in retriever.retrieve(bundle):
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
    filters = is_topic(["b", "t"], condition=FilterCondition.OR)
    retriever = over(index, filters=filters, similarity_top_k=6)
    assert set(names(retriever.search("vitamin OR bone"))) == {"bone", "tea"}
    assert set(names(retriever.retrieve(QUESTION))) == {"tea"}
    assert set(names(retriever.search("vitamin OR tea", filters=is_topic(["m"])))) == {"mood"}
    assert names(retriever.search("vitamin OR tea", filters=is_topic(["none"]))) == []
    more = MetadataFilters(filters=[MetadataFilter(key="n", value=3, operator=FilterOperator.GTE)])
    assert set(names(retriever.search("vitamin OR tea", filters=more))) == {"calcium", "tea", "coffee"}
    every = MetadataFilters(filters=[])
    assert len(retriever.search("vitamin OR tea", filters=every)) == 6


def test_a_model_writes_the_query(index, scripted):
    llm = scripted('"vitamin D" AND NOT "bone health"')
    found = over(index, transformer=LogicalQueryTransformer(llm), similarity_top_k=1).retrieve(
        "Vitamin D? I know about bones."
    )
    assert found[0].metadata["logical_query"] == '"vitamin D" AND NOT "bone health"'
    assert "<question>\nVitamin D? I know about bones.\n</question>" in llm.prompts[0]


def test_settings_llm_is_never_touched(simple_index, monkeypatch):
    class Untouched(type(Settings)):
        @property
        def llm(self):
            raise AssertionError

    monkeypatch.setattr(Settings, "__class__", Untouched)
    assert over(simple_index).retrieve(QUESTION)


def test_a_question_without_logic_is_plain_dense_retrieval(index, names):
    question = "calcium and sleep"
    dense = index.as_retriever(similarity_top_k=3).retrieve(question)
    found = over(index, similarity_top_k=3).retrieve(question)
    assert names(found) == names(dense)
    assert found[0].metadata["logical_query"] == '"calcium and sleep"'


def test_what_is_inserted_and_deleted_later_is_seen(kind, make_index, nodes, names, id_of):
    index = make_index(kind, nodes[:3])
    retriever = over(index, similarity_top_k=10)
    assert len(retriever.search("calcium OR vitamin")) == 3
    index.insert_nodes(nodes[3:])
    assert len(retriever.search("calcium OR vitamin")) == 6
    if kind != "foreign":
        index.delete_nodes([id_of("calcium")], delete_from_docstore=True)
        assert "calcium" not in names(retriever.search("calcium OR vitamin"))


def test_top_k_can_be_set_later(simple_index):
    retriever = over(simple_index)
    assert retriever.similarity_top_k == 4
    retriever.similarity_top_k = 1
    assert len(retriever.retrieve(QUESTION)) == 1


def test_explain_tells_the_story(index):
    told = over(index, similarity_top_k=2).explain(QUESTION)
    assert told.searched == str(told.transformation.query)
    assert "bone health" in str(told)
    assert told.dense


@pytest.mark.parametrize(
    "call",
    [
        lambda tool: tool.call(QUESTION),
        lambda tool: tool.call(input=QUESTION),
        lambda tool: tool.call(query=QUESTION),
    ],
)
def test_a_retriever_tool_asks_the_same_question(simple_index, embedding, call):
    retriever = over(simple_index, similarity_top_k=2)
    direct = retriever.retrieve(QUESTION)
    output = call(RetrieverTool.from_defaults(retriever, description="search"))
    assert [n.metadata for n in output.raw_output] == [n.metadata for n in direct]
    assert not [query for query in embedding.queries if "input is" in query or "\n" in query]


def test_a_retriever_tool_may_say_how_many(simple_index):
    tool = RetrieverTool.from_defaults(over(simple_index), description="search")
    assert len(tool.call(input=QUESTION, k=3).raw_output) == 3
    assert len(tool.call(QUESTION, similarity_top_k=2).raw_output) == 2


def test_inside_a_query_engine(simple_index, names, scripted):
    llm = scripted("Mood.")
    engine = RetrieverQueryEngine(
        over(simple_index, similarity_top_k=2),
        response_synthesizer=get_response_synthesizer(llm=llm),
    )
    response = engine.query(QUESTION)
    assert str(response) == "Mood."
    assert set(names(response.source_nodes)) == {"mood", "immune"}
    assert "AND NOT" not in llm.prompts[0]


def test_fused_with_another_retriever_by_content(simple_index, scripted):
    logical = over(simple_index, similarity_top_k=6)
    plain = simple_index.as_retriever(similarity_top_k=6)
    fused = QueryFusionRetriever(
        [logical, plain], llm=scripted(), num_queries=1, similarity_top_k=12, mode="reciprocal_rerank",
        use_async=False,
    ).retrieve(QUESTION)  # fmt: skip
    assert len(fused) == 6
