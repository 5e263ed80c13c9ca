"""langchain-milvus' ``Milvus``: Milvus Lite, a server, or Zilliz Cloud."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores._milvus_conditions import MilvusConditions
from logical_retriever.integration import (
    PUSHED_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    DocumentId,
    LogicalQuery,
    PagedStore,
    StoredDocument,
    StoreError,
    UnsupportedStoreError,
    Vectors,
    nearest_with_documents,
)

MAX_RESULTS = 16_384
"""Most that Milvus returns for one vector."""


class MilvusAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of a ``Milvus``; documents are known by their primary key.

    Args:
        vectorstore: The vector store, with one field of dense vectors; only read.

    Raises:
        UnsupportedStoreError: It has several fields of vectors, or sparse ones.
    """

    filter_argument = "expr"
    filter_types = (str,)
    filter_example = "expr='year > 2000'"

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        if isinstance(vectorstore._vector_field, list) or not vectorstore._is_embedding_only or vectorstore._is_sparse:
            raise UnsupportedStoreError(
                f"The Milvus vector store has the vector fields {vectorstore._vector_field}; cosines need one, dense.",
                hint="Pass a Milvus vector store over the same collection with one vector_field and one embedding.",
            )

    @AtBest(
        Capabilities(
            name="Milvus",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            max_results=MAX_RESULTS,
            reads_nearest=True,
            conditions=PUSHED_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact for a FLAT index; in the order of cosines where that is the index's metric."""
        index = self._index()
        return {
            "exact_search": index.get("index_type") == "FLAT",
            "cosine_order": index.get("metric_type") == "COSINE",
        }

    @property
    def identity(self) -> Hashable:
        """Of the entities of one vector store: their words are indexed once for all its retrievers."""
        return type(self), id(self.vectorstore)

    def count(self) -> int:
        """Number of entities."""
        if self._absent:
            return 0
        with self.errors("count"):
            [row] = self._client.query(self._collection, filter="", output_fields=["count(*)"])
        return int(row["count(*)"])

    def search(self, vectors: Vectors, n: int, filter: str | None = None) -> list[list[DocumentId]]:
        """The n nearest entities of each vector by the index's metric, in one request.

        Raises:
            StoreCapabilityError: n is more than Milvus returns.
        """
        if self._absent:
            return [[] for _ in vectors]
        answers = self._nearest(vectors, n, "" if filter is None else filter)
        return [[hit[self._key] for hit in hits] for hits in answers]

    def read_nearest(self, vectors: Vectors, n: int, filter: str | None = None) -> tuple[list[list[DocumentId]], Batch]:
        """The same with the documents, in one request."""
        if self._absent:
            return nearest_with_documents([] for _ in vectors)
        answers = self._nearest(vectors, n, "" if filter is None else filter, "*", self._vector)
        rows = ([{**hit["entity"], self._key: hit[self._key]} for hit in hits] for hits in answers)
        return nearest_with_documents(
            [(self._document(dict(row)), row[self._vector]) for row in found] for found in rows
        )

    def _nearest(self, vectors: Vectors, n: int, condition: str, *fields: str) -> Any:
        """Hits of each vector, with these fields."""
        self.check_length(n)
        try:
            with self.errors("search"):
                return self._client.search(
                    self._collection,
                    data=vectors.tolist(),
                    anns_field=self._vector,
                    search_params=self._search_params(n),
                    limit=n,
                    filter=condition,
                    output_fields=[self._key, *fields],
                )
        except StoreError:
            self.check_dimension(vectors, int(self._fields()[self._vector]["params"]["dim"]))
            raise

    def narrowed(self, filter: str | None, condition: LogicalQuery) -> str | None:
        """The filter and a condition on fields or dynamic keys; none on keys of one field that holds all metadata."""
        language = self._conditions
        return None if language is None else language.narrowed(filter, condition)

    def superset_filter(self, filter: str | None, condition: LogicalQuery) -> str | None:
        """The filter, and of a condition that Milvus cannot say, what all of its documents fulfil."""
        language = self._conditions
        return None if language is None else language.superset_narrowed(filter, condition)

    @property
    def _conditions(self) -> MilvusConditions | None:
        if self._absent or self.vectorstore._metadata_field is not None:
            return None
        described = self._describe()
        others = (self.vectorstore._text_field, self._vector)
        fields = {field["name"]: field for field in described["fields"] if field["name"] not in others}
        return MilvusConditions(fields, bool(described.get("enable_dynamic_field")))

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Values of the primary key's type; none while there is no collection."""
        if self._absent:
            return ()
        kind = str if self._fields()[self._key]["type"].name == "VARCHAR" else int
        return [id for id in ids if isinstance(id, kind)]

    def read(self, ids: list[DocumentId], filter: str | None = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Entities by primary key."""
        # The client's own get() puts texts between quotes as they are; JSON's escapes are Milvus' as well.
        among = f"{self._key} in {json.dumps(ids, ensure_ascii=False)}"
        wanted = among if filter is None else f"({filter}) and {among}"
        with self.errors("read documents by id"):
            rows = self._client.query(self._collection, filter=wanted, output_fields=["*", self._vector])
        return [(self._document(dict(row)), row[self._vector]) for row in rows]

    def walk(self, filter: str | None, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Page by page in the order of primary keys."""
        if self._absent:
            return
        fields, condition = [self._key, *([self._vector] if vectors else [])], "" if filter is None else filter
        with self.errors("walk through its documents"):
            iterator = self._client.query_iterator(
                self._collection, batch_size=self.page, filter=condition, output_fields=fields
            )
        try:
            while True:
                with self.errors("walk through its documents"):
                    rows = iterator.next()
                if not rows:
                    return
                yield [(row[self._key], row.get(self._vector)) for row in rows]
        finally:
            iterator.close()

    @property
    def _client(self) -> Any:
        return self.vectorstore.client

    @property
    def _collection(self) -> str:
        return str(self.vectorstore.collection_name)

    @property
    def _key(self) -> str:
        return str(self.vectorstore._primary_field)

    @property
    def _vector(self) -> str:
        return str(self.vectorstore._vector_field)

    @property
    def _absent(self) -> bool:
        """Whether the collection is still to be made: the wrapper makes it with the first document."""
        with self.errors("look for the collection"):
            return self.vectorstore.col is None

    def _fields(self) -> dict[str, Any]:
        return {field["name"]: field for field in self._describe()["fields"]}

    def _describe(self) -> dict[str, Any]:
        with self.errors("describe the collection"):
            return dict(self._client.describe_collection(self._collection))

    def _index(self) -> dict[str, Any]:
        if self._absent:
            return {}
        with self.errors("describe its index"):
            index = self._client.describe_index(self._collection, index_name=self._vector)
        return {} if index is None else dict(index)

    def _search_params(self, n: int) -> dict[str, Any]:
        """The wrapper's parameters, with a search of an HNSW index deep enough for n results."""
        given = self.vectorstore.search_params
        params = {} if given is None else dict(given.get("params", {}))
        if "ef" in params:
            params["ef"] = max(int(params["ef"]), n)
        return {**({} if given is None else given), "params": params}

    def _document(self, row: dict[str, Any]) -> StoredDocument:
        id = row[self._key]
        text = row.pop(self.vectorstore._text_field, None)
        del row[self._vector]
        field = self.vectorstore._metadata_field
        # As in the wrapper's Documents, the primary key stays among the metadata.
        return StoredDocument(id, "" if text is None else text, row if field is None else row[field])
