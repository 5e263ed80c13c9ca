"""What the SQL compilers emit, in files under tests/snapshots/compile; REWRITE_SNAPSHOTS=1 writes them anew."""

from pathlib import Path

import numpy as np
import pytest
from snapshots import assert_snapshot

from logical_retriever.compile import Table
from logical_retriever.compile.clickhouse import ClickHouseCompiler
from logical_retriever.compile.duckdb import DuckDBCompiler
from logical_retriever.compile.pgvector import PgvectorCompiler
from logical_retriever.compile.seekdb import SeekdbCompiler
from logical_retriever.compile.spark import SparkCompiler
from logical_retriever.compile.sqlite import SQLiteCompiler
from logical_retriever.query import parse
from logical_retriever.semantics import (
    CalibratedSemantics,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    Logistic,
    LukasiewiczSemantics,
    NullDistributions,
    ProductSemantics,
)

SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "compile"
COMPILERS = {
    "pgvector": PgvectorCompiler,
    "duckdb": DuckDBCompiler,
    "clickhouse": ClickHouseCompiler,
    "spark": SparkCompiler,
    "seekdb": SeekdbCompiler,
    "sqlite": SQLiteCompiler,
}
SEMANTICS = {
    "calibrated": CalibratedSemantics(),
    "product": ProductSemantics(),
    "product of logistic curves": ProductSemantics(Logistic(0.3, 200.0)),
    "godel": GodelSemantics(),
    "lukasiewicz": LukasiewiczSemantics(),
    "hamacher": HamacherSemantics(),
    "itlr": ItlrSemantics(),
    "itlr of other operators": ItlrSemantics("min", "probabilistic", "reciprocal"),
}
QUERY = parse("(a OR b) AND NOT c")
VECTORS = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]
NULLS = NullDistributions(np.array([0.1, 0.2, 0.3]), np.array([0.05, 0.1, 0.2]))


def shown(compiled):
    parameters = "\n".join(f"-- {name} = {value!r}" for name, value in compiled.parameters.items())
    return f"-- {compiled.fidelity}\n{compiled.statement}\n{parameters}"


@pytest.mark.parametrize("engine", COMPILERS)
def test_every_semantics(engine):
    compiler = COMPILERS[engine]("passages")
    parts = [
        f"-- {name}\n{shown(compiler.compile(QUERY, semantics, VECTORS, k=5, nulls=NULLS))}"
        for name, semantics in SEMANTICS.items()
    ]
    assert_snapshot(SNAPSHOTS / f"{engine}.sql", "\n\n".join(parts))


@pytest.mark.parametrize("engine", COMPILERS)
def test_names_lists_and_unit_vectors(engine):
    table = Table(("sch'ema", 'the "table" `%s`'), id='i"d', vector="v\\ec", unit=True)
    compiler = COMPILERS[engine](table)
    parts = [shown(compiler.compile(QUERY, SEMANTICS["itlr"], VECTORS, k=5))]
    if "superset" in compiler.fidelities:
        parts.append(shown(compiler.compile(QUERY, SEMANTICS["itlr"], VECTORS, k=5, fetch_k=100)))
    assert_snapshot(SNAPSHOTS / f"{engine}_options.sql", "\n\n".join(parts))


def test_a_snapshot_that_differs_or_is_missing_fails(tmp_path, monkeypatch):
    monkeypatch.delenv("REWRITE_SNAPSHOTS", raising=False)
    with pytest.raises(AssertionError, match="There is no snapshot"):
        assert_snapshot(tmp_path / "a.sql", "SELECT 1")
    monkeypatch.setenv("REWRITE_SNAPSHOTS", "1")
    assert_snapshot(tmp_path / "a.sql", "SELECT 1")
    monkeypatch.delenv("REWRITE_SNAPSHOTS")
    assert_snapshot(tmp_path / "a.sql", "SELECT 1")
    with pytest.raises(AssertionError, match="something else"):
        assert_snapshot(tmp_path / "a.sql", "SELECT 2")
