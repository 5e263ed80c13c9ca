"""The real encoder, loaded once."""

from __future__ import annotations

import pytest

from logical_retriever.lab.nsir import SentenceTransformerTokens


@pytest.fixture(scope="session")
def encoder() -> SentenceTransformerTokens:
    return SentenceTransformerTokens()
