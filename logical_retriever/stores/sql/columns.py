"""The columns that a store reads, as the engine describes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.stores.rows import engine_errors
from logical_retriever.stores.sql.dialect import Dialect, Run


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: Its name in the table.
        quoted: The name as an identifier in a statement.
        type: The engine's name of its type.
    """

    name: str
    quoted: str
    type: str


@dataclass(frozen=True)
class Columns:
    """The columns that a store reads.

    Attributes:
        table: The table's name, quoted.
        id: Ids, unique and never NULL.
        text: What was embedded, or what is shown to the user.
        vector: Vectors of one length; a row without a vector is no document.
        metadata: Columns of metadata.
        unpacked: Name of the metadata column of objects whose keys are metadata. Another column of the same name as a
            key goes first.
    """

    table: str
    id: Column
    text: Column
    vector: Column
    metadata: tuple[Column, ...] = ()
    unpacked: str | None = None

    def read_metadata(self, values: Sequence[Any]) -> dict[str, Any]:
        """Build the metadata of one row.

        Raises:
            StoreError: The unpacked column holds something else than an object.
        """
        named = {column.name: value for column, value in zip(self.metadata, values, strict=True)}
        if self.unpacked is None:
            return named
        objects = named.pop(self.unpacked)
        if not isinstance(objects, Mapping | None):
            raise StoreError(
                f"Column {self.unpacked!r} of {self.table} holds {objects!r}, which is no object.",
                hint=f"Give metadata=({self.unpacked!r},) for its values under its own name.",
            )
        return {**(objects or {}), **named}


def described(
    dialect: Dialect,
    run: Run,
    table: str | Sequence[str],
    id: str,
    text: str,
    vector: str,
    metadata: str | Sequence[str] | None,
    unpacked: str | None = None,
) -> Columns:
    """Look up columns by name, with the types that the engine reports.

    Args:
        dialect: The engine's dialect.
        run: Runs statements.
        table: Name of the table, as for :meth:`SqlStore.from_table`.
        id: Column of ids.
        text: Column of texts.
        vector: Column of vectors.
        metadata: Columns of metadata, as for :meth:`SqlStore.from_table`.
        unpacked: The metadata column of objects, where there are other columns beside it.

    Raises:
        InvalidArgumentError: A column is missing, or that of vectors has another type.
        StoreError: The table is missing, or the engine failed.
    """
    quoted = ".".join(map(dialect.quoted, [table] if isinstance(table, str) else table))
    with engine_errors(dialect.name, f"describe {quoted}"):
        rows = run(dialect.describe.format(table=quoted), naming(quoted) if ":lr_table" in dialect.describe else {})
    names, kinds = list(rows.values())[:2]
    types = {}
    for name, kind in zip(names, kinds, strict=True):
        while inner := re.fullmatch(dialect.wrapper, kind):
            kind = inner[1]
        types[name] = kind

    def column(name: str) -> Column:
        if name not in types:
            raise InvalidArgumentError(
                f"{quoted} has no column {name!r:.80}.", hint=f"Its columns: {', '.join(map(repr, types))}."
            )
        return Column(name, dialect.quoted(name), types[name])

    if isinstance(metadata, str):
        unpacked, metadata = metadata, (metadata,)
    named = [name for name in types if name not in (id, text, vector)] if metadata is None else metadata
    columns = Columns(quoted, column(id), column(text), column(vector), tuple(map(column, named)), unpacked)
    if not re.fullmatch(dialect.vectors, columns.vector.type):
        raise InvalidArgumentError(
            f"Column {vector!r} of {quoted} is of type {columns.vector.type}, which is none of vectors.",
            hint=dialect.vector_hint.format(table=quoted, column=columns.vector.quoted),
        )
    return columns


def naming(table: str) -> dict[str, str]:
    """Return the parameter of Postgres' statements about a table."""
    return {"lr_table": table.replace("\\:", ":")}
