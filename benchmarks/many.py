"""Many questions at once beside one after the other: in memory, over Chroma and its client alone, over Spark.

python benchmarks/many.py [--documents 20000] [--questions 100] [--stores memory,chroma]
python benchmarks/many.py --stores spark   # two worker processes: seconds of all questions beside those of one

Documents and terms are synthetic, their vectors given, so that no encoder and no language model counts. Answers are
compared; a difference ends the run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever import ChromaStore, InMemoryStore, LogicalRetriever, SparkStore, Store, StoredDocument, parse
from logical_retriever.query import LogicalQuery
from logical_retriever.vectors import unit

DIMENSION = 384
LENGTH = 32
"""Documents in a list."""
WORDS = ("alder", "birch", "cedar", "elder", "hazel", "maple", "poplar", "rowan", "spruce", "willow")


class Given:
    """Encodes a text as a vector drawn by its own letters."""

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d)."""
        seeds = (np.random.default_rng(list(text.encode())) for text in texts)
        return unit(np.stack([seed.standard_normal(DIMENSION) for seed in seeds])).astype(np.float32)

    embed_documents = embed_queries


def documents(n: int) -> list[StoredDocument]:
    """Texts of a few of the words and a number."""
    draw = np.random.default_rng(0)
    chosen = draw.integers(0, len(WORDS), (n, 6))
    texts = (" ".join(WORDS[word] for word in words) for words in chosen)
    return [StoredDocument(f"d{row}", f"{text} {row}") for row, text in enumerate(texts)]


def queries(n: int) -> list[LogicalQuery]:
    """Queries with one exclusion each, of terms that repeat now and then."""
    draw = np.random.default_rng(1)
    return [
        parse(f'"{WORDS[a]} {WORDS[b]} {c}" AND NOT "{WORDS[d]} {c}"') for a, b, d, c in draw.integers(0, 10, (n, 4))
    ]


def measured(store: Store, asked: Sequence[LogicalQuery]) -> tuple[float, float]:
    """Milliseconds of processor time a query, one by one and together, after each was asked once."""
    retriever = LogicalRetriever(store, Given(), k=10)
    one_by_one = [retriever.search(query) for query in asked]
    started = time.process_time()
    one_by_one = [retriever.search(query) for query in asked]
    between = time.process_time()
    together = retriever.search_many(asked)
    ended = time.process_time()
    for one, other in zip(one_by_one, together, strict=True):
        if [(d.id, d.score) for d in one.documents] != [(d.id, d.score) for d in other.documents]:
            raise SystemExit(f"{one.searched}: the answers differ.")
    return 1000 * (between - started) / len(asked), 1000 * (ended - between) / len(asked)


def client_alone(store: ChromaStore, asked: Sequence[LogicalQuery]) -> tuple[float, float]:
    """Milliseconds of processor time a query that Chroma's own client takes for the lists of its terms."""
    vectors = [Given().embed_queries(query.terms()) for query in asked]
    store.read_nearest(vectors[0], LENGTH)
    started = time.process_time()
    for rows in vectors:
        store.read_nearest(rows, LENGTH)
    between = time.process_time()
    store.read_nearest(np.concatenate(vectors), LENGTH)
    ended = time.process_time()
    return 1000 * (between - started) / len(asked), 1000 * (ended - between) / len(asked)


def on_spark(held: Sequence[StoredDocument], vectors: npt.NDArray[np.float32], asked: Sequence[LogicalQuery]) -> None:
    """Print seconds of one question, and of all as one job, over a data frame in the workers' memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from spark_cluster import spark_cluster

    rows = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION).cast(pa.list_(pa.float32()))
    columns = {"id": [one.id for one in held], "text": [one.text for one in held], "vector": rows}
    with tempfile.TemporaryDirectory() as folder, spark_cluster(2, memory_mb=2048) as session:
        pq.write_table(pa.table(columns), f"{folder}/held.parquet")
        frame = session.read.parquet(folder).repartition(2).cache()
        store = SparkStore.from_dataframe(frame)
        retriever = LogicalRetriever(store, Given(), k=10, pushdown="always", evidence="dense", drop_excluded=False)
        retriever.search_many(asked)
        started = time.perf_counter()
        together = retriever.search_many(asked)
        ended = time.perf_counter()
        taken = []
        for query, result in zip(asked[:5], together[:5], strict=True):
            before = time.perf_counter()
            alone = retriever.search(query)
            taken.append(time.perf_counter() - before)
            if [(d.id, d.score) for d in alone.documents] != [(d.id, d.score) for d in result.documents]:
                raise SystemExit(f"{query}: the answers differ.")
        one, all_of_them = float(np.median(taken)), ended - started
        print(f"| Spark, by vectors | {one:.2f} s for one | {all_of_them:.2f} s for all | {all_of_them / one:.1f} |")


def main() -> None:
    """Print a row for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--stores", default="memory,chroma")
    arguments = parser.parse_args()
    held, asked = documents(arguments.documents), queries(arguments.questions)
    vectors = Given().embed_documents([document.text for document in held])
    print("| store | one by one, ms | together, ms | times |\n|---|---:|---:|---:|")
    for name in arguments.stores.split(","):
        if name == "spark":
            on_spark(held, vectors, asked)
            continue
        store: Store = InMemoryStore(held, vectors)
        if name == "chroma":
            import chromadb

            collection = chromadb.EphemeralClient().create_collection("many", metadata={"hnsw:space": "cosine"})
            for start in range(0, len(held), 5_000):
                part = held[start : start + 5_000]
                collection.add(
                    ids=[str(one.id) for one in part],
                    documents=[one.text for one in part],
                    embeddings=vectors[start : start + 5_000],
                )
            store = ChromaStore(collection)
        alone, together = measured(store, asked)
        print(f"| {name} | {alone:.1f} | {together:.1f} | {alone / together:.2f} |")
        if isinstance(store, ChromaStore):
            alone, together = client_alone(store, asked)
            print(f"| {name}, lists by its client | {alone:.1f} | {together:.1f} | {alone / together:.2f} |")


if __name__ == "__main__":
    main()
