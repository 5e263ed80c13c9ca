"""The spellings in which engines differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from logical_retriever.errors import InvalidArgumentError

IdKind = Literal["text", "whole", "uuid"]
Kind = Literal["text", "whole", "real", "truth"]


class Run(Protocol):
    """Runs a statement."""

    def __call__(self, statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:
        """Columns of the answer by their names: lists of Python's values, and ``lr_vector`` of arrays.

        Args:
            statement: With the dialect's marks of parameters.
            parameters: Values by name.
            nearest: Length of the lists that are looked for, for engines whose index must be told; 0 for others.
        """
        ...


@dataclass(frozen=True)
class Dialect:
    """A table of spellings, templates of :meth:`str.format`.

    A statement's own parameters are vectors as texts ("[0.5,1.0]"), texts, lists of texts, and values of conditions.
    """

    name: str
    """In messages and tables."""
    connect: Callable[[Any], Run | None]
    """Makes what runs statements through a connection; None where the connection is another engine's."""
    describe: str
    """Statement of the columns of a ``{table}``, with columns ``name`` and ``type``."""
    quote: Mapping[str, str]
    """The mark around an identifier (under ""), and spellings of characters inside."""
    parameter: str
    """A bound value: ``{name}``, ``{type}``."""
    types: Mapping[str, str]
    """Type of a parameter for each kind of value."""
    kinds: Mapping[str, Kind]
    """Types of columns, regular expressions, that compare as their values do in Python, with their kinds."""
    ids: Mapping[str, IdKind]
    """Types of identities, regular expressions, with their kinds; see :attr:`SqlStore`."""
    vectors: str
    """Types of columns of vectors, a regular expression."""
    vector_hint: str
    """How to make a ``{column}`` of a ``{table}`` one."""
    vector: str
    """The bound vector ``{name}`` as it is compared with a column of type ``{type}``."""
    cosine: str
    """Cosine of ``{column}`` and ``{vector}`` in double precision; 0 where either has no direction."""
    among: str
    """Whether ``{id}``, of ``{type}``, is one of the texts of the parameter ``lr_ids``."""
    has: str
    """Whether the list ``{list}`` has the value ``{value}``."""
    present: str = "{} IS NOT NULL"
    """Whether there is a vector."""
    read_vector: str = "{}"
    """A column of vectors as ``connect`` reads it."""
    as_text: str = "CAST({} AS VARCHAR)"
    """A value as text, NULL where it is NULL."""
    wrapper: str = "(?!)"
    """Types around another that say nothing, a regular expression around the inner one."""
    array: str = r"(.*)\[\]"
    """Types of lists, a regular expression around the type of their elements."""
    json: str = "JSON"
    """Types of metadata, a regular expression, that are read as JSON."""
    as_json: str = "CAST({} AS VARCHAR)"
    """A value of such a type as text."""
    json_value: str = ""
    """The value of a key ``{key}`` of ``{column}`` as jsonb; "" where conditions on objects are decided here."""
    far: str = ""
    """Distance by which lists are ordered, where an index serves it: ``{column}``, ``{vector}`` and ``{operator}``."""
    fence: str = ""
    """A clause that keeps the engine from computing a cosine again wherever the score reads it."""
    collation: str = ""
    """A clause by which texts are ordered by code points, where they are not by themselves."""
    approximate: str = ""
    """Statement of ``lr_count``, the approximate indexes on a ``{table}``; "" where none serves these statements."""
    words: str = ""
    """Whether ``{column}`` has the words of ``{query}`` by ``{configuration}``; "" for engines without full text."""
    threads: bool = True
    """Whether several threads may ask at once."""

    def quoted(self, name: str) -> str:
        """One identifier.

        Raises:
            InvalidArgumentError: The name is no text that an identifier can be.
        """
        if not isinstance(name, str) or not name or any(c == "\0" or "\ud800" <= c <= "\udfff" for c in name):
            raise InvalidArgumentError(
                f"{name!r} cannot be the name of a table or column.", hint="Give the name as the engine shows it."
            )
        return self.quote[""] + "".join(self.quote.get(c, c) for c in name) + self.quote[""]

    def kind_of(self, name: str) -> tuple[Kind | None, bool]:
        """The kind of values of a column whose type the engine calls so, and whether they are lists of such."""
        array = re.fullmatch(self.array, name)
        single = name if array is None else array[1]
        kind = next((kind for pattern, kind in self.kinds.items() if re.fullmatch(pattern, single)), None)
        return kind, array is not None

    def in_json(self, type: str) -> bool:
        """Whether a column of metadata is read as JSON."""
        return re.fullmatch(self.json, type) is not None


def read_arrow(table: Any) -> dict[str, Any]:
    """Columns of a table of Arrow, as :class:`Run` gives them."""
    columns = {name: table[name] for name in table.column_names}
    vectors = {"lr_vector": columns.pop("lr_vector").to_numpy()} if "lr_vector" in columns else {}
    return {name: column.to_pylist(maps_as_pydicts="lossy") for name, column in columns.items()} | vectors
