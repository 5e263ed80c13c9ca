"""The agent's tool: its arguments are the query, and what is wrong with a call is told to the model."""

import pytest

from llama_index.retrievers.logical import LogicalRetriever, create_logical_search_tool
from logical_retriever.adapters import TOOL_DESCRIPTION
from logical_retriever.errors import StoreError

CALL = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}


@pytest.fixture
def tool(simple_index, scripted):
    return create_logical_search_tool(
        LogicalRetriever.from_index(simple_index, scripted(), semantics="product", similarity_top_k=2)
    )


async def test_the_call_is_the_query_and_a_wrong_one_a_message(tool, names):
    for output in (tool.call(**CALL), await tool.acall(**CALL)):
        assert set(names(output.raw_output)) == {"mood", "immune"}
        assert output.content.startswith("2 passages for ")
        assert output.tool_name == "logical_search"
    wrong = {"top_k": 3, **CALL}
    for output in (tool.call(**wrong), await tool.acall(**wrong)):
        assert output.content.startswith("The search was not carried out.")
        assert output.raw_output == output.content


def test_what_the_model_cannot_mend_is_an_error(simple_index, hashing):
    retriever = LogicalRetriever.from_index(simple_index, embed_model=hashing(16), semantics="product")
    with pytest.raises(StoreError, match="dimension"):
        create_logical_search_tool(retriever).call(**CALL)


def test_what_the_model_is_shown(tool, simple_index):
    shown = tool.metadata.to_openai_tool()["function"]
    assert (shown["name"], shown["description"]) == ("logical_search", TOOL_DESCRIPTION)
    assert set(shown["parameters"]["properties"]) == {"all_of", "any_of", "none_of", "where", "k"}
    mine = create_logical_search_tool(LogicalRetriever.from_index(simple_index), "papers", "Searches papers.")
    assert (mine.metadata.name, mine.metadata.description) == ("papers", "Searches papers.")
