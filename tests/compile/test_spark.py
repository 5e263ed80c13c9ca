"""Compiled queries on Spark, in four worker processes beside the driver."""

import re
from functools import partial
from itertools import islice

import numpy as np
import pytest
from compiler_corpus import SEMANTICS, ask, assert_true_answer, corpus, questions
from compiler_suite import CompilerSuite

from logical_retriever.compile import Table
from logical_retriever.compile.spark import SparkCompiler
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError
from logical_retriever.query import Term, parse
from logical_retriever.semantics import ProductSemantics

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

WORKERS = 4


@pytest.fixture(scope="module")
def spark(start_spark):
    yield from start_spark(WORKERS)


def batched(names, size):
    """Names in groups (itertools has this from Python 3.12 on)."""
    left = iter(names)
    return list(iter(lambda: tuple(islice(left, size)), ()))


def filled(spark, corpus, name="the `documents`; :k ' -- $1", vector_type="float"):
    """A view over a partition for each worker, with names that have everything in them that could end them."""
    import pyarrow as pa

    values = pa.list_(pa.float32() if vector_type == "float" else pa.float64())
    columns = {"score": pa.array(corpus.ids), "c0": pa.array(corpus.vectors.tolist(), type=values)}
    frame = spark.createDataFrame(pa.table(columns)).repartition(WORKERS).cache()
    frame.createOrReplaceTempView("`" + name.replace("`", "``") + "`")
    return Table(name, id="score", vector="c0", unit=corpus.unit)


def run(spark, compiled):
    return [tuple(row) for row in spark.sql(compiled.statement, args=dict(compiled.parameters)).collect()]


def run_all(spark, compiled):
    """Several compiled statements in one job, since each costs Spark a large part of a second."""
    parts, parameters = [], {}
    for i, one in enumerate(compiled):
        # Outside quoted names, a colon begins a parameter.
        renamed = re.sub(r"`[^`]*`|:(\w+)", lambda m, i=i: f":{m[1]}_of_{i}" if m[1] else m[0], one.statement)
        parts.append(f"SELECT {i} AS number, id, score FROM ({renamed})")
        parameters.update({f"{name}_of_{i}": value for name, value in one.parameters.items()})
    answers = [[] for _ in compiled]
    for number, id, score in spark.sql("\nUNION ALL\n".join(parts), args=parameters).collect():
        answers[number].append((id, score))
    return answers


class TestSpark(CompilerSuite):
    raises = pyspark.errors.PySparkException
    trees = 5

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, spark):
        def load(corpus):
            table = filled(spark, corpus, "unit" if corpus.unit else "the `documents`; :k ' -- $1")
            return SparkCompiler(table, version=spark.version), partial(run, spark)

        return load

    @pytest.mark.parametrize("names", batched(SEMANTICS, 6), ids=lambda names: names[0])
    def test_generated_queries(self, engine, names, spark):
        compiler, _, documents = engine
        asked = [one for name in names for one in questions(name, self.trees, documents)]
        answers = run_all(spark, [compiler.compile(**one.arguments, k=12) for one in asked])
        for one, found in zip(asked, answers, strict=True):
            assert_true_answer(found, one, documents, 12)

    @pytest.mark.parametrize("names", [("calibrated", "product", "itlr-product-sum-complement")], ids="-".join)
    def test_generated_queries_over_vectors_of_length_one(self, unit_engine, names, spark):
        self.test_generated_queries(unit_engine, names, spark)


def test_the_scores_are_computed_by_several_processes(spark):
    table = filled(spark, corpus(), "spread")
    asked = ask(parse("a AND NOT b"), ProductSemantics(), corpus())
    compiled = SparkCompiler(table).compile(**asked.arguments, k=60)
    # Memory is kept per executor; the driver's is among them and runs nothing.
    executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
    assert executors == WORKERS + 1
    assert spark.sql("SELECT * FROM spread").rdd.getNumPartitions() == WORKERS
    assert len(run(spark, compiled)) == 60


def test_cosines_are_computed_once(spark):
    table = filled(spark, corpus(), "explained")
    asked = ask(parse("(a OR b) AND NOT c"), SEMANTICS["calibrated"], corpus())
    compiled = SparkCompiler(table).compile(**asked.arguments, k=5)
    plan = spark.sql(f"EXPLAIN {compiled.statement}", args=dict(compiled.parameters)).collect()[0][0]
    assert plan.count("vector_cosine_similarity") == 3, plan


def test_vectors_in_double_precision(spark):
    documents = corpus()
    table = filled(spark, documents, "doubles", "double")
    asked = ask(parse("a AND NOT b"), ProductSemantics(), documents)
    compiled = SparkCompiler(table, vector_type="double").compile(**asked.arguments, k=20)
    assert_true_answer(run(spark, compiled), asked, documents, 20)
    with pytest.raises(pyspark.errors.AnalysisException):
        run(spark, SparkCompiler(table).compile(**asked.arguments, k=20))


def test_a_column_that_is_no_vector(spark):
    spark.sql("SELECT 'x' AS id, 'y' AS embedding").createOrReplaceTempView("texts")
    with pytest.raises(pyspark.errors.AnalysisException):
        run(spark, SparkCompiler("texts").compile(Term("a"), ProductSemantics(), np.eye(1, 8), k=1))


def test_a_spark_without_vector_functions_is_too_old():
    with pytest.raises(UnsupportedByEngineError, match=r"Spark SQL 4\.1 has no vector functions"):
        SparkCompiler("documents", version="4.1.0")


def test_names_that_spark_would_change_are_refused():
    with pytest.raises(InvalidArgumentError, match="substitute"):
        SparkCompiler("${env:HOME}")
    with pytest.raises(InvalidArgumentError, match="type"):
        SparkCompiler("documents", vector_type="half")
