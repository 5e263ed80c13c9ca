"""Shards pass the suite of one store: of one kind, of several kinds, under ids of their own, and in engines."""

from types import MappingProxyType

import duckdb
import numpy as np
import pytest

from logical_retriever.stores import DuckDBStore, InMemoryStore, ShardedStore
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing.identity_suite import BYTES, FLOATS, MIXED, TEXTS, WHOLE_64
from logical_retriever.testing.pushdown_suite import PushdownSuite
from logical_retriever.testing.ranking_suite import DIMENSION
from logical_retriever.testing.store_suite import StoreSuite

SHARDS = 4


def parts(documents, vectors):
    """Skewed: most are in the first shard, none in the last."""
    homes = np.random.default_rng(len(documents)).choice(SHARDS - 1, size=len(documents), p=[0.7, 0.2, 0.1])
    for shard in range(SHARDS):
        rows = np.flatnonzero(homes == shard)
        yield [documents[row] for row in rows], np.asarray(vectors)[rows]


class Remote(WrappedStore):
    """A store that filters by a mapping, as an engine's does."""

    def inner_filter(self, filter):
        return None if filter is None else lambda document: filter.items() <= document.metadata.items()


def in_memory(documents, vectors):
    return Remote(InMemoryStore(documents, vectors))


def table(connection, name, documents, vectors):
    connection.execute(
        f"CREATE OR REPLACE TABLE {name} (id VARCHAR, body VARCHAR, e FLOAT[{DIMENSION}], kind VARCHAR, rank INTEGER)"
    )
    if documents:
        connection.executemany(
            f"INSERT INTO {name} VALUES (?, ?, ?, ?, ?)",
            [
                (d.id, d.text, vector.tolist(), d.metadata["kind"], d.metadata["rank"])
                for d, vector in zip(documents, vectors, strict=True)
            ],
        )
    return DuckDBStore.from_table(connection, name, text="body", vector="e")


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


class Sharded:
    def delete(self, store, ids):
        for shard in store.shards:
            if isinstance(shard, Remote):
                shard.store.delete(ids)
            else:
                name = shard.columns.table
                shard.connection.cursor().execute(f"DELETE FROM {name} WHERE id IN (SELECT unnest(?))", [list(ids)])

    def equals(self, key, value):
        return {key: value}


class TestInMemoryShards(Sharded, StoreSuite):
    ids = MappingProxyType({"text": TEXTS, "whole": WHOLE_64, "float": FLOATS, "bytes": BYTES, "mixed": MIXED})

    @pytest.fixture
    def make_store(self):
        return lambda documents, vectors: ShardedStore([in_memory(*part) for part in parts(documents, vectors)])


class TestShardsOfTwoKinds(Sharded, StoreSuite):
    questions = 5  # each asks several stores

    @pytest.fixture
    def make_store(self, connection):
        def make(documents, vectors):
            made = [
                table(connection, f"docs{shard}", *part) if shard % 2 else in_memory(*part)
                for shard, part in enumerate(parts(documents, vectors))
            ]
            return ShardedStore(made)

        return make


class DuckDBShards(Sharded):
    @pytest.fixture
    def make_store(self, connection):
        def make(documents, vectors):
            split = parts(documents, vectors)
            return ShardedStore([table(connection, f"docs{shard}", *part) for shard, part in enumerate(split)])

        return make


class TestDuckDBShards(DuckDBShards, StoreSuite):
    questions = 5


class TestPushdownToShards(DuckDBShards, PushdownSuite):
    pass
