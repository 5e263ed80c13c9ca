"""SQLite with sqlite-vec."""

from __future__ import annotations

import struct

from logical_retriever.compile.sql import SqlCompiler, template


class SQLiteCompiler(SqlCompiler):
    """Statements for connections of ``sqlite3`` that have loaded sqlite-vec, with parameters ``:name``.

    The column of vectors holds blobs of 32-bit floats, as ``sqlite_vec.serialize_float32`` makes them.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine = "SQLite"
    marker = template(":{}")
    # The outer query has a LIMIT: one that has its own is not merged into it.
    fence = "LIMIT -1"
    # Text is ordered by its bytes, unless the column says otherwise.
    as_text = template("CAST({} AS TEXT)")
    collation = " COLLATE BINARY"
    # With two operands and more, they are no aggregates.
    minimum, maximum = map(template, ("min({}, {})", "max({}, {})"))
    # There is no log1p: 2 atanh(x / (2 + x)), x written once.
    log1p = template("(2 * atanh(1 / (1 + 2 / {})))")

    def quoted(self, name: str) -> str:
        """Double quotes."""
        return '"' + name.replace('"', '""') + '"'

    def vector_marker(self, name: str, dimension: int) -> str:  # noqa: ARG002  a blob has its length
        """``:name``."""
        return f":{name}"

    def vector_value(self, components: list[float]) -> bytes:
        """The blob."""
        return struct.pack(f"<{len(components)}f", *components)

    def cosine_of(self, column: str, vector: str) -> str:
        """The extension computes in single precision; NULL is its NaN, of a vector of zeros."""
        return f"coalesce(max(-1.0, min(1.0, 1.0 - vec_distance_cosine({column}, {vector}))), 0.0)"
