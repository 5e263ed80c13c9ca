"""What the suites of all stores need: embeddings whose vectors the suite chooses, and a way to fill a store."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from logical_retriever.stores import StoredDocument
from logical_retriever.testing.samples import DIMENSION


class GivenEmbeddings(Embeddings):
    """Texts have the vectors they were given; any other text, which wrappers embed to see a length, has (1, 0, ...)."""

    def __init__(self, documents: Sequence[StoredDocument], vectors: Any) -> None:
        self.vectors = {d.text: vector.tolist() for d, vector in zip(documents, vectors, strict=True)}

    def embed_query(self, text: str) -> list[float]:
        return self.vectors.get(text, [1.0] + [0.0] * (DIMENSION - 1))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


@pytest.fixture(scope="session")
def given_embeddings() -> type[GivenEmbeddings]:
    return GivenEmbeddings


@pytest.fixture(scope="session")
def fill() -> Callable[[VectorStore, Sequence[StoredDocument]], VectorStore]:
    """Add documents under their ids, the way users do."""

    def fill(vectorstore: VectorStore, documents: Sequence[StoredDocument]) -> VectorStore:
        if documents:
            vectorstore.add_documents(
                [Document(page_content=d.text, metadata=dict(d.metadata)) for d in documents],
                ids=[d.id for d in documents],
            )
        return vectorstore

    return fill


@pytest.fixture
def new_name() -> Callable[[], str]:
    """A name that no collection or table has yet."""
    return lambda: f"c{uuid.uuid4().hex}"
