"""Filters of SQL tables: conditions of a WHERE clause with their parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
