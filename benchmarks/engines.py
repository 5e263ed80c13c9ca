"""Cost of a composed query of four terms inside an engine, beside that engine's own plain exact query.

``("a" OR "b") AND "c" AND NOT "d"`` over random vectors around 200 centres, loaded into each engine. A plain query is
the ten nearest of one vector, read from all rows. The two take turns, so that a busy machine slows both; medians of
each, and of the ratios of neighbours. The last rows are the same two searches by numpy in this process, with all
vectors in memory. Every answer is compared with numpy's. Spark runs in one worker process and in two.

    python benchmarks/engines.py [--documents 100000] [--rounds 15] [--engines pgvector duckdb clickhouse]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
from engine_loads import K, Vectors, clickhouse, duckdb, pgvector, spark
from rich.console import Console
from rich.table import Table

from logical_retriever import parse
from logical_retriever.semantics import CalibratedSemantics, Evidence, NullModel, Semantics
from logical_retriever.semantics.formula import score_formula
from logical_retriever.stores import Program

ENGINES = {
    "pgvector": pgvector,
    "duckdb": duckdb,
    "clickhouse": clickhouse,
    "spark-1": partial(spark, workers=1),
    "spark-2": partial(spark, workers=2),
}
QUERY = parse('("a" OR "b") AND "c" AND NOT "d"')
SEMANTICS: tuple[Semantics, ...] = (CalibratedSemantics(),)
DIMENSION = 384


def main() -> None:
    """Load, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--engines", nargs="*", choices=list(ENGINES), default=list(ENGINES))
    options = parser.parse_args()
    vectors, terms = make(options.documents)
    nulls = NullModel.fit(vectors[:5000]).of(terms)
    shown = Table("engine", "semantics", "plain ms", "composed ms", "ratio", title=f"{len(vectors)} documents")
    for name in options.engines:
        with ENGINES[name](vectors) as loaded:
            store, run = loaded.store, loaded.store.answer
            for semantics in SEMANTICS:
                program = Program(score_formula(QUERY, semantics, QUERY.terms(), nulls), terms)
                found = list(store.rank(program, K).ids)
                expected = composed(vectors, terms, semantics, nulls)
                if found != expected:
                    raise SystemExit(f"{name} found {found}, numpy {expected}")
                composed_statement = store.compiler.ranked(program, K, store.within)
                plain_statement = (loaded.plain, store.compiler.bound(terms, [0]))
                plain, whole, ratio = interleaved(
                    options.rounds,
                    lambda: run(plain_statement),  # noqa: B023  called before the next round
                    lambda: run(composed_statement),  # noqa: B023  as above
                )
                shown.add_row(name, semantics.name, f"{plain:.0f}", f"{whole:.0f}", f"{ratio:.2f}")
    for semantics in SEMANTICS:
        plain, whole, ratio = interleaved(
            options.rounds,
            lambda: best(vectors @ terms[0]),
            lambda: composed(vectors, terms, semantics, nulls),  # noqa: B023  as above
        )
        shown.add_row("numpy", semantics.name, f"{plain:.0f}", f"{whole:.0f}", f"{ratio:.2f}")
    Console(width=100).print(shown)


def make(count: int) -> tuple[Vectors, Vectors]:
    """Documents of shape (N, d) and terms of shape (4, d), all of length 1."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(200, DIMENSION)).astype(np.float32)
    rows = centres[rng.integers(200, size=count)]
    rows += rng.standard_normal(rows.shape, dtype=np.float32) * np.float32(0.8)
    terms = centres[:4] + 0.5 * centres[4:8] + rng.normal(scale=0.5, size=(4, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows, (terms / np.linalg.norm(terms, axis=1, keepdims=True)).astype(np.float32)


def best(scores: npt.NDArray[np.floating]) -> list[int]:
    """Rows of the K greatest scores, best first; equal ones by the text of their numbers, as the engines do."""
    nearest = np.argpartition(-scores, K)[: K + 1]
    return sorted(nearest.tolist(), key=lambda row: (-scores[row], str(row)))[:K]


def composed(vectors: Vectors, terms: Vectors, semantics: Semantics, nulls: object) -> list[int]:
    """The answer by numpy."""
    evidence = Evidence(QUERY.terms(), (terms @ vectors.T).astype(np.float64), nulls)  # type: ignore[arg-type]
    return best(semantics.compose(QUERY, evidence).scores)


def interleaved(rounds: int, plain: Callable[[], object], whole: Callable[[], object]) -> tuple[float, float, float]:
    """Median milliseconds of each, taking turns, and the median of their ratios; a first round does not count."""
    times: list[list[float]] = []
    for _ in range(rounds + 1):
        times.append([])
        for task in (plain, whole):
            start = time.perf_counter()
            task()
            times[-1].append((time.perf_counter() - start) * 1000)
    counted = times[1:]
    return (
        statistics.median(pair[0] for pair in counted),
        statistics.median(pair[1] for pair in counted),
        statistics.median(pair[1] / pair[0] for pair in counted),
    )


if __name__ == "__main__":
    main()
