"""Spark SQL."""

from __future__ import annotations

from typing import Literal

from logical_retriever.compile.sql import SqlCompiler, Table, template
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError, check_choice

VECTORS_SINCE = (4, 3)
"""First version with ``vector_cosine_similarity``."""
VectorType = Literal["float", "double"]


class SparkCompiler(SqlCompiler):
    """Statements for ``spark.sql(statement, args=parameters)``, with parameters ``:name``.

    Every partition is scored where it lies; k rows of each travel to be merged.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.
        vector_type: Element type of the column of vectors; Spark compares single precision.
        version: ``spark.version``; None for any that has vector functions.

    Raises:
        InvalidArgumentError: A name that no identifier can be, a type of another name.
        UnsupportedByEngineError: A Spark without vector functions.
    """

    engine = "Spark SQL"
    marker = template(":{}")
    vector_marker = template("CAST(split(:{}, ',') AS ARRAY<FLOAT>)")
    # Text is ordered by its bytes.
    as_text = template("CAST({} AS STRING)")

    def __init__(self, table: Table | str, *, vector_type: VectorType = "float", version: str | None = None) -> None:
        check_choice("Spark's column of vectors", "type", vector_type, VectorType)
        super().__init__(table)
        self.vector_type = vector_type
        if version is not None and tuple(map(int, version.split(".")[:2])) < VECTORS_SINCE:
            raise UnsupportedByEngineError(
                f"Spark SQL {'.'.join(version.split('.')[:2])} has no vector functions; they came with 4.3.",
                hint="Upgrade the engine, or search without it.",
            )

    def quoted(self, name: str) -> str:
        """Backquotes. Spark substitutes ``${...}`` in a statement before it looks for quotes."""
        if "${" in name:
            raise InvalidArgumentError(
                f"Spark would substitute a variable in the name {name!r}.", hint="Give a view of it another name."
            )
        return "`" + name.replace("`", "``") + "`"

    def vector_value(self, components: list[float]) -> str:
        """One text: a list becomes an expression for each number, and planning takes as long as scoring 10^5 rows."""
        return ",".join(map(repr, components))

    def cosine_of(self, column: str, vector: str) -> str:
        """NULL of a vector of zeros, NaN of one that holds NaN."""
        single = column if self.vector_type == "float" else f"CAST({column} AS ARRAY<FLOAT>)"
        function = "vector_inner_product" if self.table.unit else "vector_cosine_similarity"
        cosine = f"nanvl(CAST({function}({single}, {vector}) AS DOUBLE), 0D)"
        return f"greatest(-1D, least(1D, coalesce({cosine}, 0D)))"

    def constant(self, value: float) -> str:
        """With a D: a literal without one would be a decimal number."""
        return f"{value!r}D" if value >= 0 else f"({value!r}D)"
