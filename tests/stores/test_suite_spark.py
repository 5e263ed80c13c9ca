"""Data frames of a real Spark pass the suite; its driver computes everything, so that statements are quick."""

from datetime import datetime, timezone
from types import MappingProxyType

import numpy as np
import pytest
from compiler_suite import CompilerSuite
from hostile_texts import HOSTILE
from spark_frames import IDS, Frame, store_over

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.sql import SqlStore
from logical_retriever.stores.sql.spark import SPARK
from logical_retriever.testing.samples import FIELDS
from logical_retriever.testing.store_suite import StoreSuite

pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def spark(start_spark):
    yield from start_spark(0)


class TestSpark(Frame, StoreSuite):
    ids = IDS
    questions, share = 2, 0.05  # each takes more than a second
    fields = MappingProxyType({name: FIELDS[name] for name in ("rating", "genres", "seen")})


class TestScores(CompilerSuite):
    trees = 1

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls, spark):
        def load(corpus):
            # A name that has everything in it that could end it; columns are named like our aliases.
            name = "the `documents`; :k ' -- $1"
            columns = {"score": pa.array(corpus.ids), "c0": pa.array(corpus.vectors.tolist(), pa.list_(pa.float32()))}
            spark.createDataFrame(pa.table(columns)).createOrReplaceTempView(SPARK.quoted(name))
            return SqlStore.from_table(spark, name, id="score", text="score", vector="c0")

        return load


def test_hostile_texts_are_values_and_nothing_else(spark):
    ids = [f"{i}{text}" for i, text in enumerate(HOSTILE)]
    vectors = pa.array([[1.0, float(i)] for i in range(len(ids))], pa.list_(pa.float32()))
    rows = pa.table({"id": ids, "text": HOSTILE, "vector": vectors, "kind": HOSTILE})
    store = store_over(spark.createDataFrame(rows))
    documents = store.fetch(ids).documents
    assert [(d.id, d.text, d.metadata["kind"]) for d in documents] == list(zip(ids, HOSTILE, HOSTILE, strict=True))
    assert store.fetch(HOSTILE).ids == ()
    for id, text in zip(ids, HOSTILE, strict=True):
        assert store.search(np.eye(1, 2, dtype=np.float32), 99, {"kind": text})[0] == [[id]], text
    for name in HOSTILE:
        with pytest.raises((StoreError, InvalidArgumentError)):
            SqlStore.from_table(spark, name)


def test_values_of_structs_and_moments_come_back_as_python_has_them(spark):
    frame = spark.sql(
        "SELECT 1 AS id, 'x' AS text, array(1.0D, 2.0D) AS vector, "
        "named_struct('year', 1998, 'in', array('a')) AS more, "
        "TIMESTAMP '2020-02-29 01:02:03 America/New_York' AS seen"
    )
    [document] = store_over(frame).fetch([1]).documents
    seen = datetime(2020, 2, 29, 6, 2, 3, tzinfo=timezone.utc)
    assert document.metadata == {"more": {"year": 1998, "in": ["a"]}, "seen": seen}
    [document] = store_over(frame, metadata="more").fetch([1]).documents
    assert document.metadata == {"year": 1998, "in": ["a"]}


def test_vectors_in_double_precision_are_pushed_down(spark, pushed):
    frame = spark.sql("SELECT id, 'x' AS text, array(cos(id), sin(id)) AS vector FROM range(30)")
    store, given = store_over(frame), {"a": [1, 0], "b": [0, 1]}
    here = InMemoryStore(*zip(*((StoredDocument(i, "x"), [np.cos(i), np.sin(i)]) for i in range(30)), strict=True))
    assert list(pushed(store, "a", given, k=30).ids)[:3] == here.search(np.array([[1, 0]], np.float32), 3)[0][0]
    assert len(pushed(store, "a AND NOT b", given, k=3).ids) == 3
