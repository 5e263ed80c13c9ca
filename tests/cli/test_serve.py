"""``serve`` as its own process, asked by the official client."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from mcp import Client, StdioServerParameters

MAIN = (sys.executable, "-m", "logical_retriever")
ARGUMENTS = {"all_of": ["Health benefits of vitamin D"], "none_of": ["Vitamin D for bone health"]}
PASSAGES = [
    {"_id": "bone", "title": "Vitamin D and bones", "text": "Vitamin D keeps bones strong and prevents rickets."},
    {"_id": "mood", "title": "Vitamin D and mood", "text": "Vitamin D may lift the mood in dark winters."},
    {"_id": "cold", "title": "Vitamin D and colds", "text": "Vitamin D gives some protection against colds."},
    {"_id": "jazz", "title": "", "text": "Miles Davis recorded Kind of Blue in 1959."},
]
PROMPT_S = 60
"""What must not hang is over after this time, with the encoder loaded on a busy machine."""


@pytest.fixture(scope="module")
def passages(tmp_path_factory):
    corpus = tmp_path_factory.mktemp("serve") / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in PASSAGES), encoding="utf-8")
    return corpus


@contextlib.contextmanager
def started(*arguments):
    """The process, once it has said that it serves."""
    process = subprocess.Popen(
        [*MAIN, "serve", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        try:
            said = process.stderr.readline()
            assert said.startswith("Serving "), said + process.stderr.read()
            yield process
        finally:
            process.kill()


async def check(client):
    """What a client asks, and what it gets."""
    [tool] = (await client.list_tools()).tools
    assert tool.description.endswith("What the passages are about: Vitamins and jazz.")
    result = await client.call_tool(tool.name, {**ARGUMENTS, "k": 2})
    assert result.is_error is False
    assert {d["id"] for d in result.meta["logical-retriever/result"]["documents"]} == {"mood", "cold"}
    assert "bones strong" not in result.content[0].text
    result = await client.call_tool(tool.name, {"all_of": "vitamin D"})
    assert result.is_error is True
    assert "all_of: Input should be a valid list, got 'vitamin D'." in result.content[0].text


async def test_over_stdio(passages):
    parameters = StdioServerParameters(
        command=MAIN[0],
        args=[*MAIN[1:], "serve", "--corpus", str(passages), "--about", "Vitamins and jazz."],
        env=dict(os.environ),
    )

    async def client():
        async with Client(parameters) as connected:
            await check(connected)

    await asyncio.wait_for(client(), PROMPT_S)


async def test_what_is_shown_is_the_operators(passages):
    async def found(*options):
        parameters = StdioServerParameters(
            command=MAIN[0], args=[*MAIN[1:], "serve", "--corpus", str(passages), *options], env=dict(os.environ)
        )
        async with Client(parameters) as connected:
            [tool] = (await connected.list_tools()).tools
            result = await connected.call_tool(tool.name, {**ARGUMENTS, "k": 4})
            return [document["id"] for document in result.meta["logical-retriever/result"]["documents"]]

    kept = await asyncio.wait_for(found("--exclusion", "rank"), PROMPT_S)
    assert set(kept) == {"bone", "mood", "cold", "jazz"}
    strict = await asyncio.wait_for(found("--min-relevance", "0.2", "--always-exclude", "colds"), PROMPT_S)
    assert strict == ["mood"]


def test_nothing_but_the_protocol_on_standard_output_until_standard_input_is_closed(passages):
    """A line that is no message would end the session of a strict client."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    call = {"name": "logical_search", "arguments": ARGUMENTS}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with started("--corpus", passages) as process:
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(timeout=PROMPT_S) == 0
        assert process.stdout.read() == ""
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["isError"] is False


def test_errors_before_anything_is_served(run, tmp_path, passages):
    for arguments, said in [
        (("--path", tmp_path / "none"), "There is no folder"),
        (("--path", tmp_path), "has no Chroma collection"),
        (("--corpus", passages, "--k", 0), "--k"),
        (("--corpus", passages, "--k", 51), "--k"),
        (("--corpus", passages, "--min-relevance", 2), "min_relevance"),
        ((), "--path"),
    ]:
        done = run("serve", *arguments)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())
        assert done.stdout == ""


def test_a_port_in_use_is_found_out_before_the_encoder_is_loaded(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("play", "--port", port)
    assert done.exit_code == 2
    assert f"Port {port} cannot be listened to: Address already in use." in done.stderr


def test_a_server_on_stdio_ends_when_told_to(passages):
    """Although a thread is waiting for standard input, which stays open."""
    with started("--corpus", passages) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PROMPT_S) == -signal.SIGINT
