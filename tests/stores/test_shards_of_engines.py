"""Shards in files of real engines: merged here, or read by one engine as one table; and what can be wrong with them."""

import uuid

import chdb.session
import chromadb
import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from logical_retriever.errors import ShardError
from logical_retriever.query import parse
from logical_retriever.stores import ChromaStore, ClickHouseStore, DuckDBStore, InMemoryStore, ShardedStore
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.ranking_suite import DIMENSION, corpus, over

COUNT, SHARDS, K = 90, 3, 8
DOCUMENTS, VECTORS = corpus(lambda i: f"d{i:03}", COUNT)
PARTS = [(DOCUMENTS[i::SHARDS], VECTORS[i::SHARDS]) for i in range(SHARDS)]
QUERY = parse('("a" OR "b") AND "c" AND NOT "d"')


def found(store, k=K, **settings):
    return over(store, letters(), k=k, **settings).search(QUERY)


def ids(result):
    return [document.id for document in result.documents]


EXPECTED = ids(found(InMemoryStore(DOCUMENTS, VECTORS)))


def arrow(documents, vectors):
    return pa.table(
        {
            "id": pa.array([document.id for document in documents], pa.string()),
            "text": pa.array([document.text for document in documents], pa.string()),
            "vector": pa.array(vectors.tolist(), pa.list_(pa.float32())),
        }
    )


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    """The shards as files."""
    folder = tmp_path_factory.mktemp("shards")
    for i, part in enumerate(PARTS):
        pq.write_table(arrow(*part), folder / f"{i}.parquet")
    return folder


@pytest.fixture
def duck_files(tmp_path):
    """The shards as databases of DuckDB, opened for reading alone; some are made anew by tests."""
    connections = []

    def make(parts, vector="vector"):
        stores = []
        for part in parts:
            path = str(tmp_path / f"{uuid.uuid4().hex}.duckdb")
            with duckdb.connect(path) as connection:
                rows = arrow(*part)  # noqa: F841  read by name
                connection.execute(f"CREATE TABLE docs AS SELECT id, text, vector::FLOAT[{DIMENSION}] AS v FROM rows")
                connection.execute(f'ALTER TABLE docs RENAME v TO "{vector}"')
            connections.append(duckdb.connect(path, read_only=True))
            stores.append(DuckDBStore.from_table(connections[-1], "docs", vector=vector))
        return stores

    yield make
    for connection in connections:
        connection.close()


def chroma(part, space="l2"):
    client = chromadb.EphemeralClient()
    collection = client.create_collection(f"c{uuid.uuid4().hex}", configuration={"hnsw": {"space": space}})
    documents, vectors = part
    collection.add([d.id for d in documents], vectors, documents=[d.text for d in documents])
    return ChromaStore(collection)


def test_one_duckdb_reads_the_files_of_all_shards(parquet):
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE VIEW docs AS SELECT id, text, vector::FLOAT[{DIMENSION}] AS vector FROM '{parquet}/*.parquet'"
        )
        result = found(DuckDBStore.from_table(connection, "docs"), pushdown="always")
    assert (result.exact, ids(result), result.plan.strategy) == (True, EXPECTED, "pushdown")


def test_one_clickhouse_reads_the_files_of_all_shards(parquet):
    session = chdb.session.Session()
    session.query("CREATE DATABASE shards ENGINE = Atomic")
    parts = " UNION ALL ".join(
        f"SELECT assumeNotNull(id) AS id, assumeNotNull(text) AS text, "
        f"CAST(vector, 'Array(Float32)') AS vector FROM file('{parquet}/{i}.parquet', Parquet)"
        for i in range(SHARDS)
    )
    session.query(f"CREATE VIEW shards.docs AS {parts}")
    result = found(ClickHouseStore.from_table(session, ("shards", "docs")), pushdown="always")
    session.close()
    assert (result.exact, ids(result), result.plan.strategy) == (True, EXPECTED, "pushdown")


@pytest.mark.parametrize("pushdown", ["always", "never"])
def test_files_that_are_only_read_are_merged(duck_files, pushdown):
    result = found(ShardedStore(duck_files(PARTS)), pushdown=pushdown)
    assert (result.exact, ids(result)) == (True, EXPECTED)


def test_shards_may_be_empty_one_or_all(duck_files):
    nothing = ([], VECTORS[:0])
    result = found(ShardedStore(duck_files([nothing, *PARTS, nothing])), pushdown="always")
    assert (result.exact, ids(result)) == (True, EXPECTED)
    assert found(ShardedStore(duck_files([nothing, nothing])), pushdown="always").documents == ()


def test_columns_may_be_called_otherwise_in_each_shard(duck_files):
    one, other = duck_files(PARTS[:1]), duck_files(PARTS[1:], vector="embedding, of 2024")
    result = found(ShardedStore([*one, *other]), pushdown="always")
    assert (result.exact, ids(result)) == (True, EXPECTED)


def test_all_ties_may_lie_in_one_shard(duck_files):
    same = np.repeat(VECTORS[:1], len(PARTS[1][0]), axis=0)
    whole = [*PARTS[0][0], *PARTS[1][0]]
    here = InMemoryStore(whole, np.concatenate([PARTS[0][1], same]))
    for k in (K, len(whole)):
        result = found(ShardedStore(duck_files([PARTS[0], (PARTS[1][0], same)])), k=k, pushdown="always")
        if result.exact:
            assert ids(result) == ids(found(here, k=k))
        else:
            assert "roundings" in result.reason
    assert result.exact


def test_a_shard_of_vectors_without_direction_takes_no_place(duck_files):
    """Of zeros and NaN, as many as are wanted: an engine would put NaN first."""
    documents, rows = corpus(lambda i: f"z{i}", K + 12)
    rows[:] = np.where(np.arange(len(rows))[:, None] % 2, np.nan, 0.0)
    stores = [*duck_files(PARTS), *duck_files([(documents, rows)])]
    here = InMemoryStore([*DOCUMENTS, *documents], np.concatenate([VECTORS, rows]))
    result = found(ShardedStore(stores), pushdown="always")
    assert ids(result) == ids(found(here))


def test_collections_of_other_distances_are_merged_by_cosine():
    spaces = ("l2", "cosine", "ip")
    sharded = ShardedStore([chroma(part, space) for part, space in zip(PARTS, spaces, strict=True)])
    assert not sharded.capabilities.cosine_order
    assert ids(found(sharded)) == EXPECTED


def test_engines_of_other_kinds_are_shards_of_one_store(duck_files):
    sharded = ShardedStore([*duck_files(PARTS[:1]), chroma(PARTS[1]), InMemoryStore(*PARTS[2])])
    assert ids(found(sharded)) == EXPECTED


def test_one_id_in_two_files_is_an_error_or_two_documents(duck_files):
    stores = duck_files([PARTS[0], PARTS[0]])
    with pytest.raises(ShardError, match="both have a document"):
        found(ShardedStore(stores), pushdown="always")
    result = found(ShardedStore(stores, ids="qualified"), pushdown="always")
    assert len({(one.id.shard, one.id.id) for one in result.documents}) == K
    assert {one.id.shard for one in result.documents} == {1, 2}
