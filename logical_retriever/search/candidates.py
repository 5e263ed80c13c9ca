"""Which documents are scored, with the cosines they are scored by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from logical_retriever.stores.base import Batch, StoredDocument, VectorBatch
from logical_retriever.vectors import Vectors, precise_cosines

PIECE = 512
"""Documents compared in float64 at once: their vectors are copied."""


class Fetching(Protocol):
    """What gives documents by id."""

    def fetch(self, ids: Iterable[str]) -> Batch:
        """Documents and vectors by id; ids that no longer exist are left out."""
        ...


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

    def read(self, source: Fetching) -> Candidates:
        """The same with their documents; one that the store no longer has is no candidate any more."""
        if self.documents is not None or not self.ids:
            return self
        documents = {document.id: document for document in source.fetch(self.ids).documents}
        kept = self.subset([i for i, id in enumerate(self.ids) if id in documents])
        return replace(kept, documents=documents)


def scanned(batches: Iterator[VectorBatch], vectors: Vectors) -> Candidates:
    """Every document of the store, compared in float64.

    Args:
        batches: From the store's scan.
        vectors: Shape (T, d).
    """
    ids: list[str] = []
    parts = [np.empty((len(vectors), 0), dtype=np.float64)]
    for batch in batches:
        ids.extend(batch.ids)
        for start in range(0, len(batch.ids), PIECE):
            piece = slice(start, start + PIECE)
            known = None if batch.scales is None else batch.scales[piece]
            parts.append(precise_cosines(vectors, batch.vectors[piece], known))
    return Candidates(tuple(ids), np.concatenate(parts, axis=1))
