"""Three shards in one engine each: every one scores its own, and one whose connection is gone is named."""

import chdb
import duckdb
import pytest
import seekdb_server
import sqlite_vec_connection

from logical_retriever.errors import ShardError
from logical_retriever.query import parse
from logical_retriever.stores import ClickHouseStore, DuckDBStore, InMemoryStore, SeekdbStore, ShardedStore, SQLiteStore
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.ranking_suite import DIMENSION, corpus, over

COUNT, SHARDS, K = 90, 3, 8
DOCUMENTS, VECTORS = corpus(lambda i: f"d{i:03}", COUNT)
PARTS = [(DOCUMENTS[i::SHARDS], VECTORS[i::SHARDS]) for i in range(SHARDS)]
QUERY = parse('("a" OR "b") AND "c" AND NOT "d"')


def found(store, **settings):
    return over(store, letters(), k=K, **settings).search(QUERY)


def ids(result):
    return [document.id for document in result.documents]


def rows(part):
    return [(document.id, document.text, vector) for document, vector in zip(*part, strict=True)]


@pytest.fixture
def duckdb_shards(tmp_path):
    def shard(i, part):
        connection = duckdb.connect(tmp_path / f"{i}.duckdb")
        connection.execute(f"CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[{DIMENSION}])")
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", [(*named, v.tolist()) for *named, v in rows(part)])
        return DuckDBStore.from_table(connection, "docs"), connection.close

    return [shard(i, part) for i, part in enumerate(PARTS)]


@pytest.fixture
def sqlite_shards():
    def shard(part):
        connection = sqlite_vec_connection.connect()
        connection.execute("CREATE TABLE docs (id TEXT, text TEXT, vector BLOB)")
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", [(*named, v.tobytes()) for *named, v in rows(part)])
        return SQLiteStore.from_table(connection, "docs"), connection.close

    return list(map(shard, PARTS))


@pytest.fixture
def clickhouse_shards():
    connection = chdb.connect(":memory:")

    def shard(i, part):
        name = f"shard{i}"
        connection.query(f"CREATE DATABASE {name} ENGINE = Atomic")
        connection.query(
            f"CREATE TABLE {name}.docs (id String, text String, vector Array(Float32)) ENGINE = MergeTree ORDER BY id"
        )
        values = ", ".join(f"('{id}', '{text}', {v.tolist()})" for id, text, v in rows(part))
        connection.query(f"INSERT INTO {name}.docs VALUES {values}")
        store = ClickHouseStore.from_table(connection, (name, "docs"))
        return store, lambda: connection.query(f"DROP DATABASE {name}")

    yield [shard(i, part) for i, part in enumerate(PARTS)]
    connection.close()


@pytest.fixture
def seekdb_shards():
    with seekdb_server.serving() as connect:

        def shard(i, part):
            connection = connect()
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE TABLE docs{i} (id VARCHAR(9), text TEXT, vector VECTOR({DIMENSION}))")
                values = [(*named, str(v.tolist())) for *named, v in rows(part)]
                cursor.executemany(f"INSERT INTO docs{i} VALUES (%s, %s, %s)", values)
            return SeekdbStore.from_table(connection, f"docs{i}"), connection.close

        yield [shard(i, part) for i, part in enumerate(PARTS)]


@pytest.mark.parametrize("engine", ["duckdb", "sqlite", "clickhouse", "seekdb"])
def test_three_shards_answer_as_one_and_one_that_is_gone_is_named(engine, request):
    shards = request.getfixturevalue(f"{engine}_shards")
    sharded = ShardedStore([store for store, _ in shards])
    whole = found(sharded, pushdown="always")
    assert (whole.exact, whole.plan.strategy) == (True, "pushdown")
    assert ids(whole) == ids(found(InMemoryStore(DOCUMENTS, VECTORS)))
    _, end = shards[1]
    end()
    result = found(sharded, pushdown="always")
    heard = [*PARTS[0][0], *PARTS[2][0]]
    assert not result.exact
    assert "shard 2 of 3" in result.reason
    assert set(ids(result)) <= {document.id for document in heard}
    assert len(result.documents) == K
    with pytest.raises(ShardError, match="Shard 2 of 3"):
        found(ShardedStore([store for store, _ in shards], require_all=True))
