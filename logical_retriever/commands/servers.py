"""``logical-retriever serve`` and ``play``: the user's passages as a tool for agents, and on a page."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from typing import Annotated, Any

import typer
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server

from logical_retriever.adapters.tools import MOST_PASSAGES
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
    PassageSize,
    Verify,
    Words,
    WordsIndex,
    open_retriever,
    reader_of,
    retriever_of,
)
from logical_retriever.corpus import PASSAGE_SIZE
from logical_retriever.demo import load_passages, load_questions
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.play.answers import Playground
from logical_retriever.play.server import make_app

app = typer.Typer()

HOST = "127.0.0.1"
"""Only this machine can connect."""
PLAY_PORT = 8808
GRACE_S = 2
"""Seconds that connections have to finish when the server is stopped."""


@app.command("serve")
def serve(
    corpus: Corpus = None,
    passage_size: PassageSize = PASSAGE_SIZE,
    path: Folder = None,
    collection: Collection = None,
    words_index: WordsIndex = None,
    model: Model = DEFAULT_MODEL,
    words: Words = None,
    exclusion: ExclusionSetting = "drop",
    min_relevance: MinRelevance = None,
    always_exclude: AlwaysExclude = None,
    verify: Verify = None,
    k: Annotated[int, typer.Option("--k", min=1, max=MOST_PASSAGES, help="Passages of a call without k.")] = 5,
    about: Annotated[
        str | None, typer.Option(help="What the passages are about; the agent's model reads it.", show_default=False)
    ] = None,
) -> None:
    """Offer your passages to agents, as an MCP server with one tool.

    The agent's own model writes the logical query. No other model is asked, except that of --verify. Clients start the
    server and talk to it over standard input and output. Restart it when the passages of --corpus have changed.
    """
    with working():
        retriever = open_retriever(
            corpus,
            path,
            collection,
            model,
            passage_size=passage_size,
            words_index=words_index,
            words=words,
            exclusion=exclusion,
            min_relevance=min_relevance,
            always_exclude=always_exclude,
            verify=verify,
        )
        server = make_server(retriever, k=k, about=about)
    notes().print(f"Serving {corpus or path} over standard input and output.", soft_wrap=True)
    # A thread reads standard input and cannot be woken: an orderly end would wait for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve_stdio(server))


@app.command("play")
def play(
    corpus: Corpus = None,
    passage_size: PassageSize = PASSAGE_SIZE,
    path: Folder = None,
    collection: Collection = None,
    words_index: WordsIndex = None,
    model: Model = DEFAULT_MODEL,
    llm: Llm = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = PLAY_PORT,
    browser: Annotated[bool, typer.Option(help="Open the page, where this is a terminal.")] = True,
) -> None:
    """Ask your passages on a page: how a question was read, what was found and why, beside plain dense retrieval.

    Without passages, it shows those of the demo. The page talks to this process alone, and needs the token of the
    printed address. End it with Ctrl+C.
    """
    reader = reader_of(llm)
    # A port in use is reported before the encoder is loaded.
    with listen(port) as listening:
        with working():
            place = path or corpus
            if place is None:
                retriever = retriever_of(load_passages(), model, reader)
            else:
                own: dict[str, Any] = {"transformer": reader, "passage_size": passage_size, "words_index": words_index}
                retriever = open_retriever(corpus, path, collection, model, **own)
        name = "The demo, on ten subjects" if place is None else place.resolve().name
        examples = [example.question for example in load_questions()] if place is None else []
        application = make_app(Playground(retriever, name=name, examples=examples))
        address = f"http://{HOST}:{listening.getsockname()[1]}/?token={application.state.token}"
        notes().print(f"Playground: {address}\nEnd it with Ctrl+C.", soft_wrap=True)
        if browser and sys.stdout.isatty():
            webbrowser.open(address)
        config = uvicorn.Config(application, log_level="warning", ws="none", timeout_graceful_shutdown=GRACE_S)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


def listen(port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        InvalidArgumentError: The port is in use, or not allowed.
    """
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        # The error's own text repeats the address.
        reason = str(error) if error.errno is None else os.strerror(error.errno)
        hint = "Give another --port; 0 takes any free one."
        raise InvalidArgumentError(f"Port {port} cannot be listened to: {reason}.", hint=hint) from error


async def _serve_stdio(server: Server[Any]) -> None:
    """Serve one client until it closes standard input."""
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
