"""An agent's tools: the logical query as arguments, and the plain question."""

import json
import re

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from vitamin_texts import QUERY

from langchain_logical_retriever import LogicalRetriever, create_logical_search_tool
from logical_retriever.adapters import TOOL_DESCRIPTION
from logical_retriever.errors import EmbeddingError

ARGUMENTS = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}


def call(arguments, name="logical_search"):
    return {"type": "tool_call", "id": "call_1", "name": name, "args": arguments}


@pytest.fixture
def tool(vectorstore):
    return create_logical_search_tool(LogicalRetriever(vectorstore, k=3, exclusion="rank"))


class TestStandard(ToolsIntegrationTests):
    """LangChain's own tests of tools."""

    tool_constructor, tool_invoke_params_example = None, ARGUMENTS

    @pytest.fixture(autouse=True)
    def _tool(self, in_memory):
        self.tool_constructor = create_logical_search_tool(LogicalRetriever(in_memory))


async def test_passages_for_the_model_and_documents_for_the_program(tool, ask):
    message = await ask(tool, call(ARGUMENTS))
    assert isinstance(message, ToolMessage)
    assert (message.status, message.tool_call_id) == ("success", "call_1")
    assert message.content.startswith(f"3 passages for {QUERY}, best first.")
    assert {document.id for document in message.artifact[:2]} == {"mood", "immune"}
    for place, document in enumerate(message.artifact, start=1):
        assert f"[{place}] id: {document.id}; relevance: 0." in message.content
        assert document.page_content in message.content
        assert set(document.metadata) == {"length", "theme"}
    assert tool.invoke("coffee and sleep").startswith('3 passages for "coffee and sleep"')


@pytest.mark.parametrize("name", ["config", "self"])
async def test_an_argument_by_a_name_of_langchains_own_is_told_of(in_memory, name, ask):
    tool = create_logical_search_tool(LogicalRetriever(in_memory))
    message = await ask(tool, call({name: ["tea"]}))
    assert (message.status, message.artifact) == ("error", None)
    assert message.content.startswith("The search was not carried out. ")
    assert f"no argument '{name}'" in message.content


def test_an_outage_is_not_the_models_fault(in_memory, embeddings):
    tool = create_logical_search_tool(LogicalRetriever(in_memory))

    def broken(text):
        raise ConnectionError("no route")

    embeddings.embed_query = broken
    with pytest.raises(EmbeddingError, match="no route"):
        tool.invoke(call(ARGUMENTS))


def test_the_schema_that_a_model_is_shown_is_flat_and_teaches_the_scope(tool):
    shown = convert_to_openai_tool(tool)["function"]
    assert shown["name"] == "logical_search"
    assert shown["description"] == TOOL_DESCRIPTION
    assert set(shown["parameters"]["properties"]) == {"all_of", "any_of", "none_of", "where", "k"}
    assert "$defs" not in json.dumps(shown)
    assert "pydantic" not in json.dumps(shown)


# ---- Agents ----


def cited(shown):
    """An answer out of what the last search has shown."""
    found = re.findall(r"^\[\d+\] id: (\S+); source: ([^;\n]+)", shown, re.MULTILINE)
    return "See " + ", ".join(f"{source} ({id})" for id, source in found)


def graph_of(model, tool):
    """An agent whose model knows the tool."""
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([tool]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


async def test_an_agent_mends_its_calls_and_cites_what_it_was_shown(embeddings, documents, model, ask):
    for document in documents:
        document.metadata = {"source": f"{document.id}.pdf", "open": document.id != "immune"}
    tool = create_logical_search_tool(LogicalRetriever.from_documents(documents, embeddings, k=2))
    alone, text = {"none_of": ["bone health"]}, {**ARGUMENTS, "all_of": "vitamin D benefits"}
    where = [{"field": "open", "op": "=", "value": True}]
    calls = [AIMessage("", tool_calls=[call(one)]) for one in (alone, text, {**ARGUMENTS, "k": 1, "where": where})]
    question = {"messages": [HumanMessage("What is vitamin D good for? I know about bones.")]}
    messages = (await ask(graph_of(model(*calls, cited), tool), question))["messages"]
    alone, text, answer = (message for message in messages if isinstance(message, ToolMessage))
    assert (alone.status, text.status, answer.status) == ("error", "error", "success")
    assert "nothing to look for" in alone.content
    assert "valid list" in text.content
    assert [document.id for document in answer.artifact] == ["mood"]
    assert messages[-1].content == "See mood.pdf (mood)"
