"""What the suites of all stores need: embeddings whose vectors the suite chooses, and a way to fill a store."""

import uuid

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from logical_retriever.testing.samples import DIMENSION


class GivenEmbeddings(Embeddings):
    """Texts have the vectors they were given; any other text, which wrappers embed to see a length, has (1, 0, ...)."""

    def __init__(self, documents, vectors):
        self.vectors = {d.text: vector.tolist() for d, vector in zip(documents, vectors, strict=True)}

    def embed_query(self, text):
        return self.vectors.get(text, [1.0] + [0.0] * (DIMENSION - 1))

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


@pytest.fixture(scope="session")
def given_embeddings():
    return GivenEmbeddings


@pytest.fixture(scope="session")
def fill():
    """Add documents under their ids, the way users do."""

    def fill(vectorstore, documents):
        if documents:
            vectorstore.add_documents(
                [Document(page_content=d.text, metadata=dict(d.metadata)) for d in documents],
                ids=[d.id for d in documents],
            )
        return vectorstore

    return fill


@pytest.fixture
def new_name():
    """A name that no collection or table has yet."""
    return lambda: f"c{uuid.uuid4().hex}"
