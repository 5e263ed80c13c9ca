"""Stores over tables of DuckDB and ClickHouse when the engine fails, and what its clients do in their own way."""

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, StoreError, VectorMismatchError
from logical_retriever.stores import SqlFilter, SqlStore
from logical_retriever.stores.sql.clickhouse import bound

chdb, duckdb = pytest.importorskip("chdb"), pytest.importorskip("duckdb")

pytestmark = pytest.mark.engines

VECTOR = np.array([[1, 0, 0]], np.float32)
HOSTILE = ["x' OR '1'='1", "\\'", "tab\tand\nline", "a\0b", "`"]


@pytest.fixture(params=["duck", "click"])
def engine(request):
    return request.getfixturevalue(request.param)


def test_no_connection_and_one_of_chdb_that_binds_nothing_are_refused():
    binds_nothing = chdb.dbapi.connect()
    for connection in ("docs.duckdb", None, chdb.dbapi, binds_nothing):
        with pytest.raises(InvalidArgumentError, match="connection to"):
            SqlStore.from_table(connection, "docs")
    binds_nothing.close()


def test_arrays_of_several_lengths_are_refused(click):
    click.add("a", vector=(1, 0, 0))
    click.add("b", vector=(1, 0))
    store = click.store()
    for act in (lambda: store.search(VECTOR, 2), lambda: list(store.scan()), lambda: store.fetch(["a", "b"])):
        with pytest.raises(VectorMismatchError, match="do not fit together: 2, 3 components"):
            act()


def test_a_table_dropped_meanwhile_and_a_closed_connection_are_store_errors(filled):
    store = filled.store()
    filled.connection.cursor().execute(f"DROP TABLE {store.columns.table}")
    for act in (store.count, lambda: store.search(VECTOR, 1), lambda: store.fetch(["a"]), lambda: list(store.scan())):
        with pytest.raises(StoreError, match="could not"):
            act()
    filled.close()
    with pytest.raises(StoreError, match="connection is open"):
        store.count()
    with pytest.raises(StoreError, match="connection is open"):
        store.search(VECTOR, 1)
    with pytest.raises(StoreError):
        filled.store()


def test_after_a_failed_statement_or_one_that_takes_too_long_the_connection_goes_on(click):
    click.add("a")
    store = click.store()
    for _ in range(3):
        with pytest.raises(RuntimeError):  # of the caller's own
            click.connection.query(f"SELECT cosineDistance(vector, [1., 2.]) FROM {store.columns.table}", "Arrow")
        assert store.search(VECTOR, 2)[0] == [["a"]]
    click.connection.query("SET max_execution_time = 1")
    with pytest.raises(StoreError, match="TIMEOUT_EXCEEDED"):
        store.search(VECTOR, 1, SqlFilter("sleepEachRow(3) = 0"))
    assert store.search(VECTOR, 1)[0] == [["a"]]


def test_the_callers_own_cursor_is_left_alone(duck):
    for i in range(5):
        duck.add(f"d{i}")
    pending = duck.connection.execute("SELECT id FROM docs ORDER BY id")
    assert pending.fetchone() == ("d0",)
    assert duck.store().count() == 5
    assert pending.fetchall() == [("d1",), ("d2",), ("d3",), ("d4",)]


def test_a_client_of_a_server_is_asked_in_its_own_way(click, vectors):
    """clickhouse-connect's ``raw_query(query, parameters, fmt)``, answered by the embedded engine."""
    for i, vector in enumerate(vectors):
        click.add(f"d{i}", kind=HOSTILE[i], vector=vector.tolist())

    class Client:
        def raw_query(self, query, parameters=None, *, fmt=None):
            assert all(isinstance(value, (str, int, float, list)) for value in parameters.values())
            params = {name: bound(value) for name, value in parameters.items()}
            return click.connection.query(query, fmt, params=params).bytes()

    store = SqlStore.from_table(Client(), (click.database, "docs"))
    assert store.search(VECTOR, 2)[0] == [["d0", "d4"]]
    assert store.search(VECTOR, 2, {"kind": HOSTILE[1]})[0] == [["d1"]]
    assert store.fetch(["d3", "d0"]).ids == ("d3", "d0")
