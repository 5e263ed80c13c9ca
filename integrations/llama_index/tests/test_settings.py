"""Every setting on the constructor, for one call, and for a tool or an engine; what is wrong is one typed error."""

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalRetriever, create_logical_search_tool
from llama_index.retrievers.logical.retriever import NAMES
from logical_retriever.adapters import SETTINGS
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading import QuestionReader as CoreReader

QUESTION = "vitamin D benefits, excluding bone health"
CALL = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}
MOOD = MetadataFilters(filters=[MetadataFilter(key="topic", value="m")])
CHANGES = {
    "similarity_top_k": 1,
    "filters": MOOD,
    "exclusion": "rank",
    "min_relevance": 0.99,
    "words": 0.0,
    "fetch_k": 5,
    "semantics": "product",
    "verify": None,
    "always_exclude": ["mood"],
}
"""Every setting with another value than its default; a verifier has tests of its own."""


def of(nodes):
    return [(node.node_id, node.score) for node in nodes]


def test_the_nine_settings_are_the_cores():
    assert {*NAMES.values()} == {*SETTINGS, "filter"}
    assert NAMES.keys() == CHANGES.keys()


@pytest.mark.parametrize("name", CHANGES)
async def test_a_setting_means_the_same_everywhere(simple_index, scripted, name):
    setting = {name: CHANGES[name]}
    plain = LogicalRetriever.from_index(simple_index)
    expected = of(LogicalRetriever.from_index(simple_index, **setting).retrieve(QUESTION))
    if name not in ("verify", "fetch_k"):
        assert expected != of(plain.retrieve(QUESTION))
    assert of(plain.retrieve(QUESTION, **setting)) == of(await plain.aretrieve(QUESTION, **setting)) == expected
    assert of(plain.but(**setting).retrieve(QUESTION)) == expected
    engine = RetrieverQueryEngine.from_args(plain.but(**setting), llm=scripted("It lifts the mood."))
    assert of(engine.query(QUESTION).source_nodes) == expected
    tool = RetrieverTool.from_defaults(plain.but(**setting), description="search")
    assert of(tool.call(input=QUESTION).raw_output) == expected
    own = create_logical_search_tool(LogicalRetriever.from_index(simple_index, **setting)).call(**CALL).raw_output
    given = create_logical_search_tool(plain, retriever_kwargs=setting).call(**CALL).raw_output
    assert of(given) == of(own)
    ids = [one.id for one in plain.search('"vitamin D benefits" AND NOT "bone health"', **setting).documents]
    assert ids == [node.node_id for node in own]
    assert plain.explain(QUESTION, **setting).read.question == QUESTION
    assert of(plain.retrieve(QUESTION)) == of(LogicalRetriever.from_index(simple_index).retrieve(QUESTION))


WRONG = {
    "k": (3, "Did you mean 'similarity_top_k'"),
    "filter": (3, "Did you mean 'filters'"),
    "score_threshold": (3, "Did you mean 'min_relevance'"),
    "filters": ({"topic": "b"}, "filters must be MetadataFilters, got dict"),
}


@pytest.mark.parametrize(("name", "value", "said"), [(name, *wrong) for name, wrong in WRONG.items()])
def test_a_wrong_setting_is_one_error_wherever_it_is_given(simple_index, name, value, said):
    retriever = LogicalRetriever.from_index(simple_index)
    for call in (
        lambda **wrong: LogicalRetriever.from_index(simple_index, **wrong),
        lambda **wrong: retriever.retrieve(QUESTION, **wrong),
        lambda **wrong: create_logical_search_tool(retriever, retriever_kwargs=wrong),
        retriever.but,
    ):
        with pytest.raises(InvalidArgumentError, match=said) as caught:
            call(**{name: value})
        assert caught.value.hint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"metadata": "logical"}, "metadata is 'logical'"),
        ({"transformer": "cues"}, "transformer must be"),
        ({"transformer": CoreReader}, "transformer must be"),
        ({"embed_model": "BAAI/bge-small-en"}, "got str 'BAAI/bge-small-en'"),
        ({"llm": "gpt-4o"}, "llm must be a LlamaIndex LLM, got str 'gpt-4o'"),
        ({"llm": MockLLM}, "llm must be a LlamaIndex LLM"),
        ({"llm": MockLLM(), "transformer": CoreReader()}, "Both llm and transformer"),
    ],
)
def test_arguments_are_checked(simple_index, arguments, said):
    for make in (LogicalRetriever.from_index, LogicalPostprocessor):
        if make is LogicalPostprocessor and "metadata" in arguments:
            continue
        with pytest.raises(InvalidArgumentError, match=said) as caught:
            make(simple_index, **arguments)
        assert caught.value.hint


def test_no_setting_or_call_of_a_tool_lifts_a_standing_exclusion(simple_index, names):
    retriever = LogicalRetriever.from_index(simple_index, always_exclude=["mood"])
    tool = create_logical_search_tool(retriever, retriever_kwargs={"always_exclude": [], "exclusion": "rank"})
    for call in ({"all_of": ["mood"]}, {"any_of": ["vitamin D", "mood"]}, {"any_of": ["mood", "tea"], "k": 50}):
        assert "mood" not in names(tool.call(**call).raw_output)
