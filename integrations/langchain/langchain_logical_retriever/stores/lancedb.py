"""The LanceDB vector store of langchain-community."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from langchain_logical_retriever.stores._common import IndexedAdapter, comparable, in_words, outside, stored
from logical_retriever.adapters import (
    DocumentId,
    LogicalQuery,
    PagedStore,
    Rows,
    StoredDocument,
    Vectors,
    capabilities_property,
)

KINDS: Mapping[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "double": (int, float), "bool": (bool,)}
"""Python types that a column can be compared with, by the column's type in the wrapper's tables."""


class LanceDBAdapter(IndexedAdapter, PagedStore):
    """The core's view of a ``LanceDB`` vector store, whose column of ids identifies documents.

    Without an index of vectors a search compares every row by cosine, whatever the wrapper's metric, and leaves out
    vectors of zeros. With an index, the index's own metric orders the search.
    """

    filter_types = (str, dict)
    filter_example = 'filter="metadata.year > 2000", or {"metadata.year": 2000} for equality'

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        self.key, self.vector = str(vectorstore._id_key), str(vectorstore._vector_key)

    @capabilities_property(
        outside("LanceDB", exact_search=True, cosine_order=True, conditions="necessary", indexed_if_small=True)
    )
    def capabilities(self) -> dict[str, Any]:
        """Search exactly and by cosine, unless there is an index of vectors."""
        return dict.fromkeys(("exact_search", "cosine_order"), not self._ask("describe", self._is_indexed, False))

    def filter_of(self, filters: Mapping[str, Any]) -> str | None:
        """Return SQL; a dict means what it means to the wrapper, with quotes in values escaped."""
        filter = filters["filter"]
        if isinstance(filter, str):
            return filter
        return " and ".join(f"{name} = {_literal(str(value))}" for name, value in filter.items()) or None

    def count(self) -> int:
        """Return the number of rows."""
        return int(self._ask("count", lambda table: table.count_rows(), 0))

    def nearest(self, vectors: Vectors, n: int, filter: str | None) -> Iterable[Rows]:
        """Return the n nearest rows of each vector among those that pass the filter, in one request."""

        def near(table: Any) -> Any:
            query = table.search(vectors if len(vectors) > 1 else vectors[0], vector_column_name=self.vector).limit(n)
            return query if self._is_indexed(table) else query.distance_type("cosine")

        lists = [list[Any]() for _ in vectors]
        for row in self._rows(near, filter):
            lists[row.get("query_index", 0)].append(row)
        return (map(self._document, rows) for rows in lists)

    def with_condition(self, filter: str | None, condition: LogicalQuery) -> str | None:
        """Join the filter with the parts of a condition that LanceDB can express; none before the first document."""
        return in_words(filter, condition, partial(_compared, self._ask("describe", _types, {})))

    def read(self, ids: list[DocumentId], filter: str | None) -> Rows:
        """Read rows by id."""
        among = f"{self.key} in ({', '.join(map(_literal, ids))})"
        passing = among if filter is None else f"({filter}) and {among}"
        return map(self._document, self._rows(lambda table: table.search().limit(len(ids)), passing))

    def ids(self, filter: str | None) -> list[DocumentId]:
        """Return the ids of one version of the table."""
        return [row[self.key] for row in self._rows(lambda table: table.search().select([self.key]), filter)]

    def _ask(self, doing: str, request: Callable[[Any], Any], absent: Any) -> Any:
        """Ask the current table; return ``absent`` before the first document, which makes the table."""
        table = self.vectorstore.get_table()
        with self.errors(doing):
            return absent if table is None else request(table)

    def _rows(self, query: Callable[[Any], Any], filter: str | None) -> list[dict[str, Any]]:
        def rows(table: Any) -> Any:
            every = query(table)
            return (every if filter is None else every.where(filter, prefilter=True)).to_list()

        return list(self._ask("search", rows, []))

    def _is_indexed(self, table: Any) -> bool:
        return any(self.vector in index.columns for index in table.list_indices())

    def _document(self, row: Mapping[str, Any]) -> tuple[StoredDocument, Any]:
        return stored(row[self.key], row.get(self.vectorstore._text_key), row.get("metadata")), row[self.vector]


def _types(table: Any) -> dict[str, str]:
    """Return the types of the metadata's fields, by name."""
    kind: Any = table.schema.field("metadata").type if "metadata" in table.schema.names else None
    return {field.name: str(field.type) for field in kind} if str(kind).startswith("struct") else {}


def _compared(types: Mapping[str, str], field: str, operator: str, value: Any) -> str | None:
    kind = types.get(field, "")
    single = kind.removeprefix("list<item: ").removesuffix(">")
    if not comparable(KINDS.get(single, ()), single != kind, operator, value):
        return None
    path = "metadata.`{}`".format(field.replace("`", "``"))
    if operator == "contains":
        return f"array_has({path}, {_literal(value)})"
    return f"{path} {operator} " + (f"({', '.join(map(_literal, value))})" if operator == "in" else _literal(value))


def _literal(value: Any) -> str:
    """Write a value in LanceDB's SQL, which binds no parameters."""
    if isinstance(value, str):
        return "'{}'".format(value.replace("'", "''"))
    # LanceDB reads the smallest 64-bit integer without its sign first.
    return str(value).lower() if value != -(1 << 63) else f"({value + 1} - 1)"
