"""The agent's tool: its arguments are the query, what is wrong with a call is told to the model, which then cites."""

import re

import pytest
from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import LLMMetadata
from llama_index.core.bridge.pydantic import Field
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.schema import TextNode
from vitamin_texts import TEXTS

from llama_index.retrievers.logical import LogicalRetriever, create_logical_search_tool
from logical_retriever.adapters import TOOL_DESCRIPTION
from logical_retriever.errors import StoreError

CALL = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}


@pytest.fixture
def tool(simple_index, scripted):
    retriever = LogicalRetriever.from_index(simple_index, scripted(), semantics="product", similarity_top_k=2)
    return create_logical_search_tool(retriever)


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


CALLS = [
    {"none_of": ["bone health"]},
    {**CALL, "all_of": "vitamin D benefits"},
    {"all_of": ["vitamin D benefits"], "none_of": ["bone health", "immunity"], "k": 1},
]


def cited(shown):
    """An answer out of what the last search has shown."""
    found = re.findall(r"\[\d+\] id: (\S+); file_name: ([^;\n]+)", shown)
    return "See " + ", ".join(f"{source} ({id})" for id, source in found)


class Calling(FunctionCallingLLM):
    """Calls the tool as the script says, then answers."""

    calls: list[dict] = Field(default_factory=lambda: list(CALLS))

    @property
    def metadata(self):
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True)

    def _prepare_chat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
        return {"messages": list(chat_history or [])}

    async def achat(self, messages, **kwargs):
        calls = []
        if self.calls:
            calls = [ToolSelection(tool_id=str(len(messages)), tool_name="search", tool_kwargs=self.calls.pop(0))]
        answer = ChatMessage(
            role=MessageRole.ASSISTANT,
            content=None if calls else cited(messages[-1].content),
            additional_kwargs={"tool_calls": calls},
        )
        return ChatResponse(message=answer)

    def get_tool_calls_from_response(self, response, **kwargs):
        return response.message.additional_kwargs["tool_calls"]

    def chat(self, messages, **kwargs):
        raise NotImplementedError

    complete = stream_chat = stream_complete = astream_chat = acomplete = astream_complete = chat


# Of LlamaIndex' own agents and workflows.
@pytest.mark.filterwarnings(
    "ignore::pydantic.warnings.PydanticDeprecationWarning", "ignore:is_running called from within a step"
)
async def test_an_agent_mends_its_calls_and_cites_what_it_was_shown(make_index):
    nodes = [TextNode(id_=id, text=text, metadata={"file_name": f"{id}.md"}) for id, text in TEXTS.items()]
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("simple", nodes)), name="search")
    agent = FunctionAgent(tools=[tool], llm=Calling(), streaming=False)
    run = agent.run("What is vitamin D good for? I know about bones.")
    outputs = [event.tool_output async for event in run.stream_events() if isinstance(event, ToolCallResult)]
    answer = str(await run)
    alone, text, found = outputs
    assert "nothing to look for" in alone.content
    assert "valid list" in text.content
    assert [node.node_id for node in found.raw_output] == ["mood"]
    assert answer == "See mood.md (mood)"
