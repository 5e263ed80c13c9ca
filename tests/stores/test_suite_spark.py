"""Data frames of a real Spark pass the suite; its driver computes everything, so that statements are quick."""

from datetime import datetime
from types import MappingProxyType

import numpy as np
import pytest
from spark_frames import IDS, Frame

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.spark import SparkStore
from logical_retriever.testing.samples import FIELDS
from logical_retriever.testing.store_suite import StoreSuite

pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.fixture(scope="module")
def spark(start_spark):
    yield from start_spark(0)


class TestSpark(Frame, StoreSuite):
    ids = IDS
    questions = 2  # each takes more than a second
    fields = MappingProxyType({name: FIELDS[name] for name in ("rating", "genres", "seen")})


def test_what_is_no_frame_or_session_is_refused(spark):
    with pytest.raises(InvalidArgumentError, match="data frame of Spark"):
        SparkStore.from_dataframe([1, 2])
    with pytest.raises(InvalidArgumentError, match="session of Spark"):
        SparkStore.from_table("docs.parquet", "docs")
    frame = spark.sql("SELECT 1 AS id, 'x' AS text, 'y' AS vector")
    with pytest.raises(InvalidArgumentError, match="none of vectors"):
        SparkStore.from_dataframe(frame)


def test_values_of_structs_and_moments_come_back_as_python_has_them(spark):
    frame = spark.sql(
        "SELECT 1 AS id, 'x' AS text, array(1.0D, 2.0D) AS vector, "
        "named_struct('year', 1998, 'in', array('a')) AS more, "
        "TIMESTAMP '2020-02-29 01:02:03 America/New_York' AS seen"
    )
    [document] = SparkStore.from_dataframe(frame).fetch([1]).documents
    assert document.metadata == {"more": {"year": 1998, "in": ["a"]}, "seen": datetime(2020, 2, 29, 6, 2, 3)}
    [document] = SparkStore.from_dataframe(frame, metadata="more").fetch([1]).documents
    assert document.metadata == {"year": 1998, "in": ["a"]}


def test_vectors_in_double_precision_are_pushed_down(spark, pushed):
    frame = spark.sql("SELECT id, 'x' AS text, array(cos(id), sin(id)) AS vector FROM range(30)")
    store, given = SparkStore.from_dataframe(frame), {"a": [1, 0], "b": [0, 1]}
    here = InMemoryStore(*zip(*((StoredDocument(i, "x"), [np.cos(i), np.sin(i)]) for i in range(30)), strict=True))
    assert list(pushed(store, "a", given, k=30).ids)[:3] == here.search(np.array([[1, 0]], np.float32), 3)[0]
    assert len(pushed(store, "a AND NOT b", given, k=3).ids) == 3
