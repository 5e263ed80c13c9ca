"""The real encoder, loaded once."""

import pytest

from logical_retriever.lab.nsir import SentenceTransformerTokens


@pytest.fixture(scope="session")
def encoder():
    return SentenceTransformerTokens()
