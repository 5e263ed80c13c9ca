"""Stores over data frames of a real Spark, for suites."""

import uuid
from types import MappingProxyType

import pytest

from logical_retriever.stores.sql import SqlStore
from logical_retriever.testing.samples import KEYS

pa = pytest.importorskip("pyarrow")

TYPES = MappingProxyType(
    {
        **{"year": pa.int64(), "rating": pa.float64(), "language": pa.string(), "animated": pa.bool_()},
        **{"genres": pa.list_(pa.string()), 'o\'brien "x" `y` {}': pa.float32(), "seen": pa.timestamp("us")},
    }
)
RANKED = MappingProxyType({"kind": pa.string(), "rank": pa.int32()})
KEY_TYPES = MappingProxyType({"string": (pa.string(), KEYS["text"]), "bigint": (pa.int64(), KEYS["int64"])})


def store_over(frame, **columns):
    """A store over a frame, under a temporary view of a new name."""
    view = f"v{uuid.uuid4().hex}"
    frame.createTempView(view)
    return SqlStore.from_table(frame.sparkSession, view, **columns)


class Frame:
    id_type = "string"

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
            self.frame = frame
            return store_over(frame)

        return make

    @pytest.fixture
    def make_described(self, make_store):
        return lambda documents, vectors: make_store(documents, vectors, {**TYPES, **RANKED})

    def delete(self, store, ids):
        kept = self.frame.filter(~self.frame["id"].isin(list(ids)))
        kept.createOrReplaceTempView(store.columns.table.strip("`"))

    def equals(self, key, value):
        return {key: value}


IDS = MappingProxyType({name: keys for name, (_, keys) in KEY_TYPES.items()})
