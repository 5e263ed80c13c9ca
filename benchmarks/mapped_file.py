"""Ten million vectors in one file of float16, mapped into memory: what a search costs beside reading the file.

python benchmarks/mapped_file.py --documents 10000000 --folder /tmp   # 7.7 GB there, deleted at the end

A store of thirty lines gives the retriever blocks of the file; it keeps nothing of it. *Read* is the same file read
through a buffer, *plain* one vector's ten nearest by numpy, block by block. Documents are around 200 centres, with
noise that repeats after 2^20 rows. Of a file larger than the memory that is free, every search reads the disk again.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from logical_retriever import LogicalRetriever
from logical_retriever.stores import Batch, Capabilities, StoredDocument, VectorBatch
from logical_retriever.testing.embedders import GivenEmbedder
from logical_retriever.vectors import Vectors

QUERY = '("a" OR "b") AND "c" AND NOT "d"'
DIMENSION, BLOCK, K = 384, 1 << 14, 10


class MappedStore:
    """Vectors in a file, row by row; a document is its number."""

    capabilities = Capabilities(
        "mapped file", exact_search=True, stored_vectors=True, scan=True, in_process=True, filters=False
    )

    def __init__(self, path: Path, count: int) -> None:
        self.rows = np.memmap(path, np.float16, "r", shape=(count, DIMENSION))

    def count(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def search(self, vectors: Vectors, n: int, filter: object = None) -> list[list[int]]:  # noqa: ARG002  as in scan
        """The n greatest products."""
        best = [(np.empty(0, np.float32), np.empty(0, np.int64)) for _ in vectors]
        for start in range(0, len(self.rows), BLOCK):
            block = self.rows[start : start + BLOCK].astype(np.float32)
            for i, products in enumerate(vectors @ block.T):
                scores = np.concatenate([best[i][0], products])
                rows = np.concatenate([best[i][1], np.arange(start, start + len(block))])
                kept = np.argsort(-scores)[:n]
                best[i] = (scores[kept], rows[kept])
        return [rows.tolist() for _, rows in best]

    def fetch(self, ids: Sequence[int]) -> Batch:
        """Rows by number."""
        known = [id for id in ids if isinstance(id, int) and 0 <= id < len(self.rows)]
        rows = np.asarray(self.rows[known], np.float32) if known else np.empty((0, DIMENSION), np.float32)
        return Batch(tuple(StoredDocument(id, f"text {id}") for id in known), rows)

    def sample(self, n: int, seed: int) -> Batch:
        """Rows drawn at random."""
        drawn = np.random.default_rng(seed).choice(len(self.rows), min(n, len(self.rows)), replace=False)
        return self.fetch(sorted(drawn.tolist()))

    def scan(self, filter: object = None) -> Iterator[VectorBatch]:  # noqa: ARG002  there is nothing to filter by
        """All of it: the retriever reads block by block."""
        yield VectorBatch(range(len(self.rows)), self.rows)


def write(path: Path, count: int) -> Vectors:
    """Documents of length about 1; the centres, shape (200, d)."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(200, DIMENSION)).astype(np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    noise = rng.integers(-127, 128, size=(1 << 20, DIMENSION), dtype=np.int8)
    with path.open("wb") as file:
        for start in range(0, count, BLOCK):
            rows = min(BLOCK, count - start)
            at = start % (1 << 20)
            block = noise[at : at + rows].astype(np.float32) * np.float32(0.7 / 73 / DIMENSION**0.5)
            block += centres[rng.integers(200, size=rows)]
            file.write(block.astype(np.float16).tobytes())
    return centres


def anonymous_mb() -> float:
    """Memory of this process that is no file's."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon"))


def disk_bytes() -> int:
    """Bytes that this process had read from disks so far."""
    lines = Path("/proc/self/io").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("read_bytes"))


def measured(task: Callable[[], object], rounds: int) -> tuple[npt.NDArray[np.float64], float, float]:
    """Seconds of each round, and of one round: seconds of all processors, and gigabytes read from the disk."""
    before, used, seconds = disk_bytes(), time.process_time(), []
    for _ in range(rounds):
        started = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - started)
    return np.array(seconds), (time.process_time() - used) / rounds, (disk_bytes() - before) / rounds / 1e9


def read(path: Path, count: int) -> int:
    """Read the file through a buffer of the size of a block."""
    left = total = count * DIMENSION * 2
    buffer = bytearray(BLOCK * DIMENSION * 2)
    with path.open("rb", buffering=0) as file:
        while left > 0:
            left -= file.readinto(memoryview(buffer)[: min(left, len(buffer))]) or left
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "vectors.f16"
        centres = write(path, given.documents)
        rng = np.random.default_rng(1)
        terms = {
            name: centres[i] + 0.5 * centres[i + 4] + rng.normal(size=DIMENSION) * 0.02 for i, name in enumerate("abcd")
        }
        print("| documents | what | median s | 95th s | times reading | processor s | GB from disk | memory MB |")
        print("|---:|---|---:|---:|---:|---:|---:|---:|")
        for count in (given.documents // 100, given.documents // 10, given.documents):
            store = MappedStore(path, count)

            def searched(semantics: str, store: MappedStore = store) -> Callable[[], object]:
                retriever = LogicalRetriever(
                    store, GivenEmbedder(terms), k=K, semantics=semantics, evidence="dense", drop_excluded=False
                )
                return lambda: retriever.search(QUERY)

            first = np.asarray([terms["a"]], np.float32)
            tasks: dict[str, Callable[[], object]] = {
                "read": lambda count=count: read(path, count),  # type: ignore[misc]  # bound now
                "plain": lambda store=store, first=first: store.search(first, K),  # type: ignore[misc]  # as above
                "composed, itlr": searched("itlr"),
                "composed, calibrated": searched("calibrated"),
            }
            base = 0.0
            for name, task in tasks.items():
                task()
                seconds, used, gigabytes = measured(task, given.rounds)
                median, late = np.quantile(seconds, [0.5, 0.95])
                base = float(median) if name == "read" else base
                cells = f"{median:.2f} | {late:.2f} | {median / base:.2f} | {used:.2f} | {gigabytes:.1f}"
                print(f"| {count:,} | {name} | {cells} | {anonymous_mb():.0f} |", flush=True)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"\nmost memory, the file's pages among it: {most:.0f} MB")


if __name__ == "__main__":
    main()
