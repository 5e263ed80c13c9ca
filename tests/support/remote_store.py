"""A store that pretends to be far away, for tests of what a search asks of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy.typing as npt

from logical_retriever.stores import Batch, Capabilities, Filter, InMemoryStore, StoredDocument
from logical_retriever.vectors import Vectors


class RemoteStore(InMemoryStore):
    """The reference store as if behind a network: exact lists, never scanned, every request recorded.

    Attributes:
        searched: Number of vectors and length of the lists of each search, oldest first.
        fetched: Ids of each fetch, oldest first.
    """

    capabilities: Capabilities = replace(InMemoryStore.capabilities, name="Remote", in_process=False, scan=False)

    def __init__(self, documents: Sequence[StoredDocument] = (), vectors: npt.ArrayLike = ()) -> None:
        super().__init__(documents, vectors)
        self.searched: list[tuple[int, int]] = []
        self.fetched: list[list[str]] = []

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[str]], Batch]:
        """As the reference store, recorded."""
        self.searched.append((len(vectors), n))
        return super().search(vectors, n, filter)

    def fetch(self, ids: Sequence[str], filter: Filter = None) -> Batch:
        """As the reference store, recorded."""
        self.fetched.append(list(ids))
        return super().fetch(ids, filter)
