"""Cost of logical search inside an engine, beside that engine's own exact query for the ten nearest of one vector.

``("a" OR "b") AND "c" AND NOT "d"`` over random vectors around 200 centres, evidence from vectors alone, ten documents.
Ratios are to the plain query:

- *score*: the statement that scores every row;
- *and "d"*: that and the nearest rows of the excluded vector, which a search asks for as well;
- *search*: all of ``LogicalRetriever.search``, by that statement or by lists; then how many of the ten are those
  of a search in memory.

All take turns, so that a busy machine slows all: medians, 95th percentiles in brackets, and medians of the ratios of
neighbours. Scores are compared with NumPy's.

    python benchmarks/engines.py [--documents 100000] [--rounds 15] [--engines pgvector duckdb ...]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from postgres_server import postgres_server
from rich.console import Console
from rich.table import Table
from spark_cluster import spark_cluster

from logical_retriever import InMemoryStore, LogicalRetriever, SqlStore, StoredDocument, parse
from logical_retriever.results import SearchResult
from logical_retriever.scoring import CalibratedSemantics, Evidence, NullModel
from logical_retriever.scoring.formula import score_formula
from logical_retriever.stores import ScoreExpression
from logical_retriever.stores.qdrant import QdrantPoints
from logical_retriever.testing.fakes import GivenEmbedder

Vectors = npt.NDArray[np.float32]
Opened = tuple[Any, Callable[[], object]]
"""A store, and its engine's own exact query for the nearest documents of a vector."""
QUERY, DIMENSION, K, FETCHED = parse('("a" OR "b") AND "c" AND NOT "d"'), 384, 10, 200
HEADS = ("engine", "plain ms", "score", "ratio", 'and "d"', "ratio", "search", "ratio", "same")


class Embedder(GivenEmbedder):
    """Random directions for the background sentences, which a small store's statistics want."""

    def embed_documents(self, texts: Any) -> Vectors:
        """Shape (N, d)."""
        return np.random.default_rng(0).normal(size=(len(texts), DIMENSION)).astype(np.float32)

    def embed_queries(self, texts: Any) -> Vectors:
        """Shape (T, d); an excluded term in the light of a wanted one, "a: b", has the sum of their vectors."""
        parts = ([self.vectors[part] for part in text.split(": ")] for text in texts)
        return np.array([np.sum(vectors, axis=0) for vectors in parts], np.float32)


def made(count: int) -> tuple[Vectors, Vectors]:
    """Documents of shape (N, d) and terms of shape (4, d), all of length 1."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(200, DIMENSION)).astype(np.float32)
    rows = centres[rng.integers(200, size=count)]
    rows += rng.standard_normal(rows.shape, dtype=np.float32) * np.float32(0.8)
    terms = centres[:4] + 0.5 * centres[4:8] + rng.normal(scale=0.5, size=(4, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows, (terms / np.linalg.norm(terms, axis=1, keepdims=True)).astype(np.float32)


def table(connection: Any, distance: str, vector: Vectors, name: str | tuple[str, str] = "docs") -> Opened:
    """Open an engine's table, with the query that its users would write."""
    store = SqlStore.from_table(connection, name, metadata=())
    mark = store.dialect.vector.format(name="lr_v0", type=store.columns.vector.type)
    plain = f"SELECT id FROM {store.columns.table} ORDER BY {distance.format('vector', mark)} LIMIT {K}"
    bound = store.compiler.bound(vector[None], [0])
    return store, lambda: store.answer((plain, bound))


@contextmanager
def pgvector(file: Path, vectors: Vectors, term: Vectors, index: str = "") -> Iterator[Opened]:  # noqa: ARG001  one form
    """Postgres from a package."""
    import psycopg
    from pgvector.psycopg import register_vector
    from sqlalchemy import create_engine

    with postgres_server() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            register_vector(connection)
            cursor = connection.cursor()
            cursor.execute(f"CREATE UNLOGGED TABLE docs (id int PRIMARY KEY, text text, vector vector({DIMENSION}))")
            cursor.execute("ALTER TABLE docs ALTER vector SET STORAGE PLAIN")
            with cursor.copy("COPY docs FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(["int4", "text", "vector"])
                for i, vector in enumerate(vectors):
                    copy.write_row((i, "", vector))
            cursor.execute(f"SET maintenance_work_mem = '1GB'; {index}")
            cursor.execute("VACUUM ANALYZE docs")
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        yield table(engine, "{} <=> {}", term)
        engine.dispose()


@contextmanager
def pgvector_hnsw(file: Path, vectors: Vectors, term: Vectors) -> Iterator[Opened]:
    """Open a pgvector table with an HNSW index, used by lists and by the plain query."""
    with pgvector(file, vectors, term, "CREATE INDEX ON docs USING hnsw (vector vector_cosine_ops)") as opened:
        yield opened


@contextmanager
def duckdb(file: Path, vectors: Vectors, term: Vectors) -> Iterator[Opened]:  # noqa: ARG001  one form
    """DuckDB in memory."""
    import duckdb

    with duckdb.connect() as connection:
        rows = f"SELECT * REPLACE (vector::FLOAT[{DIMENSION}] AS vector) FROM read_parquet('{file}')"
        connection.execute(f"CREATE TABLE docs AS {rows}")
        yield table(connection, "- array_cosine_similarity({}, {})", term)


@contextmanager
def clickhouse(file: Path, vectors: Vectors, term: Vectors) -> Iterator[Opened]:  # noqa: ARG001  one form
    """ClickHouse in this process, its table on disk."""
    from chdb.session import Session

    with tempfile.TemporaryDirectory() as folder, closing(Session(f"{folder}/data")) as session:
        session.query("CREATE DATABASE bench")
        session.query("CREATE TABLE bench.docs (id Int32, text String, vector Array(Float32)) ORDER BY id")
        session.query(f"INSERT INTO bench.docs SELECT * FROM file('{file}')")
        session.query("OPTIMIZE TABLE bench.docs FINAL")
        yield table(session, "cosineDistance({}, {})", term, ("bench", "docs"))


@contextmanager
def spark(file: Path, vectors: Vectors, term: Vectors, workers: int = 2) -> Iterator[Opened]:
    """Spark in two worker processes of one core each, its table in their memory."""
    settings = {"spark.sql.shuffle.partitions": str(workers), "spark.driver.maxResultSize": "0"}
    with spark_cluster(workers, memory_mb=1024 + 3 * vectors.nbytes // 2**20, settings=settings) as session:
        frame = session.read.parquet(str(file)).repartition(workers).cache()
        frame.createOrReplaceTempView("docs")
        frame.count()
        yield table(session, "- vector_cosine_similarity({}, {})", term)


@contextmanager
def qdrant(file: Path, vectors: Vectors, term: Vectors) -> Iterator[Opened]:  # noqa: ARG001  one form
    """Qdrant without a server, which its makers mean for tests."""
    from qdrant_client import QdrantClient, models

    client = QdrantClient(":memory:")
    params = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    client.create_collection("docs", vectors_config=params)
    client.upload_collection("docs", vectors, ids=range(len(vectors)))
    store = QdrantPoints(client, "docs", None, lambda point: StoredDocument(point.id, ""))
    yield store, lambda: client.query_points("docs", query=term, limit=K)


@contextmanager
def memory(file: Path, vectors: Vectors, term: Vectors) -> Iterator[Opened]:  # noqa: ARG001  one form
    """NumPy in this process."""
    yield in_memory(vectors), lambda: best(vectors @ term)


ENGINES = {
    "pgvector": pgvector,
    "pgvector-hnsw": pgvector_hnsw,
    "clickhouse": clickhouse,
    "spark": spark,
    "duckdb": duckdb,
    "qdrant": qdrant,
    "memory": memory,
}


def in_memory(vectors: Vectors) -> InMemoryStore:
    """All of them in this process."""
    return InMemoryStore([StoredDocument(i, "") for i in range(len(vectors))], vectors)


def best(scores: npt.NDArray[np.floating[Any]]) -> list[int]:
    """Rows of the K greatest scores, best first; equal ones by the text of their numbers, as engines order them."""
    nearest = np.argpartition(-scores, K)[: K + 1]
    return sorted(nearest.tolist(), key=lambda row: (-scores[row], str(row)))[:K]


def in_turns(rounds: int, *tasks: Callable[[], object]) -> npt.NDArray[np.float64]:
    """Milliseconds of each task in each round, shape (rounds, tasks); a first round does not count."""
    times = np.zeros((rounds + 1, len(tasks)))
    for row in times:
        for i, task in enumerate(tasks):
            start = time.perf_counter()
            task()
            row[i] = (time.perf_counter() - start) * 1000
    return times[1:]


def measured(
    opened: Opened, terms: Vectors, formula: str, expected: list[int], true: set[int], rounds: int
) -> list[str]:
    """Measure one engine; return its cells of the table."""
    store, plain = opened
    embedder = Embedder(dict(zip("abcd", terms, strict=True)))
    retriever = LogicalRetriever(store, embedder, k=K, words=0, words_index=False)

    def search() -> SearchResult:
        return retriever.search(QUERY)

    result, tasks = search(), [plain, search]
    if result.cost.strategy == "engine":
        expression, excluded = ScoreExpression(formula, terms), terms[3:]
        answer = list(store.search_by_score(expression, K).ids)
        if answer != expected:
            raise SystemExit(f"{store.name} found {answer}, NumPy {expected}")

        def with_excluded() -> None:
            store.search_by_score(expression, FETCHED)
            store.search(excluded, K)

        tasks[1:1] = [lambda: store.search_by_score(expression, FETCHED), with_excluded]
    times = in_turns(rounds, *tasks)
    middle, high = np.median(times, axis=0), np.percentile(times, 95, axis=0)
    ratios = np.median(times / times[:, :1], axis=0)
    cells = [f"{m:.0f} ({h:.0f})" for m, h in zip(middle, high, strict=True)]
    pairs = [cell for i in range(1, len(tasks)) for cell in (cells[i], f"{ratios[i]:.2f}")]
    shared = len(true & {document.id for document in result.documents})
    return [cells[0], *([""] * (6 - len(pairs))), *pairs, str(shared)]


def main() -> None:
    """Load, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--engines", nargs="*", choices=list(ENGINES), default=list(ENGINES))
    options = parser.parse_args()
    import pyarrow as pa
    import pyarrow.parquet as pq

    vectors, terms = made(options.documents)
    semantics, nulls = CalibratedSemantics(), NullModel.fit(vectors[:5000]).of(terms)
    evidence = Evidence(QUERY.terms(), (terms @ vectors.T).astype(np.float64), nulls)
    expected = best(semantics.compose(QUERY, evidence))
    formula = score_formula(QUERY, semantics, QUERY.terms(), nulls)
    here = LogicalRetriever(in_memory(vectors), Embedder(dict(zip("abcd", terms, strict=True))), k=K, words=0)
    true = {int(document.id) for document in here.search(QUERY).documents}
    shown = Table(*HEADS, title=f"{len(vectors)} documents, {DIMENSION} dimensions, {options.rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        file, lists = Path(folder) / "rows.parquet", pa.FixedSizeListArray.from_arrays(vectors.ravel(), DIMENSION)
        rows = {"id": pa.array(range(len(vectors)), pa.int32()), "text": [""] * len(vectors)}
        pq.write_table(pa.table({**rows, "vector": lists.cast(pa.list_(pa.float32()))}), file, row_group_size=10_000)
        for name in options.engines:
            with ENGINES[name](file, vectors, terms[0]) as opened:
                shown.add_row(name, *measured(opened, terms, formula, expected, true, options.rounds))
    Console(width=150).print(shown)


if __name__ == "__main__":
    main()
