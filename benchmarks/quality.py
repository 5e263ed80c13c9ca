"""Quality of all methods on the packaged sample, and on the benchmark sets where they are at hand.

Sets are folders below LOGICAL_RETRIEVER_DATA (default: ../shared/data beside the repository) in BEIR's layout with
``logical_forms.prompt_c.tsv``, ``logical_forms.prompt_a.tsv`` and ``vectors.all-MiniLM-L6-v2.f16.npy``.

    python benchmarks/quality.py [--methods dense,itlr,nsfl] [--limit 100]
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import DEFAULT_METHODS, Dataset, Outcome, evaluate, load_dataset, load_sample

SETS = ("negconstraint", "excluir", "boolquestions_not", "comlq")
PROMPTS = ("prompt_c", "prompt_a")
VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"


class RememberingEmbedder:
    """Encodes each text once in the whole run: questions are the same under both prompts."""

    def __init__(self, model: SentenceTransformerEmbedder) -> None:
        self._model = model
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, self._model.embed_queries(missing), strict=True))
        return np.stack([self._known[text] for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d)."""
        return self._model.embed_documents(texts)


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    methods = tuple(arguments.methods.split(","))
    # A pipe has no width, and 80 columns would cut the tables.
    console = Console(width=None if sys.stdout.isatty() else 180)
    embedder = RememberingEmbedder(SentenceTransformerEmbedder())
    started = time.perf_counter()
    columns = {"three_term": evaluate(load_sample(), methods, embedder=embedder, limit=arguments.limit)}
    for prompt in PROMPTS:
        for name in SETS:
            dataset = _dataset(name, prompt, console)
            if dataset is not None:
                columns[f"{name} {prompt[-1].upper()}"] = evaluate(
                    dataset, methods, embedder=embedder, limit=arguments.limit
                )
                print(f"{name}, {prompt}: {time.perf_counter() - started:.0f} s so far", file=sys.stderr)
    console.print(_table("nDCG@10", "nDCG@10", columns, methods))
    judged = {name: outcome for name, outcome in columns.items() if _has(outcome, "WantedAboveUnwanted")}
    if judged:
        console.print(_table("Wanted above unwanted", "WantedAboveUnwanted", judged, methods))
    console.print(_cost(columns, methods))
    for name, outcome in columns.items():
        for note in (*outcome.problems, *(f"{failure.stage}: {failure.problem}" for failure in outcome.failures)):
            console.print(f"{name}: {note}", markup=False)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"{time.perf_counter() - started:.0f} s, {memory:.0f} MiB at most")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default=",".join(DEFAULT_METHODS))
    parser.add_argument("--limit", type=int, default=None)
    return parser.parse_args()


def _dataset(name: str, prompt: str, console: Console) -> Dataset | None:
    folder = _data() / name
    if not folder.is_dir():
        console.print(f"{name} {prompt[-1].upper()}: skipped, {folder} does not exist (set LOGICAL_RETRIEVER_DATA)")
        return None
    return load_dataset(folder, logical_forms=folder / f"logical_forms.{prompt}.tsv", vectors=folder / VECTORS)


@lru_cache(maxsize=1)
def _data() -> Path:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("LOGICAL_RETRIEVER_DATA", beside))


def _has(outcome: Outcome, measure: str) -> bool:
    return any(result.values[measure] for result in outcome.methods.values())


def _table(title: str, measure: str, columns: dict[str, Outcome], methods: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("method", no_wrap=True)
    means = {
        name: {method: outcome.methods[method].mean(measure, outcome.prepared) for method in methods}
        for name, outcome in columns.items()
    }
    for name in columns:
        table.add_column(name, justify="right")
    for method in methods:
        cells = []
        for name in columns:
            value, best = means[name][method], max(v for v in means[name].values() if v is not None)
            text = "-" if value is None else f"{value:.3f}"
            cells.append(f"[bold]{text}[/bold]" if value == best else text)
        table.add_row(method, *cells)
    return table


def _cost(columns: dict[str, Outcome], methods: tuple[str, ...]) -> Table:
    table = Table(title="Milliseconds a query (texts to encode in brackets)", title_justify="left")
    table.add_column("method", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    for method in methods:
        costs = [outcome.methods[method].cost for outcome in columns.values()]
        table.add_row(method, *(f"{cost.milliseconds:.2f} ({cost.vectors:.1f})" for cost in costs))
    return table


if __name__ == "__main__":
    main()
