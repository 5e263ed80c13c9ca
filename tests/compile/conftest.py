"""Engines that several tests share."""

import pytest

from logical_retriever.testing.postgres import postgres_server


@pytest.fixture(scope="session")
def postgres_url():
    """A real Postgres with pgvector, started for these tests."""
    with postgres_server() as url:
        yield url
