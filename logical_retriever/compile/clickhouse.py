"""ClickHouse."""

from __future__ import annotations

from logical_retriever.compile.sql import SqlCompiler, template


class ClickHouseCompiler(SqlCompiler):
    """Statements for ClickHouse's clients, with parameters ``{name:Type}`` that the server substitutes.

    Args:
        table: Where documents are, vectors an ``Array(Float32)``; a name alone has the usual columns ``id`` and
            ``embedding``.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine = "ClickHouse"
    marker = template("{{{}:Int64}}")
    vector_marker = template("{{{}:Array(Float32)}}")
    # Arrays are never NULL; an empty one is no vector.
    present = template("notEmpty({})")
    # Text is ordered by its bytes.
    as_text = template("toString({})")

    def quoted(self, name: str) -> str:
        """Backquotes, with backslashes as in its text literals."""
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    def cosine_of(self, column: str, vector: str) -> str:
        """Never NaN; in double precision, which a constant of that type makes of it."""
        cosine = f"dotProduct({column}, {vector})" if self.table.unit else f"1 - cosineDistance({column}, {vector})"
        return f"greatest(-1., least(1., ifNotFinite({cosine}, 0)))"
