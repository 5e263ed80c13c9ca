"""One compiler for SQL; the dialects say in their own files what differs."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from logical_retriever.compile.arithmetic import Sql, finite, score_in_sql
from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics import NullDistributions, Semantics
from logical_retriever.vectors import unit

ROWS = "documents"
"""Name of the table within a statement: columns are qualified with it, so that no alias hides one."""
FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        **{"add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "divide": "({} / {})"},
        **{"negative": "(- {})", "minimum": "least({}, {})", "maximum": "greatest({}, {})", "absolute": "abs({})"},
        **{"clip": "least(greatest({}, {}), {})", "exp": "exp({})", "log": "ln({})", "tanh": "tanh({})"},
        # Rounding may have taken x below 0.
        **{"sqrt": "sqrt(greatest({}, 0e0))", "arctanh": "atanh({})"},
    }
)
"""SQL of NumPy's functions, by their names."""


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


@dataclass(frozen=True)
class CompiledQuery:
    """A request in an engine's own language: plain data, to be sent with the engine's own client.

    Attributes:
        engine: Name of the engine.
        statement: SQL.
        parameters: Values by name that the client binds.
        texts: Texts whose vectors the request holds.
        k: Documents wanted.
    """

    engine: str
    statement: str
    texts: tuple[str, ...]
    k: int
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def template(text: str) -> Callable[..., str]:
    """A method that writes its operands in the places of a template; there may be fewer places than operands."""
    return lambda _, *operands: text.format(*operands)


class SqlCompiler(ABC):
    """Statements with two columns, ``id`` and ``score``: the best documents by their vectors, every one scored.

    Cosines are columns of an inner query, each computed once; the score is an expression over them. Identifiers are
    quoted; vectors and k are parameters. Rows with equal scores are ordered by the text of their ids, code point by
    code point, as Python orders them. A statement begins with SELECT, so that a WITH can be put before it. A filter is
    SQL over the table's columns; its parameters are bound beside the statement's own.

    Args:
        table: Where documents are; a name alone has the usual columns ``id`` and ``embedding``.

    Attributes:
        engine: Name of the engine.
        functions: SQL of NumPy's functions, by their names.
        fence: A clause that keeps the engine from merging the inner query into the outer one, where it would compute
            a cosine again for every place it is read at.
        collation: A clause by which the engine orders text by code point, where it does not by itself.

    Raises:
        InvalidArgumentError: A name that no identifier can be.
    """

    engine: ClassVar[str]
    functions: ClassVar[Mapping[str, str]] = FUNCTIONS
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
        """Cosine of a column and a vector of length 1 in double precision, in [-1, 1]; 0 of an unusable vector."""

    @abstractmethod
    def as_text(self, column: str) -> str:
        """The text of a column's value."""

    present = template("{} IS NOT NULL")
    """Whether a row has a vector, of the column of vectors."""

    def constant(self, value: float) -> str:
        """A number, so that double precision loses nothing; in parentheses where a sign could meet another."""
        return repr(value) if value >= 0 else f"({value!r})"

    # The statement

    def compile(
        self,
        query: LogicalQuery,
        semantics: Semantics,
        vectors: npt.ArrayLike,
        *,
        k: int,
        nulls: NullDistributions | None = None,
        question: str | None = None,
        filter: Any = None,
    ) -> CompiledQuery:
        """Turn a query into one statement that returns ids and scores, best first, equal scores by id.

        Args:
            query: The query.
            semantics: The semantics that scores it, by vectors alone.
            vectors: Shape (T, d): vector of each text of ``semantics.texts(query, question)``, of any length.
            k: Documents wanted, at least 1; a store that has fewer returns fewer.
            nulls: Null distributions of the T texts, for semantics that are calibrated.
            question: The user's question, where the query was made of one.
            filter: Which documents take part: SQL with bound parameters
                (:class:`~logical_retriever.stores.SqlFilter`), written by the developer, never made of a user's text.
                None for all. Of conditions in a query, a store's ``narrowed`` makes one.

        Raises:
            UnsupportedByEngineError: The semantics cannot be said in SQL.
            InvalidArgumentError: k below 1; the filter is none, or its parameter is called like one of the statement's.
            VectorMismatchError: Not one vector per text.
            SemanticsError: Null distributions are needed and missing.
        """
        refuse_conditions(query, "A compiler")
        if k < 1:
            raise InvalidArgumentError(f"k is {k}.", hint="Give k of at least 1.")
        texts = semantics.texts(query, question)
        with np.errstate(over="ignore"):  # a vector that single precision cannot hold is unusable, and becomes zeros
            given = np.asarray(vectors, dtype=np.float32)
        if given.ndim != 2 or len(given) != len(texts) or not given.shape[1]:
            raise VectorMismatchError(
                f"{len(texts)} texts have vectors of shape {given.shape}.",
                hint="Give one vector per text of semantics.texts(query, question): shape (T, d).",
            )
        rows = unit(given)
        cosines: list[Sql | float] = [Sql(f"c{i}") if row.any() else 0.0 for i, row in enumerate(rows)]
        score = score_in_sql(
            query, semantics, nulls, question, cosines, self.functions, lambda value: self.constant(finite(value))
        )
        read = sorted(map(int, set(re.findall(r"\bc(\d+)\b", score))))
        source, theirs = self._rows(filter)
        parameters = {f"v{i}": self.vector_value(rows[i].tolist()) for i in read} | {"k": k}
        if shared := sorted(theirs.keys() & parameters.keys()):
            raise InvalidArgumentError(
                f"The filter's parameter {shared[0]!r} is called like one of the statement's own.",
                hint="Give it a longer name.",
            )
        dimension = rows.shape[1]
        columns = [f"{self._id} AS id"]
        columns += [f"{self.cosine_of(self._vector, self.vector_marker(f'v{i}', dimension))} AS c{i}" for i in read]
        fence = f"\n  {self.fence}" if self.fence else ""
        statement = (
            f"SELECT cosines.id AS id, {score} AS score\nFROM (\n  SELECT "
            + ",\n    ".join(columns)
            + f"\n  FROM {source}\n  WHERE {self.present(self._vector)}{fence}\n) AS cosines\n"
            + f"ORDER BY score DESC, {self.as_text('cosines.id')}{self.collation}\nLIMIT {self.marker('k')}"
        )
        return CompiledQuery(self.engine, statement, texts, k, MappingProxyType({**theirs, **parameters}))

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
