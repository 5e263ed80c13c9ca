"""The real encoder, loaded once."""

import pytest

from logical_retriever.encoders import SentenceTransformerEmbedder


@pytest.fixture(scope="session")
def minilm():
    return SentenceTransformerEmbedder()
