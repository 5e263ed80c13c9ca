"""Engines that several tests share."""

import pytest
from postgres_server import postgres_server


@pytest.fixture(scope="session")
def postgres_url():
    """A real Postgres with pgvector, started for these tests."""
    with postgres_server() as url:
        yield url
