"""The agent's tool: its arguments are the query, and what is wrong with a call is told to the model."""

import pytest
from hostile_calls import hostile_calls
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from llama_index.retrievers.logical import LogicalRetriever, create_logical_search_tool
from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.integration import TOOL_DESCRIPTION

CALL = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}


@pytest.fixture
def tool(simple_index, scripted):
    return create_logical_search_tool(
        LogicalRetriever.from_index(simple_index, scripted(), semantics="product", similarity_top_k=2)
    )


async def test_the_call_is_the_query(tool, names):
    for output in (tool.call(**CALL), await tool.acall(**CALL), tool.call(query='"vitamin D" AND NOT "bone health"')):
        assert set(names(output.raw_output)) == {"mood", "immune"}
        assert output.content.startswith("2 passages for ")
        assert "vitamin D benefits for mood" in output.content
        assert "truth" not in output.content
        assert output.tool_name == "logical_search"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "nothing to search for"),
        ({"all_of": [], "none_of": []}, "nothing to search for"),
        ({"all_of": ["tea"], "none_of": ["Tea"]}, "in all_of and in none_of"),
        ({"all_of": [f"t{i}" for i in range(100)]}, "100 terms"),
        ({"all_of": "tea"}, "all_of is str 'tea'"),
        ({"all_of": [1]}, "Entry 1 of all_of"),
        ({"top_k": 3, **CALL}, "no argument 'top_k'"),
        ({"query": "tea AND"}, "^"),
        ({"none_of": ["tea"]}, "nothing to look for"),
        ({"k": 51, **CALL}, "at most 50"),
    ],
)
async def test_a_wrong_call_is_a_message(tool, arguments, said):
    for output in (tool.call(**arguments), await tool.acall(**arguments)):
        assert output.content.startswith("The search was not carried out.")
        assert said in output.content
        assert output.raw_output == output.content


def test_a_query_that_the_store_cannot_answer_is_a_message(make_index, nodes):
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("foreign", nodes)))
    assert "cannot be scanned" in tool.call(query='"tea" OR NOT "coffee"').content


def test_what_the_model_cannot_mend_is_an_error(simple_index, hashing):
    retriever = LogicalRetriever.from_index(simple_index, embed_model=hashing(16), semantics="product")
    with pytest.raises(StoreError, match="dimension"):
        create_logical_search_tool(retriever).call(**CALL)


TRUSTED = {
    "all": None,
    "some": MetadataFilters(filters=[MetadataFilter(key="n", value=3, operator="<")]),
    "either": MetadataFilters(
        filters=[MetadataFilter(key="n", value=0), MetadataFilter(key="n", value=1)], condition="or"
    ),
}


@pytest.mark.parametrize("kind", ["simple", "chroma", "qdrant"])
@pytest.mark.parametrize(("trusted", "allowed"), [("all", 6), ("some", 3), ("either", 2)])
def test_a_calls_filter_only_narrows_the_retrievers(make_index, nodes, kind, trusted, allowed):
    retriever = LogicalRetriever.from_index(make_index(kind, nodes), filters=TRUSTED[trusted], similarity_top_k=9)
    tool = create_logical_search_tool(retriever)
    for fields, passing in (({}, 6), ({"n": [1, 2, 5]}, {1, 2, 5}), ({"n": 5}, {5}), ({"topic": "b", "n": 0}, {0})):
        output = tool.call(all_of=["vitamin D"], filter=fields)
        expected = set(range(allowed)) & (set(range(6)) if passing == 6 else passing)
        assert {node.metadata["n"] for node in output.raw_output} == expected
    assert tool.call(all_of=["tea"], filter={"topic": True}).raw_output == []


@pytest.mark.parametrize("kind", ["simple", "chroma"])
def test_no_call_is_shown_what_the_retrievers_filter_hides(make_index, kind):
    nodes = [
        TextNode(
            id_=f"n{n}", text=f"{'shown' if n % 2 else 'secret'} {n}", metadata={"kind": "odd" if n % 2 else "even"}
        )
        for n in range(6)
    ]
    trusted = MetadataFilters(filters=[MetadataFilter(key="kind", value="odd")])
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index(kind, nodes), filters=trusted))
    shown = 0
    for arguments in hostile_calls({"kind": ["even"], "year": [None]}):
        output = tool.call(**arguments)
        found = output.raw_output if isinstance(output.raw_output, list) else []
        assert all(node.metadata["kind"] == "odd" for node in found), arguments
        assert "secret" not in output.content
        shown += len(found)
    assert shown


def test_k_and_the_source_of_a_node(make_index):
    nodes = [
        TextNode(id_=f"n{i}", text=f"tea {i}", metadata={"file_name": f"{i}.md", "page_label": "iv"}) for i in "ab"
    ]
    output = create_logical_search_tool(LogicalRetriever.from_index(make_index("simple", nodes))).call(
        all_of=["tea"], k=1
    )
    [found] = output.raw_output
    assert f"[1] id: {found.node_id}; source: {found.metadata['file_name']}; page: iv" in output.content


def test_nothing_found_is_said(make_index):
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("simple")))
    assert tool.call(**CALL).content == 'No passage was found for "vitamin D benefits" AND NOT "bone health".'


def test_what_the_model_is_shown(tool, simple_index):
    shown = tool.metadata.to_openai_tool()["function"]
    assert (shown["name"], shown["description"]) == ("logical_search", TOOL_DESCRIPTION)
    names = ("all_of", "any_of", "none_of", "query", "k", "filter", "where", "where_not")
    assert set(shown["parameters"]["properties"]) == set(names)
    mine = create_logical_search_tool(LogicalRetriever.from_index(simple_index), "papers", "Searches papers.")
    assert (mine.metadata.name, mine.metadata.description) == ("papers", "Searches papers.")


def test_another_retriever_is_refused(simple_index):
    with pytest.raises(InvalidArgumentError, match="must be a LogicalRetriever"):
        create_logical_search_tool(simple_index.as_retriever())
