"""How well the reader reads: the sets for development, and a table.

    LOGICAL_RETRIEVER_DATA=... python training/questions/evaluate.py                  # weights.npz, beside this script
    LOGICAL_RETRIEVER_DATA=... python training/questions/evaluate.py --weights FILE.npz
    LOGICAL_RETRIEVER_DATA=... python training/questions/evaluate.py --network FILE.pt   # one that train.py saved

A question is judged as the benchmark's ``form_agreement.py`` judges it: found, if it has a NOT where the gold form has
one; right, if the excluded terms and the wish agree as well; lost, if an exclusion is neither read nor reported as
unsure. Asked is the share that would go to a language model; "with the model" puts its recorded answers there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agreement import judge_best
from marks import LINES

from logical_retriever.reading.questions.tagger import Tagger
from logical_retriever.reading.questions.tagger.tagger import ASK_BELOW, PLAIN_BELOW, READ_FROM

STRANGERS = Path(__file__).parents[2] / "tests" / "fixtures" / "strangers" / "questions.jsonl"
ENGLISH = ("everyday", "work")
HEAD = f"{'':26}{'n':>6}{'excl':>6}" + "".join(
    f"{name:>9}" for name in ("found", "right", "lost", "falseNOT", "unsure", "asked")
)


@dataclass(frozen=True)
class Answer:
    """The most probable query of a question, and how sure the reader is of an exclusion and of the query."""

    query: str | None
    excludes: float
    certainty: float


@dataclass(frozen=True)
class Thresholds:
    """Where a question is plain, a reading is taken, a model is asked."""

    plain_below: float = PLAIN_BELOW
    read_from: float = READ_FROM
    ask_below: float = ASK_BELOW

    def asks(self, answer: Answer) -> bool:
        """Whether a language model is asked, where there is one."""
        return answer.excludes >= self.plain_below and (not self.reads(answer) or answer.certainty < self.ask_below)

    def reads(self, answer: Answer) -> bool:
        """Whether the reading is taken, where there is none."""
        return answer.query is not None and answer.excludes >= self.read_from

    def unsure(self, answer: Answer) -> bool:
        """Whether the question stays whole, and the answer says so."""
        return answer.excludes >= self.plain_below and not self.reads(answer)


@dataclass(frozen=True)
class Question:
    """A question with its gold forms, and the form that a language model gave it, where one is recorded."""

    text: str
    forms: tuple[str, ...]
    recorded: str | None = None


def questions(folder: Path) -> dict[str, list[Question]]:
    """Read the questions of each row of the table."""
    sets: dict[str, list[Question]] = {}

    def add(name: str, row: dict[str, Any], recorded: str | None = None) -> None:
        sets.setdefault(name, []).append(Question(row["question"], (row["form"], *row.get("also", ())), recorded))

    model = _forms(folder / "ask" / "logical_forms.prompt_d.tsv")
    for row in _rows(folder / "ask" / "questions.jsonl"):
        if row["group"] != "typed":
            name = "ask English" if row["group"] in ENGLISH else f"ask {row['group']}"
            add(name, row, model.get(row["id"], _quoted(row["question"])))
    for row in _rows(folder / "wild" / "questions.jsonl"):
        add("wild", row)
    for row in _rows(STRANGERS):
        add("strangers", row)
    negated = {key for key, form in _forms(folder / "comlq" / "logical_forms.prompt_c.tsv").items() if " NOT " in form}
    for row in _rows(folder / "comlq" / "queries.jsonl"):
        if row["_id"] not in negated:
            add("comlq", {"question": row["text"], "form": _quoted(row["text"])})
    return sets


def _forms(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t", 1) for line in lines)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def table_row(
    name: str, asked: list[Question], answers: list[Answer], at: Thresholds, *, with_model: bool = False
) -> str:
    """One line of the table."""
    judged = []
    for question, answer in zip(asked, answers, strict=True):
        form = answer.query if at.reads(answer) else None
        if with_model and at.asks(answer):
            form = question.recorded
        judged.append((judge_best(question.forms, question.text, form), answer))
    excluding = [(j, a) for j, a in judged if j.gold_not]
    shares = (
        _share(j.predicted_not for j, _ in excluding),
        _share(j.right for j, _ in excluding),
        _share(not j.predicted_not and not at.unsure(a) for j, a in excluding),
        _share(j.predicted_not for j, _ in judged if not j.gold_not),
        _share(at.unsure(a) for _, a in judged),
        _share(at.asks(a) for _, a in judged),
    )
    return f"{name:26}{len(judged):6}{len(excluding):6}" + "".join(f"{share:9.3f}" for share in shares)


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else float("nan")


def by_tagger(tagger: Tagger) -> Callable[[str], Answer]:
    """Answers of the tagger in numpy."""

    def read(question: str) -> Answer:
        reading = tagger.read(question)
        return Answer(None if reading.query is None else str(reading.query), reading.excludes, reading.certainty)

    return read


def by_network(path: Path, lines: Path) -> Callable[[str], Answer]:
    """Answers of a network in torch, without calibration."""
    from train import Teacher

    teacher = Teacher.from_file(path, lines)

    def read(question: str) -> Answer:
        decoded, query = teacher.read(question)
        return Answer(None if query is None else str(query), decoded.excludes, 1.0)

    return read


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path)
    options.add_argument("--network", type=Path)
    options.add_argument("--lines", type=Path, default=LINES, help="those that the network was taught with")
    options.add_argument("--data", type=Path, default=os.environ.get("LOGICAL_RETRIEVER_DATA"))
    options.add_argument("--plain", type=int, default=3000, help="most questions of comlq")
    chosen = options.parse_args()
    if chosen.data is None:
        sys.exit("Say where the sets are: LOGICAL_RETRIEVER_DATA, or --data.")
    if chosen.network:
        reader, at = by_network(chosen.network, chosen.lines), Thresholds(0.5, 0.5)
    else:
        reader, at = by_tagger(Tagger(chosen.weights) if chosen.weights else Tagger()), Thresholds()
    began, count = time.perf_counter(), 0
    print(HEAD)
    for name, asked in questions(Path(chosen.data)).items():
        asked = asked[: chosen.plain]
        answers = [reader(question.text) for question in asked]
        count += len(asked)
        print(table_row(name, asked, answers, at), flush=True)
        if asked[0].recorded is not None and not chosen.network:
            print(table_row("  with the model", asked, answers, at, with_model=True), flush=True)
    print(f"{1000 * (time.perf_counter() - began) / count:.1f} ms a question")


if __name__ == "__main__":
    main()
