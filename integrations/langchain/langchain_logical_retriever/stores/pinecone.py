"""langchain-pinecone's ``PineconeVectorStore``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from langchain_logical_retriever.stores._common import VectorStoreAdapter, outside, stored
from logical_retriever.adapters import (
    Batch,
    DocumentId,
    PagedStore,
    Rows,
    StoreCapabilityError,
    StoredDocument,
    Vectors,
    nearest_with_documents,
)

DEFAULT_NAMESPACE = "__default__"
"""The nameless namespace's name in statistics."""
AROUND = 20
"""Documents of a sample from around each random direction."""


class PineconeAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of one namespace of a ``PineconeVectorStore``. Not verified against the live service."""

    # The wrapper does not know the index's metric, so no order by cosine is promised.
    capabilities = outside("Pinecone", scan=False, max_results=10_000)
    filter_example = 'filter={"year": {"$gt": 2000}}'
    page = 100  # a thousand ids are allowed, but they travel in the address of the request

    def count(self) -> int:
        """Return the number of vectors in the namespace, as of the service's last count."""
        with self.errors("count"):
            namespaces = self.vectorstore.index.describe_index_stats()["namespaces"]
        name = self._namespace or ("" if "" in namespaces else DEFAULT_NAMESPACE)
        return int(namespaces[name]["vector_count"]) if name in namespaces else 0

    def nearest(self, vectors: Vectors, n: int, filter: dict[str, Any] | None) -> Iterable[Rows]:
        """Yield the n nearest documents of each vector by the index's metric."""
        for vector in vectors.tolist():
            with self.errors("search"):
                answer = self.vectorstore.index.query(
                    vector=vector,
                    top_k=n,
                    namespace=self._namespace,
                    filter=filter,
                    include_values=True,
                    include_metadata=True,
                )
            yield [self._row(match) for match in answer["matches"]]

    def read(self, ids: list[DocumentId], filter: dict[str, Any] | None) -> Rows:
        """Read documents by id.

        Raises:
            StoreCapabilityError: There is a filter, which the service applies in a search alone.
        """
        if filter is not None:
            raise StoreCapabilityError("Pinecone cannot tell which of some documents pass a filter.", hint="Search.")
        with self.errors("read documents by id"):
            vectors = self.vectorstore.index.fetch(ids=ids, namespace=self._namespace).vectors
        return map(self._row, vectors.values())

    def sample(self, n: int, seed: int) -> Batch:
        """Return up to n documents from around random directions, since not every index lists its ids."""
        with self.errors("describe the index"):
            dimension = self.vectorstore.index.describe_index_stats()["dimension"]
        directions = np.random.default_rng(seed).normal(size=(-(-n // AROUND), dimension)).astype(np.float32)
        batch = nearest_with_documents(self.nearest(directions, AROUND, None))[1]
        return Batch(batch.documents[:n], batch.vectors[:n])

    @property
    def _namespace(self) -> str:
        return self.vectorstore._namespace or ""

    def _row(self, vector: Any) -> tuple[StoredDocument, Any]:
        metadata = dict(vector.metadata or {})
        return stored(vector.id, metadata.pop(self.vectorstore._text_key, None), metadata), vector.values
