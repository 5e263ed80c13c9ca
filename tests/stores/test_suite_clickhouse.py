"""Tables of a real ClickHouse, embedded, pass the suite."""

import json
import struct
import uuid
from datetime import datetime
from types import MappingProxyType

import pytest
from changing import Described
from compiler_suite import CompilerSuite
from engine_scoring_suite import EngineScoringSuite

from logical_retriever.stores.sql import SqlStore
from logical_retriever.stores.sql.clickhouse import CLICKHOUSE
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import FIELDS, KEYS
from logical_retriever.testing.store_suite import StoreSuite

Session = pytest.importorskip("chdb.session").Session

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def session():
    session = Session()
    yield session
    session.close()


def literal(value):
    """A value in a statement."""
    if isinstance(value, (str, bytes)):
        return f"unhex('{(value.encode() if isinstance(value, str) else value).hex()}')"
    if isinstance(value, float):
        return f"reinterpretAsFloat64(unhex('{struct.pack('<d', value).hex()}'))"
    if isinstance(value, datetime):
        return f"toDateTime64('{value.replace(tzinfo=None)}', 6, 'UTC')"
    return f"'{value}'"


TYPES = MappingProxyType(
    {
        **{"year": "Nullable(Int64)", "rating": "Nullable(Float64)", "language": "LowCardinality(Nullable(String))"},
        **{"animated": "Nullable(Bool)", "genres": "Array(String)", "note": "Nullable(String)"},
        **{"select": "Nullable(Int8)", "release year": "Nullable(UInt64)", "a.b": "Nullable(Int128)"},
        **{"été": "Nullable(String)", 'o\'brien "x" `y` {}': "Nullable(Float32)", "released": "Nullable(Date32)"},
    }
)


def written(value):
    """A value of metadata in a statement."""
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return "NULL" if value is None else str(value) if isinstance(value, (bool, int)) else literal(value)


class Table(Described):
    id_type, vector_type = "String", "Float32"
    types, ranked = TYPES, MappingProxyType({"kind": "LowCardinality(String)", "rank": "Int64"})

    @pytest.fixture
    def make_table(self, session):
        def make(documents, vectors, types):
            self.session, database = session, f"d{uuid.uuid4().hex}"
            session.query(f"CREATE DATABASE {database} ENGINE = Atomic")
            columns = ", ".join(f"{CLICKHOUSE.quoted(name)} {kind}" for name, kind in types.items())
            schema = f"id {self.id_type}, body String, e Array({self.vector_type}), {columns}"
            session.query(f"CREATE TABLE {database}.docs ({schema}) ENGINE = MergeTree ORDER BY id")
            rows = [
                ", ".join(
                    [literal(d.id), literal(d.text), str(vector.tolist()), *map(written, map(d.metadata.get, types))]
                )
                for d, vector in zip(documents, vectors, strict=True)
            ]
            if rows:
                session.query(f"INSERT INTO {database}.docs VALUES {', '.join(f'({row})' for row in rows)}")
            return SqlStore.from_table(session, (database, "docs"), text="body", vector="e")

        return make

    def delete(self, store, ids):
        self.session.query(
            f"DELETE FROM {store.columns.table} WHERE toString(id) IN {{ids:Array(String)}}",
            params={"ids": str(list(map(str, ids)))},
        )


IDS = MappingProxyType(
    {
        **{"String": "text", "LowCardinality(String)": "text", "UUID": "UUID"},
        **{"Int32": "int32", "Int64": "int64", "UInt64": "uint64", "UInt256": "uint64"},
        "Int128": (*KEYS["int64"], 1 << 63, (1 << 64) - 1),
    }
)


class TestClickHouse(Table, StoreSuite):
    # An array is never NULL.
    fields = MappingProxyType({n: FIELDS[n] for n in TYPES} | {"genres": [v or [] for v in FIELDS["genres"]]})
    ids = IDS


class TestClickHouseOfDoublesAndUUIDs(Table, RankingSuite):
    id_type = "UUID"
    vector_type = "Float64"

    def make_id(self, i):
        return uuid.UUID(int=i)


class TestEngineScoring(Table, EngineScoringSuite):
    ids = IDS


class TestScores(CompilerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, session):
        session.query("CREATE DATABASE `d.b` ENGINE = Atomic")

        def load(corpus):
            # A name that has everything in it that could end it; columns are named like our aliases.
            name = "it's \\ ` \" {k:Int64} $1; --"
            quoted = f"`d.b`.{CLICKHOUSE.quoted(name)}"
            session.query(f"CREATE TABLE {quoted} (score String, c0 Array(Float32)) ENGINE = MergeTree ORDER BY score")
            rows = zip(corpus.ids, corpus.vectors.tolist(), strict=True)
            lines = "\n".join(json.dumps({"score": id, "c0": row}, ensure_ascii=False) for id, row in rows)
            session.query(f"INSERT INTO {quoted} FORMAT JSONEachRow {lines}")
            return SqlStore.from_table(session, ("d.b", name), id="score", text="score", vector="c0")

        return load
