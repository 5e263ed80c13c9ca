"""``logical-retriever demo``: plain dense beside logical retrieval, on the demo's own corpus."""

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

from logical_retriever import LogicalRetriever, QuestionReader, RankedDocument, Transformation
from logical_retriever.commands.output import plain, print_json, results, working
from logical_retriever.commands.passages import retriever_of
from logical_retriever.demo import DemoQuestion, load_passages, load_questions, load_topics
from logical_retriever.explain import MADE_BY
from logical_retriever.query import has_logic

app = typer.Typer()


Answer: TypeAlias = tuple[DemoQuestion, Transformation, dict[str, Any]]
"""A question, how it was read, and its part of ``--json``: both rankings, and the wanted ids that one alone shows."""
LONGER = 10
"""Passages per ranking of the second count: what is excluded must not come back in a longer answer."""


@app.command("demo")
def demo(
    k: Annotated[int, typer.Option("--k", min=1, help="Passages per ranking.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
) -> None:
    """Ask a few questions of 200 passages: plain dense beside logical retrieval.

    Needs neither an API key nor the internet. Passages that answer a question are marked, as are those on what it
    excludes; what plain retrieval shows of the first and logical retrieval does not is counted. 'play' asks the same
    passages on a page.
    """
    with working():
        retriever = retriever_of(load_passages())
        answers = run_demo(retriever, k)
        longer = {} if as_json or k >= LONGER else {LONGER: run_demo(retriever, LONGER)}
    if as_json:
        print_json({"questions": [data for _, _, data in answers]})
    else:
        show(answers, results())
        results().print(summary({k: answers, **longer}, _marks(results())))


def run_demo(retriever: LogicalRetriever, k: int, first: int | None = None) -> list[Answer]:
    """Ask k passages of the demo's corpus for every question.

    Args:
        retriever: Over the corpus.
        k: Passages of a ranking.
        first: How many questions are asked; None for all.
    """
    topics, reader = load_topics(), QuestionReader()

    def answer(question: DemoQuestion) -> Answer:
        unwanted = set(question.unwanted_topics)

        def hit(document: RankedDocument) -> dict[str, Any]:
            marks = {"unwanted": bool(topics[str(document.id)] & unwanted), "wanted": document.id in question.wanted}
            return {"id": document.id, "text": document.text, "score": document.score, **marks}

        explanation = retriever.explain(reader.transform(question.question), k=k)
        dense, logical = list(map(hit, explanation.dense[:k])), list(map(hit, explanation.result.documents))
        lost = [hit["id"] for hit in dense if hit["wanted"] and hit["id"] not in {hit["id"] for hit in logical}]
        data = {
            "question": explanation.transformation.question,
            "logical_query": str(explanation.transformation.query),
            "dense": dense,
            "logical": logical,
            "lost": lost,
        }
        return question, explanation.transformation, data

    return [answer(question) for question in load_questions()[:first]]


def show(answers: Sequence[Answer], console: Console) -> None:
    """Print every question with its two rankings."""
    marks = _marks(console)
    for number, (question, transformation, data) in enumerate(answers, start=1):
        how = (
            MADE_BY.get(transformation.method, transformation.method)
            if has_logic(transformation.query)
            else "no logic in it: plain retrieval"
        )
        console.print(Text.assemble((f"{number}. ", "bold cyan"), (question.question, "bold")))
        console.print(
            Padding(Text.assemble((str(transformation.query), "green"), f"  ({how})\n{question.note}"), (0, 0, 0, 3))
        )
        table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0), pad_edge=False)
        for name, hits in (("Plain dense", data["dense"]), ("Logical", data["logical"])):
            unwanted = sum(hit["unwanted"] for hit in hits)
            shown = f", {marks[True]} {unwanted} unwanted" if unwanted else ", none unwanted"
            wanted = f"{name}: {marks[False]} {sum(hit['wanted'] for hit in hits)} wanted"
            table.add_column(wanted + (shown if question.unwanted_topics else ""), ratio=1)
        for pair in zip_longest(data["dense"], data["logical"]):
            table.add_row(*(_cell(hit, marks, console.width // 2 - 4) for hit in pair))
        console.print(table)


def _marks(console: Console) -> dict[bool, str]:
    """Marks of an unwanted and of a wanted passage, as far as the console can print them."""
    try:
        return dict(zip((True, False), "✗✓".encode(console.encoding).decode(console.encoding), strict=True))
    except UnicodeEncodeError:
        return {True: "x", False: "+"}


def _cell(hit: dict[str, Any] | None, marks: dict[bool, str], width: int) -> Text:
    """One line: mark, score, and as much of the passage as there is room for."""
    if hit is None:
        return Text("")
    mark = marks[hit["unwanted"]] if hit["unwanted"] or hit["wanted"] else " "
    style = "red" if hit["unwanted"] else "green" if hit["wanted"] else ""
    return Text(f"{mark} {hit['score']:.3f} {plain(hit['text'], width - 8)}", style, no_wrap=True)


def summary(rankings: Mapping[int, Sequence[Answer]], marks: Mapping[bool, str]) -> str:
    """Sums of what is shown among the first k passages, for each k, and what plain dense alone shows.

    Args:
        rankings: The answers by k, the shortest first.
        marks: Of an unwanted and of a wanted passage.
    """

    def sums(answers: Sequence[Answer], mark: str) -> str:
        dense, logical = (sum(hit[mark] for *_, data in answers for hit in data[side]) for side in ("dense", "logical"))
        return f"plain dense {dense}, logical {logical}."

    lines = []
    for k, answers in rankings.items():
        exclusions = sum(bool(question.unwanted_topics) for question, *_ in answers)
        lines += [
            f"{marks[True]} Unwanted passages in the top {k} of {exclusions} exclusion questions: "
            + sums(answers, "unwanted"),
            f"{marks[False]} Wanted passages in the top {k} of all {len(answers)} questions: {sums(answers, 'wanted')}",
        ]
    titles = {passage.id: passage.title for passage in load_passages()}
    lost = [titles[id] for *_, data in next(iter(rankings.values())) for id in data["lost"]]
    return "\n".join(
        [
            *lines,
            f"  Of the wanted passages that plain dense shows in the top {next(iter(rankings))}, "
            f"{f'{len(lost)} fell out of sight: ' + '; '.join(lost) if lost else 'none fell out of sight'}.",
            "The questions were chosen to show the effect on 200 passages written for it; this is no benchmark.",
            "The two columns score on different scales: compare the order, not the numbers.",
        ]
    )
