"""The MCP server in this process, through the official client and the protocol's own messages."""

import json
import logging

import pytest
from hostile_calls import hostile_calls
from mcp import Client, MCPError
from vitamin_texts import QUERY, TEXTS

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.adapters.tools import MOST_PASSAGES, TOOL_DESCRIPTION
from logical_retriever.commands.mcp_server import META, make_server
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.testing import HashingEmbedder

ARGUMENTS = {"all_of": ["vitamin D benefits"], "none_of": ["bone health"]}


@pytest.fixture
def retriever():
    return LogicalRetriever.from_texts(list(TEXTS.values()), HashingEmbedder(256), semantics="product")


@pytest.fixture(params=["auto", "legacy"])
def connect(request, retriever):
    """Both generations of the protocol: before and since 2026-07-28."""
    return lambda **settings: Client(make_server(retriever, **settings), mode=request.param)


def text(result):
    [content] = result.content
    return content.text


async def test_the_one_tool_and_what_the_model_is_told(connect):
    async with connect(k=3, about="Our manuals.") as client:
        [tool] = (await client.list_tools()).tools
    assert tool.name == "logical_search"
    assert tool.description == f"{TOOL_DESCRIPTION} What the passages are about: Our manuals."
    assert tool.annotations.read_only_hint is True
    properties = tool.input_schema["properties"]
    assert set(properties) == {"all_of", "any_of", "none_of", "where", "k"}
    assert properties["k"]["maximum"] == MOST_PASSAGES
    assert "pydantic" not in json.dumps(tool.input_schema)


async def test_passages_for_the_model_and_reasons_for_the_program(connect, retriever):
    async with connect(k=3) as client:
        result = await client.call_tool("logical_search", ARGUMENTS)
    assert result.is_error is False
    assert text(result).startswith(f"3 passages for {QUERY}, best first.\n\n[1] id: 1; relevance: ")
    assert "bone" not in text(result).split("[1]")[1].split("[3]")[0]
    expected = retriever.search(QUERY, k=3)
    documents, left_out = (result.meta[META].pop(name) for name in ("documents", "left_out"))
    counts = dict(expected.left_out_counts)
    assert result.meta[META] == {"query": QUERY, "exact": True, "note": expected.note, "left_out_counts": counts}
    for document, d in zip(documents, expected.documents, strict=True):
        assert document.pop("truth_values") == pytest.approx(dict(d.truth_values))
        assert document == pytest.approx({"id": d.id, "score": d.score, "relevance": d.relevance})
    for left, d in zip(left_out, expected.left_out, strict=True):
        shown = {"id": d.id, "term": d.term, "reason": d.reason}
        numbers = {"probability": d.probability, "relevance": d.document.relevance}
        assert {name: left.pop(name) for name in numbers} == pytest.approx(numbers)
        assert left == shown


async def test_what_is_never_shown_is_not_quoted_to_programs_either(retriever):
    async with Client(make_server(retriever.but(always_exclude=["bone health"]))) as client:
        result = await client.call_tool("logical_search", {"all_of": ["vitamin D benefits"]})
    assert {(out["term"], out["reason"]) for out in result.meta[META]["left_out"]} == {('"bone health"', "has it")}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (None, "nothing to look for"),
        ({}, "nothing to look for"),
        ({**ARGUMENTS, "k": 51}, "less than or equal to 50"),
        ({"query": '"te\ud800a"'}, "unpaired surrogate"),
    ],
)
async def test_what_is_wrong_comes_back_as_a_message(connect, arguments, said):
    async with connect() as client:
        result = await client.call_tool("logical_search", arguments)
    assert result.is_error is True
    assert text(result).startswith("The search was not carried out. ")
    assert said in text(result)


async def test_an_outage_is_told_to_the_model_and_to_whoever_runs_the_server(connect, retriever, caplog):
    def broken(texts):
        raise ConnectionError("no route")

    retriever.embedder.embed_queries = broken
    with caplog.at_level(logging.ERROR):
        async with connect() as client:
            result = await client.call_tool("logical_search", ARGUMENTS)
    assert result.is_error is True
    assert "no route" in text(result)
    assert "no route" in caplog.text


async def test_another_tool_is_a_protocol_error(connect):
    async with connect() as client:
        with pytest.raises(MCPError, match="there is 'logical_search'"):
            await client.call_tool("search", ARGUMENTS)


async def test_no_call_is_shown_what_the_servers_filter_hides():
    hidden = {"d0", "d2", "d4"}
    kinds = [("secret", "even"), ("shown", "odd")] * 3
    documents = [StoredDocument(f"d{n}", f"{text} {n}", {"kind": k, "year": n}) for n, (text, k) in enumerate(kinds)]
    embedder = HashingEmbedder()
    store = InMemoryStore(documents, embedder.embed_documents([one.text for one in documents]))
    server = make_server(LogicalRetriever(store, embedder), filter=lambda one: one.metadata["kind"] == "odd")
    shown = 0
    async with Client(server) as client:
        for arguments in hostile_calls({"kind": ["even"], "year": [1]}):
            result = await client.call_tool("logical_search", arguments)
            assert "secret" not in text(result)
            told = (result.meta or {}).get(META, {"documents": [], "left_out": []})
            assert not hidden & {one["id"] for one in (*told["documents"], *told["left_out"])}
            shown += len(told["documents"])
    assert shown


@pytest.mark.parametrize("k", [0, 51, "5", None])
def test_a_k_out_of_range_is_refused_when_the_server_is_made(retriever, k):
    with pytest.raises(InvalidArgumentError, match="k "):
        make_server(retriever, k=k)
