"""PostgreSQL with pgvector."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

from logical_retriever.compile.sql import SqlCompiler, Table, template
from logical_retriever.errors import InvalidArgumentError, check_choice

VectorType = Literal["vector", "halfvec"]
Metric = Literal["cosine", "inner product", "euclidean"]
OPERATORS = MappingProxyType({"cosine": "<=>", "inner product": "<#>", "euclidean": "<->"})


class PgvectorCompiler(SqlCompiler):
    """Statements for psycopg, with parameters ``%(name)s``.

    The exact form reads every row; no index serves it. Run it with ``prepare=False``: a plan
    made for parameters of any value would read a vector's text again for every row. The "superset" form asks an HNSW
    or IVFFlat index for the ``fetch_k`` nearest of each wanted text; ``SET LOCAL hnsw.ef_search`` to at least fetch_k
    (it goes to 1000; beyond, and over a part of a table, ``SET LOCAL hnsw.iterative_scan = strict_order``).

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.
        vector_type: Type of the column of vectors.
        index: Metric that the index was made for. Vectors of other lengths than 1 have no other order than the
            cosine's that is of use.

    Raises:
        InvalidArgumentError: A name that no identifier can be, a type or metric of another name.

    Examples:
        >>> from logical_retriever import parse
        >>> from logical_retriever.semantics import ItlrSemantics
        >>> compiler = PgvectorCompiler(Table("passages", id="key", vector="e"))
        >>> compiled = compiler.compile(parse("a AND NOT b"), ItlrSemantics(), [[1.0, 0.0], [0.0, 1.0]], k=3)
        >>> print(compiled.statement)
        SELECT cosines.id AS id, CASE WHEN c0 + c1 = 'NaN' THEN 0.0 ELSE (c0 * (1.0 - c1)) END AS score
        FROM (
          SELECT documents."key" AS id,
            1 - (documents."e" <=> %(v0)s::vector) AS c0,
            1 - (documents."e" <=> %(v1)s::vector) AS c1
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
    fidelities = ("exact", "superset")
    # Workers can share a scan below it; not below OFFSET 0, an expression until it is planned, nor below a WITH.
    fence = "OFFSET '0'"
    collation = ' COLLATE "C"'
    marker = template("%({})s")
    as_text = template("{}::text")
    # A literal alone is a decimal number.
    as_double = template("{}::float8")
    # There is no log1p: 2 atanh(x / (2 + x)), x written once.
    log1p = template("(2 * atanh(1 / (1 + 2 / {})))")

    def __init__(self, table: Table | str, *, vector_type: VectorType = "vector", index: Metric = "cosine") -> None:
        check_choice("The compiler for pgvector", "type", vector_type, VectorType)
        check_choice("The compiler for pgvector", "metric", index, Metric)
        super().__init__(table)
        self.vector_type, self.index = vector_type, index

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
        return f"1 - ({column} <=> {vector})"

    def is_nan(self, number: str) -> str | None:
        """Equal to NaN, which PostgreSQL finds equal to itself; products of finite numbers never are."""
        return None if self.table.unit else f"{number} = 'NaN'"

    def nearest(self, column: str, vector: str) -> str:
        """The operator of the index's metric."""
        return f"{column} {OPERATORS[self.index]} {vector}"
