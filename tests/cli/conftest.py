"""The real encoder, loaded once, and counted; commands run in this process through typer's runner."""

import json
import os

import chromadb
import pytest
from typer.testing import CliRunner
from verifying import encoder as remembering

from logical_retriever.commands import passages
from logical_retriever.commands.group import app
from logical_retriever.commands.output import working
from logical_retriever.search.statistics import sentences

BACKGROUND = frozenset(sentences())
PASSAGES = [
    {"_id": "bone", "title": "Vitamin D and bones", "text": "Vitamin D keeps bones strong and prevents rickets."},
    {"_id": "mood", "title": "Vitamin D and mood", "text": "Vitamin D may lift the mood in dark winters."},
    {"_id": "cold", "title": "Vitamin D and colds", "text": "Vitamin D gives some protection against colds."},
    {"_id": "jazz", "title": "", "text": "Miles Davis recorded Kind of Blue in 1959."},
]


class CountingEmbedder:
    """Hands every text to the encoder, and remembers which documents it was given, background sentences aside."""

    def __init__(self, real):
        self.real, self.documents, self.loaded = real, [], []

    def __call__(self, model):
        self.loaded.append(model)
        return self

    def embed_queries(self, texts):
        return self.real.embed_queries(texts)

    def embed_documents(self, texts):
        self.documents += [text for text in texts if text not in BACKGROUND]
        return self.real.embed_documents(texts)


@pytest.fixture(scope="session")
def real_encoder():
    with working():
        return remembering()


@pytest.fixture
def encoder(real_encoder, monkeypatch):
    counting = CountingEmbedder(real_encoder)
    monkeypatch.setattr(passages, "SentenceTransformerEmbedder", counting)
    return counting


@pytest.fixture
def run(monkeypatch):
    """Run the command line in this process."""
    monkeypatch.setitem(os.environ, "COLUMNS", "80")

    def invoke(*arguments):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke


@pytest.fixture
def write():
    """Write rows to a JSONL file."""

    def write(path, rows):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def collection(tmp_path, real_encoder):
    """A folder with a Chroma collection that somebody else made."""
    client = chromadb.PersistentClient(str(tmp_path / "kept"), settings=chromadb.Settings(anonymized_telemetry=False))
    papers = client.create_collection("papers", embedding_function=None)
    ids, texts = [row["_id"] for row in PASSAGES], [row["text"] for row in PASSAGES]
    years = [{"year": 2000 + place} for place in range(len(texts))]
    papers.add(ids=ids, documents=texts, metadatas=years, embeddings=real_encoder.embed_documents(texts))
    return tmp_path / "kept"


@pytest.fixture
def corpus(tmp_path, write):
    return write(tmp_path / "corpus.jsonl", PASSAGES)
