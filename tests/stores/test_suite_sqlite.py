"""Tables of a real SQLite with sqlite-vec pass the suite."""

import json
from types import MappingProxyType

import pytest
import sqlite_vec_connection

from logical_retriever.errors import InvalidArgumentError, StoreError, VectorMismatchError
from logical_retriever.stores.sqlite import SQLiteStore
from logical_retriever.testing.condition_suite import FIELDS
from logical_retriever.testing.identity_suite import BYTES, FLOATS, TEXTS, WHOLE_64
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite
from logical_retriever.testing.store_suite import StoreSuite


@pytest.fixture
def connection():
    connection = sqlite_vec_connection.connect()
    yield connection
    connection.close()


NAMES = ("year", "rating", "language", "note", "select", "release year", "a.b", "été", 'o\'brien "x" `y` {}')


class Table:
    id_type = "TEXT"

    @pytest.fixture
    def make_store(self, connection):
        return lambda documents, vectors: self.filled(connection, documents, vectors, ("kind", "rank"))

    @pytest.fixture
    def make_described(self, connection):
        return lambda documents, vectors: self.filled(connection, documents, vectors, (*NAMES, "kind", "rank"))

    def filled(self, connection, documents, vectors, names):
        connection.execute("DROP TABLE IF EXISTS docs")
        columns = ", ".join(map(SQLiteStore.quote, names))
        connection.execute(f"CREATE TABLE docs (id {self.id_type} PRIMARY KEY, body TEXT, e BLOB, {columns})")
        rows = [
            (d.id, d.text, vector.tobytes(), *map(d.metadata.get, names))
            for d, vector in zip(documents, vectors, strict=True)
        ]
        connection.executemany(f"INSERT INTO docs VALUES (?, ?, ?{', ?' * len(names)})", rows)
        return SQLiteStore.from_table(connection, ("main", "docs"), text="body", vector="e")

    def delete(self, store, ids):
        store.connection.executemany("DELETE FROM docs WHERE id = ?", [(id,) for id in ids])

    def equals(self, key, value):
        return {key: value}


KEYS = MappingProxyType({"TEXT": TEXTS, "INTEGER": WHOLE_64, "REAL": FLOATS, "BLOB": (*BYTES, "1", 1, 2.5)})


class TestSQLite(Table, StoreSuite):
    ids = KEYS
    fields = MappingProxyType({name: FIELDS[name] for name in NAMES})


class TestSQLiteOfIntegers(Table, RankingSuite):
    id_type = "INTEGER"

    def make_id(self, i):
        return i - 5


class TestPushdown(Table, PushdownSuite):
    ids = KEYS


class TestVec0(Table, PushdownSuite):
    """A virtual table of the extension's own."""

    ids = MappingProxyType({"TEXT": TEXTS})

    def filled(self, connection, documents, vectors, names):
        connection.execute("DROP TABLE IF EXISTS docs")
        connection.execute(
            f"CREATE VIRTUAL TABLE docs USING vec0(id TEXT PRIMARY KEY, e FLOAT[{DIMENSION}], kind TEXT, rank INTEGER, "
            "+body TEXT)"
        )
        rows = [
            (d.id, v.tobytes(), *map(d.metadata.get, names), d.text) for d, v in zip(documents, vectors, strict=True)
        ]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?, ?)", rows)
        return SQLiteStore.from_table(connection, "docs", text="body", vector="e")


def test_metadata_may_be_one_column_of_json(connection):
    connection.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, text TEXT, vector BLOB, more TEXT)")
    more = {"year": 1998, "genres": ["drama"]}
    connection.execute("INSERT INTO docs VALUES (7, 'x', zeroblob(12), ?)", (json.dumps(more),))
    [document] = SQLiteStore.from_table(connection, "docs", metadata="more").fetch([7]).documents
    assert document.metadata == more
    connection.execute("UPDATE docs SET more = 'no'")
    with pytest.raises(StoreError, match="no JSON"):
        SQLiteStore.from_table(connection, "docs", metadata="more").fetch([7])


def test_what_is_no_connection_with_the_extension_is_refused(connection):
    with pytest.raises(InvalidArgumentError, match="connection to SQLite"):
        SQLiteStore.from_table("docs.sqlite", "docs")
    bare = type(connection)(":memory:")
    with pytest.raises(InvalidArgumentError, match="no sqlite-vec"):
        SQLiteStore.from_table(bare, "docs")
    bare.close()
    with pytest.raises(StoreError, match="no table"):
        SQLiteStore.from_table(connection, "docs")


@pytest.mark.parametrize("value", ["'[1, 2, 3]'", "1", "x'0000'"])
def test_vectors_that_are_no_blobs_of_floats_are_refused(connection, value):
    connection.execute(f"CREATE TABLE docs AS SELECT 'a' AS id, 'x' AS text, {value} AS vector")
    with pytest.raises(VectorMismatchError, match="no blobs"):
        SQLiteStore.from_table(connection, "docs").fetch(["a"])
