"""Chroma alone: calls to its collections, made again in a process that does not know this package.

``Replayed`` writes down every call that a process makes to a collection, and has another process make the same calls,
with the same arguments and as many at once, to collections of its own. What that process grows by is Chroma's.

Run as a program, this file is that other process: it reads calls from its standard input.
"""

from __future__ import annotations

import ctypes
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

import chromadb
from chromadb.api.models.Collection import Collection

METHODS = ("add", "count", "delete", "get", "query")

Call = tuple[int | None, bytes]
"""The thread that made it, None for the main one; and, pickled, the collection's name, the method, the arguments."""


def resident() -> float:
    """Megabytes of this process in memory; Linux alone tells."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


class _MallInfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def in_use() -> float:
    """Megabytes that malloc has given out and that were not given back; glibc alone tells.

    The resident memory is more: what was given back between pieces that are in use stays with the process.
    """
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _MallInfo
    found = mallinfo()
    return float(found.uordblks + found.hblkhd) / 2**20


def sizes() -> tuple[float, float]:
    """Resident memory of this process, and what of it is in use."""
    return resident(), in_use()


def collection(folder: Path, name: str) -> tuple[Any, Any]:
    """A new collection on disk, and its client."""
    client = chromadb.PersistentClient(str(folder / name))
    return client, client.create_collection(name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None)


class Replayed:
    """The other process.

    Args:
        folder: Where it keeps its collections.
    """

    def __init__(self, folder: Path) -> None:
        self._calls: list[Call] = []
        for method in METHODS:
            setattr(Collection, method, self._written_down(method, getattr(Collection, method)))
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._to: Any = self._process.stdin
        self._from: Any = self._process.stdout

    def sizes(self) -> tuple[float, float]:
        """Its :func:`sizes`, once it has made every call that was written down since the last time."""
        calls, self._calls = self._calls, []
        pickle.dump(calls, self._to)
        self._to.flush()
        resident, in_use = map(float, self._from.readline().split())
        return resident, in_use

    def close(self) -> None:
        """End it."""
        self._to.close()
        self._process.wait()

    def _written_down(self, method: str, made: Any) -> Any:
        def call(collection: Collection, *arguments: Any, **named: Any) -> Any:
            written = pickle.dumps((collection.name, method, arguments, named))
            beside = threading.current_thread() is not threading.main_thread()
            self._calls.append((threading.get_ident() if beside else None, written))
            return made(collection, *arguments, **named)

        return call


def main() -> None:
    """Make the calls of one list after another: those of the main thread one by one, those between them at once."""
    folder, collections = Path(sys.argv[1]), {}

    def make(calls: Iterable[bytes]) -> None:
        for written in calls:
            name, method, arguments, named = pickle.loads(written)
            getattr(collections[name][1], method)(*arguments, **named)

    while True:
        try:
            calls: list[Call] = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for name in {pickle.loads(written)[0] for _, written in calls} - collections.keys():
            collections[name] = collection(folder, name)
        for _, run in groupby(calls, lambda call: call[0] is None):
            by_thread: dict[int | None, list[bytes]] = {}
            for thread, written in run:
                by_thread.setdefault(thread, []).append(written)
            if None in by_thread:
                make(by_thread[None])
                continue
            with ThreadPoolExecutor(len(by_thread)) as pool:
                list(pool.map(make, by_thread.values()))
        del calls
        print(*sizes(), flush=True)


if __name__ == "__main__":
    main()
