"""The spellings of SQL in which engines differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from logical_retriever.errors import InvalidArgumentError

IdKind = Literal["text", "whole", "uuid"]
Kind = Literal["text", "whole", "real", "truth"]


class Run(Protocol):
    """A function that runs statements."""

    def __call__(self, statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:
        """Run a statement. Return its columns by name: lists of Python values; for ``lr_vector``, of arrays.

        Args:
            statement: Uses the dialect's marks of parameters.
            parameters: Values by name.
            nearest: Number of nearest rows wanted, which some engines' indexes must be told; 0 for other statements.
        """
        ...


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
    kinds: Mapping[str, Kind]
    """Kinds of column types that compare as Python does, by regular expressions of the types."""
    ids: Mapping[str, IdKind]
    """Kinds of the types of ids, by regular expressions of the types."""
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

    def kind_of(self, name: str) -> tuple[Kind | None, bool]:
        """Return the kind of a column type's values, or None, and whether the column holds lists of them."""
        array = re.fullmatch(self.array, name)
        single = name if array is None else array[1]
        kind = next((kind for pattern, kind in self.kinds.items() if re.fullmatch(pattern, single)), None)
        return kind, array is not None

    def in_json(self, type: str) -> bool:
        """Return whether a column of this type is read as JSON."""
        return re.fullmatch(self.json, type) is not None


def read_arrow(table: Any) -> dict[str, Any]:
    """Convert a table of Arrow to the columns that :class:`Run` returns."""
    columns = {name: table[name] for name in table.column_names}
    vectors = {"lr_vector": columns.pop("lr_vector").to_numpy()} if "lr_vector" in columns else {}
    return {name: column.to_pylist(maps_as_pydicts="lossy") for name, column in columns.items()} | vectors
