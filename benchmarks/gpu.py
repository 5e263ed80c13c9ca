"""A device's first pass over a store in memory beside the device's own memory, and questions with and without it.

    python benchmarks/gpu.py [--device cuda] [--documents 1000000] [--dimension 384] [--terms 1,2,4,8,32] [--markdown]

The first pass is the product of all vectors, in float16 on the device, with the texts of a question. Its bytes are
those of the vectors, read once, and of the cosines, written once; the share is of what the device reaches when it
copies a buffer as large as the vectors, which counts as read and written. Questions are asked of a LogicalRetriever
over vectors alone, terms encoded beforehand, by the clock; on the processor numba compares, where it is installed, with
as much memory for codes as they want. Documents and scores with the device and without are compared; a difference ends
the run.

``--device cpu`` runs the same on the processor, to try it: torch has no product of halves with float32 sums there.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.query import And, LogicalQuery, Not, Term
from logical_retriever.search import compiled_kernel
from logical_retriever.vectors import prepare, unit
from logical_retriever.vectors.device import Device, HeldVectors

K = 10
TOGETHER = 100
"""Questions of a batch."""
IN_A_ROW = 10
"""First passes between two looks at the clock: telling the device what to do takes a while as well."""

Vectors = npt.NDArray[np.float32]


class Given:
    """An encoder of texts whose vectors are known."""

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self.vectors = vectors

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (T, d)."""
        return np.stack([self.vectors[text] for text in texts])

    embed_documents = embed_queries


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    import torch

    device = Device(arguments.device, "benchmarks/gpu.py")
    kernel = "numba" if compiled_kernel() is not None else "NumPy"
    print(f"{device.label}, torch {torch.__version__}")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {kernel}")
    terms = [int(count) for count in arguments.terms.split(",")]
    vectors, texts = _vectors(arguments.documents, arguments.dimension, max(2 * TOGETHER, *terms))
    print(f"{arguments.documents:,} x {arguments.dimension}, medians of {arguments.rounds} rounds\n")

    scales, started = prepare(vectors), time.perf_counter()
    held = device.hold(vectors, scales)
    device.wait()
    took, size = time.perf_counter() - started, 2 * vectors.size
    copied = _copy_bandwidth(device, size, arguments.rounds)
    print(f"copied to the device in {took:.2f} s, {size / 1e6:,.0f} MB there")
    print(f"the device copies its own memory at {copied:,.0f} GB/s\n")
    _table(arguments, ("T", "first pass, ms", "GB/s", "share", "and to the processor, ms"))
    for count in terms:
        _row(arguments, _first_pass(device, held, texts[:count], copied, arguments.rounds))
    del held

    documents = [StoredDocument(f"{i:08}", "") for i in range(arguments.documents)]
    here = InMemoryStore(documents, vectors, codes_memory=vectors.size + 8 * len(vectors))
    there = InMemoryStore(documents, vectors, device=arguments.device)
    del vectors  # the stores have their own
    embedder = Given({f"t{i}": row for i, row in enumerate(texts)})
    for semantics in arguments.semantics.split(","):
        settings = {"semantics": semantics, "k": K, "evidence": "dense"}
        asked = [LogicalRetriever(store, embedder, **settings) for store in (here, there)]
        print(f"\n{semantics}: questions, ms")
        _table(arguments, ("T", "processor", "device", "ratio"))
        for count in terms:
            _row(arguments, (str(count), *_question(asked, _query(range(count)), arguments.rounds)))
        many = [_query((2 * i, 2 * i + 1)) for i in range(TOGETHER)]
        _row(arguments, (f"{TOGETHER} x 2", *_batch(asked, many, arguments.rounds)))
    print("\nDocuments and scores are equal.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda", help="as torch calls it")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--terms", default="1,2,4,8,32")
    parser.add_argument("--semantics", default="product,calibrated")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def _vectors(count: int, dimension: int, texts: int) -> tuple[Vectors, Vectors]:
    rng = np.random.default_rng(0)
    vectors = np.empty((count, dimension), dtype=np.float32)
    # A common direction, as real encoders have: cosines of unrelated texts are not 0 on average.
    for start in range(0, count, 50_000):
        rows = vectors[start : start + 50_000]
        rows[:] = unit(rng.standard_normal(rows.shape, dtype=np.float32) + 0.3)
    return vectors, unit(rng.standard_normal((texts, dimension)) + 0.3)


def _query(numbers: Sequence[int]) -> LogicalQuery:
    """Terms, of which every second is excluded."""
    parts = [Not(Term(f"t{i}")) if place % 2 else Term(f"t{i}") for place, i in enumerate(numbers)]
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _copy_bandwidth(device: Device, size: int, rounds: int) -> float:
    """GB/s, read and written, of a copy within the device's memory."""
    import torch

    source = torch.zeros(size, dtype=torch.uint8, device=device.label.split(" ")[0])
    target = torch.empty_like(source)
    return 2 * size / _median(lambda: target.copy_(source), device, rounds) / 1e6


def _first_pass(device: Device, held: HeldVectors, texts: Vectors, copied: float, rounds: int) -> tuple[str, ...]:
    halves = texts.astype(np.float16)
    took = _median(lambda: device.products(held, halves), device, rounds)
    whole = _median(lambda: held.compare(texts), device, rounds)
    moved = 2 * len(held.errors) * texts.shape[1] + 4 * len(held.errors) * len(texts)
    rate = moved / took / 1e6
    return str(len(texts)), f"{took:.3f}", f"{rate:,.0f}", f"{100 * rate / copied:.0f}%", f"{whole:.2f}"


def _median(run: Callable[[], object], device: Device, rounds: int) -> float:
    """Milliseconds of one run."""
    run()
    times = []
    for _ in range(rounds):
        device.wait()
        started = time.perf_counter()
        for _ in range(IN_A_ROW):
            run()
        device.wait()
        times.append(1000 * (time.perf_counter() - started) / IN_A_ROW)
    return float(np.median(times))


def _question(asked: Sequence[LogicalRetriever], query: LogicalQuery, rounds: int) -> tuple[str, ...]:
    times: list[list[float]] = [[] for _ in asked]
    for turn in range(rounds + 1):
        results = []
        for retriever, row in zip(asked, times, strict=True):
            started = time.perf_counter()
            results.append(retriever.search(query))
            if turn:  # the first copies, compiles and takes statistics
                row.append(1000 * (time.perf_counter() - started))
        _check(results[0].documents, results[1].documents, str(query))
        if not str(results[1].plan.device).endswith("in float16"):
            raise SystemExit(f"{query}: compared by {results[1].plan.device}.")
    return _beside(times)


def _batch(asked: Sequence[LogicalRetriever], queries: Sequence[LogicalQuery], rounds: int) -> tuple[str, ...]:
    """Of each of the questions."""
    times: list[list[float]] = [[] for _ in asked]
    for turn in range(max(2, rounds // 2)):
        results = []
        for retriever, row in zip(asked, times, strict=True):
            started = time.perf_counter()
            results.append(retriever.search_many(queries))
            if turn:
                row.append(1000 * (time.perf_counter() - started) / len(queries))
        for query, one, other in zip(queries, *results, strict=True):
            _check(one.documents, other.documents, str(query))
    return _beside(times)


def _beside(times: Sequence[Sequence[float]]) -> tuple[str, ...]:
    here, there = (float(np.median(row)) for row in times)
    return f"{here:.2f}", f"{there:.2f}", f"{there / here:.2f}"


def _check(one: object, other: object, query: str) -> None:
    if one != other:
        raise SystemExit(f"{query}: the answers differ.")


def _table(arguments: argparse.Namespace, names: Sequence[str]) -> None:
    _row(arguments, names)
    if arguments.markdown:
        print("|" + "---:|" * len(names))


def _row(arguments: argparse.Namespace, cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |" if arguments.markdown else "  ".join(f"{cell:>14}" for cell in cells))


if __name__ == "__main__":
    main()
