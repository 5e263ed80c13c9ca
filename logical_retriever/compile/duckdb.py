"""DuckDB."""

from __future__ import annotations

from typing import Literal, get_args

from logical_retriever.compile.sql import SqlCompiler, Table
from logical_retriever.errors import InvalidArgumentError

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

    def __init__(self, table: Table | str, *, vector_type: VectorType = "array") -> None:
        if vector_type not in get_args(VectorType):
            raise InvalidArgumentError(
                f"DuckDB has no type {vector_type!r} here.", hint=f"Choose one of {', '.join(get_args(VectorType))}."
            )
        super().__init__(table)
        self.vector_type = vector_type

    def quoted(self, name: str) -> str:
        """Double quotes."""
        return '"' + name.replace('"', '""') + '"'

    def marker(self, name: str) -> str:
        """``$name``."""
        return f"${name}"

    def vector_marker(self, name: str, dimension: int) -> str:
        """``$name::FLOAT[384]``."""
        return f"${name}::FLOAT[{dimension if self.vector_type == 'array' else ''}]"

    def vector_value(self, components: list[float]) -> list[float]:
        """A list."""
        return components

    def cosine_of(self, column: str, vector: str) -> str:
        """The engine's function computes in single precision."""
        function = "inner_product" if self.table.unit else "cosine_similarity"
        return f"{self.vector_type}_{function}({column}, {vector})::DOUBLE"

    def is_nan(self, number: str) -> str:
        """NaN is the greatest number here, and would come first."""
        return f"isnan({number})"

    def as_text(self, column: str) -> str:
        """``::VARCHAR``, ordered by its bytes."""
        return f"{column}::VARCHAR"

    def constant(self, value: float) -> str:
        """With an exponent: a literal without one would be a decimal number."""
        digits = repr(value) if "e" in repr(value) else f"{value!r}".removesuffix(".0") + "e0"
        return digits if value >= 0 else f"({digits})"

    def log1p(self, operand: str) -> str:
        """``2 atanh(x / (2 + x))``, x written once: there is no log1p."""
        return f"(2 * atanh(1 / (1 + 2 / {operand})))"
