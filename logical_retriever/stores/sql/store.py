"""A table of any SQL engine with a column of vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    EngineRanking,
    ScoreExpression,
    StoredDocument,
    WordQuery,
    capabilities_property,
    checked_ids,
)
from logical_retriever.stores.rows import PagedStore, engine_errors, in_order
from logical_retriever.stores.sql.clickhouse import CLICKHOUSE
from logical_retriever.stores.sql.columns import Columns, described, naming
from logical_retriever.stores.sql.compiler import Compiler, Statement
from logical_retriever.stores.sql.dialect import Dialect, Run, SqlFilter, joined
from logical_retriever.stores.sql.duckdb import DUCKDB
from logical_retriever.stores.sql.postgres import POSTGRES
from logical_retriever.stores.sql.spark import SPARK
from logical_retriever.vectors import Vectors, check_dimensions

DIALECTS = (POSTGRES, DUCKDB, CLICKHOUSE, SPARK)
"""The dialects that :meth:`SqlStore.from_table` recognises by the connection."""
SCAN_PAGE = 50_000
"""Ids in one request."""
WORD_SEARCH = "Postgres' text search, those with the rarest words first, then the nearest"
"""``word_search`` of a store with a column of Postgres' full text."""
ID_TYPES: Mapping[str, type] = {"text": str, "whole": int, "uuid": UUID}
"""Python's types of ids by kind, made from their texts."""


class SqlStore(PagedStore):
    """A table or view of Postgres with pgvector, DuckDB, ClickHouse or Spark, with a column of vectors.

    Rows without a vector are no documents. Ids are texts, whole numbers or UUIDs. A filter is a mapping of columns to
    values, or a :class:`SqlFilter`. :meth:`from_table` makes one::

        store = SqlStore.from_table(duckdb.connect("file.duckdb"), "docs", text="body", vector="embedding")
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter={"year": 2024})
        retriever.retrieve("...", filter=SqlFilter("year > $year", {"year": 2000}))

    Args:
        dialect: The engine's dialect.
        run: Runs statements.
        columns: The table's columns.
        name: Name of the store in messages; the dialect's by default.
        within: A filter for the rows of this store, in a table that holds others too.
        operator: pgvector's operator for the order of the nearest rows.
        searched: A column of Postgres' type ``tsvector``, and the configuration that it was made with.
    """

    page = 2000

    def __init__(
        self,
        dialect: Dialect,
        run: Run,
        columns: Columns,
        *,
        name: str | None = None,
        within: SqlFilter | None = None,
        operator: str = "<=>",
        searched: tuple[str, str] | None = None,
    ) -> None:
        self.dialect, self.columns, self.operator, self.searched = dialect, columns, operator, searched
        self.name = dialect.name if name is None else name
        self.compiler = Compiler(dialect, columns, operator)
        present = SqlFilter(dialect.present.format(columns.vector.quoted))
        self.within = present if within is None else present & within
        self._run = run
        self.connection: Any = run
        kind = next((kind for pattern, kind in dialect.ids.items() if re.fullmatch(pattern, columns.id.type)), None)
        if kind is None:
            raise InvalidArgumentError(
                f"Column {columns.id.name!r} of {columns.table} is of type {columns.id.type}, whose values cannot be "
                "identities.",
                hint="Name a column of unique texts, whole numbers or UUIDs; a view can cast another to text.",
            )
        self._kind: Any = ID_TYPES[kind]

    @classmethod
    def from_table(
        cls,
        connection: Any,
        table: str | Sequence[str],
        *,
        id: str = "id",
        text: str = "text",
        vector: str = "vector",
        metadata: str | Sequence[str] | None = None,
        dialect: Dialect | None = None,
    ) -> SqlStore:
        """Read documents from a table.

        Args:
            connection: An engine of SQLAlchemy for Postgres, ``duckdb.connect()``, ``chdb.connect()``, a session of
                chdb, ``clickhouse_connect.get_client()``, a ``SparkSession`` (classic or Connect); only read from.
            table: The name, or the parts of a qualified name: ``("main", "docs")``.
            id: Column of unique ids: texts, whole numbers or UUIDs. Documents have these values as ids.
            text: Column of texts.
            vector: Column of vectors; rows without a vector are no documents.
            metadata: Columns of metadata, each under its own name; one name for a column of objects whose keys are the
                metadata; None for all other columns.
            dialect: The dialect of an engine that this package does not know.

        Raises:
            InvalidArgumentError: The connection is of another kind, a column is missing, or a column of vectors or ids
                has another type.
            StoreError: The table is missing, or the connection is closed.
            MissingPackageError: The package that reads the engine's answers is not installed.
        """
        for candidate in DIALECTS if dialect is None else (dialect,):
            if (run := candidate.connect(connection)) is not None:
                store = cls(candidate, run, described(candidate, run, table, id, text, vector, metadata))
                store.connection = connection
                return store
        raise InvalidArgumentError(
            f"A connection to Postgres, DuckDB, ClickHouse or Spark is needed, got {type(connection).__name__}.",
            hint="Pass sqlalchemy.create_engine('postgresql+psycopg://...'), duckdb.connect(...), chdb.connect(...), "
            "clickhouse_connect.get_client(...) or a SparkSession.",
        )

    def facts(self) -> dict[str, Any]:
        """Exact search without an approximate index on the table; order by cosine where the operator measures it."""
        approximate = self.dialect.approximate
        return {
            "name": self.name,
            "exact_search": not approximate
            or not self.answer((approximate, naming(self.columns.table)))["lr_count"][0],
            "cosine_order": self.operator == "<=>",
            "word_search": None if self.searched is None else WORD_SEARCH,
            "threads": self.dialect.threads,
            "indexed_if_small": self.dialect.threads,
        }

    capabilities = capabilities_property(
        Capabilities(
            name="SQL table",
            exact_search=True,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            word_search=WORD_SEARCH,
            conditions="necessary",
            indexed_if_small=True,
        )
    )(facts)

    def answer(self, statement: Statement, nearest: int = 0) -> Mapping[str, Any]:
        """Run a statement of the compiler. Return its columns by name.

        Raises:
            StoreError: The engine failed.
        """
        with engine_errors(self.name, "run a query"):
            return self._run(*statement, nearest)

    @property
    def cache_key(self) -> Hashable:
        """Key of the documents for shared statistics: the connection and the columns."""
        return id(self.connection), self.columns

    def count(self) -> int:
        """Return the number of documents."""
        return int(self.answer(self.compiler.rows(["count(*) AS lr_count"], self.within))["lr_count"][0])

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n nearest rows of each vector, in one statement; ties by id."""
        at_once = bool(self.dialect.far)  # without an index, the statement would read the texts of all rows
        columns = self.compiler.document if at_once else [self.compiler.id]
        try:
            answer = self.answer(self.compiler.nearest(vectors, n, columns, self.passing(filter)), n)
        except StoreError:
            check_dimensions(vectors, self.sample(20, 0).vectors)
            raise
        lists: list[list[DocumentId]] = [[] for _ in vectors]
        far = np.nan_to_num(np.array(answer["lr_far"], dtype=np.float64), nan=np.inf).tolist()
        ids: Any = self._ids(answer["lr_id"])
        for _, id, place in sorted(zip(far, ids, answer["lr_list"], strict=True)):
            lists[place].append(id)
        if not at_once:
            return lists, self.fetch(list(dict.fromkeys(ids)))
        documents = {d.id: (d, row) for d, row in zip(self._documents(answer), answer["lr_vector"], strict=True)}
        return lists, in_order(list(documents), documents)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Any = None) -> list[list[DocumentId]]:
        """Find the n rows of greatest summed weight of each query's words; equal ones by vector."""
        if (searched := self.searched) is None:
            return [[] for _ in queries]
        passing = self.passing(filter)
        statements = [self.compiler.by_words(query, n, searched, passing) for query in queries]
        return [list(self._ids(self.answer(statement)["lr_id"])) for statement in statements]

    def search_by_score(self, expression: ScoreExpression, n: int, filter: Any = None) -> EngineRanking:
        """Score every document in the engine, and return the best."""
        statement = self.compiler.by_score(expression, n, self.passing(filter))
        return EngineRanking(self._ids(self.answer(statement)["lr_id"]), statement[0])

    def read(self, ids: list[DocumentId], filter: Any = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Read documents by id."""
        among = self.dialect.among.format(id=self.compiler.key, type=self.columns.id.type)
        wanted = self.passing(filter) & SqlFilter(among, {"lr_ids": list(map(str, ids))})
        answer = self.answer(self.compiler.rows(self.compiler.document, wanted))
        return zip(self._documents(answer), answer["lr_vector"], strict=True)

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents by a hash of id and seed: the same ones for the same seed and content."""
        text = self.dialect.as_text.format(self.compiler.key)
        order = f"ORDER BY MD5(concat({text}, '/{int(seed)}')), {self.compiler.key} LIMIT {int(n)}"
        return self.fetch(self._ids(self.answer(self.compiler.rows([self.compiler.id], self.within, order))["lr_id"]))

    def ids(self, filter: Any) -> Iterator[DocumentId]:
        """List the ids of all documents that pass a filter, in their order, in pages that follow the last id."""
        key, passing = self.compiler.key, self.passing(filter)
        page, order = passing, f"ORDER BY {key} LIMIT {SCAN_PAGE}"
        while True:
            ids = self._ids(self.answer(self.compiler.rows([self.compiler.id], page, order))["lr_id"])
            yield from ids
            if len(ids) < SCAN_PAGE:
                return
            last = self.dialect.parameter.format(name="lr_last", type=self.columns.id.type)
            page = passing & SqlFilter(f"{key} > {last}", {"lr_last": ids[-1]})

    def with_condition(self, filter: Any, condition: LogicalQuery) -> SqlFilter | None:
        """Join to the filter as much of a condition as SQL can express; None for nothing of it."""
        return self.compiler.with_condition(self._given(filter), condition)

    def _documents(self, answer: Mapping[str, Any]) -> list[StoredDocument]:
        """Build documents from the compiler's columns."""
        ids = self._ids(answer["lr_id"])
        if len(set(ids)) < len(ids) and "lr_list" not in answer:
            raise StoreError(
                f"Two rows of {self.columns.table} have one {self.columns.id.name}.",
                hint="Name a column of unique identities.",
            )
        values = [answer[f"lr_m{i}"] for i in range(len(self.columns.metadata))]
        for i, in_json in enumerate(self.compiler.in_json):
            if in_json:
                values[i] = [None if value is None else json.loads(value) for value in values[i]]
        rows = zip(*values, strict=True) if values else (() for _ in ids)
        metadata = map(self.columns.read_metadata, rows)
        return [StoredDocument(*parts) for parts in zip(ids, answer["lr_text"], metadata, strict=True)]

    def _ids(self, texts: Iterable[str]) -> tuple[DocumentId, ...]:
        return tuple(map(self._kind, checked_ids(texts)))

    def passing(self, filter: Any) -> SqlFilter:
        """Build the filter of the rows that are documents of this store and pass the caller's filter."""
        condition = self._given(filter)
        return self.within if condition is None else self.within & condition

    def _given(self, filter: Any) -> SqlFilter | None:
        """Read a caller's filter.

        Raises:
            InvalidArgumentError: It is neither a :class:`SqlFilter` nor a mapping of columns, or names an unknown
                column.
        """
        if filter is None or isinstance(filter, SqlFilter):
            return filter
        if not isinstance(filter, Mapping):
            raise InvalidArgumentError(
                f"A filter of {self.name} must be a mapping or a SqlFilter, got {type(filter).__name__}.",
                hint='For example {"year": 2024}, or SqlFilter("year > $year", {"year": 2000}).',
            )
        columns = {column.name: column for column in (self.columns.id, self.columns.text, *self.columns.metadata)}
        parts = []
        for place, (name, value) in enumerate(filter.items()):
            if name not in columns:
                raise InvalidArgumentError(
                    f"The filter names {name!r:.80}, which is no column of {self.columns.table} that the store reads.",
                    hint=f"Columns: {', '.join(columns)}. For other conditions, use SqlFilter.",
                )
            bound = self.dialect.parameter.format(name=f"lr_f{place}", type=columns[name].type)
            equal = SqlFilter(f"{columns[name].quoted} = {bound}", {f"lr_f{place}": value})
            parts.append(SqlFilter(f"{columns[name].quoted} IS NULL") if value is None else equal)
        return joined(" AND ", parts) if parts else None
