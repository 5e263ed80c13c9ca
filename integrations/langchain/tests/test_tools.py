"""An agent's tools: the logical query as arguments, and the plain question."""

import json
from functools import partial

import pytest
from hostile_calls import hostile_calls
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import ToolMessage
from langchain_core.tools import create_retriever_tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import ToolsIntegrationTests

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever, create_logical_search_tool
from logical_retriever.errors import EmbeddingError, InvalidArgumentError
from logical_retriever.integration import TOOL_DESCRIPTION

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_vectorstore, semantics="product")

ARGUMENTS = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}
QUERY = '"vitamin D benefits" AND NOT "bone health"'


def call(arguments, name="logical_search"):
    return {"type": "tool_call", "id": "call_1", "name": name, "args": arguments}


@pytest.fixture
def tool(vectorstore):
    return create_logical_search_tool(over(vectorstore, k=3))


class TestStandard(ToolsIntegrationTests):
    """LangChain's own tests of tools."""

    @pytest.fixture(autouse=True)
    def _made(self, in_memory):
        self.made = create_logical_search_tool(over(in_memory))

    @property
    def tool_constructor(self):
        return self.made

    @property
    def tool_invoke_params_example(self):
        return ARGUMENTS


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_passages_for_the_model_and_documents_for_the_program(tool, asynchronous):
    message = await tool.ainvoke(call(ARGUMENTS)) if asynchronous else tool.invoke(call(ARGUMENTS))
    assert isinstance(message, ToolMessage)
    assert (message.status, message.tool_call_id) == ("success", "call_1")
    assert message.content.startswith(f"3 passages for {QUERY}, best first.")
    assert {document.id for document in message.artifact[:2]} == {"mood", "immune"}
    for place, document in enumerate(message.artifact, start=1):
        relevance = document.metadata["logical_relevance"]
        assert f"[{place}] id: {document.id}; relevance: {relevance:.2f}\n{document.page_content}" in message.content
        assert document.metadata["logical_query"] == QUERY


def test_the_two_spellings_are_one_search(tool):
    lists, text = tool.invoke(call(ARGUMENTS)), tool.invoke(call({"query": QUERY}))
    assert lists.artifact == text.artifact
    assert tool.invoke(QUERY) == tool.invoke(ARGUMENTS) == lists.content


@pytest.mark.parametrize("store", ["in_memory", "chroma"])
def test_a_calls_filter_only_narrows_the_retrievers(store, make_chroma, embeddings):
    years = {"mood": 2023, "immune": 2024, "bone": 2024, "sleep": 2022}
    documents = [
        Document(f"vitamin D and {name}", id=name, metadata={"year": year, "source": f"{name}.pdf", "page": 3})
        for name, year in years.items()
    ]
    made, trusted = make_chroma(documents), {"year": {"$gt": 2022}}
    if store == "in_memory":
        made, trusted = (
            InMemoryVectorStore.from_documents(documents, embeddings),
            lambda one: one.metadata["year"] > 2022,
        )
    tool = create_logical_search_tool(over(made, k=9, filter=trusted))

    def found(**arguments):
        message = tool.invoke(call({"all_of": ["vitamin D"], **arguments}))
        assert message.status == "success"
        assert all(f"id: {one.id}; source: {one.id}.pdf; page: 3" in message.content for one in message.artifact)
        return {one.id for one in message.artifact}

    assert found() == {"mood", "immune", "bone"}
    assert found(filter={"year": 2024}) == {"immune", "bone"}
    assert found(filter={"year": [2022, 2023]}) == {"mood"}
    assert found(filter={"year": 2024, "source": "bone.pdf"}) == {"bone"}
    assert found(filter={"year": 2022}) == set()
    assert len(found(k=1, filter={"year": 2024})) == 1
    assert tool.invoke(call({"all_of": ["tea"], "filter": {"$or": [{"year": 2022}]}})).status == "error"


@pytest.mark.parametrize("store", ["in_memory", "chroma"])
def test_no_call_is_shown_what_the_retrievers_filter_hides(store, make_chroma, embeddings):
    documents = [
        Document(f"{'shown' if n % 2 else 'secret'} {n}", id=f"d{n}", metadata={"kind": "odd" if n % 2 else "even"})
        for n in range(6)
    ]
    made, trusted = make_chroma(documents), {"kind": "odd"}
    if store == "in_memory":
        made, trusted = (
            InMemoryVectorStore.from_documents(documents, embeddings),
            lambda one: one.metadata["kind"] == "odd",
        )
    tool, shown = create_logical_search_tool(LogicalRetriever.from_vectorstore(made, filter=trusted)), 0
    for arguments in hostile_calls({"kind": ["even"], "year": [None]}):
        message = tool.invoke(call(arguments))
        found = [] if message.artifact is None else message.artifact
        assert all(one.metadata["kind"] == "odd" for one in found), arguments
        assert "secret" not in message.content
        shown += len(found)
    assert shown


WRONG = {
    "nothing": ({}, "nothing to search for"),
    "a blank topic": ({"all_of": [" "]}, "Entry 1 of all_of"),
    "contradictory lists": ({"all_of": ["tea"], "none_of": ["Tea"]}, "none_of"),
    "a text for a list": ({"all_of": "tea"}, "not a list"),
    "a query not in the grammar": ({"query": '"tea" AND'}, "AND has nothing on its right"),
    "nothing but exclusions": ({"none_of": ["tea"]}, "nothing to look for"),
    "a k out of range": ({"all_of": ["tea"], "k": 0}, "k must be an integer of at least 1"),
    "a misspelt name": ({"noneof": ["tea"]}, "Did you mean 'none_of'"),
    "a name that LangChain uses itself": ({"config": ["tea"]}, "no argument 'config'"),
    "another such name": ({"self": ["tea"]}, "no argument 'self'"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_is_wrong_comes_back_as_a_message(in_memory, arguments, said, asynchronous):
    tool = create_logical_search_tool(over(in_memory))
    message = await tool.ainvoke(call(arguments)) if asynchronous else tool.invoke(call(arguments))
    assert message.status == "error"
    assert message.content.startswith("The search was not carried out. ")
    assert said in message.content
    assert len(message.content) < 600
    assert message.artifact is None


def test_an_outage_is_not_the_models_fault(in_memory, embeddings):
    tool = create_logical_search_tool(over(in_memory))

    def broken(text):
        raise ConnectionError("no route")

    embeddings.embed_query = broken
    with pytest.raises(EmbeddingError, match="no route"):
        tool.invoke(call(ARGUMENTS))


def test_an_empty_store_is_a_message(embeddings):
    tool = create_logical_search_tool(over(InMemoryVectorStore(embeddings)))
    message = tool.invoke(call(ARGUMENTS))
    assert message.status == "success"
    assert message.content.startswith("No passage was found")
    assert message.artifact == []


def test_the_schema_that_a_model_is_shown_is_flat_and_teaches_the_scope(tool):
    shown = convert_to_openai_tool(tool)["function"]
    assert shown["name"] == "logical_search"
    assert shown["description"] == TOOL_DESCRIPTION
    names = ("all_of", "any_of", "none_of", "query", "k", "filter", "where", "where_not")
    assert set(shown["parameters"]["properties"]) == set(names)
    for name in ("all_of", "any_of", "none_of"):
        assert shown["parameters"]["properties"][name]["items"] == {"type": "string"}
    assert "$defs" not in json.dumps(shown)
    assert "pydantic" not in json.dumps(shown)


def test_a_tools_run_is_traced(tool):
    class Recorder(BaseCallbackHandler):
        def __init__(self):
            self.seen = []

        def on_tool_start(self, serialized, input_str, *, inputs=None, **kwargs):
            self.seen.append((serialized["name"], inputs))

    recorder = Recorder()
    tool.invoke(call(ARGUMENTS), {"callbacks": [recorder]})
    assert recorder.seen == [("logical_search", ARGUMENTS)]


def test_anything_but_a_logical_retriever_is_refused(in_memory):
    with pytest.raises(InvalidArgumentError, match="VectorStoreRetriever"):
        create_logical_search_tool(in_memory.as_retriever())


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_langchains_own_retriever_tool_with_artifact(vectorstore, model, asynchronous):
    retriever = over(vectorstore, transformer=LogicalQueryTransformer(llm=model(QUERY)), k=2)
    tool = create_retriever_tool(retriever, "passages", "Passages.", response_format="content_and_artifact")
    asked = call({"query": "vitamin D benefits other than bone health"}, "passages")
    message = await tool.ainvoke(asked) if asynchronous else tool.invoke(asked)
    assert {document.id for document in message.artifact} == {"mood", "immune"}
    assert message.artifact[0].metadata["logical_query"] == QUERY
    assert all(document.page_content in message.content for document in message.artifact)
