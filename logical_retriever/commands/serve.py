"""``logical-retriever serve``: the user's own passages as a tool for agents, over MCP."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from collections.abc import AsyncIterable, Awaitable, Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import anyio
import mcp_types as types
import typer
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from logical_retriever.commands.collection import retriever_over
from logical_retriever.commands.listening import HOST, listen, serve_http
from logical_retriever.commands.mcp_server import make_server
from logical_retriever.commands.options import (
    AlwaysExclude,
    Corpus,
    DropExcluded,
    MinRelevance,
    Verify,
    Where,
    condition_of,
    narrowing,
    passages_of,
    source_of,
)
from logical_retriever.commands.output import notes, working
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration import MOST_PASSAGES
from logical_retriever.search import SearchOptions

app = typer.Typer()

DEFAULT_PORT = 8000
WHOLE_CHARACTERS = (
    r"Send text of whole characters: an escape from \ud800 to \udfff is half of one, without its other half."
)


class Transport(str, Enum):
    """How clients reach the server."""

    STDIO = "stdio"
    HTTP = "http"


@app.command("serve")
def serve(
    path: Annotated[
        Path | None,
        typer.Option(help="Folder of the collection, made here or by 'ask --path'.", show_default="temporary"),
    ] = None,
    corpus: Corpus = None,
    where: Where = None,
    drop_excluded: DropExcluded = True,
    min_relevance: MinRelevance = None,
    always_exclude: AlwaysExclude = None,
    verify: Verify = None,
    transport: Annotated[
        Transport, typer.Option(help="stdio, for clients that start the server, or http.")
    ] = Transport.STDIO,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port of http; 0 for any free one.", show_default=str(DEFAULT_PORT)),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=MOST_PASSAGES, help="Passages of a call that does not say.")] = 5,
    about: Annotated[
        str | None, typer.Option(help="What the passages are about, for the agent's model.", show_default=False)
    ] = None,
) -> None:
    """Offer your passages to agents, as an MCP server with one tool.

    The agent's own model writes the logical query; no other is asked, but that of --verify about passages in doubt.
    http listens to this machine alone, at /mcp. Restart the server when 'ask' has changed the passages.
    """
    if port is not None and transport is not Transport.HTTP:
        raise InvalidArgumentError("--port is given, and the transport is stdio.", hint="Add --transport http.")
    source = source_of(corpus, path)
    condition = condition_of(where)
    options = SearchOptions(  # looked at before anything is encoded
        drop_excluded=drop_excluded, min_relevance=min_relevance, always_exclude=always_exclude or (), verify=verify
    )
    given = ("drop_excluded", "min_relevance", "always_exclude", "verify")
    settings = {name: getattr(options, name) for name in given}
    with contextlib.ExitStack() as stack:
        # Taken first, so that a port in use is not found out after the encoder has been loaded.
        listening = None
        if transport is Transport.HTTP:
            listening = stack.enter_context(listen(DEFAULT_PORT if port is None else port))
        with working():
            retriever = stack.enter_context(retriever_over(path, passages_of(corpus), **settings))
            server = make_server(retriever, k=k, about=about, filter=narrowing(retriever.store, condition, None))
        if listening is None:
            notes().print(f"Serving {source} over standard input and output.", soft_wrap=True)
            _serve_stdio(server)
        else:
            url = f"http://{HOST}:{listening.getsockname()[1]}/mcp"
            notes().print(f"Serving {source} at {url}", soft_wrap=True)
            _serve_http(server, listening)


def _serve_stdio(server: Server[Any]) -> None:
    """Serve one client, until it closes standard input or the process is told to end."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            # A thread is waiting for standard input and cannot be woken: an orderly end would wait for it. What is
            # served is only read, so there is nothing to put in order.
            signal.signal(getattr(signal, name), lambda number, _: os._exit(128 + number))

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
            readable, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
            group.start_soon(_refuse_unreadable, incoming, readable, outgoing.send)
            await server.run(messages, outgoing, server.create_initialization_options())

    anyio.run(run)


async def _refuse_unreadable(
    incoming: AsyncIterable[SessionMessage | Exception],
    readable: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Pass messages on, and answer requests that the SDK cannot read and would leave without an answer."""
    async with readable:
        async for message in incoming:
            refusal = _refusal(message) if isinstance(message, ValidationError) else None
            await (readable.send(message) if refusal is None else answer(SessionMessage(refusal)))


def _refusal(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to a line that is a request to Python's reader of JSON alone; None for other lines."""
    problem = error.errors()[0]
    try:
        id = types.JSONRPCRequest.model_validate({**json.loads(problem["input"]), "params": None}).id
    except (ValueError, TypeError, RecursionError):
        return None
    said = f"The call was not carried out: {problem['msg']}. {WHOLE_CHARACTERS}"
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=types.INVALID_PARAMS, message=said))


def _serve_http(server: Server[Any], listening: socket.socket) -> None:
    """Serve any number of clients, until the process is told to end."""
    # A search knows nothing of the ones before it: no sessions to keep, and nothing to stream.
    serve_http(server.streamable_http_app(host=HOST, stateless_http=True, json_response=True), listening)
