"""The real encoder, loaded once."""

import pytest

from lab.nsir import SentenceTransformerTokens
from logical_retriever import SentenceTransformerEmbedder


@pytest.fixture(scope="session")
def encoder():
    return SentenceTransformerTokens(SentenceTransformerEmbedder().sentence_transformer)
