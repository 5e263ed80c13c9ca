"""``logical-retriever serve`` and ``play``: the user's passages as a tool for agents, over MCP, and on a page."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, cast

import anyio
import mcp_types as types
import typer
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from logical_retriever.commands.mcp_server import make_server
from logical_retriever.commands.output import notes, working
from logical_retriever.commands.passages import (
    AlwaysExclude,
    Collection,
    Corpus,
    ExclusionSetting,
    Folder,
    Llm,
    MinRelevance,
    Model,
    Verify,
    Where,
    Words,
    condition_of,
    filter_of,
    open_retriever,
    reader_of,
    retriever_of,
)
from logical_retriever.demo import load_passages, load_questions
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration import MOST_PASSAGES
from logical_retriever.options import SearchOptions
from logical_retriever.play.answers import DEMO_SETUP, Playground, chroma_setup, corpus_setup
from logical_retriever.play.server import LOOPBACK, make_app

app = typer.Typer()

HOST = "127.0.0.1"
"""This machine alone."""
MCP_PORT, PLAY_PORT = 8000, 8808
GRACE_S = 2
"""Seconds that connections get to end in when the server is stopped."""
WHOLE_CHARACTERS = (
    r"Send text of whole characters: an escape from \ud800 to \udfff is half of one, without its other half."
)


class Transport(str, Enum):
    """How clients reach the server."""

    STDIO = "stdio"
    HTTP = "http"


@app.command("serve")
def serve(
    corpus: Corpus = None,
    path: Folder = None,
    collection: Collection = None,
    model: Model = DEFAULT_MODEL,
    where: Where = None,
    words: Words = None,
    exclusion: ExclusionSetting = "drop",
    min_relevance: MinRelevance = None,
    always_exclude: AlwaysExclude = None,
    verify: Verify = None,
    transport: Annotated[
        Transport, typer.Option(help="stdio, for clients that start the server, or http.")
    ] = Transport.STDIO,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port of http; 0 for any free one.", show_default=str(MCP_PORT)),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=MOST_PASSAGES, help="Passages of a call that does not say.")] = 5,
    about: Annotated[
        str | None, typer.Option(help="What the passages are about, for the agent's model.", show_default=False)
    ] = None,
) -> None:
    """Offer your passages to agents, as an MCP server with one tool.

    The agent's own model writes the logical query; no other is asked, but that of --verify about passages in doubt.
    http listens to this machine alone, at /mcp. Restart the server when the passages of --corpus have changed.
    """
    http = transport is Transport.HTTP
    if port is not None and not http:
        raise InvalidArgumentError("--port is given, and the transport is stdio.", hint="Add --transport http.")
    condition = condition_of(where)
    given: dict[str, Any] = {"words": words, "exclusion": exclusion, "min_relevance": min_relevance}
    options = SearchOptions(**given, always_exclude=always_exclude or (), verify=verify)  # said before encoding
    settings = {**given, "always_exclude": options.always_exclude, "verify": options.verify}
    with contextlib.ExitStack() as stack:
        # Taken first, so that a port in use is not found out after the encoder has been loaded.
        listening = stack.enter_context(listen(MCP_PORT if port is None else port)) if http else None
        with working():
            retriever = open_retriever(corpus, path, collection, model, **settings)
            server = make_server(retriever, k=k, about=about, filter=filter_of(retriever.store, condition))
        if listening is None:
            notes().print(f"Serving {corpus or path} over standard input and output.", soft_wrap=True)
            _serve_stdio(server)
        else:
            url = f"http://{HOST}:{listening.getsockname()[1]}/mcp"
            notes().print(f"Serving {corpus or path} at {url}", soft_wrap=True)
            # A search knows nothing of the ones before it: no sessions to keep, and nothing to stream.
            serve_http(server.streamable_http_app(host=HOST, stateless_http=True, json_response=True), listening)


@app.command("play")
def play(
    corpus: Corpus = None,
    path: Folder = None,
    collection: Collection = None,
    model: Model = DEFAULT_MODEL,
    where: Where = None,
    llm: Llm = None,
    host: Annotated[str, typer.Option(help="Address to listen to: this machine alone, unless you say another.")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = PLAY_PORT,
    browser: Annotated[bool, typer.Option(help="Open the page, where this is a terminal.")] = True,
) -> None:
    """Ask your passages on a page: how a question was read, what was found and why, beside plain dense retrieval.

    Without passages, those of the demo. The page asks this process alone, and only with the token of the printed
    address. End it with Ctrl+C.
    """
    reader, condition = reader_of(llm), condition_of(where)
    with contextlib.closing(listen(port, host)) as listening:
        with working():
            if corpus is None and path is None:
                retriever = retriever_of(load_passages(), model, transformer=reader)
            else:
                retriever = open_retriever(corpus, path, collection, model, transformer=reader)
            filter = filter_of(retriever.store, condition)
        place = path or corpus
        setup = DEMO_SETUP if place is None else corpus_setup(str(place.resolve()), model)
        if path is not None:
            setup = chroma_setup(str(path.resolve()), cast(Any, retriever.store).collection.name, model)
        name = "The demo, on ten subjects" if place is None else place.resolve().name
        examples = [asked.question for asked in load_questions()] if place is None else []
        playground = Playground(retriever, name=name, setup=setup, examples=examples, filter=filter)
        application = make_app(playground, hosts=hosts_of(host))
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/?token={application.state.token}"
        notes().print(f"Playground: {address}\nEnd it with Ctrl+C.", soft_wrap=True)
        if browser and sys.stdout.isatty():
            webbrowser.open(address)
        serve_http(application, listening)


def hosts_of(host: str) -> Sequence[str]:
    """Names that a request may call the server by; none, for any, where it listens to other machines as well."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (*LOOPBACK, host.lower())
    return () if address.is_unspecified else (*LOOPBACK, f"[{address}]" if address.version == 6 else str(address))


def listen(port: int, host: str = HOST) -> socket.socket:
    """A listening socket.

    Raises:
        InvalidArgumentError: The port cannot be had.
    """
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        # Its own text repeats the address.
        reason = str(error) if error.errno is None else os.strerror(error.errno)
        hint = "Give another --port; 0 takes any free one."
        raise InvalidArgumentError(f"Port {port} cannot be listened to: {reason}.", hint=hint) from error


def serve_http(application: Any, listening: socket.socket) -> None:
    """Serve any number of clients, until the process is told to end."""
    quiet: dict[str, Any] = {"log_level": "warning", "access_log": False, "ws": "none"}
    config = uvicorn.Config(application, timeout_graceful_shutdown=GRACE_S, **quiet)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


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

            async def refuse_unreadable() -> None:
                """Pass messages on, and answer requests that the SDK cannot read and would leave without an answer."""
                async with readable:
                    async for message in incoming:
                        refusal = _refusal(message) if isinstance(message, ValidationError) else None
                        await (readable.send(message) if refusal is None else outgoing.send(SessionMessage(refusal)))

            group.start_soon(refuse_unreadable)
            await server.run(messages, outgoing, server.create_initialization_options())

    anyio.run(run)


def _refusal(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to a line that is a request to Python's reader of JSON alone; None for other lines."""
    problem = error.errors()[0]
    try:
        id = types.JSONRPCRequest.model_validate({**json.loads(problem["input"]), "params": None}).id
    except (ValueError, TypeError, RecursionError):
        return None
    said = f"The call was not carried out: {problem['msg']}. {WHOLE_CHARACTERS}"
    return types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=types.INVALID_PARAMS, message=said))
