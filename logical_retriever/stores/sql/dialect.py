"""What all SQL tables share: filters with bound values, and the table of spellings in which engines differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from logical_retriever.errors import InvalidArgumentError


@dataclass(frozen=True)
class SqlFilter:
    """A condition in the engine's own SQL, with bound values.

    Attributes:
        condition: SQL for a WHERE clause. The developer writes it; text from users belongs into ``parameters``.
        parameters: Values by name. The condition names them ``:year`` in Postgres and Spark, ``$year`` in DuckDB,
            ``{year:UInt16}`` in ClickHouse. Names must not begin with "lr_".
    """

    condition: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __and__(self, other: SqlFilter) -> SqlFilter:
        return SqlFilter(f"({self.condition}) AND ({other.condition})", self.values(other.parameters))

    def values(self, others: Mapping[str, Any]) -> dict[str, Any]:
        """Join other parameters to this filter's.

        Raises:
            InvalidArgumentError: Both have one name.
        """
        if shared := sorted(self.parameters.keys() & others.keys()):
            raise InvalidArgumentError(
                f"A filter's parameter is called {shared[0]!r}, as one of the store's own.",
                hint="Names that begin with 'lr_' are the store's.",
            )
        return {**self.parameters, **others}


def joined(between: str, parts: Sequence[SqlFilter]) -> SqlFilter:
    """Join filters by ``between``, which is " AND " or " OR "."""
    parameters = {name: value for part in parts for name, value in part.parameters.items()}
    return SqlFilter(between.join(f"({part.condition})" for part in parts), parameters)


class Run(Protocol):
    """A function that runs statements."""

    def __call__(self, statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:
        """Run a statement. Return its columns by name: lists of Python values; for ``lr_vector``, of arrays.

        Args:
            statement: Uses the dialect's marks of parameters.
            parameters: Values by name.
            nearest: Number of nearest rows wanted, which some engines' indexes must be told; 0 for other statements.
        """


@dataclass(frozen=True)
class Dialect:
    """A table of spellings, most of them templates of :meth:`str.format`.

    Parameters of statements are vectors as texts ("[0.5,1.0]"), texts, lists of texts, and values of conditions.
    """

    name: str
    """Name in messages and tables."""
    connect: Callable[[Any], Run | None]
    """Returns the function that runs statements through a connection; None for a connection of another engine."""
    describe: str
    """Statement that lists the columns of a ``{table}`` by ``name`` and ``type``."""
    quote: Mapping[str, str]
    """The quotation mark of identifiers (under ""), and escapes of characters inside."""
    parameter: str
    """A bound value: ``{name}``, ``{type}``."""
    types: Mapping[str, str]
    """Type of a parameter, by the kind of its value."""
    kinds: Mapping[str, str]
    """Kinds ("text", "whole", "real", "truth") of column types that compare as Python does, by regular expressions."""
    ids: Mapping[str, str]
    """Kinds ("text", "whole", "uuid") of the types of ids, by regular expressions of the types."""
    vectors: str
    """Regular expression of the types of vectors."""
    vector_hint: str
    """How to convert a ``{column}`` of a ``{table}`` to such a type."""
    vector: str
    """The bound vector ``{name}``, for comparison with a column of ``{type}``."""
    cosine: str
    """Cosine of ``{column}`` and ``{vector}`` in double precision; 0 where either has no direction."""
    among: str
    """Test whether ``{id}``, of ``{type}``, is among the texts of the parameter ``lr_ids``."""
    has: str
    """Test whether ``{list}`` contains ``{value}``."""
    present: str = "{} IS NOT NULL"
    """Test whether a vector is present."""
    read_vector: str = "{}"
    """A column of vectors in the form that ``connect`` reads."""
    as_text: str = "CAST({} AS VARCHAR)"
    """A value as text; NULL stays NULL."""
    wrapper: str = "(?!)"
    """Regular expression of wrapper types to ignore; its group is the inner type."""
    array: str = r"(.*)\[\]"
    """Regular expression of the types of lists; its group is the type of the elements."""
    json: str = "JSON"
    """Regular expression of the types of metadata that are read as JSON."""
    as_json: str = "CAST({} AS VARCHAR)"
    """A value of such a type as JSON text."""
    json_value: str = ""
    """The value of ``{key}`` in ``{column}`` as jsonb; "" where conditions on keys are not translated."""
    far: str = ""
    """Distance of ``{column}`` and ``{vector}`` by ``{operator}``, where an index can order by it; "" for none."""
    fence: str = ""
    """Clause that makes the engine compute each cosine once, however often the score uses it."""
    collation: str = ""
    """Clause that orders texts by code points, where that is not the default."""
    approximate: str = ""
    """Statement that counts the approximate indexes on a ``{table}`` as ``lr_count``; "" for engines without any."""
    has_words: str = ""
    """Test whether ``{column}`` has the words of ``{query}``, by ``{configuration}``; "" for no full-text search."""
    threads: bool = True
    """Whether several threads may run statements at once."""

    def quoted(self, name: str) -> str:
        """Quote an identifier.

        Raises:
            InvalidArgumentError: No identifier can have this name.
        """
        if not isinstance(name, str) or not name or any(c == "\0" or "\ud800" <= c <= "\udfff" for c in name):
            raise InvalidArgumentError(
                f"{name!r} cannot be the name of a table or column.", hint="Give the name as the engine shows it."
            )
        return self.quote[""] + "".join(self.quote.get(c, c) for c in name) + self.quote[""]


def read_arrow(table: Any) -> dict[str, Any]:
    """Convert a table of Arrow to the columns that :class:`Run` returns."""
    columns = {name: table[name] for name in table.column_names}
    vectors = {"lr_vector": columns.pop("lr_vector").to_numpy()} if "lr_vector" in columns else {}
    return {name: column.to_pylist(maps_as_pydicts="lossy") for name, column in columns.items()} | vectors
