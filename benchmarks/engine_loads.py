"""Vectors loaded into the engines of ``engines.py``: one context manager an engine, each with one table ``docs``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from postgres_server import postgres_server
from spark_cluster import spark_cluster
from sqlalchemy import create_engine

from logical_retriever.stores import SqlStore

Vectors = npt.NDArray[np.float32]
K = 10


@dataclass(frozen=True)
class Loaded:
    """An engine with the vectors in it.

    Attributes:
        store: The table as a store.
        plain: The engine's own exact query for one vector: a statement, with the vector as the parameter ``lr_v0``.
    """

    store: SqlStore
    plain: str


def loaded(connection: Any, table: str | tuple[str, str] = "docs") -> Loaded:
    """The table of an engine, and the query that its users would write."""
    store = SqlStore.from_table(connection, table, text="id", vector="e", metadata=())
    far = {"Postgres": "e <=> {}", "DuckDB": "- array_cosine_similarity(e, {})"}
    far |= {"ClickHouse": "cosineDistance(e, {})", "Spark SQL": "- vector_cosine_similarity(e, {})"}
    vector = store.dialect.vector.format(name="lr_v0", type=store.columns.vector.type)
    order = far[store.name].format(vector)
    return Loaded(store, f"SELECT id FROM {store.columns.table} ORDER BY {order} LIMIT {K}")


@contextmanager
def pgvector(vectors: Vectors) -> Iterator[Loaded]:
    """Postgres from a package; read by as many workers as there are processors."""
    import psycopg

    count, dimension = vectors.shape
    # Rows of PostgreSQL's binary COPY: number of fields, then each with its length; pgvector's own form of a vector.
    row = np.dtype(
        [
            ("fields", ">i2"),
            ("a", ">i4"),
            ("id", ">i4"),
            ("b", ">i4"),
            ("d", ">i2"),
            ("zero", ">i2"),
            ("e", ">f4", dimension),
        ]
    )
    with postgres_server() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE UNLOGGED TABLE docs (id int PRIMARY KEY, e vector({dimension}))")
        connection.execute("ALTER TABLE docs ALTER e SET STORAGE PLAIN")
        with connection.cursor() as cursor, cursor.copy("COPY docs FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for start in range(0, count, 10_000):
                part = vectors[start : start + 10_000]
                rows = np.zeros(len(part), row)
                rows["fields"], rows["a"], rows["b"], rows["d"] = 2, 4, 4 + 4 * dimension, dimension
                rows["id"], rows["e"] = np.arange(start, start + len(part)), part
                copy.write(rows.tobytes())
            copy.write(b"\xff\xff")
        connection.execute("VACUUM ANALYZE docs")

        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        yield loaded(engine)
        engine.dispose()


@contextmanager
def duckdb(vectors: Vectors) -> Iterator[Loaded]:
    """DuckDB in memory."""
    import duckdb
    import pyarrow as pa

    count, dimension = vectors.shape
    connection = duckdb.connect()
    rows = pa.table(  # noqa: F841  read by name
        {
            "id": pa.array(np.arange(count, dtype=np.int32)),
            "e": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimension),
        }
    )
    connection.execute("CREATE TABLE docs AS SELECT * FROM rows")
    yield loaded(connection)
    connection.close()


@contextmanager
def clickhouse(vectors: Vectors) -> Iterator[Loaded]:
    """ClickHouse in this process, its table on disk."""
    from chdb.session import Session

    count, dimension = vectors.shape
    # RowBinary: the length of an array stands before it in groups of seven bits.
    length = [(dimension & 127) | 128, dimension >> 7] if dimension > 127 else [dimension]
    row = np.dtype([("id", "<i4"), ("length", "u1", len(length)), ("e", "<f4", dimension)])
    with tempfile.TemporaryDirectory() as folder:
        session = Session(f"{folder}/data")
        session.query("CREATE DATABASE bench")
        session.query("CREATE TABLE bench.docs (id Int32, e Array(Float32)) ENGINE = MergeTree ORDER BY id")
        for start in range(0, count, 100_000):
            part = vectors[start : start + 100_000]
            rows = np.zeros(len(part), row)
            rows["id"], rows["length"], rows["e"] = np.arange(start, start + len(part)), length, part
            file = Path(folder) / "rows.bin"
            file.write_bytes(rows.tobytes())
            session.query(
                f"INSERT INTO bench.docs SELECT * FROM file('{file}', RowBinary, 'id Int32, e Array(Float32)')"
            )
        session.query("OPTIMIZE TABLE bench.docs FINAL")
        yield loaded(session, ("bench", "docs"))
        session.close()


@contextmanager
def spark(vectors: Vectors, workers: int = 2) -> Iterator[Loaded]:
    """Spark in processes of one core each, its table in their memory, in as many parts as there are processes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, dimension = vectors.shape
    memory = 1024 + 3 * vectors.nbytes // 2**20
    settings = {"spark.sql.shuffle.partitions": str(workers), "spark.driver.maxResultSize": "0"}
    with (
        tempfile.TemporaryDirectory() as folder,
        spark_cluster(workers, memory_mb=memory, settings=settings) as session,
    ):
        import pyarrow.parquet as pq

        rows = pa.table(
            {
                "id": pa.array(np.arange(count, dtype=np.int32)),
                "e": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimension).cast(
                    pa.list_(pa.float32())
                ),
            }
        )
        pq.write_table(rows, f"{folder}/docs.parquet", row_group_size=10_000)
        frame = session.read.parquet(f"{folder}/docs.parquet").repartition(workers).cache()
        frame.createOrReplaceTempView("docs")
        frame.count()
        yield loaded(session)
