"""Shards: what merging costs beside the slowest of them, and answers while one is killed at random moments.

python benchmarks/shards.py                # both; make bench-shards
python benchmarks/shards.py --kills 200 --documents 20000

Both print a table of docs/scale.md.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from served_store import served

from logical_retriever import LogicalRetriever
from logical_retriever.stores import DuckDBStore, InMemoryStore, ShardedStore, Store, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.embedders import GivenEmbedder
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.vectors import Vectors

QUERY = '("a" OR "b") AND "c" AND NOT "d"'
DIMENSION = 384
SHARDS = 4
REPEATS = 15
TIMEOUT = 1.0


def corpus(count: int) -> tuple[list[StoredDocument], Vectors]:
    """Documents around 200 centres."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(200, DIMENSION)).astype(np.float32)
    vectors = centres[rng.integers(0, 200, count)] + rng.normal(size=(count, DIMENSION)).astype(np.float32)
    return [StoredDocument(f"d{i}", f"text {i}") for i in range(count)], vectors


def tables(folder: Path, documents: Sequence[StoredDocument], vectors: Vectors, stack: ExitStack) -> list[Store]:
    """A file of DuckDB for each shard."""
    import duckdb
    import pyarrow as pa

    made: list[Store] = []
    for shard in range(SHARDS):
        connection = stack.enter_context(duckdb.connect(str(folder / f"{shard}.duckdb")))
        connection.execute("SET threads = 1")
        part = documents[shard::SHARDS]
        rows = pa.table(  # noqa: F841  read by name
            {
                "id": pa.array([document.id for document in part]),
                "text": pa.array([document.text for document in part]),
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors[shard::SHARDS].ravel()), DIMENSION),
            }
        )
        connection.execute("CREATE TABLE docs AS SELECT * FROM rows")
        made.append(DuckDBStore.from_table(connection, "docs"))
    return made


def milliseconds(retriever: LogicalRetriever) -> float:
    """One search."""
    started = time.perf_counter()
    retriever.search(QUERY)
    return 1000.0 * (time.perf_counter() - started)


def merging(documents: Sequence[StoredDocument], vectors: Vectors) -> None:
    """What the merged answer takes beside all shards asked at once, each for its own answer."""
    rng = np.random.default_rng(1)
    embedder = GivenEmbedder({name: vectors[i] + rng.normal(size=DIMENSION) for i, name in enumerate("abcd")})
    print("| shards | searched | slowest shard ms | merged ms | more ms | more % |\n|---|---|---:|---:|---:|---:|")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kinds: dict[str, tuple[list[Store], dict[str, str]]] = {
            "DuckDB, a file each": (tables(folder, documents, vectors, stack), {"pushdown": "always"}),
            "in memory, lists": (
                [WithoutScan(InMemoryStore(documents[i::SHARDS], vectors[i::SHARDS])) for i in range(SHARDS)],
                {"pushdown": "never"},
            ),
        }
        for name, (stores, options) in kinds.items():

            def over(store: Store, options: dict[str, str] = options) -> LogicalRetriever:
                return LogicalRetriever(store, embedder, k=10, semantics="itlr", evidence="dense", **options)  # type: ignore[arg-type]  # settings by name

            merged, alone = over(ShardedStore(stores)), [over(store) for store in stores]
            times: list[tuple[float, float]] = []
            for _ in range(REPEATS):
                together = [0.0] * SHARDS

                def one(shard: int, together: list[float] = together, alone: list[LogicalRetriever] = alone) -> None:
                    together[shard] = milliseconds(alone[shard])

                threads = [threading.Thread(target=one, args=(shard,)) for shard in range(SHARDS)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                times.append((max(together), milliseconds(merged)))
            slowest, whole = (statistics.median(row[i] for row in times[2:]) for i in (0, 1))
            more = whole - slowest
            cells = f"{slowest:.1f} | {whole:.1f} | {more:.1f} | {100 * more / slowest:.0f}"
            print(f"| {name} | {options['pushdown']} | {cells} |")


def killing(kills: int, seed: int = 5) -> None:
    """Kill one of four shards at random moments of a search, and compare what is said with what is true."""
    chance, embedder = random.Random(seed), HashingEmbedder(32)
    words = ("green tea", "brewing", "health", "coffee", "sleep")
    documents = [StoredDocument(f"d{i:04}", f"{words[i % 5]} and {words[i * 7 % 3]} {i}") for i in range(400)]
    vectors = embedder.embed_documents([document.text for document in documents])
    query, counted, longest = '"green tea" AND NOT "brewing"', Counter[str](), 0.0

    def over(store: Store) -> LogicalRetriever:
        return LogicalRetriever(store, embedder, k=5, evidence="dense", fetch_k=10)

    true = [d.id for d in over(InMemoryStore(documents, vectors)).search(query).documents]
    for turn in range(kills):
        with ExitStack() as stack:
            parts = [(documents[i::SHARDS], vectors[i::SHARDS]) for i in range(SHARDS)]
            lost = chance.randrange(SHARDS)
            mortal = stack.enter_context(served(*parts[lost]))
            shards: list[Store] = [mortal if i == lost else InMemoryStore(*parts[i]) for i in range(SHARDS)]
            by_lists, stops = turn % 2 == 1, turn % 4 >= 2
            retriever = over(ShardedStore([WithoutScan(s) for s in shards] if by_lists else shards, timeout=TIMEOUT))
            retriever.search(query)
            end = threading.Timer(chance.uniform(0.0, 0.06), mortal.stop if stops else mortal.kill)
            end.start()
            exact = True
            others = [id for id in true if id not in {document.id for document in parts[lost][0]}]
            while exact:
                started = time.perf_counter()
                result = retriever.search(query)
                longest = max(longest, time.perf_counter() - started)
                exact, found = result.exact, [document.id for document in result.documents]
                if exact:
                    counted["exact, and true" if found == true else "exact, and WRONG"] += 1
                elif f"shard {lost + 1} of {SHARDS}" not in result.reason:
                    counted["not exact, without SAYING which shard"] += 1
                elif not set(others) <= set(found):
                    counted["that lack documents of OTHER shards"] += 1
                else:
                    counted["not exact, with the shard that is missing and the best of the others"] += 1
            end.join()
    print(f"\n{kills} shards ended, half of them killed and half stopped, the time limit {TIMEOUT:g} s:\n")
    for what, times in counted.most_common():
        print(f"- {times} answers {what}")
    print(f"- the longest search took {longest:.2f} s")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    given = parser.parse_args()
    if given.documents:
        merging(*corpus(given.documents))
    if given.kills:
        killing(given.kills)


if __name__ == "__main__":
    main()
