"""``python -m lab NAME``: the figures of a paper, a test set of your own documents, or a curve of labelled pairs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.calibrate import fit_pairs
from lab.nsir.method import NeuroSymbolic
from lab.papers import EXPERIMENTS
from lab.synthesis import synthesize_templates, synthesize_typed
from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.evaluation import evaluate
from logical_retriever.reading import chat_model_from_name

EPILOG = "Sets other than the packaged sample are folders below LOGICAL_RETRIEVER_DATA; lab/README.md has the figures."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns:
        The exit status: 0 finished, 2 error or no query made, 3 stopped by ``--max-calls``. An unknown name ends the
        process with 2, and the message has the known ones.
    """
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except LogicalRetrieverError as error:
        sys.stderr.write(f"Error: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__, epilog=EPILOG)
    names = parser.add_subparsers(metavar="NAME", required=True)
    for name, experiment in EXPERIMENTS.items():
        one = names.add_parser(name, help=experiment.what, description=experiment.what, epilog=EPILOG)
        one.add_argument("--limit", type=_at_least_one, help="evaluate the first so many questions only")
        one.add_argument("--model", default="all-MiniLM-L6-v2", help="sentence-transformers model of the questions")
        one.add_argument("--json", type=Path, help="write the rows as JSON")
        if name == "nsir":
            one.add_argument("--llm", metavar="PROVIDER:MODEL", help="language model that writes the logic")
        one.set_defaults(run=_experiment, name=name, llm=None)
    one = names.add_parser("synthesize", help="make a test set of your own documents with a language model")
    one.add_argument(
        "pipeline", choices=("itlr", "comlq"), help="three-term logical queries, or ComLQ's 14 query types"
    )
    one.add_argument("corpus", type=Path, metavar="FOLDER_OR_CORPUS.jsonl", help="_id, title, text on each line")
    one.add_argument("--output", type=Path, required=True, help="folder of the test set, new or empty")
    one.add_argument("--llm", metavar="PROVIDER:MODEL", required=True, help="language model that writes and judges")
    one.add_argument("--queries", type=_at_least_one, default=32, help="queries wanted")
    one.add_argument("--max-calls", type=int, default=1000, help="most calls of the language model")
    one.add_argument("--seed", type=int, default=0, help="everything random depends on it")
    one.add_argument("--workers", type=_at_least_one, default=1, help="calls at a time")
    one.add_argument("--written", action="store_true", help="itlr: have documents written for each query")
    one.set_defaults(run=_synthesize)
    one = names.add_parser("calibrate", help="fit ITLR's truth value of cosines to labelled pairs")
    one.add_argument("pairs", type=Path, help='JSON Lines of {"term": ..., "text": ..., "label": 0 or 1}')
    one.add_argument("--model", default="all-MiniLM-L6-v2", help="sentence-transformers model")
    one.set_defaults(run=_calibrate)
    return parser


def _at_least_one(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _experiment(given: argparse.Namespace) -> int:
    experiment = EXPERIMENTS[given.name]
    methods = experiment.methods()
    if given.llm is not None:
        methods = ("dense", NeuroSymbolic(llm=chat_model_from_name(given.llm)))
    embedder = SentenceTransformerEmbedder(given.model)
    outcome = evaluate(
        experiment.dataset(), methods, embedder=embedder, measures=experiment.measures, limit=given.limit
    )
    rows = experiment.rows(outcome)
    if given.json is not None:
        given.json.write_text(json.dumps(rows), encoding="utf-8")
    cells = [list(rows[0]), *(list(map(_cell, row.values())) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        _say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _synthesize(given: argparse.Namespace) -> int:
    settings: dict[str, Any] = {
        name: vars(given)[name] for name in ("output", "queries", "max_calls", "seed", "workers")
    }
    if given.written and given.pipeline != "itlr":
        raise InvalidArgumentError("Documents are written for itlr alone.", hint="Leave --written out.")
    model = chat_model_from_name(given.llm)
    if given.pipeline == "itlr":
        result = synthesize_templates(given.corpus, model, written=given.written, **settings)
    else:
        result = synthesize_typed(given.corpus, model, **settings)
    _say(str(result))
    return 3 if not result.finished else 0 if result.queries else 2


def _calibrate(given: argparse.Namespace) -> int:
    curve, right, pairs = fit_pairs(given.pairs, SentenceTransformerEmbedder(given.model))
    _say(json.dumps({**asdict(curve), "pairs": pairs, "right": round(right, 4)}))
    return 0


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
