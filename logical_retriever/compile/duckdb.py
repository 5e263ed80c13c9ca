"""DuckDB."""

from __future__ import annotations

from logical_retriever.compile.sql import SqlCompiler, template


class DuckDBCompiler(SqlCompiler):
    """Statements for DuckDB's client, with parameters ``$name``; vectors have a fixed length, ``FLOAT[384]``.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine = "DuckDB"
    marker = template("${}")
    vector_marker = template("${}::FLOAT[{}]")
    # Text is ordered by its bytes.
    as_text = template("{}::VARCHAR")

    def quoted(self, name: str) -> str:
        """Double quotes."""
        return '"' + name.replace('"', '""') + '"'

    def cosine_of(self, column: str, vector: str) -> str:
        """The engine's function computes in single precision. NaN would be the greatest number, and come first."""
        function = "inner_product" if self.table.unit else "cosine_similarity"
        return f"coalesce(nullif(array_{function}({column}, {vector})::DOUBLE, 'nan'::DOUBLE), 0e0)"

    def constant(self, value: float) -> str:
        """With an exponent: a literal without one would be a decimal number."""
        digits = repr(value) if "e" in repr(value) else f"{value!r}".removesuffix(".0") + "e0"
        return digits if value >= 0 else f"({digits})"
