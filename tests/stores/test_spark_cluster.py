"""Spark in several processes: four workers beside the driver, and Spark Connect, whose session is another class."""

import os
import subprocess
import sys

import pytest
from compiler_corpus import ask, assert_true_answer, corpus, engine_scores
from spark_cluster import JAVA_SINCE, java_version
from spark_frames import store_over

from logical_retriever.query import parse
from logical_retriever.stores import ScoreExpression

pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.engines
WORKERS = 4


@pytest.fixture(scope="module")
def spark(start_spark):
    yield from start_spark(WORKERS)


@pytest.mark.parametrize("values", [pa.float32(), pa.float64()], ids=str)
def test_scores_are_computed_by_several_processes_and_cosines_once(spark, values):
    documents = corpus()
    columns = {"id": pa.array(documents.ids), "vector": pa.array(documents.vectors.tolist(), pa.list_(values))}
    frame = spark.createDataFrame(pa.table({**columns, "text": columns["id"]})).repartition(WORKERS).cache()
    # Memory is kept per executor; the driver's is among them and runs nothing.
    assert spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == WORKERS + 1
    asked, store = ask(parse("(a OR b) AND NOT c"), documents), store_over(frame)
    assert_true_answer(engine_scores(store, asked, 20), asked, documents, 20)
    expression = ScoreExpression(asked.formula, asked.vectors)
    statement, parameters = store.compiler.by_score(expression, 20, store.within)
    plan = spark.sql(f"EXPLAIN {statement}", args=parameters).collect()[0][0]
    assert plan.count("vector_cosine_similarity") == 3, plan


SCRIPT = """
import pyarrow as pa
from pyspark.sql import SparkSession

from logical_retriever.query import parse
from logical_retriever.stores import InMemoryStore, ScoreExpression, SqlStore, SqlFilter
from logical_retriever.testing.samples import corpus, ids_of

spark = SparkSession.builder.remote("local[1]").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", "1")
spark.conf.set("spark.sql.codegen.wholeStage", "false")
assert type(spark).__module__ == "pyspark.sql.connect.session"
documents, vectors = corpus(lambda i: f"d{i:03}", 60)
columns = {"id": [d.id for d in documents], "text": [d.text for d in documents]}
columns |= {"kind": [d.metadata["kind"] for d in documents]}
columns |= {"vector": pa.array(vectors.tolist(), pa.list_(pa.float32()))}
spark.createDataFrame(pa.table(columns)).createTempView("docs")
there = SqlStore.from_table(spark, "docs")
here = InMemoryStore(documents, vectors)
odd = SqlFilter("kind = :kind", {"kind": "odd"})
expected = here.search(vectors[:1], 5, lambda document: document.metadata["kind"] == "odd")[0]
assert there.search(vectors[:1], 5, odd)[0] == expected
expression = ScoreExpression("lr_c0", vectors[:1])
assert list(there.search_by_score(expression, 5, odd).ids) == expected[0]
assert list(there.fetch(expected[0]).ids) == expected[0]
assert sorted(id for batch in there.scan() for id in batch.ids) == ids_of(documents)
print("as in this process")
spark.stop()
"""


def test_answers_through_spark_connect_are_those_of_this_process():
    pytest.importorskip("grpc_status", reason="grpcio-status, which Spark Connect needs, is not installed")
    if java_version() < JAVA_SINCE:
        pytest.skip(f"Spark 4 needs Java {JAVA_SINCE} or newer")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,  # its workers need pyarrow, and are started by any Python without this
            "SPARK_LOCAL_IP": "127.0.0.1",
            "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "as in this process" in done.stdout, done.stderr[-3000:]
