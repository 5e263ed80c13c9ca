"""The LanceDB vector store of langchain-community."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
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
    Vectors,
)

KINDS: Mapping[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "double": (int, float), "bool": (bool,)}
"""Python's types of values that a column is compared with, by the types that the wrapper's tables have."""


class LanceDBAdapter(VectorStoreAdapter, PagedStore):
    """The core's view of a ``LanceDB`` vector store; documents are known by its column of ids.

    Without an index of vectors a search compares with every row, by cosine, whatever metric the wrapper was told; it
    leaves out vectors of zeros, which have none. With an index, the index's own metric orders the search.

    Args:
        vectorstore: The vector store; only read.
    """

    filter_types = (str, dict)
    filter_example = 'filter="metadata.year > 2000", or {"metadata.year": 2000} for equality'

    @AtBest(
        Capabilities(
            name="LanceDB",
            exact_search=True,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            conditions="necessary",
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact and by cosine without an index of vectors."""
        return dict.fromkeys(("exact_search", "cosine_order"), not self._is_indexed(self._table))

    @property
    def identity(self) -> Hashable:
        """Of the rows of one vector store, whose texts would all be read to find a word."""
        return type(self), id(self.vectorstore)

    def count(self) -> int:
        """Number of rows."""
        table = self._table
        with self.errors("count"):
            return 0 if table is None else int(table.count_rows())

    def nearest(self, vectors: Vectors, n: int, filter: str | Mapping[str, Any] | None) -> Iterable[Rows]:
        """The n nearest rows of each vector, in one request; the filter comes before the choice of the nearest."""
        table, lists = self._table, [list[Any]() for _ in vectors]
        if table is not None:
            query = table.search(vectors if len(vectors) > 1 else vectors[0], vector_column_name=self._vector).limit(n)
            if not self._is_indexed(table):
                query = query.distance_type("cosine")
            for row in self._rows(query, filter):
                lists[row.get("query_index", 0)].append(row)
        return (map(self._document, rows) for rows in lists)

    def narrowed(self, filter: str | Mapping[str, Any] | None, condition: LogicalQuery) -> str | None:
        """The filter and what LanceDB surely says of a condition; nothing before the first document gave types."""
        table = self._table
        kind: Any = table.schema.field("metadata").type if table and "metadata" in table.schema.names else None
        types = {field.name: str(field.type) for field in kind} if str(kind).startswith("struct") else {}
        language = FilterLanguage[str](
            every=lambda parts: " AND ".join(f"({part})" for part in parts),
            some=lambda parts: " OR ".join(f"({part})" for part in parts),
            compared=partial(_compared, types),
        )
        return language.narrowed(_condition(filter), condition)

    def read(self, ids: list[DocumentId], filter: str | Mapping[str, Any] | None) -> Rows:
        """Rows by id."""
        if (table := self._table) is None:
            return []
        among = f"{self._id} IN ({', '.join(map(_literal, ids))})"
        wanted = among if filter is None else f"({_condition(filter)}) AND {among}"
        return map(self._document, self._rows(table.search().limit(len(ids)), wanted))

    def ids(self, filter: str | Mapping[str, Any] | None) -> list[DocumentId]:
        """Of one version of the table."""
        table = self._table
        rows = [] if table is None else self._rows(table.search().select([self._id]), filter)
        return [row[self._id] for row in rows]

    @property
    def _table(self) -> Any:
        """The table as it is now; None until the first document makes it."""
        return self.vectorstore.get_table()

    @property
    def _id(self) -> str:
        return str(self.vectorstore._id_key)

    @property
    def _vector(self) -> str:
        return str(self.vectorstore._vector_key)

    def _is_indexed(self, table: Any) -> bool:
        with self.errors("look for an index"):
            return table is not None and any(self._vector in index.columns for index in table.list_indices())

    def _rows(self, query: Any, filter: str | Mapping[str, Any] | None) -> list[dict[str, Any]]:
        with self.errors("search"):
            rows: list[dict[str, Any]] = (
                query if filter is None else query.where(_condition(filter), prefilter=True)
            ).to_list()
        return rows

    def _document(self, row: Mapping[str, Any]) -> tuple[StoredDocument, Any]:
        text, metadata = row.get(self.vectorstore._text_key), row.get("metadata")
        document = StoredDocument(row[self._id], "" if text is None else text, {} if metadata is None else metadata)
        return document, row[self._vector]


def _compared(columns: Mapping[str, str], field: str, operator: str, value: Any) -> str | None:
    """On a field of the column of structures, by its type."""
    kind, values = columns.get(field, ""), value if isinstance(value, list) else [value]
    single = kind.removeprefix("list<item: ").removesuffix(">")
    if (single != kind) != (operator == "contains") or not all(type(v) in KINDS.get(single, ()) for v in values):
        return None
    path = "metadata.`{}`".format(field.replace("`", "``"))
    if operator == "contains":
        return f"array_has({path}, {_literal(value)})"
    return f"{path} {operator} " + (f"({', '.join(map(_literal, values))})" if operator == "in" else _literal(value))


def _condition(filter: str | Mapping[str, Any] | None) -> str | None:
    """SQL of a filter; a dict means what it means to the wrapper, with quotes in values escaped."""
    if filter is None or isinstance(filter, str):
        return filter
    return " AND ".join(f"{name} = {_literal(str(value))}" for name, value in filter.items())


def _literal(value: Any) -> str:
    """A value in LanceDB's SQL, which binds no parameters."""
    if isinstance(value, str):
        return "'{}'".format(value.replace("'", "''"))
    # The least number of 64 bits is read without its sign first.
    return str(value).lower() if value != -(1 << 63) else f"({value + 1} - 1)"
