"""The columns of a table that a store reads, as the engine describes them."""

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
        name: As the table has it.
        quoted: The same as an identifier in a statement.
        type: The engine's name of its type.
    """

    name: str
    quoted: str
    type: str


@dataclass(frozen=True)
class Columns:
    """The columns of a table that a store reads.

    Attributes:
        table: The table's name, quoted.
        id: Identities, unique and never NULL.
        text: Texts that were embedded, or are shown to the user.
        vector: Vectors, all of one length; a row without one is no document.
        metadata: Columns of metadata.
        unpacked: Name of the one among them that holds objects whose keys are metadata; a column goes before a key.
    """

    table: str
    id: Column
    text: Column
    vector: Column
    metadata: tuple[Column, ...] = ()
    unpacked: str | None = None

    def read_metadata(self, values: Sequence[Any]) -> dict[str, Any]:
        """Metadata of one row.

        Raises:
            StoreError: The column of objects holds something else.
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
    """Columns of a table by their names, with the types that the engine says they have.

    Args:
        dialect: Of the engine.
        run: Runs statements.
        table: As of :meth:`SqlStore.from_table`, like the others.
        id: Column of identities.
        text: Column of texts.
        vector: Column of vectors.
        metadata: Columns of metadata.
        unpacked: The one among them that holds objects, where there are others beside it.

    Raises:
        InvalidArgumentError: There is no such column, or it holds no vectors.
        StoreError: There is no such table, or the engine failed.
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
                f"{quoted} has no column {name!r}.", hint=f"Its columns: {', '.join(map(repr, types))}."
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
    """A quoted table as a value; only Postgres takes it so."""
    return {"lr_table": table.replace("\\:", ":")}
