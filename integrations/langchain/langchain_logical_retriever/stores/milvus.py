"""langchain-milvus' ``Milvus``: Milvus Lite, a server, or Zilliz Cloud."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from langchain_logical_retriever.stores._common import IndexedAdapter, comparable, in_words, outside, stored
from logical_retriever.adapters import (
    DocumentId,
    LogicalQuery,
    PagedStore,
    Rows,
    UnsupportedStoreError,
    Vectors,
    capabilities_property,
)

KINDS: Mapping[str, tuple[type, ...]] = {
    **{"VARCHAR": (str,), "BOOL": (bool,), "DOUBLE": (int, float), "dynamic": (str, bool, int, float)},
    **dict.fromkeys(("INT8", "INT16", "INT32", "INT64"), (int,)),
}
"""Python types that a field can be compared with, by the field's type."""
PLAIN = re.compile(r"(?!(?:and|or|not|in|like|exists|is|null|true|false)$)[a-z_]\w*", re.ASCII | re.IGNORECASE)
"""Names that need no quoting in an expression."""


class MilvusAdapter(IndexedAdapter, PagedStore):
    """The core's view of a ``Milvus``, whose primary key identifies documents."""

    filter_arguments = ("filter", "expr")
    filter_types = (str,)
    filter_example = "expr='year > 2000'"

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        fields = vectorstore.vector_fields
        if len(fields) != 1 or not vectorstore._is_embedding_only or vectorstore._is_sparse:
            raise UnsupportedStoreError(
                f"The Milvus vector store has the vector fields {', '.join(fields)}; cosines need one, dense.",
                hint="Pass a Milvus vector store over the same collection with one vector_field and one embedding.",
            )
        self.key, self.vector = str(vectorstore._primary_field), str(fields[0])

    @capabilities_property(
        outside("Milvus", cosine_order=True, max_results=16_384, conditions="necessary", indexed_if_small=True)
    )
    def capabilities(self) -> dict[str, Any]:
        """Search exactly with a FLAT index, and by cosine if that is the index's metric."""
        index = self._ask("describe_index", {}, index_name=self.vector)
        return {
            "exact_search": index.get("index_type") == "FLAT",
            "cosine_order": index.get("metric_type") == "COSINE",
        }

    def count(self) -> int:
        """Return the number of entities."""
        [row] = self._ask("query", [{"count(*)": 0}], filter="", output_fields=["count(*)"])
        return int(row["count(*)"])

    def nearest(self, vectors: Vectors, n: int, filter: str | None) -> Iterable[Rows]:
        """Return the n nearest entities of each vector by the index's metric, in one request."""
        parameters = {"params": {}, **(self.vectorstore.search_params or {})}
        if "ef" in parameters["params"]:  # an HNSW index looks at no more entities
            parameters["params"] = {**parameters["params"], "ef": max(int(parameters["params"]["ef"]), n)}
        answers = self._ask(
            "search",
            [[] for _ in vectors],
            data=vectors.tolist(),
            anns_field=self.vector,
            search_params=parameters,
            limit=n,
            filter=filter or "",
            output_fields=["*", self.vector],
        )
        return [self._rows({**hit["entity"], self.key: hit[self.key]} for hit in hits) for hits in answers]

    def with_condition(self, filter: str | None, condition: LogicalQuery) -> str | None:
        """Join the filter with the parts of a condition that Milvus can express, on fields or dynamic keys."""
        schema = {} if self.vectorstore._metadata_field is not None else self._ask("describe_collection", {})
        fields = {field["name"]: field for field in schema.get("fields", ())}
        dynamic = bool(schema.get("enable_dynamic_field"))
        return in_words(filter, condition, partial(_compared, fields, dynamic))

    def read(self, ids: list[DocumentId], filter: str | None) -> Rows:
        """Read entities by primary key."""
        # The client's own get() puts texts between quotes as they are; JSON's escapes are Milvus' as well.
        among = f"{self.key} in {_literal(ids)}"
        passing = among if filter is None else f"({filter}) and {among}"
        return self._rows(self._ask("query", [], filter=passing, output_fields=["*", self.vector]))

    def ids(self, filter: str | None) -> Iterator[DocumentId]:
        """Yield primary keys page by page."""
        pages = self._ask("query_iterator", None, batch_size=self.page, filter=filter or "", output_fields=[self.key])
        with self.errors("list its ids"):
            while pages is not None and (rows := pages.next()):
                yield from (row[self.key] for row in rows)

    def _ask(self, method: str, absent: Any, **arguments: Any) -> Any:
        """Ask the client about the collection; return ``absent`` before the first document, which makes it."""
        with self.errors(method):
            if self.vectorstore.col is None:
                return absent
            return getattr(self.vectorstore.client, method)(self.vectorstore.collection_name, **arguments)

    def _rows(self, rows: Iterable[Mapping[str, Any]]) -> Rows:
        text, metadata = self.vectorstore._text_field, self.vectorstore._metadata_field
        for row in rows:
            # As in the wrapper's Documents, the primary key stays among the metadata.
            own = {name: value for name, value in row.items() if name not in (text, self.vector)}
            yield stored(row[self.key], row.get(text), own if metadata is None else row[metadata]), row[self.vector]


def _compared(fields: Mapping[str, Any], dynamic: bool, field: str, operator: str, value: Any) -> str | None:
    """Write a comparison; fields are checked by their types, dynamic keys by the types of their values."""
    name, kind, is_list = f"$meta[{_literal(field)}]", "dynamic" if dynamic else "", operator == "contains"
    if (schema := fields.get(field)) is not None:
        name, is_list = field, schema["type"].name == "ARRAY"
        kind = schema["element_type" if is_list else "type"].name
    # Milvus does not read this escape of JSON.
    if r"\u" in _literal([field, value]) or not comparable(KINDS.get(kind, ()), is_list, operator, value):
        return None
    if schema is not None and is_list:
        return f"array_contains({name}, {_literal(value)})"
    if is_list:  # Milvus takes no other keys and values here
        plain = isinstance(value, str) and PLAIN.fullmatch(field)
        return f"json_contains({field}, {_literal(value)})" if plain else None
    values = value if isinstance(value, list) else [value]
    return " or ".join(f"{name} {'==' if operator == 'in' else operator} {_literal(v)}" for v in values)


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
