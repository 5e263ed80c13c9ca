"""langchain-milvus' ``Milvus``: Milvus Lite, a server, or Zilliz Cloud."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    AtBest,
    Capabilities,
    DocumentId,
    FilterLanguage,
    LogicalQuery,
    PagedStore,
    Rows,
    StoredDocument,
    UnsupportedStoreError,
    Vectors,
)

KINDS: Mapping[str, tuple[type, ...]] = {
    **{"VARCHAR": (str,), "BOOL": (bool,), "DOUBLE": (int, float), "dynamic": (str, bool, int, float)},
    **dict.fromkeys(("INT8", "INT16", "INT32", "INT64"), (int,)),
}
"""Python's types of values that fields of a type are compared with."""
PLAIN = re.compile(r"(?!(?:and|or|not|in|like|exists|is|null|true|false)$)[a-z_]\w*", re.ASCII | re.IGNORECASE)
"""Names that can stand in an expression as they are."""


class MilvusAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of a ``Milvus``; documents are known by their primary key.

    Args:
        vectorstore: The vector store, with one field of dense vectors; only read.

    Raises:
        UnsupportedStoreError: It has several fields of vectors, or sparse ones.
    """

    filter_arguments = ("filter", "expr")
    filter_types = (str,)
    filter_example = "expr='year > 2000'"

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        if isinstance(vectorstore._vector_field, list) or not vectorstore._is_embedding_only or vectorstore._is_sparse:
            raise UnsupportedStoreError(
                f"The Milvus vector store has the vector fields {vectorstore._vector_field}; cosines need one, dense.",
                hint="Pass a Milvus vector store over the same collection with one vector_field and one embedding.",
            )
        self.key, self.vector = str(vectorstore._primary_field), str(vectorstore._vector_field)

    @AtBest(
        Capabilities(
            name="Milvus",
            exact_search=False,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            max_results=16_384,
            conditions="necessary",
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact for a FLAT index; in the order of cosines where that is the index's metric."""
        index = {} if self._absent else self._ask("describe_index", index_name=self.vector)
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
        return 0 if self._absent else int(self._ask("query", filter="", output_fields=["count(*)"])[0]["count(*)"])

    def nearest(self, vectors: Vectors, n: int, filter: str | None) -> Iterable[Rows]:
        """The n nearest entities of each vector by the index's metric, in one request."""
        if self._absent:
            return [[] for _ in vectors]
        parameters = {"params": {}, **(self.vectorstore.search_params or {})}
        if "ef" in parameters["params"]:  # an HNSW index looks at no more than so many
            parameters["params"] = {**parameters["params"], "ef": max(int(parameters["params"]["ef"]), n)}
        answers = self._ask(
            "search",
            data=vectors.tolist(),
            anns_field=self.vector,
            search_params=parameters,
            limit=n,
            filter=filter or "",
            output_fields=["*", self.vector],
        )
        return [self._rows({**hit["entity"], self.key: hit[self.key]} for hit in hits) for hits in answers]

    def narrowed(self, filter: str | None, condition: LogicalQuery) -> str | None:
        """The filter and what Milvus surely says of a condition on fields or dynamic keys."""
        if self._absent or self.vectorstore._metadata_field is not None:
            return None
        schema = self._ask("describe_collection")
        fields = {field["name"]: field for field in schema["fields"]}
        language = FilterLanguage[str](
            every=lambda parts: " and ".join(f"({part})" for part in parts),
            some=lambda parts: " or ".join(f"({part})" for part in parts),
            compared=partial(_compared, fields, bool(schema.get("enable_dynamic_field"))),
        )
        return language.narrowed(filter, condition)

    def read(self, ids: list[DocumentId], filter: str | None) -> Rows:
        """Entities by primary key."""
        if self._absent:
            return []
        # The client's own get() puts texts between quotes as they are; JSON's escapes are Milvus' as well.
        among = f"{self.key} in {_literal(ids)}"
        wanted = among if filter is None else f"({filter}) and {among}"
        return self._rows(self._ask("query", filter=wanted, output_fields=["*", self.vector]))

    def ids(self, filter: str | None) -> Iterator[DocumentId]:
        """Page by page in their order."""
        if self._absent:
            return
        iterator = self._ask("query_iterator", batch_size=self.page, filter=filter or "", output_fields=[self.key])
        with self.errors("list its ids"):
            while rows := iterator.next():
                yield from (row[self.key] for row in rows)
            iterator.close()

    @property
    def _absent(self) -> bool:
        """Whether the collection is still to be made: the wrapper makes it with the first document."""
        with self.errors("look for the collection"):
            return self.vectorstore.col is None

    def _ask(self, method: str, **arguments: Any) -> Any:
        with self.errors(method):
            return getattr(self.vectorstore.client, method)(self.vectorstore.collection_name, **arguments)

    def _rows(self, rows: Iterable[Mapping[str, Any]]) -> Rows:
        text_field, metadata_field = self.vectorstore._text_field, self.vectorstore._metadata_field
        for row in rows:
            # As in the wrapper's Documents, the primary key stays among the metadata.
            metadata = {name: value for name, value in row.items() if name not in (text_field, self.vector)}
            metadata = metadata if metadata_field is None else row[metadata_field]
            text = row.get(text_field)
            yield StoredDocument(row[self.key], "" if text is None else text, metadata), row[self.vector]


def _compared(fields: Mapping[str, Any], dynamic: bool, field: str, operator: str, value: Any) -> str | None:
    """On a field by its type, on a dynamic key by each value's."""
    if r"\u" in _literal([field, value]):  # an escape that Milvus does not read
        return None
    name, kind, is_list = f"$meta[{_literal(field)}]", "dynamic" if dynamic else "", operator == "contains"
    if (schema := fields.get(field)) is not None:
        name, is_list = field, schema["type"].name == "ARRAY"
        kind = schema["element_type" if is_list else "type"].name
    values = value if isinstance(value, list) else [value]
    if is_list != (operator == "contains") or not all(type(v) in KINDS.get(kind, ()) for v in values):
        return None
    if schema is not None and is_list:
        return f"array_contains({name}, {_literal(value)})"
    if is_list:  # of no other key and value may it be asked
        return (
            f"json_contains({field}, {_literal(value)})" if isinstance(value, str) and PLAIN.fullmatch(field) else None
        )
    return " or ".join(f"{name} {'==' if operator == 'in' else operator} {_literal(v)}" for v in values)


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
