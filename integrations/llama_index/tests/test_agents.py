"""An agent that cites: LlamaIndex' own FunctionAgent, and an LLM that follows a script."""

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

QUESTION = "What is vitamin D good for? I know about bones."
CALLS = [
    {"none_of": ["bone health"]},
    {"all_of": "vitamin D benefits", "none_of": ["bone health"]},
    {"all_of": ["vitamin D benefits"], "none_of": ["bone health", "immunity"], "k": 1},
]

# Of LlamaIndex' own agents and workflows.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pydantic.warnings.PydanticDeprecationWarning", "ignore:is_running called from within a step"
)


def cited(shown):
    """An answer out of what the last search has shown."""
    return "See " + ", ".join(
        f"{source} ({id})" for id, source in re.findall(r"\[\d+\] id: (\S+); file_name: ([^;\n]+)", shown)
    )


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


async def test_an_agent_mends_its_calls_and_cites_what_it_was_shown(make_index):
    nodes = [TextNode(id_=id, text=text, metadata={"file_name": f"{id}.md"}) for id, text in TEXTS.items()]
    tool = create_logical_search_tool(LogicalRetriever.from_index(make_index("simple", nodes)), name="search")
    run = FunctionAgent(tools=[tool], llm=Calling(), streaming=False).run(QUESTION)
    outputs = [event.tool_output async for event in run.stream_events() if isinstance(event, ToolCallResult)]
    answer = str(await run)
    alone, text, found = outputs
    assert "nothing to look for" in alone.content
    assert "valid list" in text.content
    assert [node.node_id for node in found.raw_output] == ["mood"]
    assert answer == "See mood.md (mood)"
