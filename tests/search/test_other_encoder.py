"""An encoder that a store was not filled with is noticed, and vectors that are merely not the plain ones are not."""

import logging

import numpy as np
import pytest

from logical_retriever import InMemoryStore, LogicalRetriever, SentenceTransformerEmbedder, StoredDocument
from logical_retriever.demo import load_passages
from logical_retriever.errors import EmbeddingError
from logical_retriever.testing import HashingEmbedder

pytestmark = pytest.mark.slow

TEXTS = [passage.text for passage in load_passages()[:40]]


class NoDocuments(SentenceTransformerEmbedder):
    def embed_documents(self, texts):
        raise EmbeddingError("no route", hint="")


@pytest.fixture(scope="module")
def encoder():
    return SentenceTransformerEmbedder()


def plain(encoder):
    return encoder.embed_documents(TEXTS)


def quantised(encoder):
    return np.round(encoder.embed_documents(TEXTS) * 127).clip(-128, 127).astype(np.int8)


def with_metadata(encoder):
    return encoder.embed_documents([f"file_name: notes.md\nauthor: Someone\nyear: 2024\n\n{text}" for text in TEXTS])


def of_another(encoder):
    return HashingEmbedder(384).embed_documents(TEXTS)


def answered(caplog, vectors, encoder, **settings):
    store = InMemoryStore([StoredDocument(str(i), text) for i, text in enumerate(TEXTS)], vectors)
    retriever = LogicalRetriever(store, encoder, **settings)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert len(retriever.retrieve("what keeps you awake, but not coffee")) == 4
    return [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize("vectors", [plain, quantised, with_metadata])
def test_legal_vectors_are_no_news(caplog, encoder, vectors):
    assert answered(caplog, vectors(encoder), encoder) == []


def test_a_document_says_what_was_encoded_for_it(caplog, encoder):
    headers = [f"{'file_path: /srv/data/2024/archive; ' * 40}\n\n" for _ in TEXTS]
    vectors = encoder.embed_documents([header + text for header, text in zip(headers, TEXTS, strict=True)])
    for whole in (True, False):
        caplog.clear()
        documents = [
            StoredDocument(str(i), text, encoded=(lambda i=i: headers[i] + TEXTS[i]) if whole else None)
            for i, text in enumerate(TEXTS)
        ]
        LogicalRetriever(InMemoryStore(documents, vectors), encoder).retrieve("what keeps you awake, but not coffee")
        assert bool(caplog.records) is not whole


def test_those_of_another_encoder_are_told_once_with_both_names(caplog, encoder):
    [message] = answered(caplog, of_another(encoder), encoder)
    assert "The vectors of InMemoryStore do not look like those of SentenceTransformerEmbedder" in message
    assert "8 of its texts" in message


def test_an_encoder_that_encodes_no_documents_is_asked_for_none(caplog, encoder):
    many = [StoredDocument(str(i), TEXTS[i % 40]) for i in range(1_000)]  # as many as need no background sentences
    store = InMemoryStore(many, np.tile(plain(encoder), (25, 1)))
    assert len(LogicalRetriever(store, NoDocuments()).retrieve("what keeps you awake, but not coffee")) == 4
    assert caplog.records == []
