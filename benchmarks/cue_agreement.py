"""How often the cue rules and the recorded logical forms agree on whether a question has an exclusion.

    python benchmarks/cue_agreement.py [DATA] [--prompt prompt_c] [--show]

DATA is the folder of the benchmark sets; default: the environment variable LOGICAL_RETRIEVER_DATA, else ../shared/data
beside the repository. A question without a recorded form counts as a plain one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import NamedTuple

from benchmark_sets import SETS, data_folder

from logical_retriever.query import LogicalQuery, Not, parse
from logical_retriever.transform import CueQueryTransformer


class Agreement(NamedTuple):
    """Counts over the questions of one set.

    Attributes:
        questions: How many there are.
        recorded: How many have a NOT in the recorded form.
        found: How many have one by the rules.
        both: How many have one in both.
        seconds: Time that the rules took for all.
        disagreements: Id, question and the rules' query where they differ.
    """

    questions: int
    recorded: int
    found: int
    both: int
    seconds: float
    disagreements: list[tuple[str, str, str]]


def has_not(query: LogicalQuery) -> bool:
    """Whether a query excludes anything."""
    return any(isinstance(node, Not) for node in query.walk())


def measure(folder: Path, prompt: str) -> Agreement:
    """Compare the rules with the recorded forms of one set."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        questions = {str(row["_id"]): str(row["text"]) for row in map(json.loads, lines)}
    with (folder / f"logical_forms.{prompt}.tsv").open(encoding="utf-8") as lines:
        next(lines)
        forms = dict(line.rstrip("\n").split("\t", 1) for line in lines)
    began = time.perf_counter()
    made = CueQueryTransformer().batch(list(questions.values()))
    seconds = time.perf_counter() - began
    recorded = {name: name in forms and has_not(parse(forms[name])) for name in questions}
    found = {name: has_not(result.query) for name, result in zip(questions, made, strict=True)}
    queries = {name: str(result.query) for name, result in zip(questions, made, strict=True)}
    return Agreement(
        questions=len(questions),
        recorded=sum(recorded.values()),
        found=sum(found.values()),
        both=sum(recorded[name] and found[name] for name in questions),
        seconds=seconds,
        disagreements=[(n, questions[n], queries[n]) for n in questions if recorded[n] != found[n]],
    )


def share(part: int, whole: int) -> str:
    """A fraction in words: "0.981", or "-" of nothing."""
    return f"{part / whole:.3f}" if whole else "-"


def main(arguments: list[str]) -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description="Agreement of the cue rules with recorded logical forms.")
    options.add_argument("data", nargs="?", type=Path, default=data_folder(), help="folder of the benchmark sets")
    options.add_argument("--prompt", default="prompt_c", help="which recorded forms to compare with")
    options.add_argument("--show", action="store_true", help="print the questions on which they differ")
    chosen = options.parse_args(arguments)
    sets = [name for name in SETS if (chosen.data / name / "queries.jsonl").is_file()]
    if not sets:
        options.error(f"no benchmark set in {chosen.data}; give the folder that holds {', '.join(SETS)}")
    heads = ("questions", "recorded", "cues", "precision", "recall", "false NOT", "µs each")
    print(f"{'set':<18}" + "".join(f"{head:>11}" for head in heads))
    for name in sets:
        got = measure(chosen.data / name, chosen.prompt)
        figures = (
            str(got.questions),
            str(got.recorded),
            str(got.found),
            share(got.both, got.found),
            share(got.both, got.recorded),
            share(got.found - got.both, got.questions),
            f"{1e6 * got.seconds / max(got.questions, 1):.0f}",
        )
        print(f"{name:<18}" + "".join(f"{figure:>11}" for figure in figures))
        for key, question, query in got.disagreements if chosen.show else ():
            print(f"    {key}: {question}\n        {query}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
