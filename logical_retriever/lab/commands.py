"""The commands of ``logical-retriever lab``: the papers' systems over your own files.

``app`` is a group that a command line mounts.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.evaluation import evaluate
from logical_retriever.evaluation.loading import load_dataset, load_sample
from logical_retriever.lab.calibrate import Logistic, cosines_of, read_pairs
from logical_retriever.lab.experiments.ablation import ablation_methods, ablation_rows
from logical_retriever.lab.experiments.optimisation import optimisation_methods, optimisation_rows
from logical_retriever.lab.synthesis import synthesize_templates, synthesize_typed
from logical_retriever.transform import chat_model_from_name

app = typer.Typer(help="The papers' systems: test sets, calibration, tables.", no_args_is_help=True)

Folder = Annotated[
    Path | None,
    typer.Argument(help="Folder with corpus.jsonl, queries.jsonl, qrels.tsv.", show_default="the packaged sample"),
]
Encoder = Annotated[str, typer.Option("--model", help="Sentence-transformers model.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Evaluate the first so many queries only.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the rows as JSON.")]

Pipeline = Enum("Pipeline", {"itlr": "itlr", "comlq": "comlq"}, type=str)
Source = Enum("Source", {"corpus": "corpus", "written": "written"}, type=str)
Experiment = Enum("Experiment", {"ablation": "ablation", "optimisation": "optimisation"}, type=str)


@app.command("synthesize")
def synthesize_command(
    pipeline: Annotated[Pipeline, typer.Argument(help="itlr: three-term logical queries. comlq: its 14 query types.")],
    corpus: Annotated[
        Path, typer.Argument(metavar="FOLDER_OR_CORPUS.jsonl", help="Your documents: _id, title, text on each line.")
    ],
    output: Annotated[Path, typer.Option(help="Folder of the test set, new or empty.")],
    llm: Annotated[str, typer.Option(metavar="PROVIDER:MODEL", help="The language model that writes and judges.")],
    queries: Annotated[int, typer.Option(min=1, help="Queries wanted.")] = 32,
    max_calls: Annotated[int, typer.Option(min=0, help="Most calls of the language model.")] = 1000,
    seed: Annotated[int, typer.Option(help="Everything random depends on it.")] = 0,
    documents: Annotated[
        Source, typer.Option(help="itlr: judge documents of the corpus, or have documents written for each query.")
    ] = Source.corpus,
    workers: Annotated[int, typer.Option(min=1, help="Calls at a time.")] = 1,
) -> None:
    """Make a test set from your own documents with a language model, for the eval command.

    Exit status: 0 finished, 2 error or no query, 3 stopped by --max-calls.
    """
    if pipeline is Pipeline.comlq and documents is Source.written:
        raise typer.BadParameter("--documents written belongs to itlr.")
    model = chat_model_from_name(llm)
    limits: dict[str, Any] = {"queries": queries, "max_calls": max_calls, "seed": seed, "workers": workers}
    if pipeline is Pipeline.comlq:
        result = synthesize_typed(corpus, model, output=output, **limits)
    else:
        result = synthesize_templates(corpus, model, output=output, documents=documents.value, **limits)
    typer.echo(str(result))
    if not result.finished or result.queries == 0:
        raise typer.Exit(2 if result.finished else 3)


@app.command("calibrate")
def calibrate_command(
    pairs: Annotated[
        Path,
        typer.Argument(help="Labelled pairs: JSON Lines of term, text and label 0 or 1.", show_default=False),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the fitted curve.")] = Path(
        "calibration.json"
    ),
    model: Encoder = DEFAULT_MODEL,
) -> None:
    """Fit a truth value for cosines to labelled pairs of a term and a document."""
    labelled = read_pairs(pairs)
    cosines = cosines_of(labelled, SentenceTransformerEmbedder(model))
    labels = np.array([pair.label for pair in labelled])
    curve = Logistic.fit(cosines, labels)
    output.write_text(json.dumps(asdict(curve)), encoding="utf-8")
    right = ((curve(cosines) > 0.5) == (labels == 1)).mean()
    typer.echo(
        f"{len(labelled)} pairs, {labels.sum()} about their term: tau = {curve.tau:.4f}, scale = {curve.scale:.3f}; "
        f"{100 * right:.1f}% on the right side of 0.5."
    )
    typer.echo(f"Wrote {output}", err=True)


@app.command("experiment")
def experiment_command(
    name: Experiment,
    folder: Folder = None,
    model: Encoder = DEFAULT_MODEL,
    limit: Limit = None,
    json_path: Json = None,
) -> None:
    """Run a table of the papers: ITLR's ablation, or NSFL's comparison of one optimised vector with rescoring."""
    dataset = load_sample() if folder is None else load_dataset(folder)
    ablation = name is Experiment.ablation
    methods = ablation_methods() if ablation else optimisation_methods()
    outcome = evaluate(dataset, methods, embedder=SentenceTransformerEmbedder(model), limit=limit)
    _show(ablation_rows(outcome) if ablation else optimisation_rows(outcome), json_path)


def _show(rows: list[dict[str, Any]], json_path: Path | None) -> None:
    """A plain table, numbers to three places."""
    if json_path is not None:
        json_path.write_text(json.dumps(rows), encoding="utf-8")
    cells = [list(rows[0]), *(list(map(_cell, row.values())) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
