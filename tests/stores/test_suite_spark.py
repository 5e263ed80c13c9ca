"""Data frames of a real Spark, in two worker processes, pass the suite; a statement takes it a tenth of a second."""

from datetime import datetime
from itertools import product
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import parse
from logical_retriever.stores.spark import SparkStore
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.condition_suite import FIELDS
from logical_retriever.testing.identity_suite import (
    BYTES,
    DECIMALS,
    FLOATS,
    MOMENTS,
    TEXTS,
    WHOLE_64,
)
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.searching import find
from logical_retriever.testing.store_suite import StoreSuite

pytest.importorskip("pyspark", reason="pyspark is not installed")

TYPES = MappingProxyType(
    {
        **{"year": pa.int64(), "rating": pa.float64(), "language": pa.string(), "animated": pa.bool_()},
        **{"genres": pa.list_(pa.string()), 'o\'brien "x" `y` {}': pa.float32(), "seen": pa.timestamp("us")},
    }
)
RANKED = MappingProxyType({"kind": pa.string(), "rank": pa.int32()})
KEY_TYPES = MappingProxyType(
    {
        **{"string": (pa.string(), TEXTS), "bigint": (pa.int64(), WHOLE_64), "double": (pa.float64(), FLOATS)},
        **{"decimal": (pa.decimal128(18, 4), DECIMALS), "binary": (pa.binary(), BYTES)},
        "timestamp_ntz": (pa.timestamp("us"), MOMENTS),
    }
)


class Frame:
    id_type = "string"
    parts = None
    """Processes that rows are spread over; a small frame is otherwise computed by the driver, in far less time."""

    @pytest.fixture
    def make_store(self, spark):
        def make(documents, vectors, types=RANKED):
            table = pa.table(
                {
                    "id": pa.array([d.id for d in documents], KEY_TYPES[self.id_type][0]),
                    "text": pa.array([d.text for d in documents], pa.string()),
                    "vector": pa.array(vectors.tolist(), pa.list_(pa.float32())),
                    **{name: pa.array([d.metadata.get(name) for d in documents], t) for name, t in types.items()},
                }
            )
            frame = spark.createDataFrame(table)
            for field in table.schema:
                if pa.types.is_timestamp(field.type):
                    frame = frame.withColumn(field.name, frame[field.name].cast("timestamp_ntz"))
            self.frame = frame if self.parts is None else frame.repartition(self.parts)
            return SparkStore.from_dataframe(self.frame)

        return make

    @pytest.fixture
    def make_described(self, make_store):
        return lambda documents, vectors: make_store(documents, vectors, {**TYPES, **RANKED})

    def delete(self, store, ids):
        kept = self.frame.filter(~self.frame["id"].isin(list(ids)))
        kept.createOrReplaceTempView(store.columns.table.strip("`"))

    def equals(self, key, value):
        return {key: value}


KEYS = MappingProxyType({name: keys for name, (_, keys) in KEY_TYPES.items()})


class TestSpark(Frame, StoreSuite):
    ids = KEYS
    questions = 2  # each takes more than a second
    fields = MappingProxyType({name: FIELDS[name] for name in ("rating", "genres", "seen")})


class TestPushdown(Frame, PushdownSuite):
    parts = 2
    trees = 3
    ids = MappingProxyType({name: KEYS[name] for name in ("string", "bigint")})


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


def test_vectors_in_double_precision_are_pushed_down(spark):
    frame = spark.sql("SELECT id, 'x' AS text, array(cos(id), sin(id)) AS vector FROM range(30)")
    found = find(parse('"a" AND NOT "b"'), SparkStore.from_dataframe(frame), {"a": [1, 0], "b": [0, 1]}, k=3)
    assert found.exact
    forced = find(
        parse('"a" AND NOT "b"'),
        SparkStore.from_dataframe(frame),
        {"a": [1, 0], "b": [0, 1]},
        k=3,
        pushdown="always",
    )
    assert [d.id for d in forced.documents] == [d.id for d in found.documents]
    assert forced.plan.strategy == "pushdown"


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
    store = SparkStore.from_dataframe(spark.createDataFrame(pa.table(columns)).repartition(2))
    asked = [parse(text) for text in ("tea AND NOT brewing", "NOT coffee", "(tea OR price) AND NOT health", "tea")]
    retriever = LogicalRetriever(store, embedder, k=5, pushdown="always")
    for options in ({"evidence": "dense", "drop_excluded": False}, {"filter": {"even": True}}):
        alone = [retriever.search(query, **options) for query in asked]
        together = retriever.search_many(asked, **options)
        for one, other in zip(alone, together, strict=True):
            assert [(d.id, d.score) for d in one.documents] == [(d.id, d.score) for d in other.documents]
            assert (one.exact, one.proved) == (other.exact, other.proved)
            assert other.reason.startswith("NumPy on Spark scored every document")
