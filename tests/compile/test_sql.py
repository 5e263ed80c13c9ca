"""Statements of every dialect: what they are made of, what is checked, and how dialects differ."""

import numpy as np
import pytest

from logical_retriever.compile import CompiledQuery, Table
from logical_retriever.compile.registry import COMPILERS, compiler_class, get_compiler
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, VectorMismatchError
from logical_retriever.query import Condition, Term, parse
from logical_retriever.semantics import ItlrSemantics, ProductSemantics
from logical_retriever.testing.compiler_corpus import HOSTILE

QUERY, SEMANTICS, VECTORS = parse("a AND NOT b"), ProductSemantics(), np.eye(2)
ENGINES = pytest.mark.parametrize("engine", COMPILERS)
UNIT = Table(("sch'ema", 'the "table" `%s`'), id='i"d', vector="v\\ec", unit=True)


@pytest.mark.parametrize(
    ("engine", "cosine", "score", "order"),
    [
        (
            "pgvector",
            'greatest(-1, least(1, 1 - (1 + (documents."v\\ec" <#> %(v0)s::vector)))) AS c0',
            "(c0 * (1.0 - c1))",
            'cosines.id::text COLLATE "C"\nLIMIT %(k)s',
        ),
        (
            "DuckDB",
            "coalesce(nullif(array_inner_product(documents.\"v\\ec\", $v0::FLOAT[2])::DOUBLE, 'nan'::DOUBLE), 0e0) "
            "AS c0",
            "(c0 * (1e0 - c1))",
            "cosines.id::VARCHAR\nLIMIT $k",
        ),
        (
            "ClickHouse",
            "greatest(-1., least(1., ifNotFinite(dotProduct(documents.`v\\\\ec`, {v0:Array(Float32)}), 0))) AS c0",
            "(c0 * (1.0 - c1))",
            "toString(cosines.id)\nLIMIT {k:Int64}",
        ),
        (
            "Spark SQL",
            "greatest(-1D, least(1D, coalesce(nanvl(CAST(vector_inner_product(documents.`v\\ec`, CAST(split(:v0, ',') "
            "AS ARRAY<FLOAT>)) AS DOUBLE), 0D), 0D))) AS c0",
            "(c0 * (1.0D - c1))",
            "CAST(cosines.id AS STRING)\nLIMIT :k",
        ),
    ],
)
def test_what_dialects_say(engine, cosine, score, order):
    statement = compiler_class(engine)(UNIT).compile(QUERY, ItlrSemantics(), VECTORS, k=3).statement
    assert statement.startswith(f"SELECT cosines.id AS id, {score} AS score\nFROM (\n  SELECT ")
    assert f",\n    {cosine}" in statement
    assert statement.endswith(f"ORDER BY score DESC, {order}")


@ENGINES
def test_every_engine_has_the_compiler_of_its_name(engine):
    compiler = get_compiler(engine, {"table": {"name": "t"}})
    assert (type(compiler), compiler.engine) == (compiler_class(engine), engine)
    assert get_compiler(compiler, {}) is compiler


def test_an_engine_without_a_compiler_is_named():
    with pytest.raises(StoreCapabilityError, match="no compiler for the engine 'Excel'"):
        get_compiler("Excel", {})


def test_a_compiled_query_is_plain_data():
    compiled = compiler_class("DuckDB")("t").compile(QUERY, SEMANTICS, VECTORS * 5, k=3)
    assert (compiled.engine, compiled.texts, compiled.k) == ("DuckDB", ("a", "b"), 3)
    assert dict(compiled.parameters) == {"v0": [1.0, 0.0], "v1": [0.0, 1.0], "k": 3}
    with pytest.raises(TypeError):
        compiled.parameters["k"] = 4
    assert CompiledQuery("e", "s", (), 1).parameters == {}


def test_arguments_are_checked():
    compiler = compiler_class("pgvector")("t")
    with pytest.raises(InvalidArgumentError, match="of at least 1"):
        compiler.compile(QUERY, SEMANTICS, VECTORS, k=0)
    for vectors in (np.eye(3), np.ones(2), np.ones((2, 0)), np.ones((1, 2))):
        with pytest.raises(VectorMismatchError, match="2 texts have vectors of shape"):
            compiler.compile(QUERY, SEMANTICS, vectors, k=1)
    with pytest.raises(InvalidArgumentError, match="condition"):
        compiler.compile(QUERY & Condition("year", "=", 1), SEMANTICS, VECTORS, k=1)


@ENGINES
def test_names_are_checked(engine):
    for name in ("", (), ("a", ""), "a\0b", "\ud800", None, ("a", 5)):
        with pytest.raises(InvalidArgumentError):
            compiler_class(engine)(Table(name))
    for columns in ({"id": ""}, {"vector": "a\0"}):
        with pytest.raises(InvalidArgumentError):
            compiler_class(engine)(Table("t", **columns))


@ENGINES
def test_terms_are_vectors_and_never_text(engine):
    compiler = compiler_class(engine)("t")
    plain = compiler.compile(QUERY, SEMANTICS, VECTORS, k=1)
    for text in (*HOSTILE, "a\0b"):
        hostile = compiler.compile(Term(text) & ~Term(f"{text}!"), SEMANTICS, VECTORS, k=1)
        assert (hostile.statement, hostile.parameters) == (plain.statement, plain.parameters)
        assert hostile.texts == (text, f"{text}!")


@ENGINES
def test_texts_without_direction_leave_a_constant(engine):
    compiled = compiler_class(engine)("t").compile(QUERY, SEMANTICS, np.zeros((2, 2)), k=1)
    assert "c0" not in compiled.statement
    assert set(compiled.parameters) == {"k"}
