"""langchain-pinecone's ``PineconeVectorStore``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    Batch,
    Capabilities,
    StoreCapabilityError,
    StoredDocument,
    VectorBatch,
    Vectors,
    drawn,
    in_order,
    matrix,
    pages,
)

PAGE = 100
"""Ids in one request; a thousand are allowed, but they travel in the address of the request."""
MAX_RESULTS = 10_000
"""Most that Pinecone returns for one vector."""
DEFAULT_NAMESPACE = "__default__"
"""What statistics call the namespace without a name."""


class PineconeAdapter(VectorStoreAdapter):
    """The core's view of a ``PineconeVectorStore``: one namespace of its index.

    Not verified against the live service. Ids are listed by serverless indexes only; others cannot be scanned.

    Args:
        vectorstore: The vector store; only read.
    """

    # The wrapper does not know the index's metric, so no order by cosine is promised.
    capabilities = Capabilities(
        name="Pinecone",
        exact_search=False,
        stored_vectors=True,
        scan=True,
        live_verified=False,
        max_results=MAX_RESULTS,
    )
    filter_example = 'filter={"year": {"$gt": 2000}}'

    def count(self) -> int:
        """Number of vectors in the namespace, as of the service's last count."""
        with self.errors("count"):
            namespaces = self._index.describe_index_stats()["namespaces"]
        own = [namespaces[name] for name in self._names if name in namespaces]
        return int(own[0]["vector_count"]) if own else 0

    def search(self, vectors: Vectors, n: int, filter: dict[str, Any] | None = None) -> list[list[str]]:
        """The n nearest vectors of each, by the index's metric.

        Raises:
            StoreCapabilityError: n is more than Pinecone returns.
        """
        if n > MAX_RESULTS:
            raise StoreCapabilityError(
                f"Pinecone returns at most {MAX_RESULTS} documents for a vector, asked for {n}.", hint="Lower fetch_k."
            )
        found = []
        for vector in vectors.tolist():
            with self.errors("search"):
                answer = self._index.query(
                    vector=vector,
                    top_k=n,
                    namespace=self._namespace,
                    filter=filter,
                    include_values=False,
                    include_metadata=False,
                )
            found.append([match["id"] for match in answer["matches"]])
        return found

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        found: dict[str, tuple[StoredDocument, Any]] = {}
        for page in pages(ids, PAGE):
            found.update((vector.id, (self._document(vector), vector.values)) for vector in self._read(page))
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement; the ids of all are read first."""
        return self.fetch(drawn([id for page in self._ids() for id in page], n, seed))

    def scan(self, filter: dict[str, Any] | None = None) -> Iterator[VectorBatch]:
        """All vectors, by the listed ids; those that pass a filter, page by page as the service gives them."""
        for vectors in self._filtered(filter) if filter is not None else map(self._read, self._ids()):
            if vectors:
                yield VectorBatch(tuple(v.id for v in vectors), matrix([v.values for v in vectors]))

    def _ids(self) -> Iterator[list[str]]:
        with self.errors("list its ids"):
            for page in self._index.list(namespace=self._namespace):
                # Texts, or objects with an id, by version of the client.
                yield from pages([item if isinstance(item, str) else item.id for item in page], PAGE)

    def _filtered(self, filter: dict[str, Any]) -> Iterator[list[Any]]:
        if not hasattr(self._index, "fetch_by_metadata"):
            raise StoreCapabilityError(
                "This version of the Pinecone client cannot walk through documents that pass a filter.",
                hint="Upgrade the package pinecone to 7.3 or later, or search without the filter.",
            )
        token = None
        while True:
            with self.errors("walk through its documents"):
                answer = self._index.fetch_by_metadata(
                    filter=filter, namespace=self._namespace, limit=PAGE, pagination_token=token
                )
            yield list(answer.vectors.values())
            token = answer.pagination.next if answer.pagination is not None else None
            if not token:
                return

    def _read(self, ids: list[str]) -> list[Any]:
        with self.errors("read documents by id"):
            return list(self._index.fetch(ids=ids, namespace=self._namespace).vectors.values())

    @property
    def _index(self) -> Any:
        return self.vectorstore.index

    @property
    def _namespace(self) -> str:
        given = self.vectorstore._namespace
        return "" if given is None else str(given)

    @property
    def _names(self) -> tuple[str, ...]:
        """The namespace's names in statistics."""
        return (self._namespace,) if self._namespace else ("", DEFAULT_NAMESPACE)

    def _document(self, vector: Any) -> StoredDocument:
        metadata = {} if vector.metadata is None else dict(vector.metadata)
        text = metadata.pop(self.vectorstore._text_key, None)
        return StoredDocument(vector.id, "" if text is None else text, metadata)
