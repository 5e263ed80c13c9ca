"""Cost of a search through ``LogicalRetriever`` with the scores computed by the store's engine, and without.

``("a" OR "b") AND "c" AND NOT "d"`` over random vectors around 200 centres, evidence from vectors alone, ten documents.
"Pushed down" is one statement and the best documents read back; "lists" is the same store without its engine: the
nearest documents of each text. The two take turns; medians. The last row is the same search over all vectors in this
process. ``engines.py`` measures the statements alone.

    python benchmarks/pushdown.py [--documents 100000] [--rounds 5] [--engines duckdb clickhouse pgvector]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from engines import DIMENSION, QUERY, interleaved, make
from postgres_server import postgres_server
from rich.console import Console
from rich.table import Table

from logical_retriever import InMemoryStore, LogicalRetriever, SqlStore, Store, StoredDocument
from logical_retriever.results import SearchResult
from logical_retriever.semantics import CalibratedSemantics, Semantics
from logical_retriever.testing.fakes import GivenEmbedder

Vectors = npt.NDArray[np.float32]
SEMANTICS: tuple[Semantics, ...] = (CalibratedSemantics(words=0),)
PART = 10_000
K = 10


@contextmanager
def duckdb(vectors: Vectors) -> Iterator[Store]:
    """A table in memory."""
    import duckdb
    import pyarrow as pa

    with duckdb.connect() as connection:
        rows = pa.table(  # noqa: F841  read by name
            {
                "id": pa.array([f"d{i:07}" for i in range(len(vectors))]),
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION),
            }
        )
        connection.execute("CREATE TABLE docs AS SELECT id, '' AS text, vector FROM rows")
        yield SqlStore.from_table(connection, "docs")


@contextmanager
def clickhouse(vectors: Vectors) -> Iterator[Store]:
    """A table on disk, the engine in this process."""
    from chdb.session import Session

    with tempfile.TemporaryDirectory() as folder, Session(f"{folder}/data") as session:
        session.query("CREATE DATABASE bench")
        session.query("CREATE TABLE bench.docs (id String, text String, vector Array(Float32)) ORDER BY id")
        file = Path(folder) / "rows.bin"
        row = np.dtype(
            [("size", "u1"), ("id", "S8"), ("text", "u1"), ("length", "u1", 2), ("vector", "<f4", DIMENSION)]
        )
        for start in range(0, len(vectors), PART):
            part = vectors[start : start + PART]
            rows = np.zeros(len(part), row)
            rows["size"], rows["length"] = 8, [(DIMENSION & 127) | 128, DIMENSION >> 7]
            rows["id"], rows["vector"] = [f"d{i:07}" for i in range(start, start + len(part))], part
            file.write_bytes(rows.tobytes())
            columns = "id String, text String, vector Array(Float32)"
            session.query(f"INSERT INTO bench.docs SELECT * FROM file('{file}', RowBinary, '{columns}')")
        session.query("OPTIMIZE TABLE bench.docs FINAL")
        yield SqlStore.from_table(session, ("bench", "docs"))


@contextmanager
def pgvector(vectors: Vectors) -> Iterator[Store]:
    """Postgres from a package, under LangChain's PGVectorStore, with an HNSW index as its users have."""
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_postgres import PGEngine, PGVectorStore
    from sqlalchemy import create_engine

    from langchain_logical_retriever.stores import as_store

    with postgres_server() as address:
        url = address.replace("postgresql://", "postgresql+psycopg://")
        engine = PGEngine.from_connection_string(url)
        id_column = {"name": "langchain_id", "data_type": "TEXT", "nullable": False}
        engine.init_vectorstore_table("docs", DIMENSION, id_column=id_column)
        writer = create_engine(url)
        raw = writer.raw_connection()
        with raw.cursor() as cursor:
            cursor.execute("ALTER TABLE docs ALTER embedding SET STORAGE PLAIN")
            with cursor.copy("COPY docs (langchain_id, content, embedding) FROM STDIN") as copy:
                for i, vector in enumerate(vectors):
                    copy.write_row((f"d{i:07}", "", f"[{','.join(map(str, vector.tolist()))}]"))
        raw.commit()
        with raw.cursor() as cursor:
            cursor.execute("SET maintenance_work_mem = '1GB'")
            cursor.execute("CREATE INDEX ON docs USING hnsw (embedding vector_cosine_ops)")
            cursor.execute("ANALYZE docs")
        raw.commit()
        raw.close()
        writer.dispose()
        yield as_store(PGVectorStore.create_sync(engine, DeterministicFakeEmbedding(size=DIMENSION), "docs"))
        asyncio.run(engine.close())


ENGINES = {"duckdb": duckdb, "clickhouse": clickhouse, "pgvector": pgvector}


def main() -> None:
    """Load, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engines", nargs="*", choices=list(ENGINES), default=list(ENGINES))
    options = parser.parse_args()
    vectors, terms = make(options.documents)
    given = dict(zip(QUERY.terms(), terms, strict=True))
    here = InMemoryStore([StoredDocument(f"d{i:07}", "") for i in range(len(vectors))], vectors)
    columns = ("store", "semantics", "pushed down ms", "lists ms", "ratio", "lists read", "of ten the same")
    shown = Table(*columns, title=f"{len(vectors)} documents")
    for name in options.engines:
        with ENGINES[name](vectors) as store:
            for semantics in SEMANTICS:
                there, lists = (_searching(kind, semantics, given) for kind in (store, without_engine(store)))
                found, read = there(), lists()
                pushed, listed, ratio = interleaved(options.rounds, there, lists)
                assert (found.cost.strategy, read.cost.strategy) == ("engine", "nearest")
                shared = len({d.id for d in found.documents} & {d.id for d in read.documents})
                shown.add_row(
                    name,
                    semantics.name,
                    f"{pushed:.0f}",
                    f"{listed:.0f}",
                    f"{ratio:.1f}",
                    f"{read.cost.vectors} documents in {read.cost.requests} requests",
                    str(shared),
                )
    *times, _ = interleaved(options.rounds, *(_searching(here, semantics, given) for semantics in SEMANTICS))
    for semantics, time in zip(SEMANTICS, times, strict=True):
        shown.add_row("in this process", semantics.name, "", f"{time:.0f}", "", "", "")
    Console(width=140).print(shown)


def without_engine(store: Store) -> Any:
    """The same store, whose engine cannot express any query."""
    can = replace(store.capabilities, exact_search=False)
    lists = copy(store)
    lists.__class__ = type("Lists", (type(store),), {"capabilities": can})
    return lists


def _searching(store: Any, semantics: Semantics, given: dict[str, Vectors]) -> Callable[[], SearchResult]:
    class Embedder(GivenEmbedder):
        """Random directions for background sentences, which a small store's statistics want."""

        def embed_documents(self, texts: list[str]) -> Vectors:  # type: ignore[override]
            return np.random.default_rng(0).normal(size=(len(texts), DIMENSION)).astype(np.float32)

    retriever = LogicalRetriever(store, Embedder(given), semantics=semantics, k=K)
    return lambda: retriever.search(QUERY)


if __name__ == "__main__":
    main()
