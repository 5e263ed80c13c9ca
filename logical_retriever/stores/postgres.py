"""Vectors in a Postgres table with pgvector, by SQL: what the adapters of all wrappers have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from logical_retriever.stores.base import Batch, PushdownAnswer, PushdownTarget, StoredDocument, VectorBatch
from logical_retriever.stores.rows import in_order, is_uuid, matrix, pages
from logical_retriever.vectors import Vectors

PAGE = 2000
"""Rows in one request."""
EXACT_INDEXES = ("btree", "hash", "gin", "gist", "brin", "spgist")
"""Access methods that come with Postgres; any other on the table is taken for an approximate index of vectors."""
MAX_EF_SEARCH = 1000
"""Most that pgvector allows."""


PASSING = "lr_passing"
"""What the rows that pass the filter are called in a statement."""
METRICS = {"<=>": "cosine", "<#>": "inner product", "<->": "euclidean"}
"""What each of pgvector's operators measures."""
PARAMETER = re.compile(r"%\((\w+)\)s")


class Run(Protocol):
    """Runs statements in one transaction."""

    def __call__(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        """Rows of each statement; the settings go before and have none to give."""
        ...


@dataclass(frozen=True)
class VectorTable:
    """A table, or a part of one, with vectors in it.

    Attributes:
        id: Column of identities.
        text: Column of contents.
        metadata: Columns of metadata.
        metadata_json: The one among them that holds a JSON object of metadata, or None.
        vector: Column of vectors.
        operator: pgvector's operator that orders a search.
        within: Condition that a row belongs to the store, or None where all do.
        run: Runs statements.
        settings: Of the caller, for each search: ``ivfflat.probes = 10``.
    """

    id: Any
    text: Any
    metadata: tuple[Any, ...]
    metadata_json: Any
    vector: Any
    operator: str
    within: Any
    run: Run
    settings: tuple[str, ...] = ()

    def count(self) -> int:
        """Number of documents."""
        from sqlalchemy import func, select

        statement = self._where(select(func.count()).select_from(self.id.table))
        return int(self.run([statement])[0][0][0])

    def exact(self) -> bool:
        """Whether no approximate index lies on the table, so that a search compares with every row."""
        from sqlalchemy import bindparam, text

        statement = text(
            "SELECT count(*) FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am ON pg_am.oid = c.relam "
            "WHERE indrelid = CAST(:name AS regclass) AND NOT amname IN :exact"
        ).bindparams(bindparam("exact", expanding=True))
        return bool(self.run([statement.bindparams(name=self._qualified, exact=EXACT_INDEXES)])[0][0][0] == 0)

    def search(self, vectors: Vectors, n: int, condition: Any = None) -> list[list[str]]:
        """Ids of the n nearest rows of each vector, in one transaction."""
        from sqlalchemy import literal, select

        statements = []
        for vector in vectors.tolist():
            distance = self.vector.op(self.operator)(literal(vector, self.vector.type))
            statements.append(self._where(select(self.id), condition).order_by(distance).limit(n))
        return [[str(row[0]) for row in rows] for rows in self.run(statements, self._settings(n))]

    def pushdown_target(self) -> PushdownTarget:
        """The rows of :meth:`execute`."""
        arguments = {
            "table": {"name": PASSING, "id": "id", "vector": "vector"},
            "vector_type": type(self.vector.type).__name__.lower(),
            "index": METRICS[self.operator],
        }
        return PushdownTarget("pgvector", arguments)

    def execute(self, statement: str, parameters: Mapping[str, Any], condition: Any = None) -> PushdownAnswer:
        """Run a compiled statement over the rows that have a vector and fulfil a condition.

        Args:
            statement: For psycopg, over a table of the name of :meth:`pushdown_target`.
            parameters: Values that it names.
            condition: Of the wrapper's filter, or None.
        """
        from sqlalchemy import bindparam, column, select, text
        from sqlalchemy.dialects import postgresql
        from sqlalchemy.types import NullType

        rows = select(self.id.label("id"), self.vector.label("vector")).where(self.vector.is_not(None))
        # Merged into the statement, or no index would serve it.
        passing = self._where(rows, condition).cte(PASSING).prefix_with("NOT MATERIALIZED")
        # Without a type of their own, parameters take those of the places where they stand.
        bound = [bindparam(name, value, type_=NullType()) for name, value in parameters.items()]
        whole = text(_named(statement)).bindparams(*bound).columns(column("id"), column("score")).add_cte(passing)
        settings = self._settings(parameters["n"]) if "n" in parameters else ()
        found = self.run([whole], settings)[0]
        dialect: Any = postgresql.dialect  # SQLAlchemy has no type for it
        shown = whole.compile(dialect=dialect(paramstyle="named"))
        return PushdownAnswer(tuple(str(row[0]) for row in found), str(shown))

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        from sqlalchemy import bindparam, select
        from sqlalchemy.types import NullType

        convert = self._as_identity
        found: dict[str, tuple[StoredDocument, Any]] = {}
        for page in pages(ids, PAGE):
            wanted = [value for id in page if (value := convert(id)) is not None]
            if not wanted:
                continue
            # Without a type of its own, the parameter takes the column's, whatever that is.
            condition = self.id.in_(bindparam("ids", wanted, expanding=True, type_=NullType()))
            statement = self._where(select(self.id, self.text, self.vector, *self.metadata), condition)
            for id, text, vector, *metadata in self.run([statement])[0]:
                document = StoredDocument(str(id), "" if text is None else text, self._merged(metadata))
                found[document.id] = (document, vector)
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents in the order of a hash of id and seed: the same ones for the same seed and content."""
        from sqlalchemy import Text, cast, func, select

        shuffled = func.md5(func.concat(cast(self.id, Text), f"/{seed}"))
        rows = self.run([self._where(select(self.id)).order_by(shuffled).limit(n)])[0]
        return self.fetch([str(row[0]) for row in rows])

    def scan(self, condition: Any = None) -> Iterator[VectorBatch]:
        """All vectors, page by page in the order of ids, each page from where the last one ended."""
        from sqlalchemy import and_, bindparam, select
        from sqlalchemy.types import NullType

        after = condition
        while True:
            statement = self._where(select(self.id, self.vector), after).order_by(self.id).limit(PAGE)
            rows = self.run([statement])[0]
            if rows:
                yield VectorBatch(tuple(str(row[0]) for row in rows), matrix([row[1] for row in rows]))
            if len(rows) < PAGE:
                return
            beyond = self.id > bindparam("last", rows[-1][0], type_=NullType())
            after = beyond if condition is None else and_(condition, beyond)

    def _where(self, statement: Any, condition: Any = None) -> Any:
        for part in (self.within, condition):
            if part is not None:
                statement = statement.where(part)
        return statement

    @property
    def _qualified(self) -> str:
        table = self.id.table
        parts = [name for name in (table.schema, table.name) if name is not None]
        return ".".join('"' + name.replace('"', '""') + '"' for name in parts)

    def _settings(self, n: int) -> list[Any]:
        """Make an HNSW index return n rows: by itself it stops after 40, and sooner under a filter."""
        from sqlalchemy import text

        # set_config with true is SET LOCAL: it ends with the transaction.
        wanted = min(n, MAX_EF_SEARCH)
        return [
            *(text(f"SET LOCAL {setting}") for setting in self.settings),
            text(
                "SELECT set_config('hnsw.ef_search', greatest("
                f"nullif(current_setting('hnsw.ef_search', true), '')::int, 40, {wanted})::text, true)"
            ),
            # An older pgvector has no iterative scans.
            text(
                "SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_extension "
                "WHERE extname = 'vector' AND string_to_array(extversion, '.')::int[] >= '{0,8}'"
            ),
        ]

    @cached_property
    def _as_identity(self) -> Callable[[str], int | str | None]:
        """From an identity's text to what the column can be compared with; None for what it cannot."""
        from sqlalchemy import text

        statement = text(
            "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = CAST(:name AS regclass) "
            "AND attname = :column"
        )
        [[kind]] = self.run([statement.bindparams(name=self._qualified, column=self.id.name)])[0]
        if kind == "uuid":
            return lambda id: id if is_uuid(id) else None
        if kind in ("smallint", "integer", "bigint"):
            return lambda id: int(id) if id.isascii() and id.isdigit() else None
        return lambda id: id

    def _merged(self, values: Sequence[Any]) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for column, value in zip(self.metadata, values, strict=True):
            if column is self.metadata_json:
                merged.update(value if value is not None else {})
            else:
                merged[column.name] = value
        return merged


def _named(statement: str) -> str:
    """A statement for psycopg as SQLAlchemy writes it, for any driver: ``:name`` in place of ``%(name)s``."""
    pieces = PARAMETER.split(statement)
    pieces[::2] = [piece.replace("%%", "%").replace(":", "\\:") for piece in pieces[::2]]
    pieces[1::2] = [f":{name}" for name in pieces[1::2]]
    return "".join(pieces)
