"""Any other vector store: its own search finds candidates, whose texts are encoded again."""

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
"""Size of the cache of documents, and of that of vectors. A store that cannot read a document by id has no others."""
SAMPLE_LIMIT = 200
"""Most documents of a sample, since each may cost a call of the embedding model."""
NEIGHBOURS = 20
"""Documents of a sample from around each random direction."""


@dataclass(frozen=True)
class Encodable:
    """A document with its text for an encoder.

    Attributes:
        document: The document.
        encoded: The text that was encoded for it, which may hold more than the document's own text.
        vector: Its vector, shape (d,), or None.
    """

    document: StoredDocument
    encoded: str
    vector: Sequence[float] | Vectors | None = None


def unencoded_texts(documents: Sequence[Encodable]) -> list[str]:
    """Return the distinct texts of documents without a vector, in order of first occurrence."""
    return list(dict.fromkeys(document.encoded for document in documents if document.vector is None))


def as_matrix(documents: Sequence[Encodable], vectors: Mapping[str, Vectors]) -> Vectors:
    """Return each document's own vector, or that of its text; shape (N, d).

    Raises:
        EmbeddingError: Vectors of several lengths.
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
    """A store over any vector store that searches by vector.

    Candidates come in the vector store's order. Its scores are not used: whether a number is a cosine, a distance or a
    rescaled score differs from class to class. Vectors are the documents' own, or their texts encoded again. Documents
    and vectors are cached, :data:`REMEMBERED` of each.

    Safe to use from several threads.

    Args:
        embedder: The encoder of the store's documents.
    """

    capabilities: capabilities_property | Capabilities

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._documents = BoundedCache[DocumentId, Encodable](REMEMBERED)
        self._vectors = BoundedCache[str, Vectors](REMEMBERED)

    @abstractmethod
    def nearest(self, vector: Vectors, n: int, filter: Filter) -> list[DocumentId]:
        """Return the ids of the n nearest documents, in the store's order; pass whole documents to :meth:`remember`."""

    def read(
        self,
        ids: Sequence[DocumentId],  # noqa: ARG002  for subclasses
        seen: Mapping[DocumentId, Encodable],
    ) -> Mapping[DocumentId, Encodable]:
        """Read current documents by id; without a way to read them, return ``seen``, those of the cache."""
        return seen

    def known(self) -> Sequence[DocumentId] | None:
        """Return the ids of all documents in a stable order; None if the store cannot list them."""
        return None

    def remember(self, encodable: Encodable) -> DocumentId:
        """Cache a document and return its id."""
        self._documents.put(encodable.document.id, encodable)
        return encodable.document.id

    def count(self) -> int | None:
        """Return the number of documents; None if the store cannot list them."""
        return None if (memory := self.known()) is None else len(memory)

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Return the n nearest documents of each vector, in the store's order."""
        lists = [list(dict.fromkeys(self.nearest(vector, n, filter))) for vector in vectors]
        return lists, self.fetch(list(dict.fromkeys(chain.from_iterable(lists))))

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Return documents and vectors by id, in this order, without unknown ids.

        Raises:
            StoreCapabilityError: There is a filter, which the store applies in a search alone.
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
        """Return at most :data:`SAMPLE_LIMIT` documents: of all if it lists them, else near random vectors."""
        rng, wanted, memory = np.random.default_rng(seed), min(n, SAMPLE_LIMIT), self.known()
        if memory is not None:
            return self.fetch([memory[i] for i in rng.permutation(len(memory))[:wanted]])
        dimension = embed_passages(self.embedder, ["documents"]).shape[1]
        directions = rng.normal(size=(-(-wanted // NEIGHBOURS), dimension)).astype(np.float32)
        batch = self.search(directions, NEIGHBOURS)[1]
        return Batch(batch.documents[:wanted], batch.vectors[:wanted])

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:  # noqa: ARG002  of the protocol
        """Raise, since the store cannot be scanned.

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
            vectors[text] = vector.copy()  # a view would keep the whole array
            self._vectors.put(text, vectors[text])
        return vectors
