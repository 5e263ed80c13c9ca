"""``logical-retriever eval``: compare methods on a benchmark folder."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from logical_retriever.commands.output import track, working
from logical_retriever.commands.passages import Llm, reader_of
from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import DEFAULT_METHODS, MEASURES, METHODS, evaluate, load_dataset, load_sample
from logical_retriever.files import replacing

app = typer.Typer()

WITHOUT_FORMS = (
    "Note: there are no recorded logical forms, so the retriever's own reader reads the questions (--transformer auto)."
)
_COMMA = re.compile(r",(?![^(]*\))")
"""A comma outside parentheses, where measures have their arguments."""
PIPE_WIDTH = 200
"""Columns of tables that do not go to a terminal."""


@app.command("eval")
def eval_command(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder with corpus.jsonl, queries.jsonl, qrels.tsv.", show_default="the packaged sample"),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(help=f"Comma-separated: {', '.join(METHODS)}.", show_default="all of them"),
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
        typer.Option(help="Vectors of the documents (.npy), in the order of corpus.jsonl.", show_default="encoded now"),
    ] = None,
    transformer: Annotated[
        Literal["recorded", "auto"] | None,
        typer.Option(
            help="What makes the logical queries: recorded forms, or the retriever's reader (auto).",
            show_default="recorded where there are forms, else auto",
        ),
    ] = None,
    llm: Llm = None,
    measures: Annotated[
        str | None,
        typer.Option(
            help=f"Comma-separated: any of ir-measures (nDCG@5, P(rel=2)@5, RR), {', '.join(MEASURES)}.",
            show_default="the usual ones at 10 and 100",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Evaluate this many queries only, the first ones.")] = None,
    baseline: Annotated[str, typer.Option(help="Method that the others are tested against.")] = "dense",
    model: Annotated[str, typer.Option(help="Sentence-transformers model.")] = DEFAULT_MODEL,
    json_path: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON; - prints them, alone.")
    ] = None,
) -> None:
    """Evaluate retrieval methods on a benchmark folder, on the packaged sample without one."""
    for name, value in {"--logical-forms": logical_forms, "--vectors": vectors}.items():
        if folder is None and value is not None:
            raise InvalidArgumentError(
                f"{name} is given, but the packaged sample brings its own.", hint=f"Leave {name} out."
            )
    with working():
        dataset = (
            load_sample() if folder is None else load_dataset(folder, logical_forms=logical_forms, vectors=vectors)
        )
        if transformer is None and not any(question.form for question in dataset.questions):
            typer.echo(WITHOUT_FORMS, err=True)
            transformer = "auto"
        outcome = evaluate(
            dataset,
            DEFAULT_METHODS if methods is None else [name.strip() for name in methods.split(",") if name.strip()],
            embedder=SentenceTransformerEmbedder(model),
            transformer=reader_of(llm) if transformer == "auto" else None,
            transformer_name=transformer or "recorded",
            measures=None if measures is None else [part for part in _COMMA.split(measures) if part.strip()],
            limit=limit,
            baseline=baseline,
            track=track,
        )
    data = outcome.to_dict()
    text = f"{json.dumps(data, ensure_ascii=False)}\n"
    if json_path == "-":
        sys.stdout.write(text)
        return
    if json_path is not None:
        with replacing(json_path) as draft:
            draft.write_text(text, encoding="utf-8")
    # Without a terminal, rich assumes 80 columns and would cut the table.
    show(data, Console(width=None if sys.stdout.isatty() else PIPE_WIDTH))


def show(data: Mapping[str, Any], console: Console) -> None:
    """Print a table of methods and measures, and below it what failed or did not fit together."""
    methods = data["methods"]
    columns = [name for name in data["columns"] if any(name in method for method in methods.values())]
    table = Table(
        title=f"{data['dataset']}: {data['queries']} queries, {data['documents']} documents", title_justify="left"
    )
    for heading in ("method", *(data["columns"][name]["heading"] for name in columns), "ms/query", "vectors/query"):
        table.add_column(heading, justify="left" if heading == "method" else "right", no_wrap=heading == "method")
    for name, method in methods.items():
        stars = {measure: "*" if method["p"].get(measure, 1.0) < 0.05 else "" for measure in columns}
        values = [f"{method[name]:.3f}{stars[name]}" if name in method else "-" for name in columns]
        cost = method["cost"]
        table.add_row(name, *values, f"{cost['milliseconds_per_query']:.2f}", f"{cost['vectors_per_query']:.1f}")
    console.print(table)
    notes = [
        f"* differs from {data['baseline']}, p < 0.05 (Wilcoxon, Holm)" if data["baseline"] else "",
        "drop: what a user sees, after leaving out; the others rank all documents" if "drop" in data["methods"] else "",
        "pairwise: share of questions whose best wanted document scores above the best unwanted one"
        if "WantedAboveUnwanted" in columns
        else "",
        *(f"{problem['count']} {problem['what']}: {', '.join(problem['examples'])}" for problem in data["problems"]),
    ]
    for stage in dict.fromkeys(failure["stage"] for failure in data["failures"]):
        own = [failure for failure in data["failures"] if failure["stage"] == stage]
        what = "were not transformed (the plain question was used)" if stage == "transform" else f"failed in {stage}"
        notes.append(f"{len(own)} questions {what}, first {own[0]['question']}: {own[0]['problem'].splitlines()[0]}")
    console.print("\n".join(filter(None, notes)), highlight=False, markup=False)
