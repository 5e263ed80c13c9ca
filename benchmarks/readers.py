"""How questions are read: without a model, by the default reader with a recorded model, and by that model alone.

    python benchmarks/readers.py [DATA] [--judge FILE] [--wrong N] [--only SET,SET] [--no-search] [--markdown]

DATA is the folder of the benchmark sets (default: LOGICAL_RETRIEVER_DATA, else ../shared/data beside the repository).
The model is a table of recorded answers, asked through the chain's own interface, so that validation, repair and
fallback are those of a live one; its time is not counted. What agrees with a gold form is said by the tool of the sets'
authors (``form_agreement.py``, default: tools/ beside DATA): a NOT where gold has one, over the same things, with what
is wanted kept.

For each group of questions: exclusions that were found, share of said exclusions that are some (precision), share of
exclusions read right, share of the other questions that were given a NOT, share that went to the model, processor
milliseconds without the model at the 50th and 95th percentile; and ``sure, wrong``: questions that the rules took for
understood and read wrong, which no model can mend. ``--wrong N`` prints the first N of them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import re
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from benchmark_sets import SETS, VECTORS, data_folder
from quality import RememberingEmbedder

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.evaluation import evaluate, load_dataset
from logical_retriever.query import LogicalQuery, Not, parse
from logical_retriever.transform import (
    LogicalQueryTransformer,
    Message,
    QueryTransformer,
    QuestionReader,
    ReadBy,
    RecordedQueryTransformer,
    Transformation,
    TransformWarning,
)

JUDGED = ("ask", "wild")
"""Sets with gold forms, in ``questions.jsonl``."""
STRANGERS = "strangers"
"""This project's own, written by a language model that had not seen the rules; shown where it is asked for."""
OWN = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
HEADS = ("n", "excl", "found", "prec", "right", "false NOT", "sent", "sure, wrong", "ms p50", "ms p95")


class RecordedModel:
    """A chat model that answers each question with what a language model once answered to the default prompt.

    A question that was not recorded is answered with itself as one term, as the recorded model answers plain ones.
    """

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.calls = 0

    def complete(self, messages: Sequence[Message]) -> str:
        """The recorded answer to the question between the tags of the first message."""
        self.calls += 1
        asked = [message["content"] for message in messages if message["role"] == "user"]
        found = re.fullmatch(r"<question>\n(.*)\n</question>", asked[0], re.DOTALL)
        assert found is not None, "the default prompt puts the question between its tags"
        return self.answers.get(found[1], json.dumps(found[1], ensure_ascii=False))


@dataclass(frozen=True)
class Read:
    """A question as a reader read it.

    Attributes:
        made: The transformation.
        sent: Whether the model was asked.
        sure: Whether the rules, or typed logic, took it for understood.
        milliseconds: Time without the model's.
    """

    made: Transformation
    sent: bool
    sure: bool
    milliseconds: float


def read_all(questions: Sequence[str], answers: Mapping[str, str]) -> dict[str, list[Read]]:
    """Every question by each reader: the rules alone, the default, the model alone."""
    return {
        "rules": _read(questions, RecordedModel(answers), "rules"),
        "auto": _read(questions, RecordedModel(answers), "auto"),
        "always": _read(questions, RecordedModel(answers), "always_llm"),
    }


def _reader(model: RecordedModel, read: ReadBy) -> QuestionReader:
    return QuestionReader(LogicalQueryTransformer(model, cache=False), read=read)


def _read(questions: Sequence[str], model: RecordedModel, read: ReadBy) -> list[Read]:
    reader, rules, rows = _reader(model, read), QuestionReader(), []
    for question in questions:
        before = model.calls
        began = time.thread_time()
        made = reader.transform(question)
        took = 1e3 * (time.thread_time() - began)
        rows.append(Read(made, model.calls > before, rules.transform(question).problem is None, took))
    return rows


def judge_from(path: Path) -> ModuleType:
    """The authors' tool as a module."""
    spec = importlib.util.spec_from_file_location("form_agreement", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judged_set(folder: Path, judge: ModuleType, wrong: int, show: Callable[..., None]) -> None:
    """Print how each reader does on the groups of a set with gold forms."""
    rows = _json_lines(folder / "questions.jsonl")
    recorded = folder / "logical_forms.prompt_d.tsv"
    forms = _forms(recorded) if recorded.is_file() else {}
    answers = {row["question"]: forms[row["id"]] for row in rows if row["id"] in forms}
    read = read_all([row["question"] for row in rows], answers)
    if not answers:
        read = {"rules": read["rules"]}
    for reader, made in read.items():
        # The judge splits words in its own way, and takes a query for the plain question where it is that.
        predicted = {row["id"]: str(one.made.query) for row, one in zip(rows, made, strict=True)}
        done = list(judge.compare(rows, predicted))
        pairs = [(row, verdict, one) for (row, _, verdict), one in zip(done, made, strict=True)]
        for group in dict.fromkeys(name for row in rows for name in _groups(row)):
            chosen = [pair for pair in pairs if group in _groups(pair[0])]
            mistakes = [
                (row, one) for row, verdict, one in chosen if one.sure and not one.sent and not verdict["right"]
            ]
            said = judge.summary(verdict for _, verdict, _ in chosen)
            sent = np.mean([one.sent for *_, one in chosen])
            times = np.percentile([one.milliseconds for *_, one in chosen], [50, 95])
            figures = [said["recall"], said["precision"], said["scope"], said["false_not"], sent]
            show(folder.name, group, reader, [said["n"], said["exclusions"], *figures, len(mistakes), *times])
            if reader == "rules" and group == "all":
                for row, one in mistakes[:wrong]:
                    print(
                        f"    {row['id']}: {row['question']}\n        gold {row['form']}\n        read {one.made.query}"
                    )


def _groups(row: Mapping[str, str]) -> tuple[str, ...]:
    """The groups that a question counts in; plain questions among the traps are shown apart too."""
    return ("all", row["group"], *(("traps: plain",) if row["kind"] == "plain" else ()))


def recorded_set(folder: Path, prompt: str, show: Callable[..., None]) -> None:
    """Print how far each reader agrees with recorded forms on whether a question has an exclusion."""
    questions = {str(row["_id"]): str(row["text"]) for row in _json_lines(folder / "queries.jsonl")}
    forms = _forms(folder / f"logical_forms.{prompt}.tsv")
    answers = {questions[name]: form for name, form in forms.items() if name in questions}
    recorded = np.array([name in forms and has_not(parse(forms[name])) for name in questions])
    for reader, made in read_all(list(questions.values()), answers).items():
        said = np.array([has_not(one.made.query) for one in made])
        sure = np.array([one.sure and not one.sent for one in made])
        times = np.percentile([one.milliseconds for one in made], [50, 95])
        found, precision = _share(said, recorded), _share(recorded, said)
        sent = float(np.mean([one.sent for one in made]))
        figures = [len(questions), int(recorded.sum()), found, precision, None, _share(said, ~recorded), sent]
        show(folder.name, prompt, reader, [*figures, int((sure & (said != recorded)).sum()), *times])


def end_to_end(folder: Path, method: str) -> None:
    """Print nDCG@10 and wanted above unwanted of the set ``ask`` with each reader's queries, and with the gold ones."""
    dataset = load_dataset(folder, vectors=folder / VECTORS)
    rows = {row["id"]: row for row in _json_lines(folder / "questions.jsonl")}
    forms = _forms(folder / "logical_forms.prompt_d.tsv")
    model = RecordedModel({rows[name]["question"]: form for name, form in forms.items() if name in rows})
    gold = {row["question"]: row["form"] for row in rows.values()}
    readers: dict[str, QueryTransformer] = {
        "gold forms": RecordedQueryTransformer(gold),
        "always": _reader(model, "always_llm"),
        "auto": _reader(model, "auto"),
        "rules": _reader(model, "rules"),
    }
    print(f"\n{folder.name}: nDCG@10 and wanted above unwanted of {method}, and how far below gold forms")
    best: dict[str, float] = {}
    embedder = RememberingEmbedder(SentenceTransformerEmbedder())
    for name, transformer in readers.items():
        options = {"embedder": embedder, "cutoffs": (10,), "baseline": None}
        outcome = evaluate(dataset, [method], transformer=transformer, transformer_name=name, **options)
        result = outcome.methods[method]
        means = {key: result.mean(key, outcome.prepared) for key in ("nDCG@10", "WantedAboveUnwanted")}
        measured = {key: value for key, value in means.items() if value is not None}
        best = best or measured
        below = {key: best[key] - measured[key] for key in best}
        print(
            f"  {name:<12}"
            + "".join(f"{key:>22} {value:.3f} ({below[key]:+.3f} below)" for key, value in measured.items())
        )


def has_not(query: LogicalQuery) -> bool:
    """Whether a query excludes anything."""
    return any(isinstance(node, Not) for node in query.walk())


def _share(part: Any, whole: Any) -> float | None:
    return float((part & whole).sum() / whole.sum()) if whole.any() else None


def _json_lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _forms(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return {id: form for id, _, form in (line.partition("\t") for line in lines)}


def _printer(markdown: bool) -> Callable[..., None]:
    widths = (18, 18, 8, *(max(len(head), 6) + 2 for head in HEADS))
    heads = ("set", "group", "reader", *HEADS)

    def line(cells: Sequence[str]) -> str:
        if markdown:
            return f"| {' | '.join(cells)} |"
        return "".join(
            f"{cell:<{width}}" if place < 3 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )

    print(line(heads))
    if markdown:
        print(line(["---"] * len(heads)))

    def show(*cells: Any) -> None:
        *names, figures = cells
        print(line([*names, *(_cell(figure) for figure in figures)]), flush=True)

    return show


def _cell(figure: float | int | None) -> str:
    if figure is None or figure != figure:
        return "-"
    return str(figure) if isinstance(figure, int) else f"{figure:.3f}"


def main(arguments: list[str]) -> int:
    """Print the tables."""
    options = argparse.ArgumentParser(description="How questions are read, with and without a recorded model.")
    options.add_argument("data", nargs="?", type=Path, default=data_folder(), help="folder of the benchmark sets")
    options.add_argument("--judge", type=Path, help="form_agreement.py; by default in tools/ beside the sets' folder")
    options.add_argument("--wrong", type=int, default=0, help="sure and wrong readings to print")
    options.add_argument("--only", help="sets, with commas between; by default all that are there")
    options.add_argument("--prompt", default="prompt_c", help="recorded forms of the sets without gold ones")
    options.add_argument("--method", default="calibrated", help="evaluation method of the end-to-end figures")
    options.add_argument("--no-search", action="store_true", help="leave out the end-to-end figures")
    options.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    chosen = options.parse_args(arguments)
    names = chosen.only.split(",") if chosen.only else [*JUDGED, *SETS]
    folders = {name: OWN / name if name == STRANGERS else chosen.data / name for name in names}
    there = [name for name in names if folders[name].is_dir()]
    if not there:
        options.error(f"none of {', '.join(names)} is in {chosen.data}")
    tool = chosen.data.parent / "tools" / "form_agreement.py" if chosen.judge is None else chosen.judge
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TransformWarning)  # what a failure costs is in the figures
        show = _printer(chosen.markdown)
        for name in there:
            if name not in (*JUDGED, STRANGERS):
                recorded_set(chosen.data / name, chosen.prompt, show)
            elif tool.is_file():
                judged_set(folders[name], judge_from(tool), chosen.wrong, show)
            else:
                print(f"{name}: skipped, there is no {tool} (give --judge)")
        if "ask" in there and not chosen.no_search:
            end_to_end(chosen.data / "ask", chosen.method)
    return 0


if __name__ == "__main__":
    logging.getLogger("logical_retriever").setLevel(logging.ERROR)
    sys.exit(main(sys.argv[1:]))
