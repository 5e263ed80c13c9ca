"""How well the reader reads: the sets for development, question by question, and a table.

    LOGICAL_RETRIEVER_DATA=... python training/reader/evaluate.py                 # the package's weights
    LOGICAL_RETRIEVER_DATA=... python training/reader/evaluate.py --weights FILE.npz
    LOGICAL_RETRIEVER_DATA=... python training/reader/evaluate.py --network FILE.pt   # one that train.py saved

A question is judged as ``form_agreement.py`` judges it: found, if it has a NOT where the gold form has one; right, if
the excluded terms and the wish agree as well; lost, if an exclusion is neither read nor reported as unsure.
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

from agreement import Agreement, judge_best

from logical_retriever.transform.tagger import Tagger

Reader = Callable[[str], "Answer"]
STRANGERS = Path(__file__).parents[2] / "tests" / "fixtures" / "strangers" / "questions.jsonl"
ENGLISH = ("everyday", "work")


@dataclass(frozen=True)
class Answer:
    """A reading of one question: its form, whether it was reported as unsure, and what the network is sure of."""

    form: str | None
    unsure: bool
    excludes: float
    certainty: float


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    questions: int
    exclusions: int
    read: float
    right: float
    lost: float
    false_not: float
    unsure: float

    def __str__(self) -> str:
        shares = (self.read, self.right, self.lost, self.false_not, self.unsure)
        return f"{self.name:22}{self.questions:6}{self.exclusions:6}" + "".join(f"{share:9.3f}" for share in shares)


HEAD = f"{'':22}{'n':>6}{'excl':>6}" + "".join(
    f"{name:>9}" for name in ("found", "right", "lost", "falseNOT", "unsure")
)


def questions(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The questions of each row of the table, with their gold forms."""
    sets: dict[str, list[dict[str, Any]]] = {}

    def add(name: str, row: dict[str, Any]) -> None:
        sets.setdefault(name, []).append(row)

    for row in _rows(folder / "ask" / "questions.jsonl"):
        if row["group"] != "typed":
            add("ask English" if row["group"] in ENGLISH else f"ask {row['group']}", row)
    for row in _rows(folder / "wild" / "questions.jsonl"):
        add("wild", row)
    for row in _rows(STRANGERS):
        add("strangers", row)
    forms = (folder / "comlq" / "logical_forms.prompt_c.tsv").read_text(encoding="utf-8").splitlines()[1:]
    negated = {line.split("\t")[0] for line in forms if " NOT " in line}
    for row in _rows(folder / "comlq" / "queries.jsonl"):
        if row["_id"] not in negated:
            add("comlq", {"question": row["text"], "form": json.dumps(row["text"], ensure_ascii=False)})
    return sets


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def judge(rows: Iterable[dict[str, Any]], answers: Iterable[Answer], name: str) -> tuple[Row, list[Agreement]]:
    """The line of a table for these questions, and each question's judgement."""
    judged = [
        (judge_best((row["form"], *row.get("also", ())), row["question"], a.form), a)
        for row, a in zip(rows, answers, strict=True)
    ]
    excluding = [(j, a) for j, a in judged if j.gold_not]
    plain = [(j, a) for j, a in judged if not j.gold_not]
    return Row(
        name,
        len(judged),
        len(excluding),
        _share(j.predicted_not for j, _ in excluding),
        _share(j.right for j, _ in excluding),
        _share(not j.predicted_not and not a.unsure for j, a in excluding),
        _share(j.predicted_not for j, _ in plain),
        _share(a.unsure for _, a in judged),
    ), [j for j, _ in judged]


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else float("nan")


def by_package(tagger: Tagger) -> Reader:
    def read(question: str) -> Answer:
        reading = tagger.read(question)
        form = str(reading.query) if reading.outcome == "read" else None
        return Answer(form, reading.outcome == "unsure", reading.excludes, reading.certainty)

    return read


def by_network(path: Path) -> Reader:
    """A network in torch, read without calibration: what is more probable than not is read."""
    from train import Teacher

    teacher = Teacher.from_file(path)

    def read(question: str) -> Answer:
        decoded, query = teacher.read(question)
        sure = query is not None and decoded.excludes >= 0.5
        return Answer(str(query) if sure else None, False, decoded.excludes, decoded.weakest)

    return read


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path)
    options.add_argument("--network", type=Path)
    options.add_argument("--data", type=Path, default=os.environ.get("LOGICAL_RETRIEVER_DATA"))
    options.add_argument("--plain", type=int, default=3000, help="most questions of comlq")
    options.add_argument("--save", type=Path, help="a file for each question's judgement, as JSON lines")
    chosen = options.parse_args()
    if chosen.data is None:
        sys.exit("Say where the sets are: LOGICAL_RETRIEVER_DATA, or --data.")
    reader = (
        by_network(chosen.network)
        if chosen.network
        else by_package(Tagger(chosen.weights) if chosen.weights else Tagger())
    )
    print(HEAD)
    saved = []
    began, count = time.perf_counter(), 0
    for name, rows in questions(Path(chosen.data)).items():
        rows = rows[: chosen.plain]
        answers = [reader(row["question"]) for row in rows]
        count += len(rows)
        row, judged = judge(rows, answers, name)
        print(row, flush=True)
        saved += [
            {
                "set": name,
                "id": r.get("id"),
                "kind": r.get("kind"),
                "form": a.form,
                "excludes": a.excludes,
                "certainty": a.certainty,
                "unsure": a.unsure,
                **vars(j),
            }
            for r, a, j in zip(rows, answers, judged, strict=True)
        ]
    print(f"{1000 * (time.perf_counter() - began) / count:.1f} ms a question")
    if chosen.save:
        chosen.save.write_text("".join(json.dumps(one) + "\n" for one in saved), encoding="utf-8")


if __name__ == "__main__":
    main()
