"""Data frames over worker processes of a real Spark: scores are computed where the rows are, and merged."""

import os
import signal
import subprocess
from itertools import product
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pytest
from spark_frames import KEYS, Frame

from logical_retriever import LogicalRetriever
from logical_retriever.query import parse
from logical_retriever.stores.spark import SparkStore
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.pushdown_suite import PushdownSuite, letters
from logical_retriever.testing.ranking_suite import corpus
from logical_retriever.testing.searching import find

pytest.importorskip("pyspark", reason="pyspark is not installed")

WORKERS = 2


class TestPushdown(Frame, PushdownSuite):
    parts = WORKERS
    trees = 3
    ids = MappingProxyType({name: KEYS[name] for name in ("string", "bigint")})


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")  # of which nothing is used
def test_many_questions_are_one_job_with_the_answers_of_each_alone(spark):
    words, embedder = ["tea", "coffee", "health", "brewing", "price"], HashingEmbedder(32)
    texts = [" ".join(pair) for pair in product(words, repeat=3)]  # copies of vectors, whose ties go by id
    vectors = embedder.embed_documents(texts)
    vectors[7], vectors[8] = 0.0, np.nan
    columns = {
        "id": pa.array(range(len(texts))),
        "text": pa.array(texts),
        "even": pa.array([True, False] * 62 + [True]),
    }
    columns |= {"vector": pa.array(vectors.tolist(), pa.list_(pa.float32()))}
    store = SparkStore.from_dataframe(spark.createDataFrame(pa.table(columns)).repartition(WORKERS))
    asked = [parse(text) for text in ("tea AND NOT brewing", "NOT coffee", "(tea OR price) AND NOT health", "tea")]
    retriever = LogicalRetriever(store, embedder, k=5, pushdown="always")
    for options in ({"evidence": "dense", "drop_excluded": False}, {"filter": {"even": True}}):
        alone = [retriever.search(query, **options) for query in asked]
        together = retriever.search_many(asked, **options)
        for one, other in zip(alone, together, strict=True):
            assert [(d.id, d.score) for d in one.documents] == [(d.id, d.score) for d in other.documents]
            assert (one.exact, one.proved) == (other.exact, other.proved)
            assert other.reason.startswith("NumPy on Spark scored every document")


def test_a_worker_that_is_killed_is_done_without(spark):
    documents, vectors = corpus(lambda i: f"d{i:03}", 60)
    frame = spark.createDataFrame(
        pa.table(
            {
                "id": pa.array([document.id for document in documents]),
                "text": pa.array([document.text for document in documents]),
                "vector": pa.array(vectors.tolist(), pa.list_(pa.float32())),
            }
        )
    )
    store, query = SparkStore.from_dataframe(frame.repartition(WORKERS)), parse('"a" AND NOT "b"')
    whole = find(query, store, letters(), k=5, pushdown="always")
    shown = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    driver = str(spark.sparkContext._gateway.proc.pid)
    rows = [row.split() for row in shown.splitlines() if "ExecutorBackend" in row]
    workers = [int(pid) for pid, parent, *_ in rows if parent == driver]
    assert len(workers) == WORKERS
    os.kill(workers[0], signal.SIGKILL)
    without = find(query, store, letters(), k=5, pushdown="always")
    assert (whole.exact, without.exact) == (True, True)
    assert [(d.id, d.score) for d in without.documents] == [(d.id, d.score) for d in whole.documents]
