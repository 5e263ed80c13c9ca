"""The commands ``eval`` and ``report``."""

from __future__ import annotations

import difflib
import json
import math
import re
import sys
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from logical_retriever.commands.encode import encoded
from logical_retriever.commands.output import working
from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.dataset import Dataset
from logical_retriever.evaluation.loading import load_dataset, load_sample
from logical_retriever.evaluation.measures import MEASURES
from logical_retriever.evaluation.methods import METHODS, Method, MethodOptions, get_method
from logical_retriever.evaluation.methods.package import PackageRetriever
from logical_retriever.evaluation.optional import require
from logical_retriever.evaluation.outcome import Outcome
from logical_retriever.evaluation.run import evaluate
from logical_retriever.files import write_text
from logical_retriever.lab.experiments import METHODS_OF, TABLE_OF, Experiment, abstention, candidate_recall, scaling
from logical_retriever.lab.methods import DEFAULT_METHODS, FITTED, WRITTEN
from logical_retriever.lab.methods.rewriting import read_texts
from logical_retriever.lab.nsir import progress_bar
from logical_retriever.semantics import CalibratedConstants, CalibratedSemantics, Logistic
from logical_retriever.transform import (
    ChatModel,
    CueQueryTransformer,
    LogicalQueryTransformer,
    QueryTransformer,
    QuestionReader,
)
from logical_retriever.transform.chat_models import chat_model_from_name

app = typer.Typer()


WITHOUT_FORMS = (
    "Note: there are no recorded logical forms, so the questions are read by the retriever's own reader. "
    "--transformer says who else reads them."
)
CONSTANTS = (*(constant.name for constant in fields(CalibratedConstants)), "words")
OWN_MEASURES = tuple(f"{name}@10" if kind.has_cutoff else name for name, kind in MEASURES.items())
_COMMA = re.compile(r",(?![^(]*\))")
"""A comma outside parentheses: measures have arguments."""
PIPE_WIDTH = 200
"""Columns of tables that do not go to a terminal."""


class TransformerName(str, Enum):
    """Where logical queries come from."""

    recorded = "recorded"
    auto = "auto"
    cue = "cue"
    llm = "llm"


@app.command("eval")
def eval_command(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder with corpus.jsonl, queries.jsonl, qrels.tsv.", show_default="the packaged sample"),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help=f"Comma-separated: {', '.join(METHODS)}.", show_default="all that need no language model"),
    ] = None,
    logical_forms: Annotated[
        Path | None,
        typer.Option(
            help="Recorded logical forms, tab-separated: query-id, logical-query.",
            show_default="FOLDER/logical_forms.tsv, if it is there",
        ),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(
            help="Vectors of the documents (.npy), in the order of corpus.jsonl.",
            show_default="kept in FOLDER after the first run",
        ),
    ] = None,
    transformer: Annotated[
        TransformerName | None,
        typer.Option(
            help="What makes the logical queries: recorded forms, the retriever's reader (auto), cue rules, a model.",
            show_default="recorded where there are forms, else auto",
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER:MODEL", help="Language model for --transformer auto or llm, bright, hyde."),
    ] = None,
    texts: Annotated[
        list[str] | None, typer.Option(metavar="METHOD=FILE", help="Recorded texts of bright or hyde: query-id, text.")
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="Curve of 'logical-retriever calibrate'; adds the method logistic.")
    ] = None,
    changed: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help=f"A constant of calibrated ({', '.join(CONSTANTS)}); it runs beside calibrated. May be repeated.",
            show_default=False,
        ),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            help=f"Comma-separated: any of ir-measures (nDCG@5, P(rel=2)@5, RR), {', '.join(OWN_MEASURES)}.",
            show_default="the usual ones at --k",
        ),
    ] = None,
    k: Annotated[str | None, typer.Option("--k", help="Cutoffs, comma-separated.", show_default="10,100")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Evaluate the first so many queries only.")] = None,
    baseline: Annotated[str, typer.Option(help="Method that the others are tested against.")] = "dense",
    model: Annotated[str, typer.Option(help="Sentence-transformers model.")] = DEFAULT_MODEL,
    json_path: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON; - prints them, alone.")
    ] = None,
    csv_path: Annotated[Path | None, typer.Option("--csv", help="Write the results as CSV.")] = None,
    plots_folder: Annotated[Path | None, typer.Option("--plots", help="Write bar charts into this folder.")] = None,
    experiment: Annotated[Experiment | None, typer.Option(help="Run an experiment instead.")] = None,
    foreign: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="With --experiment abstention: a benchmark whose questions FOLDER cannot answer, with its forms.",
            show_default="the packaged sample",
        ),
    ] = None,
) -> None:
    """Evaluate retrieval methods on a benchmark folder, on the packaged sample without one."""
    if measures is not None:
        _not_with(k, "--measures", "--k")
        _not_with(experiment, "--measures", "--experiment")
    if foreign is not None and experiment is not Experiment.abstention:
        raise InvalidArgumentError("--foreign is for --experiment abstention.", hint="Leave it out.")
    if changed:
        _not_with(experiment, "--set", "--experiment")
    beside = _with_constants(changed) if changed else None
    cutoffs = _cutoffs("10,100" if k is None else k)
    options = _options(llm, texts, None if calibration is None else Logistic.load(calibration, model=model))
    rows: list[dict[str, Any]] | None = None
    with working(), progress_bar() as progress:
        if experiment is Experiment.scaling:
            _not_with(folder, "--experiment scaling", "FOLDER")
            points = scaling.scaling(SentenceTransformerEmbedder(model), progress=progress)
            rows, table = [row for point in points for row in point.rows()], scaling.scaling_table(points)
        elif experiment is Experiment.candidate_recall:
            _not_with(methods, "--experiment candidate-recall", "--methods")
            dataset, embedder = _dataset(folder, logical_forms, vectors), SentenceTransformerEmbedder(model)
            dataset = encoded(dataset, folder, embedder, model, progress)
            recalled = candidate_recall.candidate_recall(
                dataset,
                embedder=embedder,
                transformer=_transformer(_reader(transformer, dataset), options.chat_model),
                limit=limit,
                progress=progress,
            )
            rows = [one.row() for one in recalled]
            table = candidate_recall.candidate_recall_table(dataset.name, recalled)
        elif experiment is Experiment.abstention:
            _not_with(methods, "--experiment abstention", "--methods")
            if folder is None and foreign is None:
                raise InvalidArgumentError(
                    "The packaged sample cannot be foreign to itself.",
                    hint="Give a FOLDER, or --foreign with another one.",
                )
            dataset, embedder = _dataset(folder, logical_forms, vectors), SentenceTransformerEmbedder(model)
            dataset = encoded(dataset, folder, embedder, model, progress)
            other = _dataset(foreign, None, None)
            abstained = abstention.abstention(
                dataset,
                other,
                embedder=embedder,
                transformer=_transformer(_reader(transformer, dataset), options.chat_model),
                limit=limit,
                progress=progress,
            )
            rows = [one.row() for one in abstained]
            table = abstention.abstention_table(dataset.name, other.name, abstained)
        else:
            dataset = _dataset(folder, logical_forms, vectors)
            reader = _reader(transformer, dataset)
            chosen: list[str | Method] = list(_methods(methods, experiment))
            if beside is not None:
                chosen.append(beside)
            if calibration is not None and FITTED not in chosen:
                chosen.append(FITTED)
            transforming = _transformer(reader, options.chat_model)
            chosen = [get_method(one, options) for one in chosen]  # a wrong name is said before anything is encoded
            embedder = SentenceTransformerEmbedder(model)
            dataset = encoded(dataset, folder, embedder, model, progress)
            outcome = evaluate(
                dataset,
                chosen,
                embedder=embedder,
                transformer=transforming,
                transformer_name=reader.value,
                measures=None if measures is None else [part for part in _COMMA.split(measures) if part.strip()],
                cutoffs=cutoffs,
                limit=limit,
                baseline=baseline,
                options=options,
                progress=progress,
            )
    if experiment is None or rows is None:
        _show(outcome, experiment, json_path, csv_path, plots_folder)
        return
    _write_json({"experiment": experiment.value, "rows": rows}, json_path)
    if json_path != "-":
        _console().print(table)


@app.command("report")
def report_command(
    results: Annotated[list[Path], typer.Argument(help="Files that eval --json wrote.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path("report.html"),
) -> None:
    """Turn evaluations into one self-contained HTML page."""
    from logical_retriever.evaluation.report import read_outcome, render

    write_text(output, render([read_outcome(path) for path in results]))
    typer.echo(f"Wrote {output}", err=True)


def _show(
    outcome: Outcome, experiment: Experiment | None, json_path: str | None, csv_path: Path | None, plots: Path | None
) -> None:
    from logical_retriever.evaluation import tables
    from logical_retriever.evaluation.plots import save_plots

    data = outcome.to_dict()
    if experiment is not None:
        data["experiment"] = experiment.value
    _write_json(data, json_path)
    if csv_path is not None:
        tables.write_csv(data, csv_path)
    if plots is not None:
        save_plots(data, plots)
    if json_path == "-":
        return
    console = _console()
    if experiment in TABLE_OF:
        console.print(TABLE_OF[experiment](outcome))
    tables.print_tables(data, console)


def _write_json(data: dict[str, Any], path: str | None) -> None:
    if path is None:
        return
    text = json.dumps(data, ensure_ascii=False)
    if path == "-":
        sys.stdout.write(f"{text}\n")
    else:
        write_text(path, f"{text}\n")


def _dataset(folder: Path | None, forms: Path | None, vectors: Path | None) -> Dataset:
    if folder is not None:
        return load_dataset(folder, logical_forms=forms, vectors=vectors)
    for name, value in (("--logical-forms", forms), ("--vectors", vectors)):
        _not_with(value, "the packaged sample", name)
    return load_sample()


def _with_constants(settings: list[str]) -> Method:
    """The default semantics with other constants, as a method of its own."""
    given: dict[str, float] = {}
    for setting in settings:
        name, _, value = (part.strip() for part in setting.partition("="))
        if name not in CONSTANTS:
            close = difflib.get_close_matches(name, CONSTANTS, n=1)
            hint = f"Did you mean {close[0]!r}? " if close else ""
            raise InvalidArgumentError(
                f"--set {setting!r}: calibrated has no constant {name!r}.", hint=f"{hint}It has {', '.join(CONSTANTS)}."
            )
        try:
            given[name] = float(value)
        except ValueError:
            given[name] = math.nan
        if not math.isfinite(given[name]):
            raise InvalidArgumentError(
                f"--set {setting!r}: {value!r} is not a number.", hint="Write --set threshold=4 --set words=0.3."
            )
    label = " ".join(f"{name}={value:g}" for name, value in given.items())
    words = given.pop("words", CalibratedSemantics().words)
    return PackageRetriever(CalibratedSemantics(CalibratedConstants(**given), words=words), f"calibrated {label}")


def _not_with(value: object, what: str, name: str) -> None:
    if value is not None:
        raise InvalidArgumentError(f"{name} is given, but {what} brings its own.", hint=f"Leave {name} out.")


def _methods(named: str | None, experiment: Experiment | None) -> list[str] | list[Method]:
    if experiment is not None and named is not None:
        raise InvalidArgumentError(
            "An experiment chooses its own methods.", hint="Leave out --methods or --experiment."
        )
    if experiment in METHODS_OF:
        return METHODS_OF[experiment]()
    return list(DEFAULT_METHODS) if named is None else [name.strip() for name in named.split(",") if name.strip()]


def _options(llm: str | None, texts: list[str] | None, calibration: Logistic | None) -> MethodOptions:
    recorded = {}
    for entry in texts or ():
        method, separator, path = entry.partition("=")
        if not separator or method not in WRITTEN:
            raise InvalidArgumentError(
                f"--texts {entry!r} is not METHOD=FILE.", hint=f"METHOD is one of {', '.join(WRITTEN)}."
            )
        recorded[method] = read_texts(path)
    return MethodOptions(None if llm is None else chat_model_from_name(llm), recorded, calibration)


def _reader(asked: TransformerName | None, dataset: Dataset) -> TransformerName:
    """Who reads the questions where the caller does not say."""
    if asked is not None:
        return asked
    if any(one.form for one in dataset.questions):
        return TransformerName.recorded
    typer.echo(WITHOUT_FORMS, err=True)
    return TransformerName.auto


def _transformer(name: TransformerName, chat_model: ChatModel | None) -> QueryTransformer | None:
    if name is TransformerName.auto:
        return QuestionReader(chat_model)
    if name is TransformerName.cue:
        return CueQueryTransformer()
    if name is TransformerName.llm:
        if chat_model is None:
            raise InvalidArgumentError(
                "--transformer llm needs a language model.", hint="Name one: --llm PROVIDER:MODEL."
            )
        return LogicalQueryTransformer(chat_model)
    return None


def _cutoffs(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InvalidArgumentError(f"--k is {text!r}.", hint="Give whole numbers of at least 1: --k 10,100.")
    return tuple(int(part) for part in parts)


def _console() -> Any:
    console = require("rich.console", "Printing a table").Console()
    # A file or a pipe has no width; 80 columns would cut the tables.
    return console if console.is_terminal else require("rich.console", "Printing a table").Console(width=PIPE_WIDTH)
