"""Stores in processes of their own, asked over TCP, that are really killed and really stopped."""

from __future__ import annotations

import atexit
import os
import pickle
import secrets
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import Any

from logical_retriever.stores import Batch, Capabilities, InMemoryStore, StoredDocument, VectorBatch, WordQuery
from logical_retriever.vectors import Vectors

KEY = secrets.token_bytes(16)
"""Begins each request: nobody else is to send what is taken for Python's objects."""


class ServedStore:
    """The reference store of another process; filters are mappings from keys of metadata to their values.

    Attributes:
        process: Number of the other process.
    """

    capabilities: Capabilities = replace(
        InMemoryStore.capabilities, name="Served", in_process=False, indexes_words=False
    )

    def __init__(self, process: int, port: int) -> None:
        self.process = process
        self._address = ("127.0.0.1", port)

    def count(self) -> int:
        """Number of documents."""
        return int(self._asked("count"))

    def search(self, vectors: Vectors, n: int, filter: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """The n nearest documents of each vector."""
        found: list[list[Any]] = self._asked("search", vectors, n, filter)
        return found

    def search_words(
        self, queries: Sequence[WordQuery], n: int, filter: Mapping[str, Any] | None = None
    ) -> list[list[Any]]:
        """Documents that have words of each query."""
        found: list[list[Any]] = self._asked("search_words", list(queries), n, filter)
        return found

    def fetch(self, ids: Sequence[Any]) -> Batch:
        """Documents and vectors by id."""
        batch: Batch = self._asked("fetch", list(ids))
        return batch

    def sample(self, n: int, seed: int) -> Batch:
        """Documents drawn at random."""
        batch: Batch = self._asked("sample", n, seed)
        return batch

    def scan(self, filter: Mapping[str, Any] | None = None) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter, a few hundred at a time, asked for one by one."""
        ids: list[Any] = self._asked("ids", filter)
        for start in range(0, len(ids), 200):
            batch = self.fetch(ids[start : start + 200])
            yield VectorBatch(batch.ids, batch.vectors)

    def kill(self) -> None:
        """End the process at once."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)

    def stop(self) -> None:
        """Have the process do nothing from now on, with its connections open."""
        os.kill(self.process, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let a stopped process go on."""
        os.kill(self.process, signal.SIGCONT)

    def _asked(self, method: str, *arguments: Any) -> Any:
        with socket.create_connection(self._address) as connection, connection.makefile("rwb") as stream:
            stream.write(KEY + pickle.dumps((method, arguments)))
            stream.flush()
            answer = pickle.load(stream)
        if isinstance(answer, Exception):
            raise answer
        return answer


@contextmanager
def served(documents: Sequence[StoredDocument], vectors: Vectors) -> Iterator[ServedStore]:
    """Start a process with these documents, until the end of the block at the latest."""
    store = ServedStore(*_nursery().served(documents, vectors))
    try:
        yield store
    finally:
        store.kill()


class _Nursery:
    """A process that has imported everything, and of which those that serve are copies."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()

    def served(self, documents: Sequence[StoredDocument], vectors: Vectors) -> tuple[int, int]:
        """Process and port of a new server."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            pickle.dump((KEY, list(documents), vectors), self._process.stdin)
            self._process.stdin.flush()
            process, port = self._process.stdout.readline().split()
        return int(process), int(port)

    def close(self) -> None:
        """End the process; the others see it."""
        self._process.communicate()


@cache
def _nursery() -> _Nursery:
    nursery = _Nursery()
    atexit.register(nursery.close)
    return nursery


def _copies() -> None:
    """Make a copy of this process for each corpus that comes in."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    here = os.getpid()
    while True:
        try:
            key, documents, vectors = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if os.fork() == 0:
            threading.Thread(target=_serve, args=(key, documents, vectors), daemon=True).start()
            while os.getppid() == here:
                time.sleep(1.0)
            os._exit(0)


class _Filtered(InMemoryStore):
    """The reference store with filters that can be sent."""

    def ids(self, filter: Mapping[str, Any] | None) -> list[Any]:
        """Of documents that pass."""
        return [id for batch in self.scan(_predicate(filter)) for id in batch.ids]


def _serve(key: bytes, documents: Sequence[StoredDocument], vectors: Vectors) -> None:
    store = _Filtered(documents, vectors)

    class Answer(socketserver.StreamRequestHandler):
        wbufsize = -1  # one packet for a small answer

        def handle(self) -> None:
            if self.rfile.read(len(key)) != key:
                return
            method, arguments = pickle.load(self.rfile)
            if method.startswith("search"):
                arguments = (*arguments[:-1], _predicate(arguments[-1]))
            try:
                answer = getattr(store, method)(*arguments)
            except Exception as error:  # whatever it is, the other side raises it
                answer = error
            pickle.dump(answer, self.wfile)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever asked is gone already."""

    with Server(("127.0.0.1", 0), Answer) as server:
        print(os.getpid(), server.server_address[1], flush=True)
        server.serve_forever()


def _predicate(filter: Mapping[str, Any] | None) -> Any:
    return None if filter is None else lambda document: filter.items() <= document.metadata.items()


if __name__ == "__main__":
    _copies()
