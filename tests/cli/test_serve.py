"""``serve`` as its own process, asked by the official client over standard input and output."""

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

pytestmark = pytest.mark.slow

MAIN = (sys.executable, "-m", "logical_retriever")
ARGUMENTS = {"all_of": ["Health benefits of vitamin D"], "none_of": ["Vitamin D for bone health"]}
PROMPT_S = 60
"""What must not hang is over after this time, with the encoder loaded on a busy machine."""


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


async def test_what_is_shown_is_the_operators(corpus):
    settings = {"exclusion": "rank", "min-relevance": "0.2", "always-exclude": "Miles Davis", "about": "Vitamins."}
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    arguments = [*MAIN[1:], "serve", "--corpus", str(corpus), *options]

    async def answer():
        async with Client(StdioServerParameters(command=MAIN[0], args=arguments, env=dict(os.environ))) as client:
            [tool] = (await client.list_tools()).tools
            return tool, await client.call_tool(tool.name, {**ARGUMENTS, "k": 4})

    tool, result = await asyncio.wait_for(answer(), PROMPT_S)
    assert tool.description.endswith("What the passages are about: Vitamins.")
    shown = {document["id"] for document in result.meta["logical-retriever/result"]["documents"]}
    assert shown == {"bone", "mood", "cold"}


def test_nothing_but_the_protocol_on_standard_output_until_standard_input_is_closed(corpus):
    """A line that is no message would end the session of a strict client."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    call = {"name": "logical_search", "arguments": ARGUMENTS}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with started("--corpus", corpus) as process:
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(timeout=PROMPT_S) == 0
        assert process.stdout.read() == ""
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["isError"] is False


def test_errors_before_anything_is_served(run, tmp_path, corpus):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments, problem in [
            (("serve", "--path", tmp_path / "none"), "There is no folder"),
            (("serve", "--corpus", corpus, "--k", 51), "--k"),
            (("serve", "--corpus", corpus, "--min-relevance", 2), "min_relevance"),
            (("serve",), "--path"),
            (("play", "--port", port), f"Port {port} cannot be listened to: Address already in use."),
        ]:
            result = run(*arguments)
            assert result.exit_code == 2
            assert problem in " ".join(result.stderr.split())
            assert result.stdout == ""


def test_a_server_on_stdio_ends_when_told_to(corpus):
    """Although a thread is waiting for standard input, which stays open."""
    with started("--corpus", corpus) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PROMPT_S) == -signal.SIGINT
