"""The agent's tool: its arguments are the query, and what is wrong with a call is told to the model."""

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.llms.llm import ToolSelection

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
    assert tool.call(**CALL).raw_output[0].metadata["logical"]["query"] == (
        '"vitamin D benefits" AND NOT "bone health"'
    )


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
    ],
)
async def test_a_wrong_call_is_a_message(tool, arguments, said):
    for output in (tool.call(**arguments), await tool.acall(**arguments)):
        assert output.content.startswith("The search was not carried out.")
        assert said in output.content
        assert output.raw_output == output.content


def test_a_query_that_the_store_cannot_answer_is_a_message(make_index, nodes):
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("foreign", nodes)))
    assert "cannot be scanned" in tool.call(none_of=["tea"]).content


def test_what_the_model_cannot_mend_is_an_error(simple_index, hashing):
    retriever = LogicalRetriever.from_index(simple_index, embed_model=hashing(16), semantics="product")
    with pytest.raises(StoreError, match="dimension"):
        create_logical_search_tool(retriever).call(**CALL)


def test_nothing_found_is_said(make_index):
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("simple")))
    assert tool.call(**CALL).content == 'No passage was found for "vitamin D benefits" AND NOT "bone health".'


def test_what_the_model_is_shown(tool, simple_index):
    shown = tool.metadata.to_openai_tool()["function"]
    assert (shown["name"], shown["description"]) == ("logical_search", TOOL_DESCRIPTION)
    assert set(shown["parameters"]["properties"]) == {"all_of", "any_of", "none_of", "query"}
    mine = create_logical_search_tool(LogicalRetriever.from_index(simple_index), "papers", "Searches papers.")
    assert (mine.metadata.name, mine.metadata.description) == ("papers", "Searches papers.")


def test_another_retriever_is_refused(simple_index):
    with pytest.raises(InvalidArgumentError, match="must be a LogicalRetriever"):
        create_logical_search_tool(simple_index.as_retriever())


@pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")  # of LlamaIndex's workflows
async def test_an_agent_writes_the_logic_and_mends_its_call(tool):
    mock = pytest.importorskip("llama_index.core.llms.mock")
    if not hasattr(mock, "MockFunctionCallingLLM"):
        pytest.skip("this llama-index-core has no model with functions to derive from")
    turns = iter(
        [
            [ToolSelection(tool_id="1", tool_name="logical_search", tool_kwargs={"all_of": "vitamin D benefits"})],
            [ToolSelection(tool_id="2", tool_name="logical_search", tool_kwargs=CALL)],
            [],
        ]
    )
    told = []

    def respond(messages):
        told.append([message.content for message in messages if message.role == MessageRole.TOOL])
        blocks = next(turns)
        return ChatMessage(
            role=MessageRole.ASSISTANT,
            content=None if blocks else "Mood and immunity.",
            additional_kwargs={"tool_calls": blocks},
        )

    class Scripted(mock.MockFunctionCallingLLM):
        def _prepare_chat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
            return {"messages": [*(chat_history or [])]}

        async def achat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
            from llama_index.core.llms import ChatResponse

            return ChatResponse(message=respond(chat_history))

        def get_tool_calls_from_response(self, response, **kwargs):
            return response.message.additional_kwargs["tool_calls"]

    agent = FunctionAgent(tools=[tool], llm=Scripted(), streaming=False)
    answer = await agent.run("What is vitamin D good for? I know about bones.")
    assert str(answer) == "Mood and immunity."
    assert "not a list of strings" in told[1][0]
    assert "vitamin D benefits for mood" in told[2][1]
