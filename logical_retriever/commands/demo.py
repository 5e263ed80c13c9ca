"""``logical-retriever demo``: plain dense beside logical retrieval, on the demo's own corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from logical_retriever.commands import install_line
from logical_retriever.commands.collection import retriever_over
from logical_retriever.commands.output import plain, print_json, results, working
from logical_retriever.demo import DemoQuestion, load_passages, load_questions, load_topics
from logical_retriever.errors import require
from logical_retriever.query import has_logic
from logical_retriever.results import RankedDocument
from logical_retriever.transform import QuestionReader, Transformation

MADE_BY = {"cue": "by cue rules, no language model", "typed": "as typed"}
NO_LOGIC = "no logic in it: plain retrieval"

SHORTEST_OPENING = 20
"""Fewer characters of a passage than these tell nothing and are left out."""

app = typer.Typer()


@dataclass(frozen=True)
class Hit:
    """A passage in a ranking.

    Attributes:
        id: Of the passage.
        title: Of the passage.
        text: Its title and text.
        opening: Its text alone, for the table.
        score: Of the ranking it stands in.
        unwanted: Whether it is about what the question excludes.
        wanted: Whether it answers the question.
    """

    id: str
    title: str
    text: str
    opening: str
    score: float
    unwanted: bool
    wanted: bool


@dataclass(frozen=True)
class Answer:
    """A question with both rankings."""

    asked: DemoQuestion
    made: Transformation
    dense: tuple[Hit, ...]
    logical: tuple[Hit, ...]

    @property
    def lost(self) -> tuple[Hit, ...]:
        """Passages that answer the question and that plain dense retrieval alone shows."""
        shown = {hit.id for hit in self.logical}
        return tuple(hit for hit in self.dense if hit.wanted and hit.id not in shown)


@app.command("demo")
def demo(
    k: Annotated[int, typer.Option("--k", min=1, help="Passages per ranking.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
    web: Annotated[bool, typer.Option("--web", help="Ask them yourself, on a page of this machine.")] = False,
) -> None:
    """Ask a few questions of 200 passages: plain dense beside logical retrieval.

    Needs neither an API key nor the internet. Passages that answer a question are marked, as are those on what it
    excludes; what plain retrieval shows of the first and logical retrieval does not is counted.
    """
    if web:
        require("starlette", "The playground", install=install_line("mcp"))
        from logical_retriever.commands.play import demo_page

        demo_page()
        return
    with working():
        answers = run_demo(k)
    if as_json:
        print_json(to_data(answers))
    else:
        show(answers, k, results())


def run_demo(k: int, first: int | None = None) -> list[Answer]:
    """Encode the corpus into a Chroma collection in a temporary folder, and ask k passages of it for every question.

    Args:
        k: Passages of a ranking.
        first: How many questions are asked; None for all.
    """
    passages, topics, questions = load_passages(), load_topics(), load_questions()[:first]
    texts = {passage.id: passage.text for passage in passages}
    reader = QuestionReader()
    with retriever_over(None, passages, k=k) as retriever:

        def answer(asked: DemoQuestion) -> Answer:
            made = reader.transform(asked.question)
            told = retriever.explain(made)
            unwanted = frozenset(asked.unwanted_topics)

            def hits(documents: Sequence[RankedDocument]) -> tuple[Hit, ...]:
                return tuple(
                    Hit(
                        *(d.id, str(d.metadata["title"]), d.text, texts[d.id], d.score),
                        unwanted=bool(topics[d.id] & unwanted),
                        wanted=d.id in asked.wanted,
                    )
                    for d in documents
                )

            return Answer(asked, made, hits(told.dense[:k]), hits(told.result.documents))

        return [answer(asked) for asked in questions]


def to_data(answers: Sequence[Answer]) -> dict[str, Any]:
    """The data of ``--json``."""

    def rows(hits: Sequence[Hit]) -> list[dict[str, Any]]:
        return [
            {"id": h.id, "text": h.text, "score": h.score, "unwanted": h.unwanted, "wanted": h.wanted} for h in hits
        ]

    return {
        "questions": [
            {
                "question": answer.made.question,
                "logical_query": str(answer.made.query),
                "dense": rows(answer.dense),
                "logical": rows(answer.logical),
                "lost": [hit.id for hit in answer.lost],
            }
            for answer in answers
        ]
    }


def show(answers: Sequence[Answer], k: int, console: Console, *, summary: bool = True) -> None:
    """Print every question with its two rankings, and the sum."""
    marks = _marks(console)
    for number, answer in enumerate(answers, start=1):
        made = answer.made
        how = MADE_BY[made.method] if has_logic(made.query) else NO_LOGIC
        indent = len(f"{number}. ")
        console.print(Text.assemble((f"{number}. ", "bold cyan"), (answer.asked.question, "bold")))
        console.print(Padding(Text.assemble((str(made.query), "green"), f"  ({how})"), (0, 0, 0, indent)))
        console.print(Padding(Text(answer.asked.note, style="italic"), (0, 0, 0, indent)))
        console.print(_side_by_side(answer, marks, console.width))
    if summary:
        console.print(_summary(answers, k, marks))


@dataclass(frozen=True)
class _Marks:
    """Signs of wanted and unwanted passages that the console can print."""

    wanted: str
    unwanted: str

    def of(self, hit: Hit) -> tuple[str, str]:
        """Sign and colour."""
        if hit.unwanted:
            return self.unwanted, "red"
        return (self.wanted, "green") if hit.wanted else (" ", "")


def _marks(console: Console) -> _Marks:
    try:
        "✓✗".encode(console.encoding)
    except UnicodeEncodeError:
        return _Marks("+", "x")
    return _Marks("✓", "✗")


def _side_by_side(answer: Answer, marks: _Marks, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0), pad_edge=False)
    columns = (("Plain dense", answer.dense), ("Logical", answer.logical))
    for name, hits in columns:
        table.add_column(_heading(name, hits, marks, excludes=bool(answer.asked.unwanted_topics)), ratio=1)
    for place in range(max(len(hits) for _, hits in columns)):
        table.add_row(*(_cell(hits[place], marks, width // 2 - 4) if place < len(hits) else "" for _, hits in columns))
    return table


def _heading(name: str, hits: Sequence[Hit], marks: _Marks, *, excludes: bool) -> Text:
    wanted, unwanted = sum(hit.wanted for hit in hits), sum(hit.unwanted for hit in hits)
    text = Text.assemble((f"{name}: ", "bold"), (f"{marks.wanted} {wanted} wanted", "bold green"))
    if excludes:
        text.append(", ")
        text.append(*((f"{marks.unwanted} {unwanted} unwanted", "bold red") if unwanted else ("none unwanted", "bold")))
    return text


def _cell(hit: Hit, marks: _Marks, width: int) -> Text:
    """One line: mark, score, title, and as much of the passage as there is room for."""
    mark, style = marks.of(hit)
    line = Text.assemble((f"{mark} {hit.score:.3f} ", style), no_wrap=True)
    line.append(plain(hit.title, width - len(line)), style)
    room = width - len(line) - 3
    if room >= SHORTEST_OPENING:
        line.append(f" · {plain(hit.opening, room)}", "dim")
    return line


def _summary(answers: Sequence[Answer], k: int, marks: _Marks) -> Text:
    """Sums of what is gained, and of what is lost."""
    exclusions = [answer for answer in answers if answer.asked.unwanted_topics]
    dense, logical = ([hit for one in answers for hit in getattr(one, side)] for side in ("dense", "logical"))
    lost = [hit.title for answer in answers for hit in answer.lost]
    named = f", {len(lost)} fell out of sight: {'; '.join(lost)}." if lost else ", none fell out of sight."
    return Text.assemble(
        (f"{marks.unwanted} Unwanted passages in the top {k} of {len(exclusions)} exclusion questions: ", "bold"),
        (
            f"plain dense {sum(hit.unwanted for hit in dense)}, logical {sum(hit.unwanted for hit in logical)}.\n",
            "bold",
        ),
        (f"{marks.wanted} Wanted passages in the top {k} of all {len(answers)} questions: ", "bold"),
        (f"plain dense {sum(hit.wanted for hit in dense)}, logical {sum(hit.wanted for hit in logical)}.\n", "bold"),
        f"  Of the wanted passages that plain dense shows{named}\n",
        "The questions were chosen to show the effect on 200 passages written for it; this is no benchmark.\n"
        "The two columns score on different scales: compare the order, not the numbers.",
    )
