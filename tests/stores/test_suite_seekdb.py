"""Tables of a real seekdb pass the suite."""

from datetime import date
from itertools import permutations
from types import MappingProxyType

import pytest
import seekdb_server

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.stores import SeekdbStore, SqlFilter
from logical_retriever.testing.condition_suite import holding
from logical_retriever.testing.identity_suite import BYTES, DATES, DECIMALS, FLOATS, MOMENTS, TEXTS, WHOLE_64
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.store_suite import StoreSuite

TYPES = MappingProxyType(
    {
        **{"year": "BIGINT", "rating": "DOUBLE", "language": "VARCHAR(200)", "released": "DATE"},
        **{"seen": "DATETIME(6)", 'o\'brien "x" `y` {}': "DOUBLE", "select": "VARCHAR(200)"},
    }
)
RANKED = MappingProxyType({"kind": "VARCHAR(200)", "rank": "INT"})


@pytest.fixture(scope="module")
def connection():
    with seekdb_server.serving() as connect, connect() as connection:
        yield connection


def run(connection, statement, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


class Table:
    id_type = "VARCHAR(300)"

    @pytest.fixture
    def make_store(self, connection):
        return lambda documents, vectors: self.filled(connection, documents, vectors, RANKED)

    @pytest.fixture
    def make_described(self, connection):
        return lambda documents, vectors: self.filled(connection, documents, vectors, TYPES | RANKED)

    def filled(self, connection, documents, vectors, types):
        names = list(map(SeekdbStore.quote, types))
        columns = ", ".join(f"{name} {type}" for name, type in zip(names, types.values(), strict=True))
        run(connection, "DROP TABLE IF EXISTS docs")
        run(
            connection,
            f"CREATE TABLE docs (id {self.id_type} NOT NULL, body MEDIUMTEXT, e VECTOR({vectors.shape[1]}), {columns})",
        )
        rows = [
            (d.id, d.text, str(vector.tolist()), *map(d.metadata.get, types))
            for d, vector in zip(documents, vectors, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO docs VALUES (%s, %s, %s{', %s' * len(types)})", rows)
        return SeekdbStore.from_table(connection, ("test", "docs"), text="body", vector="e")

    def delete(self, store, ids):
        run(store.connection, "DELETE FROM docs WHERE id IN %s", (ids,))

    def equals(self, key, value):
        return {key: value}


KEYS = MappingProxyType(
    {
        **{"VARCHAR(300)": TEXTS, "BIGINT": WHOLE_64, "DOUBLE": FLOATS[:-1], "DECIMAL(18,4)": DECIMALS},
        **{"VARBINARY(100)": BYTES, "DATE": DATES, "DATETIME(6)": MOMENTS},
    }
)


class TestSeekdb(Table, StoreSuite):
    ids = KEYS
    fields = holding(lambda name, value: name in TYPES and value == value)  # seekdb has no NaN


class TestPushdown(Table, PushdownSuite):
    ids = KEYS


def test_json_may_hold_the_metadata_and_texts_differ_by_every_byte(connection):
    run(connection, "DROP TABLE IF EXISTS docs")
    run(connection, "CREATE TABLE docs (id VARCHAR(9) PRIMARY KEY, text TEXT, vector VECTOR(2), more JSON, day DATE)")
    run(connection, """INSERT INTO docs VALUES ('a', 'x', '[1, 0]', '{"genres": ["drama"]}', '2020-02-29')""")
    run(connection, "INSERT INTO docs VALUES ('b ', 'no vector', NULL, NULL, NULL), ('c ', 'y', '[0, 0]', NULL, NULL)")
    store = SeekdbStore.from_table(connection, "docs", metadata="more")
    assert store.count() == 2
    [document] = store.fetch(["a", "A", "a ", "b ", "c"]).documents
    assert document.metadata == {"genres": ["drama"]}
    store = SeekdbStore.from_table(connection, "docs")
    filter = SqlFilter("day > %(day)s AND text LIKE '%%x%%'", {"day": "2020-01-01"})
    [[found]] = store.search(store.fetch(["c "]).vectors, 5, filter)
    assert (found, store.fetch([found]).documents[0].metadata["day"]) == ("a", date(2020, 2, 29))


def test_an_empty_key_is_found_wherever_it_stands(connection):
    run(connection, "DROP TABLE IF EXISTS docs")
    run(connection, "CREATE TABLE docs (id VARBINARY(100) NOT NULL, text TEXT, vector VECTOR(2))")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO docs VALUES (%s, 'x', '[1, 0]')", [(key,) for key in BYTES])
    store = SeekdbStore.from_table(connection, "docs")
    for length in range(1, len(BYTES) + 1):  # the engine keeps a plan for each length, made for the first list it has
        for keys in permutations(sorted(BYTES), length):
            assert store.fetch(keys).ids == keys


def test_what_is_no_connection_that_commits_by_itself_is_refused(connection):
    with pytest.raises(InvalidArgumentError, match="connection of PyMySQL"):
        SeekdbStore.from_table("docs.seekdb", "docs")
    connection.autocommit(False)
    with pytest.raises(InvalidArgumentError, match="commit by itself"):
        SeekdbStore.from_table(connection, "docs")
    connection.autocommit(True)
    with pytest.raises(StoreError, match="doesn't exist"):
        SeekdbStore.from_table(connection, "nowhere")
    with pytest.raises(InvalidArgumentError, match="none of vectors"):
        SeekdbStore.from_table(connection, "docs", vector="text")
