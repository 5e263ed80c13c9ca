"""Chroma, embedded and over HTTP, under langchain-chroma."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import chromadb
import pytest
from changing import ChangingVectorStore, InChroma
from chromadb.config import Settings
from langchain_chroma import Chroma

from langchain_logical_retriever.stores import as_store
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines

START = 60
"""Seconds that a server may take to answer."""
SETTINGS = Settings(anonymized_telemetry=False)


@pytest.fixture(scope="module")
def http(tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma")
    with (folder / "log").open("wb") as log:
        command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(folder / "data")]
        server = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], stdout=log, stderr=log)
        try:
            yield _client(server, port, folder / "log")
        finally:
            server.terminate()
            server.wait(timeout=30)


def _client(server, port, log):
    deadline = time.monotonic() + START
    while True:
        try:
            return chromadb.HttpClient(host="127.0.0.1", port=port, settings=SETTINGS)
        except ValueError:  # what the client raises while nothing answers
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    return chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")), settings=SETTINGS)


class ChromaStores(InChroma, ChangingVectorStore):
    client = "http"
    space = "l2"

    @pytest.fixture
    def make_store(self, request, given_embeddings, fill, new_name):
        client = request.getfixturevalue(self.client)

        def make(documents, vectors):
            vectorstore = Chroma(
                new_name(),
                given_embeddings(documents, vectors),
                client=client,
                collection_configuration={"hnsw": {"space": self.space}},
            )
            return as_store(fill(vectorstore, documents))

        return make


class TestOverHTTP(ChromaStores, StoreSuite):
    pass


class TestEmbeddedInnerProduct(ChromaStores, StoreSuite):
    client = "embedded"
    space = "ip"
