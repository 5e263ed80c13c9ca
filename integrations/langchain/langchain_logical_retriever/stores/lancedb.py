"""The LanceDB vector store of langchain-community."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    AtBest,
    Batch,
    Capabilities,
    DocumentId,
    StoredDocument,
    UnsupportedStoreError,
    VectorBatch,
    Vectors,
    drawn,
    in_order,
    matrix,
    pages,
)

PAGE = 1000
"""Rows in one batch, and ids in one condition."""
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


class LanceDBAdapter(VectorStoreAdapter):
    """The core's view of a ``LanceDB`` vector store; documents are known by its column of ids.

    Without an index of vectors a search compares with every row, by cosine, whatever metric the wrapper was told; it
    leaves out vectors of zeros, which have none. With an index, the index's own metric orders the search.

    Args:
        vectorstore: The vector store; only read.
    """

    filter_types = (str, dict)
    filter_example = 'filter="metadata.year > 2000", or {"metadata.year": 2000} for equality'

    @AtBest(Capabilities(name="LanceDB", exact_search=True, stored_vectors=True, scan=True, cosine_order=True))
    def capabilities(self) -> dict[str, Any]:
        """Exact and by cosine without an index of vectors; else by the index's metric."""
        metric = self._metric(self._table)
        return {"exact_search": metric is None, "cosine_order": metric in (None, "cosine")}

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
        metric = self._metric(table)
        found = []
        for vector in vectors:
            with self.errors("search"):
                query = table.search(vector, vector_column_name=self._vector).limit(n).select([self._id, "_distance"])
                query = query.distance_type("cosine" if metric is None else metric)
                if filter is not None:
                    query = query.where(_condition(filter), prefilter=True)
                found.append([row[self._id] for row in query.to_list()])
        return found

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        table = self._table
        found: dict[DocumentId, tuple[StoredDocument, Any]] = {}
        kind = object if table is None else self._kind(table)
        for page in pages([id for id in ids if isinstance(id, kind)], PAGE) if table is not None else ():
            condition = f"{self._id} IN ({', '.join(_literal(id) for id in page)})"
            with self.errors("read documents by id"):
                rows = table.search().where(condition).limit(len(page)).to_list()
            found.update({row[self._id]: (self._document(row), row[self._vector]) for row in rows})
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement; the ids of all are read first."""
        ids = [id for batch in self._walk([self._id], None) for id in batch[self._id].to_pylist()]
        return self.fetch(drawn(ids, n, seed))

    def scan(self, filter: str | Mapping[str, Any] | None = None) -> Iterator[VectorBatch]:
        """All vectors, in batches of one version of the table."""
        for batch in self._walk([self._id, self._vector], filter):
            column = batch[self._vector]
            rows = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)
            yield VectorBatch(tuple(batch[self._id].to_pylist()), matrix(rows))

    def _walk(self, columns: list[str], filter: str | Mapping[str, Any] | None) -> Iterator[Any]:
        table = self._table
        if table is None:
            return
        with self.errors("walk through its rows"):
            query = table.search().select(columns)
            if filter is not None:
                query = query.where(_condition(filter))
            for batch in query.to_batches(PAGE):
                if batch.num_rows:
                    yield batch

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
