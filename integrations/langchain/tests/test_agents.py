"""An agent that cites: LangGraph's own loop and tool node, and a chat model that follows a script."""

from __future__ import annotations

import re

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langchain_logical_retriever import LogicalRetriever, create_logical_search_tool

PASSAGES = {
    "mood": "vitamin D benefits for mood",
    "immune": "vitamin D benefits for immunity",
    "bone": "vitamin D benefits for bone health",
    "tea": "green tea and brewing water",
}


class ScriptedModel(BaseChatModel):
    """Makes the calls of a script one after another, then answers with what the last search has shown."""

    calls: list[dict]

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self  # the script knows the tool

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        done = sum(isinstance(message, ToolMessage) for message in messages)
        if done < len(self.calls):
            made = {"name": "logical_search", "args": self.calls[done], "id": f"call_{done}"}
            reply = AIMessage("", tool_calls=[made])
        else:
            cited = re.findall(r"^\[\d+\] id: (\S+); source: ([^;\n]+)", messages[-1].content, re.MULTILINE)
            reply = AIMessage("See " + ", ".join(f"{source} ({id})" for id, source in cited))
        return ChatResult(generations=[ChatGeneration(message=reply)])


@pytest.fixture
def tool(embeddings):
    documents = [
        Document(text, id=id, metadata={"source": f"{id}.pdf", "open": id != "immune"}) for id, text in PASSAGES.items()
    ]
    vectorstore = InMemoryVectorStore.from_documents(documents, embeddings)
    return create_logical_search_tool(LogicalRetriever.from_vectorstore(vectorstore, k=2))


def agent(model, tool):
    graph = StateGraph(MessagesState)
    bound = model.bind_tools([tool])
    graph.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([tool]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_an_agent_mends_its_calls_and_cites_what_it_was_shown(tool, asynchronous):
    model = ScriptedModel(
        calls=[
            {"none_of": ["bone health"]},
            {"all_of": "vitamin D benefits", "none_of": ["bone health"]},
            {"all_of": ["vitamin D benefits"], "none_of": ["bone health"], "k": 1, "filter": {"open": True}},
        ]
    )
    asked = {"messages": [HumanMessage("What is vitamin D good for? I know about bones.")]}
    made = agent(model, tool)
    messages = (await made.ainvoke(asked) if asynchronous else made.invoke(asked))["messages"]
    alone, text, found = (message for message in messages if isinstance(message, ToolMessage))
    assert (alone.status, text.status, found.status) == ("error", "error", "success")
    assert "nothing to look for" in alone.content
    assert "not a list" in text.content
    assert [document.id for document in found.artifact] == ["mood"]
    assert messages[-1].content == "See mood.pdf (mood)"


def test_langgraphs_tool_node_answers_several_calls_at_once(tool):
    calls = [
        {"type": "tool_call", "id": name, "name": tool.name, "args": {"all_of": [topic]}}
        for name, topic in (("1", "vitamin D benefits for mood"), ("2", "green tea"), ("3", " "))
    ]
    graph = StateGraph(MessagesState).add_node("tools", ToolNode([tool])).add_edge(START, "tools").compile()
    messages = graph.invoke({"messages": [AIMessage("", tool_calls=calls)]})["messages"][1:]
    assert [(one.tool_call_id, one.status) for one in messages] == [("1", "success"), ("2", "success"), ("3", "error")]
    assert [one.artifact[0].id for one in messages[:2]] == ["mood", "tea"]
