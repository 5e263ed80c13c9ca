"""The ``synthesize`` command."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from logical_retriever.lab.synthesis.results import Stop
from logical_retriever.lab.synthesis.template_pipeline import synthesize_templates
from logical_retriever.lab.synthesis.typed_pipeline import synthesize_typed

app = typer.Typer()

NO_QUERY_EXIT = 2
"""Exit status of a run that made no query, that of other errors."""
CALL_LIMIT_EXIT = 3
"""Exit status of a run stopped by --max-calls; the same command continues it."""


class Pipeline(str, Enum):
    """Which paper's method."""

    ITLR = "itlr"
    COMLQ = "comlq"


class Source(str, Enum):
    """Where the documents of an itlr set come from."""

    CORPUS = "corpus"
    WRITTEN = "written"


@app.command("synthesize")
def synthesize(
    corpus: Annotated[
        Path, typer.Argument(metavar="FOLDER_OR_CORPUS.jsonl", help="Your documents: _id, title, text on each line.")
    ],
    output: Annotated[Path, typer.Option(help="Folder of the test set. An interrupted run continues there.")],
    llm: Annotated[str, typer.Option(metavar="PROVIDER:MODEL", help="The language model that writes and judges.")],
    pipeline: Annotated[
        Pipeline, typer.Option(help="itlr: three-term logical queries. comlq: its 14 query types.")
    ] = Pipeline.ITLR,
    queries: Annotated[int, typer.Option(min=1, help="Queries wanted.")] = 32,
    max_calls: Annotated[int, typer.Option(min=0, help="Most calls of the language model in this run.")] = 1000,
    seed: Annotated[int, typer.Option(help="Everything random depends on it.")] = 0,
    documents: Annotated[
        Source, typer.Option(help="itlr: judge documents of the corpus, or have documents written for each query.")
    ] = Source.CORPUS,
    workers: Annotated[int, typer.Option(min=1, help="Calls at a time.")] = 1,
) -> None:
    """Make a test set from your own documents with a language model, for the eval command.

    Exit status: 0 finished, 2 error or no query, 3 stopped by --max-calls.
    """
    from logical_retriever.transform.chat_models import chat_model_from_name

    if pipeline is Pipeline.COMLQ and documents is Source.WRITTEN:
        raise typer.BadParameter("--documents written belongs to --pipeline itlr.")
    model = chat_model_from_name(llm)
    common: dict[str, Any] = {
        "output": output,
        "queries": queries,
        "max_calls": max_calls,
        "seed": seed,
        "workers": workers,
        "model": llm,
        "progress": _shown,
    }
    if pipeline is Pipeline.COMLQ:
        result = synthesize_typed(corpus, model, **common)
    else:
        result = synthesize_templates(corpus, model, documents=documents.value, **common)
    typer.echo(str(result))
    if result.stop is Stop.CALL_LIMIT:
        raise typer.Exit(CALL_LIMIT_EXIT)
    if result.queries == 0:
        raise typer.Exit(NO_QUERY_EXIT)


def _shown(done: int, wanted: int) -> None:
    """One line that is written over, on a terminal; nothing elsewhere, so that logs stay readable."""
    if sys.stderr.isatty():
        typer.echo(f"\r{done} of {wanted} queries tried", nl=done == wanted, err=True)
