"""One compiler for SQL; the dialects say in their own files what differs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from logical_retriever.compile.base import Compiler, Request
from logical_retriever.compile.expression import Constant, Cosine, Expression, evaluate, used_cosines
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.vectors import Vectors

ROWS = "documents"
"""Name of the table within a statement: columns are qualified with it, so that no alias hides one."""


@dataclass(frozen=True)
class Table:
    """Where documents are.

    Attributes:
        name: Name of the table, or names of catalogue, schema and table; each is one identifier, dots and all.
        id: Column of identities, which are distinct.
        vector: Column of vectors. A row without one is no document.
        unit: Whether all vectors are known to have length 1 (or 0): a plain product is then the cosine, in less time.
            Where it is not true, scores are wrong.
    """

    name: str | tuple[str, ...]
    id: str = "id"
    vector: str = "embedding"
    unit: bool = False


def template(text: str) -> Callable[..., str]:
    """A method that writes its operands in the places of a template; there may be fewer places than operands."""
    return lambda _, *operands: text.format(*operands)


class SqlCompiler(Compiler[str, str]):
    """Statements with two columns, ``id`` and ``score``.

    Cosines are columns of an inner query, each computed once; the score is an expression over them. Identifiers are
    quoted; vectors, k and fetch_k are parameters. Rows with equal scores are ordered by the text of their ids, code
    point by code point, as Python orders them. A statement begins with SELECT, so that a WITH can be put before it. A
    filter is SQL over the table's columns; its parameters are bound beside the statement's own.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Attributes:
        fence: A clause that keeps the engine from merging the inner query into the outer one, where it would compute
            a cosine again for every place it is read at.
        collation: A clause by which the engine orders text by code point, where it does not by itself.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    fence: ClassVar[str] = ""
    collation: ClassVar[str] = ""

    def __init__(self, table: Table | str) -> None:
        self.table = table if isinstance(table, Table) else Table(table)
        name = self.table.name
        names = list(name) if isinstance(name, tuple) else [name]
        if not names:
            raise InvalidArgumentError("The table has no name.", hint="Give its name, or names of schema and table.")
        self._table = ".".join(self.identifier(name) for name in names)
        self._id, self._vector = (f"{ROWS}.{self.identifier(c)}" for c in (self.table.id, self.table.vector))

    # What dialects say

    @abstractmethod
    def quoted(self, name: str) -> str:
        """A checked name as an identifier."""

    @abstractmethod
    def marker(self, name: str) -> str:
        """How a statement refers to a parameter that is a whole number."""

    @abstractmethod
    def vector_marker(self, name: str, dimension: int) -> str:
        """How a statement refers to a parameter that is a vector."""

    def vector_value(self, components: list[float]) -> Any:
        """A vector as the engine's client binds it."""
        return components

    @abstractmethod
    def cosine_of(self, column: str, vector: str) -> str:
        """Cosine of a column and a vector of length 1 in double precision, in [-1, 1] to within rounding.

        Where the column's value is unusable it is 0, or NaN where :meth:`is_nan` can be said.
        """

    def is_nan(self, number: str) -> str | None:  # noqa: ARG002  for dialects
        """Whether a number is NaN; None where cosines never are.

        One test for each row costs less than one for each cosine.
        """
        return None

    @abstractmethod
    def as_text(self, column: str) -> str:
        """The text of a column's value."""

    as_double = template("{}")
    """A constant in double precision."""

    present = template("{} IS NOT NULL")
    """Whether a row has a vector, of the column of vectors."""

    def nearest(self, column: str, vector: str) -> str:
        """The expression that a list of nearest documents is ordered by, ascending, so that an index serves it."""
        raise NotImplementedError(f"{self.engine} has no index of vectors.")

    # The statement

    def request(self, request: Request) -> tuple[str, Mapping[str, Any]]:
        """Write the statement.

        Raises:
            InvalidArgumentError: The filter is none, or a parameter of it is called like one of the statement's.
        """
        parameters: dict[str, Any] = {}
        rows, given = self._rows(request.filter)
        conditions = [self.present(self._vector)]
        expression = _directed(request.lowered.expression, request.vectors)
        read = used_cosines(expression)
        markers = {}
        for i in sorted({*read, *(request.lowered.wanted if request.fetch_k is not None else ())}):
            parameters[f"v{i}"] = self.vector_value(request.vectors[i].tolist())
            markers[i] = self.vector_marker(f"v{i}", request.vectors.shape[1])
        if request.fetch_k is not None:
            conditions.append(self._among_nearest(request, rows, markers, parameters))
        columns = [f"{self._id} AS id"]
        columns += [f"{self.cosine_of(self._vector, markers[i])} AS {self.print(Cosine(i))}" for i in read]
        fence = f"\n  {self.fence}" if self.fence else ""
        score = self.print(expression) if read else self.as_double(self.print(expression))
        unusable = self.is_nan(" + ".join(self.print(Cosine(i)) for i in read)) if read else None
        if unusable is not None:
            [nothing] = evaluate(expression, np.zeros((len(request.vectors), 1)))
            score = f"CASE WHEN {unusable} THEN {self.constant(float(nothing))} ELSE {score} END"
        id = f"{self.as_text('cosines.id')}{self.collation}"
        statement = (
            f"SELECT cosines.id AS id, {score} AS score\nFROM (\n  SELECT "
            + ",\n    ".join(columns)
            + f"\n  FROM {rows}\n  WHERE {' AND '.join(conditions)}{fence}\n) AS cosines\n"
            + f"ORDER BY score DESC, {id}\nLIMIT {self._bind('k', request.k, parameters)}"
        )
        if shared := sorted(given.keys() & parameters.keys()):
            raise InvalidArgumentError(
                f"The filter's parameter {shared[0]!r} is called like one of the statement's own.",
                hint="Give it a longer name.",
            )
        return statement, {**given, **parameters}

    def _rows(self, filter: Any) -> tuple[str, Mapping[str, Any]]:
        """The part of the table that is read, and the parameters of the filter.

        The filter stands in a query of its own: engines would take a column of the statement's for one that it names.
        """
        if filter is None:
            return f"{self._table} AS {ROWS}", {}
        condition, parameters = getattr(filter, "condition", None), getattr(filter, "parameters", None)
        if not isinstance(condition, str) or not isinstance(parameters, Mapping):
            raise InvalidArgumentError(
                f"A filter of {self.engine} is SQL with its parameters, got {type(filter).__name__}.",
                hint='For example SqlFilter("year >= ...", {"year": 1990}), with the engine\'s mark of a parameter.',
            )
        columns = ", ".join(dict.fromkeys(map(self.identifier, (self.table.id, self.table.vector))))
        return f"(\n    SELECT {columns} FROM {self._table} WHERE ({condition})\n  ) AS {ROWS}", parameters

    def _among_nearest(
        self, request: Request, rows: str, markers: Mapping[int, str], parameters: dict[str, Any]
    ) -> str:
        """The condition that a row is on the list of some wanted text; lists leave out that a row must have a vector.

        ClickHouse fails where an index on a column is read for a list and the column for a condition.
        """
        limit = self._bind("n", request.fetch_k, parameters)
        lists = [
            f"SELECT {self._id} AS id FROM {rows}\n  ORDER BY {self.nearest(self._vector, markers[i])} LIMIT {limit}"
            for i in request.lowered.wanted
        ]
        union = ") UNION DISTINCT (".join(lists)
        candidates = f"({union})" if len(lists) > 1 else union
        return f"{self._id} IN (SELECT candidates.id FROM ({candidates}) AS candidates)"

    def identifier(self, name: str) -> str:
        """A quoted identifier.

        Raises:
            InvalidArgumentError: No text, or text that no identifier can hold.
        """
        if not isinstance(name, str) or not name or any(c == "\0" or "\ud800" <= c <= "\udfff" for c in name):
            raise InvalidArgumentError(
                f"{name!r} cannot be the name of a table or column.", hint="Give one name as valid Unicode text."
            )
        return self.quoted(name)

    def _bind(self, name: str, value: int | None, parameters: dict[str, Any]) -> str:
        parameters[name] = value
        return self.marker(name)

    # The nodes

    def cosine(self, index: int) -> str:
        """A column of the inner query."""
        return f"c{index}"

    def constant(self, value: float) -> str:
        """Seventeen digits where they are needed; in parentheses where a sign could meet another."""
        return repr(value) if value >= 0 else f"({value!r})"

    negate, exp, log, log1p = map(template, ("(- {})", "exp({})", "ln({})", "log1p({})"))
    add, subtract, multiply, divide = map(template, ("({} + {})", "({} - {})", "({} * {})", "({} / {})"))
    minimum, maximum = map(template, ("least({}, {})", "greatest({}, {})"))

    def sqrt(self, operand: str) -> str:
        """Square root; rounding may have taken x below 0."""
        return f"sqrt({self.maximum(operand, self.constant(0.0))})"


def _directed(expression: Expression, vectors: Vectors) -> Expression:
    """The expression with 0 for the cosines of texts whose vectors have no direction; they have shape (T, d)."""

    def visit(node: Expression, operands: tuple[Expression, ...]) -> Expression:
        if isinstance(node, Cosine):
            return node if vectors[node.index].any() else Constant(0.0)
        return type(node).of(*operands) if operands else node

    return expression.fold(visit)
