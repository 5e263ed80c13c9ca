"""What reading costs: nDCG@10 of the set ``ask`` by each reader's queries, below that of the gold forms.

    python benchmarks/readers.py [DATA]

DATA is the folder of the benchmark sets (default: LOGICAL_RETRIEVER_DATA, else ../shared/data beside the repository).
The model is a table of recorded answers, asked through the chain's own interface, so that validation, repair and
fallback are those of a live one. How often questions are read right is said by ``training/questions/evaluate.py``.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmark_sets import VECTORS, data_folder
from quality import RememberingEmbedder
from recorded_reader import RecordedReader

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.evaluation import evaluate, load_dataset
from logical_retriever.reading import (
    LogicalQueryTransformer,
    Message,
    QueryTransformer,
    QuestionReader,
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
        """Return the recorded answer to the question between the tags of the first message."""
        self.calls += 1
        asked = [message["content"] for message in messages if message["role"] == "user"]
        found = re.fullmatch(r"<question>\n(.*)\n</question>", asked[0], re.DOTALL)
        assert found is not None, "the default prompt puts the question between its tags"
        return self.answers.get(found[1], json.dumps(found[1], ensure_ascii=False))


def end_to_end(folder: Path, method: str) -> None:
    """Print nDCG@10 and wanted above unwanted of the set ``ask`` with each reader's queries, and with the gold ones."""
    dataset = load_dataset(folder, vectors=folder / VECTORS)
    rows = {row["id"]: row for row in _json_lines(folder / "questions.jsonl")}
    forms = _forms(folder / "logical_forms.prompt_d.tsv")
    model = RecordedModel({rows[name]["question"]: form for name, form in forms.items() if name in rows})
    gold = {row["question"]: row["form"] for row in rows.values()}
    readers: dict[str, QueryTransformer] = {
        "gold forms": RecordedReader(gold),
        "model alone": LogicalQueryTransformer(model, cache=0),
        "with model": QuestionReader(LogicalQueryTransformer(model, cache=0)),
        "without": QuestionReader(),
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


def _json_lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _forms(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return {id: form for id, _, form in (line.partition("\t") for line in lines)}


def main(arguments: list[str]) -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description="What reading costs: answers by each reader's queries.")
    options.add_argument("data", nargs="?", type=Path, default=data_folder(), help="folder of the benchmark sets")
    options.add_argument("--method", default="calibrated", help="evaluation method")
    chosen = options.parse_args(arguments)
    folder = chosen.data / "ask"
    if not folder.is_dir():
        options.error(f"there is no {folder}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TransformWarning)  # what a failure costs is in the figures
        end_to_end(folder, chosen.method)
    return 0


if __name__ == "__main__":
    logging.getLogger("logical_retriever").setLevel(logging.ERROR)
    sys.exit(main(sys.argv[1:]))
