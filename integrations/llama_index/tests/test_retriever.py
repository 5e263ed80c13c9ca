"""The retriever as LlamaIndex users meet it."""

import copy
from functools import partial

import pytest
from llama_index.core import QueryBundle, Settings
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever import parse
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits, excluding bone health"

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_index, semantics="product")


def test_it_is_a_llama_index_retriever():
    assert BaseRetriever.__name__ in [base.__name__ for base in LogicalRetriever.__mro__]


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
        why = node.metadata["logical"]
        assert why["query"] == '"vitamin D" AND NOT "bone health"'
        assert why["relevance"] == node.score
        assert why["score"] == pytest.approx(why["terms"]["vitamin D"] * (1 - why["terms"]["bone health"]), abs=1e-6)
        assert why["exact"] is True


def test_reasons_stay_out_of_prompts_and_embeddings(index):
    [node] = over(index, similarity_top_k=1).retrieve(QUESTION)
    assert "logical" in node.metadata
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert "truth" not in node.node.get_content(mode)
        assert "logical" not in node.node.get_content(mode)
    assert "topic: " in node.node.get_content(MetadataMode.LLM)


@pytest.mark.parametrize("key", ["why", None])
@pytest.mark.parametrize("style", ["apart", "nested"])
def test_the_key_can_be_renamed_or_left_out(simple_index, key, style):
    [node] = over(simple_index, similarity_top_k=1, metadata_key=key, metadata_style=style).retrieve(QUESTION)
    assert set(node.metadata) == {"topic", "n"} | ({"why"} if key and style == "nested" else set())
    assert (node.metadata.get("why") is None) is (key is None)
    assert "why" not in node.node.get_content(MetadataMode.LLM)


def test_nothing_shared_is_changed(index):
    plain = index.as_retriever(similarity_top_k=6)
    before = {n.node_id: n.node.to_dict() for n in plain.retrieve("vitamin")}
    retriever = over(index, similarity_top_k=6)
    bundle = QueryBundle(QUESTION, embedding=[0.0])
    kept = copy.deepcopy(bundle)
    for node in retriever.retrieve(bundle):
        node.metadata["n"] = "changed"
        node.metadata["logical"]["terms"].clear()
        node.node.excluded_llm_metadata_keys.append("x")
        node.node.relationships["x"] = None
        node.score = -1
    assert bundle == kept
    assert {n.node_id: n.node.to_dict() for n in plain.retrieve("vitamin")} == before
    assert all(n.metadata["logical"]["terms"] for n in retriever.retrieve(QUESTION))


def test_nodes_of_the_store_itself_are_not_changed(make_index, nodes):
    index = make_index("foreign", nodes)  # returns the very objects it keeps
    held = index.vector_store._nodes
    before = {id: node.to_dict() for id, node in held.items()}
    for found in over(index, similarity_top_k=6).retrieve(QUESTION):
        found.metadata["n"] = "changed"
    assert {id: node.to_dict() for id, node in held.items()} == before


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
    found = over(index, llm, read="always_llm", similarity_top_k=1).retrieve("Vitamin D? I know about bones.")
    assert found[0].metadata["logical"]["query"] == '"vitamin D" AND NOT "bone health"'
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
    assert found[0].metadata["logical"]["query"] == '"calcium and sleep"'


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


def test_explain_tells_the_story(index, kind):
    told = over(index, similarity_top_k=2).explain(QUESTION)
    assert told.searched == str(told.transformation.query)
    assert "bone health" in str(told)
    assert told.dense
    assert (told.result.plan.cost is not None) == (kind == "foreign")
    assert ("vectors by encoding texts again" in str(told)) == (kind == "foreign")


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


def test_a_query_can_be_given_as_a_tree(simple_index, names):
    retriever = over(simple_index)
    query = parse("vitamin AND NOT bone")
    assert names(retriever.search(query)) == names(retriever.search(str(query)))


def test_budgets_and_evidence_reach_the_search(simple_index):
    retriever = LogicalRetriever.from_index(simple_index, evidence="dense", max_candidates=9, max_rounds=2)
    assert retriever.explain("vitamin D benefits, excluding bone health").result.plan.evidence == "vectors"
    core = retriever._core
    assert (core.evidence, core.max_candidates, core.max_rounds) == ("dense", 9, 2)
    assert LogicalRetriever.from_index(simple_index, max_candidates=None)._core.max_candidates is None
    for wrong in ({"evidence": "words"}, {"max_candidates": 0}, {"max_candidates": "all"}, {"max_rounds": -1}):
        with pytest.raises(InvalidArgumentError):
            LogicalRetriever.from_index(simple_index, **wrong)
