"""Shards in several real servers of Postgres, each asked to score its own documents; one is killed."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from langchain_postgres import PGVector
from postgres_server import postgres_server
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import sessionmaker

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


def test_a_user_who_may_only_read_is_enough_and_a_pool_of_one(servers, given_embeddings, fill):
    documents, vectors = corpus(lambda i: f"r{i:03}", COUNT)  # an id belongs to one collection of a server
    embeddings, shards, readers = given_embeddings(documents, vectors), [], []
    for i, (engine, _) in enumerate(servers):
        fill(PGVector(embeddings, connection=engine, collection_name="read", create_extension=False), documents[i::3])
        with engine.begin() as connection:
            connection.execute(text("CREATE ROLE reader LOGIN"))
            connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"))
        readers.append(create_engine(engine.url.set(username="reader"), pool_size=1, max_overflow=0, pool_timeout=20))
        options = {"create_extension": False, "collection_name": "read"}
        read_only = PGVector.__new__(PGVector)  # its constructor makes the tables, which a reader may not
        read_only.__dict__.update(vars(PGVector(embeddings, connection=engine, **options)))
        read_only._engine = readers[-1]
        read_only.session_maker = sessionmaker(bind=readers[-1])
        shards.append(as_store(read_only))
    retriever = over(ShardedStore(shards, timeout=30), letters(), k=8, pushdown="always")
    here = over(InMemoryStore(documents, vectors), letters(), k=8)
    with ThreadPoolExecutor(6) as pool:
        for query, found in zip(QUERIES * 3, pool.map(retriever.search, QUERIES * 3), strict=True):
            assert found.exact, found.reason
            assert [d.id for d in found.documents] == [d.id for d in here.search(query).documents]
    for reader in readers:
        with reader.connect() as connection, pytest.raises(ProgrammingError, match="permission denied"):
            connection.execute(text("DELETE FROM langchain_pg_embedding"))
        reader.dispose()


def test_a_statement_that_takes_the_server_too_long_is_an_absent_shard(servers, given_embeddings, fill):
    documents, vectors = corpus(lambda i: f"s{i:03}", COUNT)
    embeddings, shards = given_embeddings(documents, vectors), []
    for i, (engine, _) in enumerate(servers):
        wrapper = PGVector(embeddings, connection=engine, collection_name="slow", create_extension=False)
        shards.append(as_store(fill(wrapper, documents[i::SERVERS])))
    retriever = over(ShardedStore(shards, timeout=30), letters(), k=8, pushdown="always")
    assert retriever.search(QUERIES[0]).exact
    engine = servers[2][0]

    def hurried(connection, record, proxy):
        connection.execute("SET statement_timeout = 1")

    with engine.begin() as locked:
        locked.execute(text("LOCK TABLE langchain_pg_embedding IN ACCESS EXCLUSIVE MODE"))
        event.listen(engine, "checkout", hurried)
        try:
            result = retriever.search(QUERIES[0])
        finally:
            event.remove(engine, "checkout", hurried)
    engine.dispose()
    assert not result.exact
    assert "shard 3 of 3" in result.reason
    assert "statement timeout" in result.reason
    assert retriever.search(QUERIES[0]).exact


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
