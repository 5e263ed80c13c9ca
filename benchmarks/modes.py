"""Quality and cost of every way to search: exact, one optimised vector, reranking, and what stands beside them.

Sets are those of ``benchmark_sets.py`` but ComLQ; the packaged sample where there is none.

First table: nDCG@10 by set, calls of a language model and texts encoded a query, and processor milliseconds to rank a
query whose texts are encoded, over a store in memory: all of it, and the optimisation of the vector alone. Times are
processor time of this process, so that other work on the machine does not count; nothing is asserted about them.
Second table: how SQO converges, and how far its rescored candidates are from scoring everything.

    python benchmarks/modes.py [--prompt prompt_c] [--limit 200] [--methods dense,sqo,...]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from benchmark_sets import SETS, read_set
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import (
    Dataset,
    Method,
    Outcome,
    QuestionWithQuery,
    evaluate,
    get_method,
    load_sample,
)
from logical_retriever.evaluation.methods.base import Advance, Questions
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.lab.methods import deo, optimised
from logical_retriever.lab.methods.reranked import Reranked
from logical_retriever.results import Convergence
from logical_retriever.search.one_vector import nearest

RERANK = "calibrated-reranked"
METHODS = (
    *("dense", "bm25", "hybrid", "geometric", "itlr", "nsfl", "nsfl-two-stage"),
    *("deo", "sqo-only", RERANK, "sqo", "calibrated"),
)
FORMLESS = frozenset({"dense", "dense+bm25", "bm25", "hybrid"})
"""Methods that look at the question alone, and need no logical query."""


PLACES = (
    (nearest, "spherical_optimum"),
    (nearest, "moved_vector"),
    (optimised, "spherical_optimum"),
    (deo, "moved_vector"),
)
"""Where the optimisations are called."""


class Timed(Method):
    """A method with the processor time of its scoring, and what it optimised.

    Attributes:
        seconds: Processor time of all questions.
        watch: Its optimisations.
    """

    def __init__(self, method: Method) -> None:
        self.method = method
        self.name = method.name
        self.seconds = 0.0
        self.watch = Optimisations()
        self._warm = False

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """The method's own."""
        self.method.prepare(prepared, bench, progress)
        self.llm_calls = self.method.llm_calls

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The method's own."""
        return self.method.texts(prepared)

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The method's own."""
        return self.method.passages(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The method's own, timed."""
        if not self._warm:  # statistics of a store are taken once, at the first question
            self.method.score(prepared, view)
            self._warm = True
        started = time.process_time()
        try:
            with self.watch.watching():
                return self.method.score(prepared, view)
        finally:
            self.seconds += time.process_time() - started


class Optimisations:
    """Optimisations seen while they were watched.

    Attributes:
        seconds: Processor time of each.
        found: How each converged.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.found: list[Convergence] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what the retriever and the methods optimise meanwhile."""
        originals = [getattr(module, name) for module, name in PLACES]
        for (module, name), original in zip(PLACES, originals, strict=True):
            setattr(module, name, self.watched(original))
        try:
            yield
        finally:
            for (module, name), original in zip(PLACES, originals, strict=True):
                setattr(module, name, original)

    def watched(self, optimise: Callable[..., tuple[Array, Convergence]]) -> Callable[..., tuple[Array, Convergence]]:
        """The same function, watched."""

        def call(*arguments: object, **options: object) -> tuple[Array, Convergence]:
            started = time.process_time()
            vector, convergence = optimise(*arguments, **options)
            self.seconds.append(time.process_time() - started)
            self.found.append(convergence)
            return vector, convergence

        return call


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompt", default="prompt_c", help="logical forms to replay")
    parser.add_argument("--methods", default=None, help="separated by commas; by default all of the table")
    parser.add_argument("--limit", type=int, default=None, help="questions per set")
    arguments = parser.parse_args()
    names = METHODS if arguments.methods is None else tuple(arguments.methods.split(","))
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    embedder = SentenceTransformerEmbedder()
    started = time.perf_counter()
    outcomes: dict[str, Outcome] = {}
    timed: dict[str, dict[str, Timed]] = {}
    for dataset in _datasets(arguments.prompt, console):
        methods = {name: Timed(_method(name)) for name in names}
        outcomes[dataset.name] = evaluate(
            dataset, list(methods.values()), embedder=embedder, cutoffs=(10,), limit=arguments.limit, baseline=None
        )
        timed[dataset.name] = methods
        print(f"{dataset.name}: {time.perf_counter() - started:.0f} s so far", file=sys.stderr)
    console.print(_costs(names, outcomes, timed))
    if "sqo" in names:
        console.print(_convergence(outcomes, timed))


def _method(name: str) -> Method:
    return Reranked("calibrated", RERANK) if name == RERANK else get_method(name)


def _datasets(prompt: str, console: Console) -> list[Dataset]:
    read = [read_set(name, prompt, say=lambda text: console.print(text, markup=False)) for name in SETS[:-1]]
    return [dataset for dataset in read if dataset is not None] or [load_sample()]


def _costs(names: Sequence[str], outcomes: dict[str, Outcome], timed: dict[str, dict[str, Timed]]) -> Table:
    table = Table(title="nDCG@10 by set, and cost of a query", title_justify="left")
    for column in ("method", *outcomes, "LLM calls", "texts encoded", "ms", "of these optimising"):
        table.add_column(column, justify="left" if column == "method" else "right", no_wrap=True)
    for name in names:
        results = [outcome.methods[name] for outcome in outcomes.values()]
        quality = [
            result.mean("nDCG@10", outcome.prepared) for outcome, result in zip(outcomes.values(), results, strict=True)
        ]
        seconds = [timed[data][name].seconds / len(outcome.prepared) for data, outcome in outcomes.items()]
        own = [second for methods in timed.values() for second in methods[name].watch.seconds]
        table.add_row(
            name,
            *("-" if value is None else f"{value:.3f}" for value in quality),
            "0" if name in FORMLESS else "1",
            f"{np.mean([result.cost.vectors for result in results]):.1f}",
            f"{1000.0 * np.mean(seconds):.1f}",
            f"{1000.0 * np.mean(own):.1f}" if own else "-",
        )
    table.caption = "LLM calls: one for the logical query, none with the cue rules; the question alone needs none."
    return table


def _convergence(outcomes: dict[str, Outcome], timed: dict[str, dict[str, Timed]]) -> Table:
    table = Table(title="SQO: 100 candidates, rescored with all the evidence", title_justify="left")
    for column in ("set", "ms", "p95", "worst", "iterations", "p95", "converged", "nDCG@10", "everything scored"):
        table.add_column(column, justify="left" if column == "set" else "right", no_wrap=True)
    for name, outcome in outcomes.items():
        watch = timed[name]["sqo"].watch
        milliseconds = 1000.0 * np.array(watch.seconds)
        iterations = np.array([one.iterations for one in watch.found])
        reached = [
            outcome.methods[method].mean("nDCG@10", outcome.prepared) if method in outcome.methods else None
            for method in ("sqo", "calibrated")
        ]
        table.add_row(
            name,
            *(f"{value:.1f}" for value in (milliseconds.mean(), np.percentile(milliseconds, 95), milliseconds.max())),
            *(f"{value:.0f}" for value in (iterations.mean(), np.percentile(iterations, 95))),
            f"{np.mean([one.converged for one in watch.found]):.1%}",
            *("-" if value is None else f"{value:.4f}" for value in reached),
        )
    return table


if __name__ == "__main__":
    main()
