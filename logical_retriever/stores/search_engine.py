"""Elasticsearch and OpenSearch, under the adapters of all wrappers: one query language, one shape of answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from logical_retriever.errors import StoreCapabilityError, StoreError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, Filter, StoredDocument
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.rows import OfCapabilities
from logical_retriever.vectors import Vectors

MAX_RESULTS = 10_000
"""Most that one search returns, unless the index was told otherwise (index.max_result_window)."""
KEEP = "2m"
"""Time for which the engine keeps a scroll open between two of its pages."""

Body = dict[str, Any]
"""A request, or a part of one, as JSON has it."""


class SearchEngineIndex(OfCapabilities, PagedStore):
    """An index of documents with a field of dense vectors. A document is known by its ``_id``.

    Filters are clauses of the engine's query language, one or a list.

    Attributes:
        index: Name of the index.
        vector_field: Field of vectors.
        text_field: Field of contents.
        metadata_field: Field of metadata.
    """

    page = 500

    index: str
    vector_field: str
    text_field: str
    metadata_field: str
    reads: Body
    """Part of a request that asks for text, metadata and vector of each hit."""

    @property
    def client(self) -> Any:
        """The engine's own client, which waits for answers."""
        raise NotImplementedError

    def nearest(self, vector: list[float], n: int, filter: Filter) -> Body:
        """The body of a search for the n nearest documents."""
        raise NotImplementedError

    def msearch(self, lines: list[Body]) -> Any:
        """Send headers and bodies of several searches in one request."""
        raise NotImplementedError

    def count(self) -> int:
        """Number of documents, as of the index's last refresh."""
        if self.absent:
            return 0
        with self.errors("count"):
            return int(self.client.count(index=self.index)["count"])

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[str]]:
        """The n nearest documents of each vector, in one request.

        Raises:
            StoreCapabilityError: n is more than the engine returns.
        """
        if self.absent:
            return [[] for _ in vectors]
        self.check_length(n)
        lines: list[Body] = []
        for vector in vectors.tolist():
            lines += [{"index": self.index}, {**self.nearest(vector, n, filter), "size": n, "_source": False}]
        with self.errors("search"):
            responses = self.msearch(lines)["responses"]
        return [[hit["_id"] for hit in self._hits(response)] for response in responses]

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Texts; none while there is no index."""
        return () if self.absent else [id for id in ids if isinstance(id, str)]

    def read(self, ids: list[DocumentId], filter: Filter = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id."""
        clauses = [] if filter is None else filter if isinstance(filter, list) else [filter]
        body = {"query": {"bool": {"filter": [{"ids": {"values": ids}}, *clauses]}}, "size": len(ids), **self.reads}
        return map(self._read, self._search(body))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents in the engine's random order of this seed, the same ones while the index is unchanged."""
        if self.absent:
            return self.fetch(())
        random = {"random_score": {"seed": seed, "field": "_seq_no"}, "boost_mode": "replace"}
        body = {"query": {"function_score": {"query": {"match_all": {}}, **random}}, "_source": False}
        return self.fetch([hit["_id"] for hit in self._search({**body, "size": min(n, MAX_RESULTS)})])

    def walk(self, filter: Filter, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:  # noqa: ARG002
        """By a scroll: documents as they were when it began."""
        if self.absent:
            return
        query: Body = {"match_all": {}} if filter is None else {"bool": {"filter": filter}}
        body = {"query": query, "size": self.page, "sort": ["_doc"], **self.reads}
        with self.errors("walk through its documents"):
            answer = self.client.search(index=self.index, scroll=KEEP, **self.as_arguments(body))
        try:
            while hits := self._hits(answer):
                yield [(document.id, vector) for document, vector in map(self._read, hits)]
                with self.errors("walk through its documents"):
                    answer = self.client.scroll(scroll_id=answer["_scroll_id"], scroll=KEEP)
        finally:
            self.client.clear_scroll(scroll_id=answer["_scroll_id"])

    def as_arguments(self, body: Body) -> dict[str, Any]:
        """A body as the client takes it."""
        raise NotImplementedError

    @property
    def absent(self) -> bool:
        """Whether the index is still to be made: the wrapper makes it with the first documents."""
        with self.errors("look for the index"):
            return not self.client.indices.exists(index=self.index)

    def _search(self, body: Body) -> list[Any]:
        with self.errors("read documents"):
            return self._hits(self.client.search(index=self.index, **self.as_arguments(body)))

    def _hits(self, response: Mapping[str, Any]) -> list[Any]:
        if "error" in response:  # of one search among several
            raise StoreError(
                f"{self.name} could not search {self.index!r}: {response['error']}",
                hint="Check the filter's spelling and the embedding model's dimension.",
            )
        # What a server has when it runs out of time, or loses a shard, it gives as if that were all.
        shards, late = response.get("_shards", {"failed": 0}), response.get("timed_out", False)
        if late or shards["failed"]:
            what = "ran out of time" if late else f"{shards['failed']} of {shards['total']} shards failed"
            raise StoreError(
                f"{self.name} answered for a part of {self.index!r} alone: {what}.",
                hint="Look at the cluster's health, or give searches more time (search.default_search_timeout).",
            )
        return list(response["hits"]["hits"])

    def _read(self, hit: Mapping[str, Any]) -> tuple[StoredDocument, Any]:
        source = hit["_source"]
        vector = hit.get("fields", {}).get(self.vector_field)
        vector = source.get(self.vector_field) if vector is None else vector
        if vector is None:
            raise StoreCapabilityError(
                f"{self.name} does not give the vector of document {hit['_id']!r} in field {self.vector_field!r}.",
                hint="Store it: an index can exclude vectors from _source, and a document can be without one.",
            )
        text, metadata = source.get(self.text_field), source.get(self.metadata_field)
        return self.document(hit["_id"], "" if text is None else text, {} if metadata is None else metadata), vector

    def document(self, id: str, text: str, metadata: Mapping[str, Any]) -> StoredDocument:
        """A document of what the index holds."""
        return StoredDocument(id, text, metadata)
