"""``logical-retriever demo``: plain dense beside logical retrieval over the demo's passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Any, TypeAlias

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from logical_retriever import LogicalRetriever, QuestionReader, RankedDocument, ReadQuestion
from logical_retriever.commands.output import print_json, results, working
from logical_retriever.commands.passages import retriever_of
from logical_retriever.demo import DemoQuestion, load_passages, load_questions, load_topics
from logical_retriever.explain import MADE_BY
from logical_retriever.query import has_logic

app = typer.Typer()


Answer: TypeAlias = tuple[DemoQuestion, ReadQuestion, dict[str, Any]]
"""A question, how it was read, and its part of ``--json``: both rankings, and the wanted ids in the dense one alone."""
LONGER = 10
"""Passages per ranking of the second count: a longer answer must not bring back what is excluded."""


@app.command("demo")
def demo(
    k: Annotated[int, typer.Option("--k", min=1, help="Passages per ranking.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
) -> None:
    """Ask a few questions of 200 passages: plain dense beside logical retrieval.

    Needs neither an API key nor the internet. Marks the passages that answer a question, and those about what it
    excludes. Counts the answers that plain retrieval shows and logical retrieval does not. 'play' asks the same
    passages on a page.
    """
    with working():
        retriever = retriever_of(load_passages())
        answers = {k: run_demo(retriever, k)}
        if not as_json and k < LONGER:
            answers[LONGER] = run_demo(retriever, LONGER)
    if as_json:
        print_json({"questions": [data for _, _, data in answers[k]]})
    else:
        show(answers, results())


def run_demo(retriever: LogicalRetriever, k: int) -> list[Answer]:
    """Answer every question of the demo with k passages, and mark the wanted and the unwanted ones."""
    topics, reader = load_topics(), QuestionReader()

    def answer(question: DemoQuestion) -> Answer:
        unwanted = set(question.unwanted_topics)

        def hit(document: RankedDocument) -> dict[str, Any]:
            marks = {"unwanted": bool(topics[str(document.id)] & unwanted), "wanted": document.id in question.wanted}
            return {"id": document.id, "text": document.text, "score": document.score, **marks}

        explanation = retriever.explain(reader.transform(question.question), k=k)
        dense, logical = list(map(hit, explanation.dense[:k])), list(map(hit, explanation.result.documents))
        data = {
            "question": explanation.read.question,
            "logical_query": str(explanation.read.query),
            "dense": dense,
            "logical": logical,
            "lost": [hit["id"] for hit in dense if hit["wanted"] and hit["id"] not in {hit["id"] for hit in logical}],
        }
        return question, explanation.read, data

    return list(map(answer, load_questions()))


def show(answers: Mapping[int, Sequence[Answer]], console: Console) -> None:
    """Print every question with its two rankings, then the sums.

    Args:
        answers: The answers by k, the smallest k first; its rankings are printed.
        console: Where to print.
    """
    unwanted, wanted = "x+" if console.options.ascii_only else "✗✓"

    def cell(hit: Mapping[str, Any] | None) -> Text:
        if hit is None:
            return Text("")
        style, mark = ("red", unwanted) if hit["unwanted"] else ("green", wanted) if hit["wanted"] else ("", " ")
        return Text(f"{mark} {hit['score']:.3f} {hit['text']}", style, no_wrap=True, overflow="ellipsis")

    k, shown = next(iter(answers.items()))
    for number, (question, reading, data) in enumerate(shown, start=1):
        how = MADE_BY[reading.method] if has_logic(reading.query) else "no logic in it: plain retrieval"
        console.print(Text.assemble((f"{number}. ", "bold cyan"), (question.question, "bold")))
        console.print(
            Padding(Text.assemble((str(reading.query), "green"), f"  ({how})\n{question.note}"), (0, 0, 0, 3))
        )
        table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0), pad_edge=False)
        for name, hits in (("Plain dense", data["dense"]), ("Logical", data["logical"])):
            count = sum(hit["unwanted"] for hit in hits)
            bad = f", {unwanted} {count} unwanted" if count else ", none unwanted"
            good = f"{name}: {wanted} {sum(hit['wanted'] for hit in hits)} wanted"
            table.add_column(good + (bad if question.unwanted_topics else ""), ratio=1)
        for pair in zip_longest(data["dense"], data["logical"]):
            table.add_row(*map(cell, pair))
        console.print(table)

    def sums(rows: Sequence[Answer], mark: str) -> str:
        dense, logical = (sum(hit[mark] for *_, data in rows for hit in data[side]) for side in ("dense", "logical"))
        return f"plain dense {dense}, logical {logical}."

    for top, rows in answers.items():
        exclusions = sum(bool(question.unwanted_topics) for question, *_ in rows)
        console.print(
            f"{unwanted} Unwanted passages in the top {top} of {exclusions} exclusion questions: "
            f"{sums(rows, 'unwanted')}\n"
            f"{wanted} Wanted passages in the top {top} of all {len(rows)} questions: {sums(rows, 'wanted')}"
        )
    titles = {passage.id: passage.title for passage in load_passages()}
    lost = [titles[id] for *_, data in shown for id in data["lost"]]
    console.print(
        f"  Of the wanted passages that plain dense shows in the top {k}, "
        f"{f'{len(lost)} fell out of sight: ' + '; '.join(lost) if lost else 'none fell out of sight'}.\n"
        "The questions were chosen to show the effect on 200 passages written for it; this is no benchmark.\n"
        "The two columns score on different scales: compare the order, not the numbers."
    )
