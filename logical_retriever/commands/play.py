"""``logical-retriever play``: ask and look, on a page of this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from logical_retriever.commands.collection import NAME, retriever_over
from logical_retriever.commands.listening import HOST, listen, serve_http
from logical_retriever.commands.options import Corpus, Where, condition_of, narrowing, passages_of, source_of
from logical_retriever.commands.output import notes, working
from logical_retriever.demo import load_passages, load_questions
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.play.answers import DEMO_SETUP, Playground, chroma_setup, corpus_setup
from logical_retriever.play.server import LOOPBACK, make_app
from logical_retriever.transform import QuestionReader
from logical_retriever.transform.chat_models import chat_model_from_name

app = typer.Typer()

DEFAULT_PORT = 8808


@app.command("play")
def play(
    path: Annotated[
        Path | None,
        typer.Option(help="Folder of the collection, made here or by 'ask --path'.", show_default="temporary"),
    ] = None,
    corpus: Corpus = None,
    where: Where = None,
    llm: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER:MODEL", help="Language model for what rules cannot read.", show_default="none"),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen to: this machine alone, unless you say another.")] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = DEFAULT_PORT,
    browser: Annotated[bool, typer.Option(help="Open the page, where this is a terminal.")] = True,
) -> None:
    """Ask your passages on a page: how a question was read, what was found and why, beside plain dense retrieval.

    The page asks this process alone, and only with the token of the printed address. End it with Ctrl+C.
    """
    transformer = QuestionReader(None if llm is None else chat_model_from_name(llm))
    source = source_of(corpus, path)
    condition = condition_of(where)
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(listen(port, host))
        with working():
            retriever = stack.enter_context(retriever_over(path, passages_of(corpus), transformer=transformer))
        model = getattr(retriever.embedder, "model", DEFAULT_MODEL)
        place = str(source.resolve())
        playground = Playground(
            retriever,
            name=source.resolve().name,
            setup=corpus_setup(place, model) if path is None else chroma_setup(place, NAME, model),
            filter=narrowing(retriever.store, condition, None),
        )
        show(playground, listening, host, browser=browser)


def demo_page() -> None:
    """The demo's passages on a page, with its questions to begin with."""
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(listen(0))
        with working():
            retriever = stack.enter_context(retriever_over(None, load_passages()))
        questions = [asked.question for asked in load_questions()]
        show(
            Playground(retriever, name="The demo, on ten subjects", setup=DEMO_SETUP, examples=questions),
            listening,
            HOST,
            browser=True,
        )


def show(playground: Playground, listening: socket.socket, host: str, *, browser: bool) -> None:
    """Print the address, open it where somebody is there to look, and serve until the process is told to end."""
    application = make_app(playground, hosts=hosts_of(host))
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/?token={application.state.token}"
    notes().print(f"Playground: {address}\nEnd it with Ctrl+C.", soft_wrap=True)
    if browser and sys.stdout.isatty():
        webbrowser.open(address)
    serve_http(application, listening)


def hosts_of(host: str) -> Sequence[str]:
    """Names that a request may call the server by; none, for any, where it listens to other machines as well."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (*LOOPBACK, host.lower()) if host.lower() not in LOOPBACK else tuple(LOOPBACK)
    if address.is_unspecified:
        return ()
    name = f"[{address}]" if address.version == 6 else str(address)
    return (*LOOPBACK, name)
