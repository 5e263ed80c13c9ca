"""Columns of a table, their names as identifiers, and conditions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from logical_retriever.errors import InvalidArgumentError


@dataclass(frozen=True)
class SqlFilter:
    """A condition in the engine's own SQL, with the values that come from users bound, not written into it.

    Attributes:
        condition: SQL that may stand after WHERE; written by the developer, never made of a user's text.
        parameters: Values of the parameters that the condition names: ``$year`` in DuckDB, ``{year:UInt16}`` in
            ClickHouse. Names do not begin with "lr_".
    """

    condition: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Column:
    """A column of the table.

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
        vector: Vectors, all of one length.
        metadata: Columns of metadata.
        unpacked: Whether metadata is one column of objects, whose keys are the metadata.
        unit: Whether all vectors are known to have length 1 (or 0), so that a product is the cosine.
    """

    table: str
    id: Column
    text: Column
    vector: Column
    metadata: tuple[Column, ...] = ()
    unpacked: bool = False
    unit: bool = False


@dataclass(frozen=True)
class Where:
    """A part of WHERE with the values that it names."""

    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def condition(self) -> str:
        """As of a :class:`SqlFilter`, so that a compiler takes either."""
        return self.sql

    def __and__(self, other: Where) -> Where:
        return Where(f"{self.sql} AND ({other.sql})", {**self.parameters, **other.parameters})


class Quote:
    """Makes identifiers of names, in the way of one engine.

    Args:
        mark: Stands around an identifier.
        escapes: Characters inside it, and their spelling there.
    """

    def __init__(self, mark: str, escapes: Mapping[str, str]) -> None:
        self.mark = mark
        self.escapes = str.maketrans(dict(escapes))

    def __call__(self, name: str) -> str:
        """One identifier.

        Raises:
            InvalidArgumentError: The name is empty, no text, or has a NUL character, which no identifier can have.
        """
        if not isinstance(name, str) or not name or "\0" in name:
            raise InvalidArgumentError(
                f"{name!r} cannot be the name of a table or column.", hint="Give the name as the engine shows it."
            )
        return f"{self.mark}{name.translate(self.escapes)}{self.mark}"

    def qualified(self, name: str | Sequence[str]) -> str:
        """A table's name, or the parts of a qualified one: ``("main", "docs")``."""
        return ".".join(map(self, [name] if isinstance(name, str) else name))
