"""ClickHouse."""

from __future__ import annotations

from typing import ClassVar

from logical_retriever.compile.base import Fidelity
from logical_retriever.compile.sql import SqlCompiler


class ClickHouseCompiler(SqlCompiler):
    """Statements for ClickHouse's clients, with parameters ``{name:Type}`` that the server substitutes.

    The column of vectors is an ``Array(Float32)``. The "superset" form asks an index of the type
    ``vector_similarity`` over ``cosineDistance`` for the ``fetch_k`` nearest of each wanted text.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine = "ClickHouse"
    fidelities: ClassVar[tuple[Fidelity, ...]] = ("exact", "superset")

    def quoted(self, name: str) -> str:
        """Backquotes, with backslashes as in its text literals."""
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    def marker(self, name: str) -> str:
        """``{name:Int64}``."""
        return f"{{{name}:Int64}}"

    def vector_marker(self, name: str, dimension: int) -> str:  # noqa: ARG002  arrays have any length
        """``{name:Array(Float32)}``."""
        return f"{{{name}:Array(Float32)}}"

    def vector_value(self, components: list[float]) -> list[float]:
        """A list."""
        return components

    def cosine_of(self, column: str, vector: str) -> str:
        """Never NaN; in double precision, which a constant of that type makes of it."""
        cosine = f"dotProduct({column}, {vector})" if self.table.unit else f"1 - cosineDistance({column}, {vector})"
        return f"greatest(-1., least(1., ifNotFinite({cosine}, 0)))"

    def present(self, column: str) -> str:
        """Arrays are never NULL; an empty one is no vector."""
        return f"notEmpty({column})"

    def nearest(self, column: str, vector: str) -> str:
        """The function of the index."""
        return f"cosineDistance({column}, {vector})"

    def as_text(self, column: str) -> str:
        """``toString``, ordered by its bytes."""
        return f"toString({column})"
