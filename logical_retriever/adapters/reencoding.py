"""Any other vector store: candidates by its own search, vectors by encoding the candidates' texts again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from logical_retriever.bounded import BoundedCache
from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.errors import EmbeddingError, StoreCapabilityError
from logical_retriever.results import DocumentId
from logical_retriever.stores import Batch, Capabilities, Filter, StoredDocument, VectorBatch, capabilities_property
from logical_retriever.stores.rows import matrix
from logical_retriever.vectors import Vectors

REMEMBERED = 10_000
"""Documents that are kept, and as many texts with their vectors. A store that cannot be asked for a document by id has
lost what is forgotten."""
SAMPLE_LIMIT = 200
"""Most documents of a sample: each may cost a call to the embedding model."""
NEIGHBOURS = 20
"""Documents taken from around each random direction."""


@dataclass(frozen=True)
class Encodable:
    """A document with what an encoder is given for it.

    Attributes:
        document: The document.
        encoded: The text that its store was filled with, which may hold more than the document's own text.
        vector: Shape (d,), where the document carries one, else None.
    """

    document: StoredDocument
    encoded: str
    vector: Sequence[float] | Vectors | None = None


def unencoded_texts(documents: Sequence[Encodable]) -> list[str]:
    """Distinct texts of the documents that carry no vector, in order of first occurrence."""
    return list(dict.fromkeys(document.encoded for document in documents if document.vector is None))


def as_matrix(documents: Sequence[Encodable], vectors: Mapping[str, Vectors]) -> Vectors:
    """Shape (N, d): the vector that each document carries, or that of its text.

    Raises:
        EmbeddingError: They are of several lengths.
    """
    rows = [vectors[document.encoded] if document.vector is None else document.vector for document in documents]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise EmbeddingError(
            f"The documents' vectors have the lengths {', '.join(map(str, lengths))}.",
            hint="Use the embedding model that the documents' own vectors are from.",
        )
    return matrix(rows)


class ReencodingStore(ABC):
    """A store of a class of which nothing is known but that it searches by vector.

    Its order makes candidates; its scores are not used: whether a number is a cosine, a distance or a rescaled score
    differs from class to class. Vectors are those that documents carry, else their texts' encoded again. So many
    documents and vectors are remembered; what is forgotten is read or encoded anew.

    Safe to use from several threads.

    Args:
        embedder: What the store was filled with.
    """

    capabilities: capabilities_property | Capabilities

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._documents = BoundedCache[DocumentId, Encodable](REMEMBERED)
        self._vectors = BoundedCache[str, Vectors](REMEMBERED)

    @abstractmethod
    def nearest(self, vector: Vectors, n: int, filter: Filter) -> list[DocumentId]:
        """Ids of the n nearest documents, in the store's order; those that come whole are given to :meth:`remember`."""

    def read(
        self,
        ids: Sequence[DocumentId],  # noqa: ARG002  subclasses may ask for others
        seen: Mapping[DocumentId, Encodable],
    ) -> Mapping[DocumentId, Encodable]:
        """Documents by id, as they are now; those remembered in ``seen``, where it cannot be asked for others."""
        return seen

    def known(self) -> Sequence[DocumentId] | None:
        """Ids of all documents, in an order that stays; None where the store keeps them to itself."""
        return None

    def remember(self, encodable: Encodable) -> DocumentId:
        """Keep a document that came with a search; returns its id."""
        self._documents.put(encodable.document.id, encodable)
        return encodable.document.id

    def count(self) -> int | None:
        """Number of documents; None where the store keeps it to itself."""
        return None if (memory := self.known()) is None else len(memory)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """The n nearest documents of each vector, in the store's order."""
        lists = [list(dict.fromkeys(self.nearest(vector, n, filter))) for vector in vectors]
        return lists, self.fetch(list(dict.fromkeys(chain.from_iterable(lists))))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out.

        Raises:
            StoreCapabilityError: There is a filter: the store says which documents pass it in a search alone.
        """
        if filter is not None:
            raise StoreCapabilityError(
                f"{self.capabilities.name} cannot tell which of some documents pass a filter.",
                hint="Register an adapter for it with register_adapter().",
            )
        distinct = list(dict.fromkeys(ids))
        seen = {id: document for id in distinct if (document := self._documents.get(id)) is not None}
        documents = self.read(distinct, seen)
        present = [documents[id] for id in ids if id in documents]
        return Batch(
            tuple(encodable.document for encodable in present),
            as_matrix(present, self._encoded(unencoded_texts(present))),
        )

    def sample(self, n: int, seed: int) -> Batch:
        """Up to ``SAMPLE_LIMIT`` documents: any of those known, else the nearest ones of random directions."""
        rng, wanted, memory = np.random.default_rng(seed), min(n, SAMPLE_LIMIT), self.known()
        if memory is not None:
            return self.fetch([memory[i] for i in rng.permutation(len(memory))[:wanted]])
        dimension = embed_passages(self.embedder, ["documents"]).shape[1]
        directions = rng.normal(size=(-(-wanted // NEIGHBOURS), dimension)).astype(np.float32)
        batch = self.search(directions, NEIGHBOURS)[1]
        return Batch(batch.documents[:wanted], batch.vectors[:wanted])

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:  # noqa: ARG002  the protocol's
        """Not possible.

        Raises:
            StoreCapabilityError: Always.
        """
        raise StoreCapabilityError(
            f"{self.capabilities.name} cannot be walked through.",
            hint="Register an adapter for it with register_adapter().",
        )

    def _encoded(self, texts: Sequence[str]) -> dict[str, Vectors]:
        vectors = {text: vector for text in texts if (vector := self._vectors.get(text)) is not None}
        new = [text for text in texts if text not in vectors]
        for text, vector in zip(new, embed_passages(self.embedder, new, blank=True), strict=True):
            vectors[text] = vector.copy()  # a row alone would keep the whole array
            self._vectors.put(text, vectors[text])
        return vectors
