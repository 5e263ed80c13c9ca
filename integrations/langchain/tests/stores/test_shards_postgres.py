"""Shards in several real servers of Postgres, each asked to score its own documents; one is killed."""

import os
import signal
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from langchain_postgres import PGVector
from postgres_server import postgres_server
from sqlalchemy import create_engine, text

from langchain_logical_retriever.stores import as_store
from logical_retriever import InMemoryStore, ShardedStore
from logical_retriever.query import parse
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.ranking_suite import corpus, over

SERVERS = 3
COUNT = 90
QUERIES = [parse(query) for query in ('"a" AND NOT "b"', '("a" OR "b") AND "c" AND NOT "d"')]


@pytest.fixture(scope="module")
def servers():
    """Engines of three servers, and the number of each one's first process."""
    with ExitStack() as stack:
        made = []
        for _ in range(SERVERS):
            url = stack.enter_context(postgres_server()).replace("postgresql://", "postgresql+psycopg://")
            engine = create_engine(url)
            stack.callback(engine.dispose)
            with engine.connect() as connection:
                folder = connection.execute(text("SHOW data_directory")).scalar_one()
            made.append((engine, int(Path(folder, "postmaster.pid").read_text().splitlines()[0])))
        yield made


def test_servers_score_their_own_and_one_that_is_killed_is_named(servers, given_embeddings, fill):
    documents, vectors = corpus(lambda i: f"d{i:03}", COUNT)
    embeddings = given_embeddings(documents, vectors)
    shards = [
        as_store(fill(PGVector(embeddings, connection=engine, collection_name="docs", create_extension=False), part))
        for (engine, _), part in ((servers[i], documents[i::SERVERS]) for i in range(SERVERS))
    ]
    store, here = ShardedStore(shards, timeout=10), InMemoryStore(documents, vectors)
    for query in QUERIES:
        for pushdown in ("always", "never"):
            found = over(store, letters(), k=8, pushdown=pushdown).search(query)
            expected = over(here, letters(), k=8).search(query)
            assert found.exact, found.reason
            assert [d.id for d in found.documents] == [d.id for d in expected.documents]
            assert (found.plan.strategy == "pushdown") == (pushdown == "always")

    others = {document.id for i in (0, 2) for document in documents[i::SERVERS]}
    killing = threading.Timer(0.05, os.kill, (servers[1][1], signal.SIGKILL))
    killing.start()
    while (result := over(store, letters(), k=8, pushdown="always").search(QUERIES[0])).exact:
        assert [d.id for d in result.documents] == [
            d.id for d in over(here, letters(), k=8).search(QUERIES[0]).documents
        ]
    killing.join()
    assert "shard 2 of 3" in result.reason
    assert {document.id for document in result.documents} <= others
    best = [d.id for d in over(here, letters(), k=COUNT).search(QUERIES[0]).documents if d.id in others]
    assert [document.id for document in result.documents] == best[:8]
