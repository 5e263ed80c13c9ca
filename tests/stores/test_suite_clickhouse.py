"""Tables of a real ClickHouse, embedded, pass the suite."""

import json
import uuid

import pytest
from chdb.session import Session

from logical_retriever.stores.clickhouse import ClickHouseStore
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.store_suite import StoreSuite


@pytest.fixture(scope="module")
def session():
    session = Session()
    yield session
    session.close()


class Table:
    id_type = "String"
    vector_type = "Float32"

    @pytest.fixture
    def make_store(self, session):
        def make(documents, vectors):
            self.database = f"d{uuid.uuid4().hex}"
            session.query(f"CREATE DATABASE {self.database} ENGINE = Atomic")
            session.query(
                f"CREATE TABLE {self.database}.docs (id {self.id_type}, body String, e Array({self.vector_type}), "
                "kind LowCardinality(String), rank Int64) ENGINE = MergeTree ORDER BY id"
            )
            rows = [
                {"id": d.id, "body": d.text, "e": vector.tolist(), **d.metadata}
                for d, vector in zip(documents, vectors, strict=True)
            ]
            if rows:
                lines = "\n".join(json.dumps(row, default=str) for row in rows)
                session.query(f"INSERT INTO {self.database}.docs FORMAT JSONEachRow {lines}")
            return ClickHouseStore.from_table(session, (self.database, "docs"), text="body", vector="e")

        return make

    def delete(self, store, ids):
        store.connection.query(
            f"DELETE FROM {store.columns.table} WHERE toString(id) IN {{ids:Array(String)}}",
            params={"ids": str(list(ids))},
        )

    def equals(self, key, value):
        return {key: value}


class TestClickHouse(Table, StoreSuite):
    pass


class TestClickHouseOfIntegers(Table, RankingSuite):
    id_type = "UInt32"

    def make_id(self, i):
        return i


class TestClickHouseOfUUIDs(Table, RankingSuite):
    id_type = "UUID"
    vector_type = "Float64"

    def make_id(self, i):
        return uuid.UUID(int=i)


class TestPushdown(Table, PushdownSuite):
    pass
