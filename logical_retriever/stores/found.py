"""Documents that were found somewhere, as a store of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from logical_retriever.errors import VectorMismatchError
from logical_retriever.stores.base import Batch, Store, StoredDocument
from logical_retriever.stores.in_memory import InMemoryStore


class FoundDocuments(InMemoryStore):
    """Found documents, which are searched; asked what documents are like, it answers for the store they come from.

    Args:
        documents: N documents with distinct ids.
        vectors: Shape (N, d).
        origin: The store that the documents come from.

    Raises:
        VectorMismatchError: Not one vector per document, or (when a sample is drawn) vectors of another dimension than
            the origin's.
        InvalidArgumentError: Two documents have one id.
    """

    def __init__(self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, origin: Store) -> None:
        super().__init__(documents, vectors)
        self._origin = origin

    def count(self) -> int | None:  # type: ignore[override] # the origin may not be able to tell
        """Number of documents of the origin; None where it cannot tell."""
        return self._origin.count()

    def sample(self, n: int, seed: int) -> Batch:
        """Documents of the origin, or the found ones where it gives none."""
        own, sample = super().sample(n, seed), self._origin.sample(n, seed)
        if not sample.documents:
            return own
        if sample.vectors.shape[1] != own.vectors.shape[1]:
            raise VectorMismatchError(
                f"The found documents were encoded with dimension {own.vectors.shape[1]}, the store they come from "
                f"holds vectors of dimension {sample.vectors.shape[1]}.",
                hint="Use the embedding model that the store's documents were encoded with.",
            )
        return sample
