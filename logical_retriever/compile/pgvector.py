"""PostgreSQL with pgvector."""

from __future__ import annotations

from typing import Literal

from logical_retriever.compile.sql import SqlCompiler, Table, template
from logical_retriever.errors import InvalidArgumentError, check_choice

VectorType = Literal["vector", "halfvec"]


class PgvectorCompiler(SqlCompiler):
    """Statements for psycopg, with parameters ``%(name)s``.

    Every row is read; no index serves it. Run a statement with ``prepare=False``: a plan made for parameters of any
    value would read a vector's text again for every row.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.
        vector_type: Type of the column of vectors.

    Raises:
        InvalidArgumentError: A name that no identifier can be, a type of another name.

    Examples:
        >>> from logical_retriever import parse
        >>> from logical_retriever.semantics import ItlrSemantics
        >>> compiler = PgvectorCompiler(Table("passages", id="key", vector="e"))
        >>> compiled = compiler.compile(parse("a AND NOT b"), ItlrSemantics(), [[1.0, 0.0], [0.0, 1.0]], k=3)
        >>> print(compiled.statement)
        SELECT cosines.id AS id, (c0 * (1.0 - c1)) AS score
        FROM (
          SELECT documents."key" AS id,
            coalesce(nullif(1 - (documents."e" <=> %(v0)s::vector), 'NaN'), 0) AS c0,
            coalesce(nullif(1 - (documents."e" <=> %(v1)s::vector), 'NaN'), 0) AS c1
          FROM "passages" AS documents
          WHERE documents."e" IS NOT NULL
          OFFSET '0'
        ) AS cosines
        ORDER BY score DESC, cosines.id::text COLLATE "C"
        LIMIT %(k)s
        >>> dict(compiled.parameters)
        {'v0': '[1.0,0.0]', 'v1': '[0.0,1.0]', 'k': 3}
    """

    engine = "pgvector"
    # Workers can share a scan below it; not below OFFSET 0, an expression until it is planned, nor below a WITH.
    fence = "OFFSET '0'"
    collation = ' COLLATE "C"'
    marker = template("%({})s")
    as_text = template("{}::text")

    def __init__(self, table: Table | str, *, vector_type: VectorType = "vector") -> None:
        check_choice("The compiler for pgvector", "type", vector_type, VectorType)
        super().__init__(table)
        self.vector_type = vector_type

    def quoted(self, name: str) -> str:
        """Double quotes; a longer name than PostgreSQL keeps would be cut, and could then be another's."""
        if len(name.encode()) > 63:
            raise InvalidArgumentError(
                f"The name {name[:20]!r}... has more than the 63 bytes that PostgreSQL keeps.", hint="Give its name."
            )
        return '"' + name.replace('"', '""').replace("%", "%%") + '"'

    def vector_marker(self, name: str, dimension: int) -> str:  # noqa: ARG002  PostgreSQL compares dimensions itself
        """``%(name)s::vector``."""
        return f"%({name})s::{self.vector_type}"

    def vector_value(self, components: list[float]) -> str:
        """Text that pgvector reads."""
        return f"[{','.join(map(repr, components))}]"

    def cosine_of(self, column: str, vector: str) -> str:
        """With products, to a multiple of 1e-16 as with distances, so that products of cosines do not underflow."""
        if self.table.unit:
            return f"greatest(-1, least(1, 1 - (1 + ({column} <#> {vector}))))"
        return f"coalesce(nullif(1 - ({column} <=> {vector}), 'NaN'), 0)"
