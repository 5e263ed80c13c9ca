"""Conditions as a filled form has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.query import Condition, LogicalQuery, Not


class Comparison(BaseModel):
    """A condition on one field of the metadata."""

    model_config = ConfigDict(extra="forbid")

    field: str = Field(description="A field's name, as listed.")
    op: str = Field(description="One of =, !=, <, <=, >, >=, in, not in, contains, exists.")
    value: str | int | float | bool | list[str | int | float] | None = Field(
        description='The value; a list after "in" and "not in", null after "exists". Dates are written 2020-01-31.'
    )


_HINT: Final = 'A condition reads {"field": "year", "op": ">=", "value": 1990}.'


def comparisons(name: str, given: object, refused: Callable[[str], LogicalRetrieverError]) -> list[LogicalQuery]:
    """The conditions of one list of a filled form.

    Args:
        name: Of the list; those of "where_not" are negated.
        given: Its value; None for no list.
        refused: Makes the error of a problem.

    Raises:
        LogicalRetrieverError: As made: it is no list of conditions.
    """
    if given is None:
        return []
    if not isinstance(given, (list, tuple)):
        raise refused(f"{name} is not a list of conditions. {_HINT}")
    found: list[LogicalQuery] = []
    for one in given:
        if not isinstance(one, Mapping) or not {"field", "op"} <= set(one) <= {"field", "op", "value"}:
            raise refused(f"An entry of {name} is no condition. {_HINT}")
        value: Any = one.get("value")
        try:
            condition = Condition(one["field"], one["op"], tuple(value) if isinstance(value, list) else value)
        except InvalidArgumentError as error:
            raise refused(f"In {name}: {error.message} {error.hint}") from None
        found.append(Not(condition) if name == "where_not" else condition)
    return found
