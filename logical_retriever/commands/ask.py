"""``logical-retriever ask``: a question to the user's own passages."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from logical_retriever.commands.output import plain, print_json, results, working
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
)
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.explain import MADE_BY, Explanation
from logical_retriever.semantics import DEFAULT_SEMANTICS
from logical_retriever.transform.base import check_question

app = typer.Typer()

SHOWN_TEXT = 240
"""Most characters of a passage that are shown."""


@app.command("ask")
def ask(
    question: Annotated[str, typer.Argument(help="The question, in natural language.", show_default=False)],
    corpus: Corpus = None,
    path: Folder = None,
    collection: Collection = None,
    model: Model = DEFAULT_MODEL,
    llm: Llm = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Passages to return.")] = 5,
    semantics: Annotated[str, typer.Option(help="How scores are composed.")] = DEFAULT_SEMANTICS,
    where: Where = None,
    words: Words = None,
    exclusion: ExclusionSetting = "drop",
    min_relevance: MinRelevance = None,
    verify: Verify = None,
    always_exclude: AlwaysExclude = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
) -> None:
    """Ask a question of your own passages, and see why each was found."""
    with working():
        # What can be wrong is looked at before anything is encoded.
        check_question(question)
        reader = reader_of(llm)
        condition = condition_of(where)
        settings = {
            "k": k,
            "semantics": semantics,
            "words": words,
            "exclusion": exclusion,
            "min_relevance": min_relevance,
            "verify": verify,
            "always_exclude": always_exclude,
        }
        retriever = open_retriever(corpus, path, collection, model, transformer=reader, **settings)
        explanation = retriever.explain(question, filter=filter_of(retriever.store, condition))
    if as_json:
        print_json(explanation.to_dict())
    else:
        show(explanation, results())


def show(explanation: Explanation, console: Console) -> None:
    """Print how the question was understood, and each passage with its reasons."""
    reading, result = explanation.transformation, explanation.result
    rows = {
        "Question": plain(reading.question),
        "Logical query": f"{plain(str(reading.query))}  ({MADE_BY.get(reading.method, reading.method)})",
        "Problem": plain(reading.problem or ""),
        "Searched for": f"{plain(explanation.searched)}  ({explanation.routed})"
        if explanation.routed is not None
        else "",
        "Search": f"{result.completeness}; {result.cost.scored} scored ({result.cost.strategy})",
        "Note": plain(result.note),
    }
    for name, text in rows.items():
        if text:
            console.print(Text.assemble((f"{name}: ", "bold"), text))
    if not result.documents:
        there = "was found" if result.cost.scored or result.note else "fulfils the conditions"
        console.print(f"\nNo passage {there}.")
        return
    for rank, document in enumerate(result.documents, start=1):
        place = explanation.dense_rank(document.id)
        dense = f"dense >{len(explanation.dense)}" if place is None else f"dense {place}."
        console.print(Text(f"\n{rank}. relevance {document.relevance:.2f}, {dense}", "bold"))
        console.print(Text.assemble((plain(str(document.id)), "bold"), f"  {plain(document.text, SHOWN_TEXT)}"))
        console.print(Padding(Text("\n".join(map(plain, explanation.reasons(document))), "cyan"), (0, 0, 0, 2)))
    console.print(
        "\nRelevance: from 0 to 1, on one scale for all questions. Dense: the passage's place in plain dense "
        "retrieval. Below each passage, what is known of it per term."
    )
