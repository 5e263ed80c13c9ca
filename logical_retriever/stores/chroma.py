"""Chroma collections, through the collection object that the caller already has."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import AtBest, Capabilities, StoredDocument
from logical_retriever.stores.conditions import FilterLanguage, is_number
from logical_retriever.stores.paged import PagedStore, Rows
from logical_retriever.stores.rows import engine_errors
from logical_retriever.vectors import Vectors

PARTS = ("ids", "documents", "metadatas", "embeddings")
"""A document in Chroma's answers."""
INCLUDED = list(PARTS[1:])


@dataclass(frozen=True)
class ChromaFilter:
    """Both of Chroma's filters at once.

    Attributes:
        where: Condition on metadata, in Chroma's own language.
        where_document: Condition on the text, in Chroma's own language.
    """

    where: Mapping[str, Any] | None = None
    where_document: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, filter: ChromaFilter | Mapping[str, Any] | None) -> ChromaFilter:
        """Of a filter; a mapping is a ``where``."""
        return filter if isinstance(filter, ChromaFilter) else cls(where=filter)


class ChromaStore(PagedStore):
    """A chromadb ``Collection``, embedded or over HTTP, in any of its three spaces; its ids are texts.

    The collection's HNSW index proposes candidates; cosines are computed from the stored vectors, so the space it
    was made with changes which candidates come first, never their scores.

    Args:
        collection: A ``chromadb.Collection``.
    """

    page = 500
    # Chroma makes a statement for every number of ids and keeps a hundred of them for each of its connections, each
    # with a quarter of a kilobyte for every id: hundreds of megabytes by and by.
    step = 50

    def __init__(self, collection: Any) -> None:
        self.collection = collection

    @property
    def identity(self) -> Hashable | None:
        """Equal for two stores of one collection through one client: what is learnt of one is known of the other.

        A store that has it can be read from several threads. None where Chroma does not tell.
        """
        client = getattr(self.collection, "_client", None)  # a copy of a folder has collections of the same id
        return None if client is None else (id(client), self.collection.id)

    @AtBest(
        Capabilities(
            name="Chroma",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            conditions="necessary",
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Whether it ranks by cosine: where the collection was made with the space "cosine"."""
        # Not `configuration`, which loads the collection's own embedding function.
        configured = self.collection.configuration_json.get("hnsw")
        space = configured.get("space") if configured is not None else None
        return {"cosine_order": space == "cosine"}

    def count(self) -> int:
        """Number of documents."""
        return int(self._call("count"))

    def nearest(self, vectors: Vectors, n: int, filter: ChromaFilter | Mapping[str, Any] | None) -> Iterable[Rows]:
        """The n nearest documents of each vector in the collection's space, in one request."""
        # An ndarray of float32 is what Chroma sends on; lists would be converted value by value.
        answer = self._call("query", filter, query_embeddings=list(vectors), n_results=n, include=INCLUDED)
        return (_rows(*parts) for parts in zip(*(answer[part] for part in PARTS), strict=True))

    def narrowed(self, filter: ChromaFilter | Mapping[str, Any] | None, condition: LogicalQuery) -> ChromaFilter | None:
        """The filter with a condition on metadata joined to its ``where``, as far as Chroma says it."""
        both = ChromaFilter.of(filter)
        where = WHERE.narrowed(None if both.where is None else dict(both.where), condition)
        return None if where is None else replace(both, where=where)

    def ids(self, filter: ChromaFilter | Mapping[str, Any] | None) -> list[str]:
        """Ids of all documents that pass a filter."""
        ids: list[str] = self._call("get", filter, include=[])["ids"]
        return ids

    def read(self, ids: list[DocumentId], filter: ChromaFilter | Mapping[str, Any] | None) -> Rows:
        """Documents by id."""
        answer = self._call("get", filter, ids=ids, include=INCLUDED)
        return _rows(*(answer[part] for part in PARTS))

    def _call(self, method: str, filter: ChromaFilter | Mapping[str, Any] | None = None, **arguments: Any) -> Any:
        conditions = {name: dict(value) for name, value in vars(ChromaFilter.of(filter)).items() if value is not None}
        with engine_errors(f"Chroma's collection {self.collection.name!r}", method):
            return getattr(self.collection, method)(**arguments, **conditions)


def _rows(ids: list[str], texts: list[Any], metadata: list[Any], vectors: list[Any]) -> Rows:
    for id, text, fields, vector in zip(ids, texts, metadata, vectors, strict=True):
        # Chroma keeps None for a document or metadata that was never given.
        yield StoredDocument(id, "" if text is None else text, {} if fields is None else fields), vector


def _compared(field: str, operator: str, value: Any) -> dict[str, Any] | None:
    if field.startswith(("$", "#", "chroma:")):
        return None
    if operator == "contains":
        # 5 is none of the floats of a list, though 5 == 5.0 elsewhere.
        forms = [float(value), int(value)] if is_number(value) else [value, value]
        return {"$or": [{field: {"$contains": form}} for form in forms]}
    if operator == "in":
        return {field: {"$in": list(map(float, value)) if is_number(value[0]) else value}}
    return {field: {"$lte" if operator == "<=" else "$gte": value}}


WHERE = FilterLanguage[dict[str, Any]](
    every=lambda parts: {"$and": parts}, some=lambda parts: {"$or": parts}, compared=_compared
)
