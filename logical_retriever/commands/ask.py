"""``logical-retriever ask``: a question to the user's own passages."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from logical_retriever.commands.collection import retriever_over
from logical_retriever.commands.options import (
    AlwaysExclude,
    Corpus,
    DropExcluded,
    MinRelevance,
    StoreFilter,
    Verify,
    Where,
    condition_of,
    filter_of,
    narrowing,
    passages_of,
    source_of,
)
from logical_retriever.commands.output import plain, print_json, results, working
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.explain import MADE_BY, Explanation
from logical_retriever.results import RankedDocument
from logical_retriever.search import SearchOptions
from logical_retriever.semantics import DEFAULT_SEMANTICS, get_semantics
from logical_retriever.transform import QuestionReader
from logical_retriever.transform.base import check_question
from logical_retriever.transform.chat_models import chat_model_from_name

app = typer.Typer()


class Read(str, Enum):
    """The reader's ``read``."""

    AUTO = "auto"
    ALWAYS_LLM = "always_llm"
    RULES = "rules"


class Mode(str, Enum):
    """The retriever's ``mode``."""

    EXACT = "exact"
    SQO = "sqo"
    DEO = "deo"


NARROW = 60
"""Columns below which the answer is a list: beside the numbers of a table, passages would have no room."""
SHOWN_TEXT = 240
"""Most characters of a passage that are shown."""


@app.command("ask")
def ask(
    question: Annotated[str, typer.Argument(help="The question, in natural language.", show_default=False)],
    corpus: Corpus = None,
    path: Annotated[
        Path | None,
        typer.Option(help="Folder to keep the encoded passages in, and to find them in.", show_default="temporary"),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER:MODEL", help="Language model for what rules cannot read.", show_default="none"),
    ] = None,
    read: Annotated[Read, typer.Option(help="Who reads the question.")] = Read.AUTO,
    k: Annotated[int, typer.Option("--k", min=1, help="Passages to return.")] = 5,
    semantics: Annotated[str, typer.Option(help="How scores are composed.")] = DEFAULT_SEMANTICS,
    mode: Annotated[Mode, typer.Option(help="exact, or one list of a vector that is optimised first.")] = Mode.EXACT,
    where: Where = None,
    store_filter: StoreFilter = None,
    drop_excluded: DropExcluded = True,
    min_relevance: MinRelevance = None,
    verify: Verify = None,
    always_exclude: AlwaysExclude = None,
    model: Annotated[
        str | None,
        typer.Option(help="Sentence-transformers model.", show_default=f"that of --path, else {DEFAULT_MODEL}"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
) -> None:
    """Ask a question of your own passages, and see why each was found.

    With --path the encoded passages are kept; a changed file is compared, and only what changed is encoded again.
    """
    with working():
        # What can be wrong is looked at before anything is encoded.
        check_question(question)
        composed = get_semantics(semantics)
        transformer = QuestionReader(None if llm is None else chat_model_from_name(llm), read=read.value)
        source_of(corpus, path)
        condition, own = condition_of(where), filter_of(store_filter)
        passages = passages_of(corpus)
        looked = SearchOptions(k=k, min_relevance=min_relevance, verify=verify, always_exclude=always_exclude or ())
        options = {
            "verify": looked.verify,
            "always_exclude": looked.always_exclude,
            "transformer": transformer,
            "semantics": composed,
            "k": k,
            "drop_excluded": drop_excluded,
            "mode": mode.value,
            "min_relevance": min_relevance,
        }
        with retriever_over(path, passages, model, **options) as retriever:
            told = retriever.explain(question, filter=narrowing(retriever.store, condition, own))
            empty = not told.result.documents and not retriever.store.count()
    if as_json:
        print_json(told.to_dict())
    else:
        show(told, results(), empty=empty)


def show(told: Explanation, console: Console, *, empty: bool = False) -> None:
    """Print how the question was understood, and each passage with its reasons."""
    made, result = told.transformation, told.result
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_row("Question", plain(made.question))
    table.add_row(
        "Logical query",
        Text.assemble((plain(str(made.query)), "green"), f"  ({MADE_BY.get(made.method, made.method)})"),
    )
    if made.problem is not None:
        table.add_row("Problem", Text(plain(made.problem), style="yellow"))
    if told.routed is not None:
        table.add_row("Searched for", f"{plain(told.searched)}  ({told.routed})")
    completeness = "exact" if told.exact else "approximate"
    table.add_row("Search", f"{completeness}: {result.plan.reason}; {result.candidates} scored")
    table.add_row("Evidence", result.plan.evidence)
    console.print(table)
    if result.note:
        console.print(f"\n{plain(result.note)}.", highlight=False)
    if not result.documents:
        found = "No passage was found." if result.candidates or result.note else "No passage fulfils the conditions."
        console.print(f"\n{'The collection is empty.' if empty else found}")
        return
    if console.width < NARROW:
        _list(told, console)
    else:
        console.print(_table(told))
    console.print(
        "Relevance: from 0 to 1, on one scale for all questions. Dense: the passage's place in plain dense retrieval. "
        "Below each passage, what is known of it per term."
    )


def _list(told: Explanation, console: Console) -> None:
    for rank, document in enumerate(told.result.documents, start=1):
        place = _dense_place(told, document)
        console.print(f"\n{rank}. relevance {document.relevance:.2f}, dense {place}", style="bold")
        console.print(_passage(document, told.reasons(document), last=True))
    console.print()


def _table(told: Explanation) -> Table:
    result = told.result
    answers = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    answers.add_column("#", justify="right")
    answers.add_column("Relevance", justify="right")
    answers.add_column("Dense", justify="right")
    answers.add_column("Passage", ratio=1)
    for rank, document in enumerate(result.documents, start=1):
        answers.add_row(
            str(rank),
            f"{document.relevance:.2f}",
            _dense_place(told, document),
            _passage(document, told.reasons(document), last=rank == len(result.documents)),
        )
    return answers


def _dense_place(told: Explanation, document: RankedDocument) -> str:
    place = told.dense_rank(document.id)
    return f">{len(told.dense)}" if place is None else f"{place}."


def _passage(document: RankedDocument, reasons: Sequence[str], *, last: bool) -> Padding:
    known = "\n".join(plain(reason) for reason in reasons)
    cell = Text.assemble((plain(document.id), "bold"), f"  {plain(document.text, SHOWN_TEXT)}\n", (known, "cyan"))
    return Padding(cell, (0, 0, 0 if last else 1, 0))
