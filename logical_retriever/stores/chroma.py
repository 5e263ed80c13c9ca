"""Chroma collections, through the collection object that the caller already has."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, StoredDocument, capabilities_property
from logical_retriever.stores.filter_language import filter_with_condition, is_number
from logical_retriever.stores.rows import PagedStore, Rows, engine_errors
from logical_retriever.vectors import Vectors

PARTS = ("ids", "documents", "metadatas", "embeddings")
"""Parts of Chroma's answers, one list each."""
INCLUDED = list(PARTS[1:])


@dataclass(frozen=True)
class ChromaFilter:
    """Both of Chroma's filters together.

    Attributes:
        where: Condition on metadata, in Chroma's own language.
        where_document: Condition on the text, in Chroma's own language.
    """

    where: Mapping[str, Any] | None = None
    where_document: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, filter: ChromaFilter | Mapping[str, Any] | None) -> ChromaFilter:
        """Return a filter as both; a mapping is a ``where``."""
        return filter if isinstance(filter, ChromaFilter) else cls(where=filter)


class ChromaStore(PagedStore):
    """A chromadb ``Collection``, embedded or over HTTP, in any of its three spaces. Ids are texts.

    The collection's HNSW index proposes candidates; cosines are computed from the stored vectors. So the collection's
    space affects which candidates come first, never their scores.

    Args:
        collection: A ``chromadb.Collection``.
    """

    page = 500
    # Chroma prepares a statement for every number of ids, and caches a hundred of them for each connection. A statement
    # takes a quarter of a kilobyte for each id: hundreds of megabytes in the end.
    step = 50

    def __init__(self, collection: Any) -> None:
        self.collection = collection

    @property
    def cache_key(self) -> Hashable | None:
        """The client and the collection; None where the collection hides its client."""
        client = getattr(self.collection, "_client", None)  # the collections of a copied folder have the same ids
        return None if client is None else (id(client), self.collection.id)

    @capabilities_property(
        Capabilities(
            name="Chroma",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            conditions="necessary",
            indexed_if_small=True,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Order by cosine in a collection of the space "cosine"; words indexed where there is a ``cache_key``."""
        # Not `configuration`: it loads the collection's own embedding function.
        configured = self.collection.configuration_json.get("hnsw")
        space = configured.get("space") if configured is not None else None
        return {"cosine_order": space == "cosine", "indexed_if_small": self.cache_key is not None}

    def count(self) -> int:
        """Return the number of documents."""
        return int(self._call("count"))

    def nearest(self, vectors: Vectors, n: int, filter: ChromaFilter | Mapping[str, Any] | None) -> Iterable[Rows]:
        """Find the n nearest documents of each vector in the collection's space, in one request."""
        # Chroma sends arrays of float32 as they are; it would convert lists value by value.
        answer = self._call("query", filter, query_embeddings=list(vectors), n_results=n, include=INCLUDED)
        return (_rows(*parts) for parts in zip(*(answer[part] for part in PARTS), strict=True))

    def with_condition(
        self, filter: ChromaFilter | Mapping[str, Any] | None, condition: LogicalQuery
    ) -> ChromaFilter | None:
        """Join to ``where`` as much of the condition as Chroma can express; None for nothing of it."""
        both = ChromaFilter.of(filter)
        where = filter_with_condition(
            None if both.where is None else dict(both.where),
            condition,
            every=lambda parts: {"$and": parts},
            some=lambda parts: {"$or": parts},
            compared=_compared,
        )
        return None if where is None else replace(both, where=where)

    def ids(self, filter: ChromaFilter | Mapping[str, Any] | None) -> list[str]:
        """List the ids of all documents that pass a filter."""
        return list(self._call("get", filter, include=[])["ids"])

    def read(self, ids: list[DocumentId], filter: ChromaFilter | Mapping[str, Any] | None) -> Rows:
        """Read documents by id."""
        answer = self._call("get", filter, ids=ids, include=INCLUDED)
        return _rows(*(answer[part] for part in PARTS))

    def _call(self, method: str, filter: ChromaFilter | Mapping[str, Any] | None = None, **arguments: Any) -> Any:
        conditions = {name: dict(value) for name, value in vars(ChromaFilter.of(filter)).items() if value is not None}
        with engine_errors(f"Chroma's collection {self.collection.name!r}", method):
            return getattr(self.collection, method)(**arguments, **conditions)


def _rows(ids: list[str], texts: list[Any], metadata: list[Any], vectors: list[Any]) -> Rows:
    for id, text, fields, vector in zip(ids, texts, metadata, vectors, strict=True):
        # Chroma stores None for a text or metadata that was never given.
        yield StoredDocument(id, "" if text is None else text, {} if fields is None else fields), vector


def _compared(field: str, operator: str, value: Any) -> dict[str, Any] | None:
    if field.startswith(("$", "#", "chroma:")):
        return None
    if operator == "contains":
        # Among the floats of a list Chroma does not find 5, though 5 == 5.0 elsewhere.
        forms = [float(value), int(value)] if is_number(value) else [value, value]
        return {"$or": [{field: {"$contains": form}} for form in forms]}
    if operator == "in":
        return {field: {"$in": list(map(float, value)) if is_number(value[0]) else value}}
    return {field: {"$lte" if operator == "<=" else "$gte": value}}
