"""Tables of a real DuckDB pass the suite."""

from itertools import count
from types import MappingProxyType

import pytest
from changing import Described
from compiler_suite import CompilerSuite
from engine_scoring_suite import EngineScoringSuite

from logical_retriever.stores.sql import SqlStore
from logical_retriever.stores.sql.duckdb import DUCKDB
from logical_retriever.testing.samples import DIMENSION, FIELDS, KEYS
from logical_retriever.testing.store_suite import StoreSuite

duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.engines


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


TYPES = MappingProxyType(
    {
        **{"year": "BIGINT", "rating": "DOUBLE", "language": "VARCHAR", "animated": "BOOLEAN", "genres": "VARCHAR[]"},
        **{"note": "VARCHAR", "select": "TINYINT", "release year": "UINTEGER", "a.b": "HUGEINT", "été": "VARCHAR"},
        **{'o\'brien "x" `y` {}': "FLOAT", "released": "DATE", "seen": "TIMESTAMP"},
    }
)


class Table(Described):
    id_type, types = "VARCHAR", TYPES
    ranked = MappingProxyType({"kind": "VARCHAR", "rank": "INTEGER"})

    @pytest.fixture
    def make_table(self, connection):
        def make(documents, vectors, types):
            columns = ", ".join(f"{DUCKDB.quoted(name)} {kind}" for name, kind in types.items())
            kind = f"FLOAT[{DIMENSION}]"
            connection.execute(f"CREATE OR REPLACE TABLE docs (id {self.id_type}, body VARCHAR, e {kind}, {columns})")
            stored = zip(documents, vectors.tolist(), strict=True)
            rows = [(d.id, d.text, vector, *map(d.metadata.get, types)) for d, vector in stored]
            if rows:
                connection.executemany(f"INSERT INTO docs VALUES (?, ?, ?{', ?' * len(types)})", rows)
            return SqlStore.from_table(connection, "docs", text="body", vector="e")

        return make

    def delete(self, store, ids):
        store.connection.cursor().execute("DELETE FROM docs WHERE id IN (SELECT unnest(?))", [list(ids)])

    def change(self, store, document, vector):
        row = [document.text, vector.tolist(), document.id]
        store.connection.cursor().execute("UPDATE docs SET body = ?, e = ? WHERE id = ?", row)


IDS = MappingProxyType(
    {
        **{"VARCHAR": "text", "INTEGER": "int32", "BIGINT": "int64", "UBIGINT": "uint64", "UUID": "UUID"},
        "HUGEINT": (*KEYS["int64"], 1 << 63, (1 << 63) + 1),
    }
)


class TestDuckDB(Table, StoreSuite):
    ids = IDS
    fields = MappingProxyType({name: FIELDS[name] for name in TYPES})


class TestEngineScoring(Table, EngineScoringSuite):
    ids = IDS


class TestScores(CompilerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def load(cls):
        numbers = count()
        connection = duckdb.connect()

        def load(corpus):
            # Names with everything in them that could end them, and columns named like our own aliases.
            name = f'the "documents"; $1 \' %s {next(numbers)}'
            connection.execute(f"CREATE TABLE {DUCKDB.quoted(name)} (score VARCHAR, lr_key VARCHAR, c0 FLOAT[8])")
            rows = zip(corpus.ids, corpus.ids, corpus.vectors.tolist(), strict=True)
            connection.executemany(f"INSERT INTO {DUCKDB.quoted(name)} VALUES (?, ?, ?)", [list(row) for row in rows])
            return SqlStore.from_table(connection, name, id="score", text="lr_key", vector="c0")

        yield load
        connection.close()
