"""Elasticsearch and OpenSearch, which share a query language: the common part of the frameworks' adapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from logical_retriever.errors import StoreCapabilityError, StoreError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Batch, Filter, StoredDocument
from logical_retriever.stores.rows import PagedStore, Rows, nearest_with_documents
from logical_retriever.vectors import Vectors

MAX_RESULTS = 10_000
"""Most documents that one search returns, by default (index.max_result_window)."""
KEEP = "2m"
"""How long the engine keeps a scroll open between two pages."""

Body = dict[str, Any]
"""A request in JSON, or a part of one."""


class SearchEngineIndex(PagedStore):
    """An index with a field of dense vectors. A document's id is its ``_id``.

    Filters are clauses of the engine's query language, one or a list. A missing index counts as empty.

    Attributes:
        index: Name of the index.
        vector_field: Field of the vectors.
        text_field: Field of the texts.
        metadata_field: Field of the metadata.
        reads: The part of a request that asks for the text, metadata and vector of each hit.
    """

    page = 500

    index: str
    vector_field: str
    text_field: str
    metadata_field: str
    reads: Body

    @property
    def client(self) -> Any:
        """The engine's own synchronous client."""
        raise NotImplementedError

    def knn(self, vector: list[float], n: int, clauses: list[Body]) -> Body:
        """Build the body of a search for the n nearest documents that pass all clauses."""
        raise NotImplementedError

    def count(self) -> int:
        """Return the number of documents at the index's last refresh."""
        with self.errors("count"):
            return int(self.client.count(index=self.index, ignore_unavailable=True)["count"])

    def nearest(self, vectors: Vectors, n: int, filter: Filter) -> Iterable[Rows]:
        """Find the n nearest documents of each vector, in one request."""
        header, clauses = {"index": self.index, "ignore_unavailable": True}, _clauses(filter)
        bodies = [{**self.knn(vector, n, clauses), "size": n, **self.reads} for vector in vectors.tolist()]
        with self.errors("search"):
            responses = self.client.msearch(body=[line for body in bodies for line in (header, body)])["responses"]
        return [map(self._row, self._hits(response)) for response in responses]

    def read(self, ids: list[DocumentId], filter: Filter) -> Rows:
        """Read documents by id."""
        wanted = {"bool": {"filter": [{"ids": {"values": ids}}, *_clauses(filter)]}}
        return self._search({"query": wanted, "size": len(ids)})

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents at random; the same ones for the same seed, as long as the index is unchanged."""
        random = {"random_score": {"seed": seed, "field": "_seq_no"}, "boost_mode": "replace"}
        query = {"function_score": {"query": {"match_all": {}}, **random}}
        return nearest_with_documents([self._search({"query": query, "size": min(n, MAX_RESULTS)})])[1]

    def ids(self, filter: Filter) -> Iterator[DocumentId]:
        """List the ids by a scroll: those of the moment at which it starts."""
        if not self.count():
            return
        body = {"query": {"bool": {"filter": _clauses(filter)}}, "size": self.page, "sort": ["_doc"], "_source": False}
        with self.errors("list its ids"):
            answer = self.client.search(index=self.index, scroll=KEEP, body=body)
        try:
            while hits := self._hits(answer):
                yield from (hit["_id"] for hit in hits)
                with self.errors("list its ids"):
                    answer = self.client.scroll(scroll_id=answer["_scroll_id"], scroll=KEEP)
        finally:
            self.client.clear_scroll(scroll_id=answer["_scroll_id"])

    def _search(self, body: Body) -> Rows:
        with self.errors("read documents"):
            answer = self.client.search(index=self.index, ignore_unavailable=True, body={**body, **self.reads})
        return map(self._row, self._hits(answer))

    def _hits(self, response: Mapping[str, Any]) -> list[Any]:
        name = type(self).capabilities.name
        if "error" in response:  # one search among several failed
            raise StoreError(
                f"{name} could not search {self.index!r}: {response['error']}",
                hint="Check the filter's spelling and the embedding model's dimension.",
            )
        # A server that runs out of time, or loses a shard, returns what it has without an error.
        shards, late = response.get("_shards", {"failed": 0}), response.get("timed_out", False)
        if late or shards["failed"]:
            what = "ran out of time" if late else f"{shards['failed']} of {shards['total']} shards failed"
            raise StoreError(
                f"{name} answered for a part of {self.index!r} alone: {what}.",
                hint="Look at the cluster's health, or give searches more time (search.default_search_timeout).",
            )
        return list(response["hits"]["hits"])

    def _row(self, hit: Mapping[str, Any]) -> tuple[StoredDocument, Any]:
        source = hit["_source"]
        vector = hit.get("fields", {}).get(self.vector_field)
        vector = source.get(self.vector_field) if vector is None else vector
        if vector is None:
            raise StoreCapabilityError(
                f"{type(self).capabilities.name} does not give the vector of document {hit['_id']!r} in field "
                f"{self.vector_field!r}.",
                hint="Store it: an index can exclude vectors from _source, and a document can be without one.",
            )
        text, metadata = source.get(self.text_field), source.get(self.metadata_field)
        return StoredDocument(hit["_id"], "" if text is None else text, {} if metadata is None else metadata), vector


def shard_candidates(n: int) -> int:
    """Return how many candidates each shard of Elasticsearch looks at for n documents."""
    return min(max(2 * n, 50), MAX_RESULTS)


def elasticsearch_knn(field: str, vector: list[float], n: int, clauses: list[Body]) -> Body:
    """Return Elasticsearch's kNN query for the n nearest documents that pass all clauses."""
    knn = {"field": field, "query_vector": vector, "k": n, "num_candidates": shard_candidates(n)}
    return {"knn": {**knn, "filter": clauses}}


def opensearch_knn(field: str, vector: list[float], n: int, clauses: list[Body], engine: str) -> Body:
    """Return OpenSearch's approximate kNN query; engines that cannot filter during the search filter its results."""
    during = bool(clauses) and engine in ("faiss", "lucene")
    within = {"filter": {"bool": {"filter": clauses}}} if during else {}
    query = {"knn": {field: {"vector": vector, "k": n, **within}}}
    return {"query": query if during else {"bool": {"filter": clauses, "must": [query]}}}


def _clauses(filter: Filter) -> list[Body]:
    return [] if filter is None else filter if isinstance(filter, list) else [filter]
