"""Real vector stores filled with given vectors, for benchmarks: LangChain's wrappers, on this machine, no service."""

from __future__ import annotations

import tempfile
import uuid
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from postgres_server import postgres_server

KINDS = ("faiss", "qdrant", "lancedb", "chroma", "pgvector", "pgvector-hnsw")
"""FAISS Flat over vectors of length 1, Qdrant's :memory:, LanceDB without an index, Chroma embedded (HNSW), Postgres
without an index, and with one (HNSW)."""
PAGE = 2000

Vectors = npt.NDArray[np.float32]


class GivenEmbeddings(Embeddings):
    """Texts have the vectors they were given.

    Args:
        vectors: Vector of each text, shape (d,).
    """

    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        self.vectors = dict(vectors)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text; an unknown one, such as a background sentence, gets a random vector."""
        vector = self.vectors.get(text)
        if vector is None:
            dimension = len(next(iter(self.vectors.values())))
            vector = np.random.default_rng(len(text)).normal(size=dimension)
        return [float(x) for x in vector]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        return [self.embed_query(text) for text in texts]


@contextmanager
def opened(kind: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> Iterator[VectorStore]:
    """Open a vector store of these documents; row i has the id :func:`identity` (i).

    Args:
        kind: One of ``KINDS``.
        texts: N texts.
        vectors: Shape (N, d).
        embeddings: What the store encodes questions with.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if kind.startswith("pgvector"):
            with postgres_server() as address:
                store = _postgres(address, texts, vectors, embeddings)
                _settle(store, index=kind == "pgvector-hnsw")
                yield store
            return
        makers = {"faiss": _faiss, "qdrant": _qdrant, "lancedb": _lancedb, "chroma": filled_chroma}
        if kind not in makers:
            raise SystemExit(f"There is no store {kind!r}; known are exact, {', '.join(KINDS)}.")
        yield makers[kind](folder, texts, vectors, embeddings)


def identity(row: int) -> str:
    """Id of a document: a UUID, which is what Qdrant takes."""
    return str(uuid.UUID(int=row))


def _faiss(folder: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> VectorStore:  # noqa: ARG001  one form
    import faiss

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package says that it is no longer developed
        from langchain_community.docstore.in_memory import InMemoryDocstore
        from langchain_community.vectorstores.faiss import FAISS

    index = faiss.IndexFlatIP(vectors.shape[1])
    store = FAISS(embeddings, index, InMemoryDocstore(), {}, normalize_L2=True)
    for rows in _pages(len(texts)):
        pairs = [(texts[i], vectors[i]) for i in rows]
        store.add_embeddings(pairs, ids=[identity(i) for i in rows])
    return store


def _qdrant(folder: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> VectorStore:  # noqa: ARG001  one form
    from langchain_qdrant import QdrantVectorStore
    from qdrant_client import QdrantClient, models

    client = QdrantClient(":memory:")
    params = models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE)
    client.create_collection("documents", vectors_config=params)
    for rows in _pages(len(texts)):
        points = [
            models.PointStruct(id=identity(i), vector=vectors[i].tolist(), payload={"page_content": texts[i]})
            for i in rows
        ]
        client.upsert("documents", points)
    return QdrantVectorStore(client, "documents", embeddings)


def _lancedb(folder: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> VectorStore:
    import lancedb

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # as above
        from langchain_community.vectorstores import LanceDB

    connection = lancedb.connect(folder)
    rows = [
        {"id": identity(i), "vector": vectors[i], "text": text, "metadata": {"row": i}} for i, text in enumerate(texts)
    ]
    connection.create_table("documents", data=rows)
    return LanceDB(connection=connection, embedding=embeddings, table_name="documents")


def chroma_at(folder: str, embeddings: Embeddings) -> Any:
    """Open the Chroma collection "documents" in a folder."""
    from langchain_chroma import Chroma

    space: Any = {"hnsw": {"space": "cosine"}}
    return Chroma("documents", embeddings, persist_directory=folder, collection_configuration=space)


def filled_chroma(folder: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> Any:
    """Fill the Chroma collection "documents" in a folder and return it."""
    store = chroma_at(folder, embeddings)
    for rows in _pages(len(texts)):
        store._collection.add(
            ids=[identity(i) for i in rows], documents=[texts[i] for i in rows], embeddings=vectors[list(rows)]
        )
    return store


def _postgres(address: str, texts: Sequence[str], vectors: Vectors, embeddings: Embeddings) -> VectorStore:
    from langchain_postgres import PGVector
    from sqlalchemy import create_engine

    engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
    store = PGVector(embeddings, connection=engine, create_extension=False, embedding_length=vectors.shape[1])
    for rows in _pages(len(texts)):
        store.add_embeddings(
            [texts[i] for i in rows],
            [vectors[i].tolist() for i in rows],
            metadatas=[{} for _ in rows],
            ids=[identity(i) for i in rows],
        )
    return store


def _settle(store: Any, *, index: bool) -> None:
    """Give a table the statistics that it has after a while, and, if asked, an index of vectors as users make it."""
    from sqlalchemy import text

    with store.session_maker() as session:
        if index:
            session.execute(text("SET maintenance_work_mem = '1GB'"))
            session.execute(text("CREATE INDEX ON langchain_pg_embedding USING hnsw (embedding vector_cosine_ops)"))
        session.execute(text("ANALYZE"))
        session.commit()


def _pages(count: int) -> Iterator[range]:
    for start in range(0, count, PAGE):
        yield range(start, min(start + PAGE, count))
