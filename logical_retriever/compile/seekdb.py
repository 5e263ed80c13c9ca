"""OceanBase seekdb."""

from __future__ import annotations

from logical_retriever.compile.sql import SqlCompiler, template


class SeekdbCompiler(SqlCompiler):
    """Statements for PyMySQL, with parameters ``%(name)s``.

    The column of vectors is a ``VECTOR(d)``. Every row is read; no index serves the score.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine = "seekdb"
    marker = template("%({})s")
    # A LIMIT alone, or a hint not to merge, is left out of account: twelve cosines would be computed for four.
    fence = "ORDER BY id LIMIT 9223372036854775807"
    # By its bytes, which are those of UTF-8: other collations find "a" and "A", or "a" and "a ", the same.
    as_text = template("CAST(CAST({} AS CHAR) AS BINARY)")
    # It refuses what is beyond the greatest number, where others have infinity.
    exp = template("exp(least({}, 709.0e0))")
    # There is no log1p, nor atanh, of which others make one; what it is taken of is at least 0.
    log1p = template("ln(1.0e0 + {})")

    def quoted(self, name: str) -> str:
        """Backquotes."""
        return "`" + name.replace("`", "``").replace("%", "%%") + "`"

    def vector_marker(self, name: str, dimension: int) -> str:  # noqa: ARG002  seekdb compares dimensions itself
        """``%(name)s``."""
        return f"%({name})s"

    def vector_value(self, components: list[float]) -> str:
        """Text that seekdb reads."""
        return f"[{','.join(map(repr, components))}]"

    def cosine_of(self, column: str, vector: str) -> str:
        """NULL of a vector of zeros."""
        cosine = f"inner_product({column}, {vector})" if self.table.unit else f"1 - cosine_distance({column}, {vector})"
        return f"coalesce(greatest(-1.0e0, least(1.0e0, {cosine})), 0.0e0)"

    def constant(self, value: float) -> str:
        """With an exponent: a literal without one would be a decimal number."""
        digits = repr(value) if "e" in repr(value) else f"{value!r}e0"
        return digits if value >= 0 else f"({digits})"
