"""The LanceDB vector store of langchain-community."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, cast

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores._lancedb_conditions import LanceDBConditions
from logical_retriever.integration import (
    PUSHED_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    DocumentId,
    LogicalQuery,
    PagedStore,
    StoredDocument,
    UnsupportedStoreError,
    Vectors,
    nearest_with_documents,
)

KINDS: Mapping[str, type] = MappingProxyType(
    {
        **dict.fromkeys(("string", "large_string"), str),
        **dict.fromkeys(("int", "uint"), int),
        **dict.fromkeys(("halffloat", "float", "double"), float),
        **dict.fromkeys(("binary", "large_binary"), bytes),
        "date": date,
        "timestamp": datetime,
    }
)
"""Types that a column of ids may have, by the beginning of their names, and what their values are in Python."""


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
            reads_nearest=True,
            conditions=PUSHED_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact and by cosine without an index of vectors; else by the index's metric."""
        metric = self._metric(self._table)
        return {"exact_search": metric is None, "cosine_order": metric in (None, "cosine")}

    @property
    def identity(self) -> Hashable:
        """Of the rows of one vector store, whose texts would all be read to find a word."""
        return type(self), id(self.vectorstore)

    def count(self) -> int:
        """Number of rows."""
        table = self._table
        with self.errors("count"):
            return 0 if table is None else int(table.count_rows())

    def search(self, vectors: Vectors, n: int, filter: str | Mapping[str, Any] | None = None) -> list[list[DocumentId]]:
        """The n nearest rows of each vector; the filter comes before the choice of the nearest."""
        table = self._table
        if table is None:
            return [[] for _ in vectors]
        condition = None if filter is None else _condition(filter)
        rows = self._nearest(table, self._metric(table), vectors, n, condition, [self._id])
        return [[row[self._id] for row in found] for found in rows]

    def read_nearest(
        self, vectors: Vectors, n: int, filter: str | Mapping[str, Any] | None = None
    ) -> tuple[list[list[DocumentId]], Batch]:
        """The same with the documents, in one request."""
        table = self._table
        if table is None:
            return nearest_with_documents([] for _ in vectors)
        condition = None if filter is None else _condition(filter)
        rows = self._nearest(table, self._metric(table), vectors, n, condition, None)
        return nearest_with_documents([(self._document(row), row[self._vector]) for row in found] for found in rows)

    def _nearest(
        self,
        table: Any,
        metric: str | None,
        vectors: Vectors,
        n: int,
        condition: str | None,
        columns: list[str] | None,
    ) -> list[list[dict[str, Any]]]:
        """Rows of each vector, with these columns, None for all; in one request."""
        with self.errors("search"):
            query = table.search(vectors if len(vectors) > 1 else vectors[0], vector_column_name=self._vector).limit(n)
            if columns is not None:
                query = query.select([*columns, "_distance"])
            query = query.distance_type("cosine" if metric is None else metric)
            if condition is not None:
                query = query.where(condition, prefilter=True)
            rows = _read(query, self._vector)
        lists: list[list[dict[str, Any]]] = [[] for _ in vectors]
        for row in rows:
            lists[row.get("query_index", 0)].append(row)
        return lists

    def narrowed(self, filter: str | Mapping[str, Any] | None, condition: LogicalQuery) -> str | None:
        """The filter and a condition on fields of the metadata; none before the first document gave them types."""
        return self._conditions.narrowed(None if filter is None else _condition(filter), condition)

    def superset_filter(self, filter: str | Mapping[str, Any] | None, condition: LogicalQuery) -> str | None:
        """The filter, and of a condition that SQL cannot say, what all of its documents fulfil."""
        return self._conditions.superset_narrowed(None if filter is None else _condition(filter), condition)

    @property
    def _conditions(self) -> LanceDBConditions:
        with self.errors("describe its columns"):
            table = self._table
            names, schema = ((), None) if table is None else (table.schema.names, table.schema)
        kind = schema.field("metadata").type if schema is not None and "metadata" in names else None
        types = {field.name: str(field.type) for field in kind or ()} if str(kind).startswith("struct") else {}
        return LanceDBConditions(types, _literal)

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Values of the column's type; none while there is no table."""
        table = self._table
        kind = None if table is None else self._kind(table)
        return () if kind is None else [id for id in ids if isinstance(id, kind)]

    def read(
        self, ids: list[DocumentId], filter: str | Mapping[str, Any] | None = None
    ) -> Iterable[tuple[StoredDocument, Any]]:
        """Rows by id."""
        wanted = self._among(ids) if filter is None else f"({_condition(filter)}) AND {self._among(ids)}"
        with self.errors("read documents by id"):
            rows = _read(self._table.search().where(wanted).limit(len(ids)), self._vector)
        return [(self._document(row), row[self._vector]) for row in rows]

    def _among(self, ids: Sequence[DocumentId]) -> str:
        return f"{self._id} IN ({', '.join(map(_literal, ids))})"

    def walk(
        self, filter: str | Mapping[str, Any] | None, *, vectors: bool
    ) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Batches of one version of the table."""
        table = self._table
        if table is None:
            return
        with self.errors("walk through its rows"):
            query = table.search().select([self._id, *([self._vector] if vectors else [])])
            if filter is not None:
                query = query.where(_condition(filter))
            for batch in query.to_batches(self.page):
                ids = batch[self._id].to_pylist()
                yield zip(ids, _rows(batch[self._vector]) if vectors and ids else ids, strict=True)

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

    def _kind(self, table: Any) -> type:
        """The type of Python that values of the column of ids have."""
        name = str(table.schema.field(self._id).type)
        for beginning, kind in KINDS.items():
            if name.startswith(beginning):
                return kind
        raise UnsupportedStoreError(
            f"The LanceDB table's column {self._id!r} is of type {name}, whose values cannot stand in its conditions.",
            hint=f"Ids may be of the types that begin with {', '.join(KINDS)}.",
        )

    def _metric(self, table: Any) -> str | None:
        """Metric of the index on the vectors; None without one."""
        if table is None:
            return None
        with self.errors("look for an index"):
            for index in table.list_indices():
                if self._vector in index.columns:
                    statistics = table.index_stats(index.name)
                    return str(statistics.distance_type).lower() if statistics is not None else "l2"
        return None

    def _document(self, row: Mapping[str, Any]) -> StoredDocument:
        text, metadata = row.get(self.vectorstore._text_key), row.get("metadata")
        return StoredDocument(row[self._id], "" if text is None else text, {} if metadata is None else metadata)


def _read(query: Any, vector: str) -> list[dict[str, Any]]:
    """Rows of an answer; their vectors are rows of one array, never lists of numbers."""
    found = query.to_arrow()
    if vector not in found.column_names or not len(found):
        return cast("list[dict[str, Any]]", found.to_pylist())
    vectors = _rows(found[vector].combine_chunks())
    rows = found.drop_columns([vector]).to_pylist()
    return [{**row, vector: one} for row, one in zip(rows, vectors, strict=True)]


def _rows(column: Any) -> Any:
    """An array of shape (N, d) of a column of vectors; a list where rows have none."""
    if column.null_count:
        return column.to_pylist()
    return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)


def _condition(filter: str | Mapping[str, Any]) -> str:
    """SQL of a filter; a dict means what it means to the wrapper, with quotes in values escaped."""
    if isinstance(filter, str):
        return filter
    return " AND ".join(f"{name} = {_literal(str(value))}" for name, value in filter.items())


def _literal(key: DocumentId) -> str:
    """A value in LanceDB's SQL, which binds no parameters."""
    if isinstance(key, int):  # the least number of 64 bits is read without its sign first
        return str(key) if key > -(1 << 63) else f"({key + 1} - 1)"
    if isinstance(key, float):
        return f"CAST('{key!r}' AS DOUBLE)"
    if isinstance(key, bytes):
        return f"X'{key.hex()}'"
    if isinstance(key, date):
        return f"{'timestamp' if isinstance(key, datetime) else 'date'} '{key}'"
    return f"""'{str(key).replace("'", "''")}'"""
