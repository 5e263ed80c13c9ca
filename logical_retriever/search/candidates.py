"""Which documents are scored, with the cosines they are scored by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from logical_retriever.results import Plan
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.vectors import Vectors, cosines


@dataclass(frozen=True)
class Candidates:
    """N documents that may be in the answer.

    Attributes:
        ids: N identities.
        cosines: Shape (T, N), in [-1, 1]; complete, whichever list a document came from.
        documents: The documents by id where they have been read, else None.
    """

    ids: tuple[str, ...]
    cosines: npt.NDArray[np.float64]
    documents: Mapping[str, StoredDocument] | None = None

    def subset(self, rows: Sequence[int]) -> Candidates:
        """Some of them, in the order given."""
        return replace(self, ids=tuple(self.ids[i] for i in rows), cosines=self.cosines[:, rows])

    def read(self, store: Store) -> Candidates:
        """The same with their documents; one that the store no longer has is no candidate any more."""
        if self.documents is not None:
            return self
        documents = {document.id: document for document in store.fetch(self.ids).documents}
        kept = self.subset([i for i, id in enumerate(self.ids) if id in documents])
        return replace(kept, documents=documents)


def scanned(store: Store, vectors: Vectors, filter: Filter) -> Candidates:
    """Every document of the store.

    Args:
        store: The documents.
        vectors: Shape (T, d).
        filter: In the store's own language.
    """
    ids: list[str] = []
    parts = [np.empty((len(vectors), 0), dtype=np.float64)]
    for batch in store.scan(filter):
        ids.extend(batch.ids)
        parts.append(cosines(vectors, batch.vectors))
    return Candidates(tuple(ids), np.concatenate(parts, axis=1))


def nearest(store: Store, plan: Plan, vectors: Vectors, probes: Sequence[str], filter: Filter) -> Candidates:
    """The union of the probes' nearest documents.

    Args:
        store: The documents.
        plan: With the texts of the vectors, and ``fetch_k``.
        vectors: Shape (T, d), one per text of the plan.
        probes: Texts, out of the plan's, whose nearest documents are wanted.
        filter: In the store's own language.
    """
    rows = vectors[[plan.texts.index(text) for text in probes]]
    lists = store.search(rows, plan.fetch_k, filter) if plan.fetch_k is not None else []
    batch = store.fetch(list(dict.fromkeys(id for found in lists for id in found)))
    # An empty answer has no dimension to compare with.
    similarities = cosines(vectors, batch.vectors) if batch.ids else np.empty((len(vectors), 0))
    return Candidates(batch.ids, similarities, {document.id: document for document in batch.documents})
