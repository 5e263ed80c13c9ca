"""The same data frames through Spark Connect, whose session is another class, in a process of its own."""

import os
import subprocess
import sys

import pytest
from spark_cluster import JAVA_SINCE, java_version

pytestmark = pytest.mark.engines

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
    pytest.importorskip("pyspark", reason="pyspark is not installed")
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
