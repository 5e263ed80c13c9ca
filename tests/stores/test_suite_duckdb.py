"""Tables of a real DuckDB pass the suite."""

import uuid

import duckdb
import pytest

from logical_retriever.stores.duckdb import DuckDBStore
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.ranking_suite import DIMENSION, RankingSuite
from logical_retriever.testing.store_suite import StoreSuite


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


class Table:
    id_type = "VARCHAR"

    @pytest.fixture
    def make_store(self, connection):
        def make(documents, vectors):
            connection.execute(
                f"CREATE OR REPLACE TABLE docs (id {self.id_type}, body VARCHAR, e FLOAT[{DIMENSION}], "
                "kind VARCHAR, rank INTEGER)"
            )
            if documents:
                connection.executemany(
                    "INSERT INTO docs VALUES (?, ?, ?, ?, ?)",
                    [
                        (d.id, d.text, vector.tolist(), d.metadata["kind"], d.metadata["rank"])
                        for d, vector in zip(documents, vectors, strict=True)
                    ],
                )
            return DuckDBStore.from_table(connection, "docs", text="body", vector="e")

        return make

    def delete(self, store, ids):
        store.connection.cursor().execute("DELETE FROM docs WHERE id IN (SELECT unnest(?))", [list(ids)])

    def equals(self, key, value):
        return {key: value}


class TestDuckDB(Table, StoreSuite):
    pass


class TestDuckDBOfIntegers(Table, RankingSuite):
    id_type = "INTEGER"

    def make_id(self, i):
        return i


class TestDuckDBOfUUIDs(Table, RankingSuite):
    id_type = "UUID"

    def make_id(self, i):
        return uuid.UUID(int=i)


class TestPushdown(Table, PushdownSuite):
    pass


class TestPushdownOfIntegers(Table, PushdownSuite):
    id_type = "INTEGER"

    def make_id(self, i):
        return i
