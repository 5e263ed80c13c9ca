"""The common part of stores over an SQL engine's own connection: a table with a column of vectors."""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar

import numpy as np

from logical_retriever.errors import InvalidArgumentError, StoreError, UnsupportedByEngineError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    StoredDocument,
    VectorBatch,
    checked_ids,
)
from logical_retriever.stores.rows import engine_errors, in_order, matrix, pages
from logical_retriever.stores.sql_columns import Column, Columns, Quote, SqlFilter, Where
from logical_retriever.stores.sql_conditions import Dialect, SqlConditions
from logical_retriever.vectors import Vectors

FETCH_PAGE = 2000
"""Documents in one request."""
SCAN_PAGE = 50_000
"""Vectors in one request: 77 MB at 384 dimensions."""
PASSING = "lr_passing"
"""Name of the rows that pass the filter in a statement."""
RESERVED = "lr_"
"""Beginning of the names of the store's own parameters."""

S = TypeVar("S", bound="SqlTableStore")


class SqlTableStore(ABC):
    """A table with a column of vectors, read by SQL with bound parameters and quoted names alone.

    Rows without a vector are no documents of the store: they are not counted, found or scanned.

    Args:
        connection: The engine's own connection object; only read from.
        columns: From the table's description.

    Attributes:
        key: SQL of the identity, as it is compared and ordered.

    Raises:
        InvalidArgumentError: Values of the identity's type cannot be told apart.
    """

    capabilities: ClassVar[Capabilities]
    quote: ClassVar[Quote]
    vector_type: ClassVar[re.Pattern[str]]
    vector_hint: ClassVar[str]
    dialect: ClassVar[Dialect]
    length: ClassVar[str]
    _kind: type | tuple[type, ...]

    def __init__(self, connection: Any, columns: Columns) -> None:
        self.connection = connection
        self.columns = columns
        key = self._key(columns.id)
        if key is None:
            raise InvalidArgumentError(
                f"Column {columns.id.name!r} of {columns.table} is of type {columns.id.type}, whose values cannot be "
                "identities.",
                hint="Name a column of unique texts, numbers, dates or UUIDs.",
            )
        self.key = key

    @classmethod
    def from_table(
        cls: type[S],
        connection: Any,
        table: str | Sequence[str],
        *,
        id: str = "id",
        text: str = "text",
        vector: str = "vector",
        metadata: str | Sequence[str] | None = None,
        unit: bool = False,
    ) -> S:
        """Read documents from a table.

        Args:
            connection: See the class.
            table: Its name, or the parts of a qualified one: ``("main", "docs")``.
            id: Column of unique identities, of any type but arrays, structures and the like. A document's id is the
                value: a number, a date, bytes. A scan is fastest where the table is ordered by it.
            text: Column of texts.
            vector: Column of vectors; rows without one are no documents.
            metadata: Columns of metadata, each under its own name; one name for a column of objects (see the class),
                whose keys are the metadata; None for all other columns.
            unit: Whether all vectors are known to have length 1 (or 0): the engine multiplies where it would divide
                by lengths. Where that is not true, it picks other documents than the best.

        Raises:
            InvalidArgumentError: The connection is none, or there is no such column, or it holds no vectors.
            StoreError: There is no such table, or the connection is closed.
            MissingPackageError: A package that reads the engine's answers is not installed.
        """
        quoted = cls.quote.qualified(table)
        types = cls._types(connection, quoted)

        def column(name: str) -> Column:
            if name not in types:
                close = difflib.get_close_matches(str(name), types, n=1)
                hint = f"Did you mean {close[0]!r}? " if close else ""
                raise InvalidArgumentError(
                    f"{quoted} has no column {name!r}.", hint=f"{hint}Its columns: {', '.join(map(repr, types))}."
                )
            return Column(name, cls.quote(name), types[name])

        others = [name for name in types if name not in (id, text, vector)] if metadata is None else metadata
        named = [others] if isinstance(others, str) else others
        columns = Columns(
            quoted, column(id), column(text), column(vector), tuple(map(column, named)), isinstance(others, str), unit
        )
        if not cls.vector_type.fullmatch(columns.vector.type):
            raise InvalidArgumentError(
                f"Column {vector!r} of {quoted} is of type {columns.vector.type}, which is none of vectors.",
                hint=cls.vector_hint.format(table=quoted, column=columns.vector.quoted),
            )
        return cls(connection, columns)

    @property
    def identity(self) -> Hashable:
        """Equal for stores of one table's texts through one connection; see :attr:`ChromaStore.identity`."""
        return id(self.connection), self.columns

    def count(self) -> int:
        """Number of rows with a vector."""
        [[count]] = self._rows(f"SELECT count(*) FROM {self.columns.table} WHERE {self._present().sql}", {})
        return int(count)

    def search(
        self, vectors: Vectors, n: int, filter: SqlFilter | Mapping[str, Any] | None = None
    ) -> list[list[DocumentId]]:
        """The n rows of greatest cosine per vector, by comparing with every row; ties by id."""
        passing = self.condition(filter)
        clauses = f"WHERE {passing.sql} ORDER BY {self._cosine('lr_vector')} DESC, {self.key} LIMIT {int(n)}"
        try:
            return [self._keys(clauses, {**passing.parameters, "lr_vector": vector.tolist()}) for vector in vectors]
        except StoreError:
            self._check_dimension(vectors)
            raise

    def fetch(self, ids: Sequence[DocumentId], filter: SqlFilter | Mapping[str, Any] | None = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that are there and pass the filter."""
        c = self.columns
        columns = ", ".join([self._shown(self.key), self._as_text(c.text), *map(self._as_value, c.metadata)])
        documents: dict[DocumentId, StoredDocument] = {}
        vectors: dict[DocumentId, Any] = {}
        for page in pages([id for id in ids if self._can_be_key(id)], FETCH_PAGE):
            wanted = self.condition(filter) & self._among(page)
            rows = self._rows(f"SELECT {columns} FROM {c.table} WHERE {wanted.sql}", wanted.parameters)
            for id, (_, text, *values) in zip(self._ids(row[0] for row in rows), rows, strict=True):
                if id in documents:
                    raise StoreError(
                        f"Two rows of {c.table} have the {c.id.name} {id!r}.",
                        hint="Name a column of unique identities.",
                    )
                documents[id] = StoredDocument(id, "" if text is None else text, self._metadata(values))
            batch = self._vectors(f"WHERE {wanted.sql}", wanted.parameters)
            vectors.update(zip(batch.ids, batch.vectors, strict=True))
        return in_order(ids, {id: (document, vectors[id]) for id, document in documents.items() if id in vectors})

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents in the order of a hash of id and seed: the same ones for the same seed and content."""
        order = f"{self._hashed(int(seed))}, {self.key}"
        return self.fetch(self._keys(f"WHERE {self._present().sql} ORDER BY {order} LIMIT {int(n)}", {}))

    def scan(self, filter: SqlFilter | Mapping[str, Any] | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page in the order of ids, each page from where the last one ended."""
        passing = self.condition(filter)
        page = passing
        while True:
            batch = self._vectors(f"WHERE {page.sql} ORDER BY {self.key} LIMIT {SCAN_PAGE}", page.parameters)
            if batch.ids:
                yield batch
            if len(batch.ids) < SCAN_PAGE:
                return
            page = passing & self._after(batch.ids[-1])

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:  # noqa: ARG002  execute applies it
        """The rows of :meth:`execute`."""
        table = {"name": PASSING, "id": "lr_id", "vector": "lr_vector", "unit": self.columns.unit}
        return PushdownTarget(self.capabilities.name, {"table": table})

    def execute(
        self, statement: str, parameters: Mapping[str, Any], filter: SqlFilter | Mapping[str, Any] | None = None
    ) -> PushdownAnswer:
        """Run a compiled statement over the rows that have a vector and pass the filter.

        Raises:
            UnsupportedByEngineError: A parameter of the filter is called like one of the statement.
            StoreError: The engine failed.
        """
        passing = self.condition(filter)
        c = self.columns
        if shared := sorted(passing.parameters.keys() & parameters.keys()):
            raise UnsupportedByEngineError(
                f"The filter's parameter {shared[0]!r} is called like one of the query's own.",
                hint="Give it a longer name.",
            )
        whole = (
            f"WITH {self._named(PASSING)} (\n  SELECT {self.key} AS lr_id, {c.vector.quoted} AS lr_vector\n"
            f"  FROM {c.table}\n  WHERE {passing.sql}\n)\n{self._answering(statement)}"
        )
        rows = self._rows(whole, {**passing.parameters, **parameters})
        return PushdownAnswer(self._ids(row[0] for row in rows), whole)

    def narrowed(self, filter: SqlFilter | Mapping[str, Any] | Where | None, condition: LogicalQuery) -> Where | None:
        """The filter and a condition, its values bound; none on objects, or types that SQL compares otherwise."""
        given = self.condition(filter)
        return SqlConditions(self.columns, self.dialect, given).narrowed(given, condition)

    def superset_filter(
        self, filter: SqlFilter | Mapping[str, Any] | Where | None, condition: LogicalQuery
    ) -> Where | None:
        """The filter, and of a condition that SQL cannot say, what all of its documents fulfil."""
        given = self.condition(filter)
        return SqlConditions(self.columns, self.dialect, given).superset_narrowed(given, condition)

    def condition(self, filter: SqlFilter | Mapping[str, Any] | Where | None = None) -> Where:
        """The condition of WHERE: the row has a vector, and passes the filter.

        Raises:
            InvalidArgumentError: The filter is neither a :class:`SqlFilter` nor a mapping of columns, or names a
                column that is not there.
        """
        if filter is None:
            return self._present()
        if isinstance(filter, Where):  # of narrowed()
            return filter
        if isinstance(filter, SqlFilter):
            reserved = [name for name in filter.parameters if name.startswith(RESERVED)]
            if reserved:
                raise InvalidArgumentError(
                    f"A filter's parameter is called {reserved[0]!r}.", hint=f"Names in {RESERVED!r} are the store's."
                )
            return self._present() & Where(filter.condition, dict(filter.parameters))
        if isinstance(filter, Mapping):
            passing = self._present()
            for position, (name, value) in enumerate(filter.items()):
                passing &= self._equal(self._filtered(name), value, f"{RESERVED}filter{position}")
            return passing
        raise InvalidArgumentError(
            f"A filter of {self.capabilities.name} must be a mapping or a SqlFilter, got {type(filter).__name__}.",
            hint='For example {"year": 2024}, or SqlFilter("year > $year", {"year": 2000}).',
        )

    def errors(self) -> AbstractContextManager[None]:
        """Turns whatever the engine raises into a StoreError."""
        return engine_errors(self.capabilities.name, "run a query")

    def _keys(self, clauses: str, parameters: Mapping[str, Any]) -> list[DocumentId]:
        """Identities of the rows that the clauses after FROM choose, in their order."""
        rows = self._rows(f"SELECT {self._shown(self.key)} FROM {self.columns.table} {clauses}", parameters)
        return list(self._ids(key for [key] in rows))

    def _filtered(self, name: object) -> Column:
        for column in (self.columns.id, self.columns.text, *self.columns.metadata):
            if column.name == name:
                return column
        known = [column.name for column in self.columns.metadata]
        raise InvalidArgumentError(
            f"The filter names {name!r}, which is no column of {self.columns.table} that the store reads.",
            hint=f"Columns of metadata: {', '.join(known)}. For other conditions, use SqlFilter.",
        )

    def _metadata(self, values: Sequence[Any]) -> dict[str, Any]:
        columns = self.columns.metadata
        named = {column.name: self._read(column, value) for column, value in zip(columns, values, strict=True)}
        if not self.columns.unpacked:
            return named
        [value] = named.values()
        if value is not None and not isinstance(value, Mapping):
            [column] = self.columns.metadata
            raise StoreError(
                f"Column {column.name!r} of {self.columns.table} holds {value!r}, which is no object.",
                hint=f"Give metadata=({column.name!r},) for its values under its own name.",
            )
        return dict(value) if value is not None else {}

    @staticmethod
    @abstractmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        """The engine's names of the types of a table's columns."""

    @abstractmethod
    def _key(self, column: Column) -> str | None:
        """SQL of an identity, as it is compared and ordered; None for a type whose values cannot be told apart."""

    @abstractmethod
    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run a statement."""

    @abstractmethod
    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        """Ids and vectors of the rows that the clauses after FROM choose, in their order."""

    def _shown(self, key: str) -> str:
        """SQL of an identity in a form that is read without loss."""
        return key

    def _ids(self, shown: Iterable[Any]) -> tuple[DocumentId, ...]:
        """Identities of what was read."""
        return checked_ids(shown)

    def _answering(self, statement: str) -> str:
        """A compiled statement whose first column is an identity as it is shown."""
        return statement

    def _named(self, name: str) -> str:
        """The name of a query that is part of another and is to be merged into it."""
        return f"{name} AS"

    @abstractmethod
    def _present(self) -> Where:
        """The row has a vector."""

    @abstractmethod
    def _cosine(self, parameter: str) -> str:
        """Cosine with the vector of this parameter; 0 where it is not a number."""

    @abstractmethod
    def _as_text(self, column: Column) -> str:
        """A column's values as texts."""

    @abstractmethod
    def _as_value(self, column: Column) -> str:
        """A column's values in a form that ``_read`` takes."""

    @abstractmethod
    def _read(self, column: Column, value: Any) -> Any:
        """A value of metadata as Python has it."""

    @abstractmethod
    def _hashed(self, seed: int) -> str:
        """A hash of an identity's text and a seed."""

    def _can_be_key(self, id: DocumentId) -> bool:
        """Whether an identity is of the column's type."""
        return isinstance(id, self._kind)

    @abstractmethod
    def _among(self, ids: Sequence[DocumentId]) -> Where:
        """The identity is one of these."""

    @abstractmethod
    def _after(self, id: DocumentId) -> Where:
        """The identity comes after this one."""

    @abstractmethod
    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        """The column has this value; None is NULL."""

    def _check_dimension(self, vectors: Vectors) -> None:
        """Refuse query vectors of another dimension than the table's: a VectorMismatchError that names both."""
        column = f"{self.length}({self.columns.vector.quoted})"
        statement = f"SELECT min({column}), max({column}) FROM {self.columns.table} WHERE {self._present().sql}"
        [lengths] = self._rows(statement, {})
        self._check_even(lengths)
        if lengths[0] and lengths[0] != vectors.shape[1]:
            raise self._mismatch(vectors, lengths[0])

    def _mismatch(self, vectors: Vectors, dimension: int) -> VectorMismatchError:
        return VectorMismatchError(
            f"The embedder's vectors have dimension {vectors.shape[1]}, those of {self.columns.vector.name!r} in "
            f"{self.columns.table} {dimension}.",
            hint="Use the embedding model that the table was filled with.",
        )

    def _batch(self, table: Any) -> VectorBatch:
        """Ids and vectors of a table of Arrow."""
        if not len(table):
            return VectorBatch((), matrix(()))
        vectors = table["lr_vector"].combine_chunks()
        self._check_even(np.diff(vectors.offsets.to_numpy()))
        values = vectors.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
        return VectorBatch(self._ids(table["lr_id"].to_pylist()), values.reshape(len(table), -1))

    def _check_even(self, lengths: Any) -> None:
        if len(lengths) and min(lengths) != max(lengths):
            raise VectorMismatchError(
                f"Vectors of {self.columns.vector.name!r} in {self.columns.table} have lengths from {min(lengths)} to "
                f"{max(lengths)}.",
                hint="Encode all documents of a table with one model.",
            )
