"""langchain-pinecone's ``PineconeVectorStore``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores._superset_conditions import PineconeConditions
from logical_retriever.integration import (
    Capabilities,
    DocumentId,
    LogicalQuery,
    PagedStore,
    StoreCapabilityError,
    StoredDocument,
    Vectors,
    pages,
)

MAX_RESULTS = 10_000
"""Most that Pinecone returns for one vector."""
DEFAULT_NAMESPACE = "__default__"
"""Name in statistics of the namespace without a name."""


class PineconeAdapter(VectorStoreAdapter, PagedStore):
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
    page = 100  # a thousand ids are allowed, but they travel in the address of the request

    def superset_filter(self, filter: dict[str, Any] | None, condition: LogicalQuery) -> dict[str, Any] | None:
        """The filter and what Pinecone's language says of a condition."""
        return PineconeConditions().superset_narrowed(filter, condition)

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
        self.check_length(n)
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

    def read(self, ids: list[DocumentId], filter: dict[str, Any] | None = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Vectors by id; which of them pass a filter, the service does not say but of all."""
        passing = None if filter is None else {id for page in self.walk(filter, vectors=False) for id, _ in page}
        return [(self._document(v), v.values) for v in self._read(ids) if passing is None or v.id in passing]

    def walk(self, filter: dict[str, Any] | None, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """By the listed ids; those that pass a filter, page by page as the service gives them."""
        if filter is not None:
            yield from ([(vector.id, vector.values) for vector in page] for page in self._filtered(filter))
            return
        for ids in self._ids():
            yield [(v.id, v.values) for v in self._read(ids)] if vectors else [(id, None) for id in ids]

    def _ids(self) -> Iterator[list[str]]:
        with self.errors("list its ids"):
            for page in self._index.list(namespace=self._namespace):
                # Texts, or objects with an id, by version of the client.
                yield from pages([item if isinstance(item, str) else item.id for item in page], self.page)

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
                    filter=filter, namespace=self._namespace, limit=self.page, pagination_token=token
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
