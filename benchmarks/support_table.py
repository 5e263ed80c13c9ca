"""Tables of stores and engines, from the adapters' capability records and the compilers.

python benchmarks/support_table.py           # print them
python benchmarks/support_table.py --write   # write them into docs/stores.md, and the short one into README.md
"""

from __future__ import annotations

import importlib
import sys
from typing import NamedTuple, get_args

from pages import README, ROOT, write

from logical_retriever.compile.registry import COMPILERS, compiler_class
from logical_retriever.lab.support import support_table as engine_table
from logical_retriever.query import Operator
from logical_retriever.stores import (
    ALL_OPERATORS,
    Capabilities,
    ChromaStore,
    ClickHouseStore,
    DuckDBStore,
    InMemoryStore,
    SeekdbStore,
    ShardedStore,
    SparkStore,
    SQLiteStore,
)

PAGE = ROOT / "docs" / "stores.md"
HEADER = (
    "store",
    "class",
    "search",
    "in order of cosine",
    "vectors",
    "scan",
    "filters",
    "conditions",
    "words",
    "tested with",
)


class Supported(NamedTuple):
    """A row: the class that users have, the best that it can do, and what the conformance suite runs over."""

    wrapper: str
    capabilities: Capabilities
    tested: str
    finds: bool = False  # whether its filters find what conditions may hold of, to be decided here


CORE = (
    Supported("logical_retriever.InMemoryStore", InMemoryStore.capabilities, "itself"),
    Supported("logical_retriever.ChromaStore", ChromaStore.capabilities, "embedded; l2, cosine, ip"),
    Supported("logical_retriever.DuckDBStore", DuckDBStore.capabilities, "in memory"),
    Supported("logical_retriever.ClickHouseStore", ClickHouseStore.capabilities, "embedded (chdb)"),
    Supported("logical_retriever.SparkStore", SparkStore.capabilities, "Spark 4.3, two worker processes"),
    Supported("logical_retriever.SeekdbStore", SeekdbStore.capabilities, "the server of pylibseekdb 1.4"),
    Supported("logical_retriever.SQLiteStore", SQLiteStore.capabilities, "sqlite-vec, tables and vec0"),
    Supported(
        "logical_retriever.ShardedStore",
        ShardedStore.capabilities,
        "the stores above, and processes that are killed; it can do what its weakest shard can",
    ),
)

ANSWERS = "answers in the documented form"
# Class of vector store, its adapter, what the suite runs over.
LANGCHAIN = (
    ("langchain_core.vectorstores.in_memory.InMemoryVectorStore", "in_memory:InMemoryVectorStoreAdapter", "itself"),
    ("langchain_chroma.vectorstores.Chroma", "chroma:ChromaAdapter", "embedded and over HTTP; l2, cosine, ip"),
    (
        "langchain_community.vectorstores.faiss.FAISS",
        "faiss:FAISSAdapter",
        "Flat and HNSW; L2, IP, scaled. In order of cosine with normalize_L2",
    ),
    ("langchain_qdrant.qdrant.QdrantVectorStore", "qdrant:QdrantAdapter", "in memory and on disk; cosine, dot, Euclid"),
    ("langchain_postgres.vectorstores.PGVector", "pgvector:PGVectorAdapter", "Postgres 18; cosine, L2, IP"),
    (
        "langchain_postgres.v2.vectorstores.PGVectorStore",
        "pgvector:PGVectorStoreAdapter",
        "Postgres 18; cosine, L2, IP, HNSW",
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
        "elasticsearch:ElasticsearchAdapter",
        f"its client, {ANSWERS}",
    ),
    (
        "langchain_community.vectorstores.opensearch_vector_search.OpenSearchVectorSearch",
        "opensearch:OpenSearchAdapter",
        f"its client, {ANSWERS}",
    ),
    ("langchain_core.vectorstores.base.VectorStore", "fallback:FallbackAdapter", "a class of the tests"),
)

LLAMA_INDEX = (
    ("llama_index.core.vector_stores.simple.SimpleVectorStore", "simple:SimpleVectorStoreAdapter", "itself"),
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
    ("llama_index.vector_stores.postgres.base.PGVectorStore", "postgres:PGVectorStoreAdapter", "Postgres 18; HNSW"),
    (
        "llama_index.core.vector_stores.types.BasePydanticVectorStore",
        "reembedding:ReembeddingStore",
        "a class of the tests",
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
    """The table, from the records as they are."""
    lines = [HEADER, ("---",) * len(HEADER), *map(_cells, supported())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def engines() -> str:
    """Operators that each engine can be told to compute, from the compilers as they are."""
    return engine_table([compiler_class(name) for name in COMPILERS])


class Engine(NamedTuple):
    """How far an engine that computes scores was tried, beyond what its records say.

    Attributes:
        name: As its compiler calls it.
        row: Of the store with the most.
        live: What the tests run it on.
        nodes: Several nodes or shards.
        missing: What happens without one of them.
    """

    name: str
    row: Supported
    live: str
    nodes: Shown
    missing: Shown


class Shown(NamedTuple):
    """A cell, and the test that shows it: ``file::name``, or None where nothing was to be tried.

    Attributes:
        what: The cell.
        test: Below ``tests`` or ``integrations``; the tests see to it that it is there.
    """

    what: str
    test: str | None = None


LIVE = "tests/stores/test_shards_live.py::test_three_shards_answer_as_one_and_one_that_is_gone_is_named"
POSTGRES = "integrations/langchain/tests/stores/test_shards_postgres.py::"
SEARCH_ENGINES = "integrations/langchain/tests/stores/test_suite_search_engines.py::"
THREE = Shown("three, as shards", LIVE)
NAMED = Shown("a shard that is gone is named", LIVE)


def scoring() -> list[Engine]:
    """Engines that are told a query, from the adapters' records and the compilers."""
    rows = {row.capabilities.name: row for row in supported() if not row.wrapper.startswith("llama_index")}
    killed = "test_servers_score_their_own_and_one_that_is_killed_is_named"
    workers = "tests/stores/test_suite_spark_workers.py::"
    part = Shown("an error that says so", f"{SEARCH_ENGINES}test_an_answer_for_a_part_of_the_index_is_no_answer")
    return [
        Engine(
            "pgvector",
            rows["PGVectorStore"],
            "Postgres 18",
            Shown("three servers, as shards", POSTGRES + killed),
            Shown("a server that is killed is named", POSTGRES + killed),
        ),
        Engine("DuckDB", rows["DuckDB"], "in memory, in files", THREE, NAMED),
        Engine("ClickHouse", rows["ClickHouse"], "chdb", Shown(f"{THREE.what}; no cluster", LIVE), NAMED),
        Engine(
            "Qdrant",
            rows["Qdrant"],
            "qdrant-edge; candidates in local mode",
            Shown("cannot: local mode has no shards"),
            Shown("not tried"),
        ),
        *(
            Engine(name, rows[name], "cannot: no server in a package", Shown("no"), part)
            for name in ("Elasticsearch", "OpenSearch")
        ),
        Engine("seekdb", rows["seekdb"], "pylibseekdb 1.4", THREE, NAMED),
        Engine("SQLite", rows["SQLite"], "sqlite-vec", THREE, NAMED),
        Engine(
            "Spark SQL",
            rows["Spark SQL"],
            "Spark 4.3",
            Shown(
                "two and four worker processes",
                "tests/compile/test_spark.py::test_the_scores_are_computed_by_several_processes",
            ),
            Shown(
                "of a killed worker, the others compute all",
                f"{workers}test_a_worker_that_is_killed_is_done_without",
            ),
        ),
    ]


CANNOT = (
    ("Chroma", "a query is one vector; arithmetic of several is refused by embedded and served Chroma 1.5"),
    ("Milvus", "hybrid search has weights and ranks alone; the reranker 'expr' is refused (Milvus Lite 3.2)"),
    ("Weaviate", "scores of several vectors are joined by minimum, sum or weights, not by products"),
    ("Pinecone", "a query is one vector"),
    ("FAISS, InMemoryStore, LlamaIndex's SimpleVectorStore", "nothing to tell: they are in this process, and scanned"),
    ("LanceDB", "could: its SQL has cosines and arithmetic (2.5 to 3 plain queries); no compiler is written"),
    ("Valkey", "could, but for vectors of zeros, which its search module (2.10) leaves out; no compiler is written"),
)
"""Engines that are told no query, each with the reason."""


def nodes() -> str:
    """Engines that compute scores: how far each was tried; and those that do not, with the reason."""
    lines = [
        "| engine | compiled | live in the tests | several nodes | conditions | words | without a node |",
        "|---|---|---|---|---|---|---|",
    ]
    for engine in scoring():
        cells = (
            engine.name,
            ", ".join(compiler_class(engine.name).fidelities),
            engine.live,
            engine.nodes.what,
            _conditions(engine.row),
            _words(engine.row.capabilities),
            engine.missing.what,
        )
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| told no query | because |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {reason} |" for name, reason in CANNOT)])


def families() -> str:
    """The README's table: stores of which the same is to be said, together."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for row in supported():
        can = row.capabilities
        cells = (
            "proved" if can.exact_search else "as good as its index" if can.stored_vectors else "as good as its search",
            "every text" if can.indexes_words else "lists" if can.words is not None else "of what vectors find",
            "in its filters" if can.conditions else "decided here",
            "live" if can.live_verified else "by its documented answers",
        )
        rows.setdefault(cells, []).append(can.name)
    lines = ["| stores | the best k | words | conditions | tested |", "|---|---|---|---|---|"]
    for cells, names in rows.items():
        lines.append(f"| {' | '.join((', '.join(dict.fromkeys(names)), *cells))} |")
    return "\n".join(lines)


def _cells(row: Supported) -> tuple[str, ...]:
    can = row.capabilities
    return (
        can.name,
        f"`{row.wrapper}`",
        "exact" if can.exact_search else "approximate",
        _yes(can.cosine_order),
        "stored" if can.stored_vectors else "encoded again",
        _yes(can.scan),
        _yes(can.filters),
        _conditions(row),
        _words(can),
        row.tested if can.live_verified else f"{row.tested}; not verified live",
    )


def _conditions(row: Supported) -> str:
    """Operators that the store's own filters say; the others are decided on the documents' metadata."""
    can = row.capabilities
    if can.conditions >= ALL_OPERATORS:
        return "all in its filters"
    said = [name for name in get_args(Operator) if name in can.conditions]
    return (
        f"{' '.join(said)} in its filters"
        if said
        else f"{'found by its filters, ' if row.finds else ''}decided locally"
    )


def _words(can: Capabilities) -> str:
    return "every text" if can.indexes_words else "lists" if can.words is not None else "of candidates"


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _supported(adapters: str, wrapper: str, adapter: str, tested: str) -> Supported:
    module, _, name = adapter.partition(":")
    cls = getattr(importlib.import_module(f"{adapters}.{module}"), name)
    package, *_, short = wrapper.split(".")
    return Supported(f"{package} {short}", cls.capabilities, tested, hasattr(cls, "superset_filter"))


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write(PAGE, stores=table(), engines=engines(), nodes=nodes())
        write(README, stores=families())
    else:
        print(table(), engines(), nodes(), families(), sep="\n\n")
