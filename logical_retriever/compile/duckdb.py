"""DuckDB."""

from __future__ import annotations

from typing import Literal

from logical_retriever.compile.sql import SqlCompiler, Table, template
from logical_retriever.errors import check_choice

VectorType = Literal["array", "list"]


class DuckDBCompiler(SqlCompiler):
    """Statements for DuckDB's client, with parameters ``$name``.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.
        vector_type: Whether the column of vectors has a fixed length, ``FLOAT[384]``, or any, ``FLOAT[]``.

    Raises:
        InvalidArgumentError: A name that no identifier can be, a type of another name.
    """

    engine = "DuckDB"
    marker = template("${}")
    # NaN is the greatest number here, and would come first.
    is_nan = template("isnan({})")
    # Text is ordered by its bytes.
    as_text = template("{}::VARCHAR")
    # There is no log1p: 2 atanh(x / (2 + x)), x written once.
    log1p = template("(2 * atanh(1 / (1 + 2 / {})))")

    def __init__(self, table: Table | str, *, vector_type: VectorType = "array") -> None:
        check_choice("DuckDB's column of vectors", "type", vector_type, VectorType)
        super().__init__(table)
        self.vector_type = vector_type

    def quoted(self, name: str) -> str:
        """Double quotes."""
        return '"' + name.replace('"', '""') + '"'

    def vector_marker(self, name: str, dimension: int) -> str:
        """``$name::FLOAT[384]``."""
        return f"${name}::FLOAT[{dimension if self.vector_type == 'array' else ''}]"

    def cosine_of(self, column: str, vector: str) -> str:
        """The engine's function computes in single precision."""
        function = "inner_product" if self.table.unit else "cosine_similarity"
        return f"{self.vector_type}_{function}({column}, {vector})::DOUBLE"

    def constant(self, value: float) -> str:
        """With an exponent: a literal without one would be a decimal number."""
        digits = repr(value) if "e" in repr(value) else f"{value!r}".removesuffix(".0") + "e0"
        return digits if value >= 0 else f"({digits})"
