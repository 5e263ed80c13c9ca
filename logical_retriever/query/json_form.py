"""Tree to plain data and back.

Each node is an object with one key: ``{"term": "x"}``, ``{"condition": {"field": "year", "operator": ">=", "value":
1990}}``, ``{"not": {...}}``, ``{"and": [{...}, ...]}`` or ``{"or": [{...}, ...]}``. JSON knows no dates: a date is
``{"date": "2020-01-31"}``, a time ``{"time": "2020-01-31T12:30:00"}``. Spans are not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from reprlib import repr as short_repr
from typing import Any, Final, TypeVar

from logical_retriever.errors import InvalidArgumentError, LogicalQueryError, QueryTooDeepError
from logical_retriever.query.values import MAX_DEPTH, read_time

T = TypeVar("T")

_FORMS: Final = 'A query is an object with one key: "term", "condition", "not", "and" or "or".'
_CONDITION: Final = (
    'A condition reads {"field": "year", "operator": ">=", "value": 1990}; a date is {"date": "2020-01-31"}.'
)
_NAMES: Final[dict[type, str]] = {dict: "an object", list: "a list", str: "a text", type(None): "null"}


def write(node: Any, parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The plain data of a node, from that of its children."""
    if node.connective:
        return {node.connective.lower(): parts[0] if node.connective == "NOT" else list(parts)}
    if hasattr(node, "text"):
        return {"term": node.text}
    value = [_plain(one) for one in node.value] if isinstance(node.value, tuple) else _plain(node.value)
    compared = {} if node.value is None else {"value": value}
    return {"condition": {"field": node.field, "operator": node.operator, **compared}}


def read(data: object, kinds: Mapping[str, Any], path: str = "$", levels: int = MAX_DEPTH) -> Any:
    """The query of plain data that is not trusted; see ``LogicalQuery.from_dict``.

    Args:
        data: From a JSON reader.
        kinds: The class of node of each key.
        path: Where it stands in the whole.
        levels: Most levels that it may have.
    """
    # By hand: pydantic would read all of a form that doubles at every level before it said that it is too large.
    if levels == 0:  # data that contains itself ends here as well
        raise QueryTooDeepError(
            f"The query is nested more than {MAX_DEPTH} levels deep.",
            hint="Flatten it: an AND within an AND can be one AND, and a doubled NOT can go.",
        )
    form = _expect(dict, data, path)
    if len(form) != 1 or not form.keys() <= kinds.keys():
        raise LogicalQueryError(f"At {path}: an object with the keys {short_repr(list(form))}.", hint=_FORMS)
    ((key, value),) = form.items()
    path = f"{path}.{key}"
    try:
        if key == "term":
            return kinds[key](_expect(str, value, path))
        if key == "condition":
            return kinds[key](*_condition(_expect(dict, value, path), path))
        if key == "not":
            return kinds[key](read(value, kinds, path, levels - 1))
        operands = enumerate(_expect(list, value, path))
        return kinds[key](tuple(read(part, kinds, f"{path}[{number}]", levels - 1) for number, part in operands))
    except InvalidArgumentError as error:
        raise LogicalQueryError(f"At {path}: {error.message}", hint=error.hint) from None


def _plain(value: object) -> object:
    """A value of a condition in JSON's own types."""
    if not isinstance(value, date):
        return value
    return {"time" if isinstance(value, datetime) else "date": value.isoformat()}


def _condition(form: dict[str, Any], path: str) -> tuple[str, str, Any]:
    """Field, operator and value of a condition; whether they go together is for the node to say."""
    if not {"field", "operator"} <= form.keys() <= {"field", "operator", "value"}:
        raise LogicalQueryError(f"At {path}: not the keys of a condition.", hint=_CONDITION)
    field, operator = (_expect(str, form[key], f"{path}.{key}") for key in ("field", "operator"))
    value, path = form.get("value"), f"{path}.value"
    return field, operator, [_value(one, path) for one in value] if isinstance(value, list) else _value(value, path)


def _value(data: Any, path: str) -> Any:
    """One value of a condition; whether it can be compared with is for the node to say."""
    if not isinstance(data, dict):
        return data
    for key, kind in (("date", date), ("time", datetime)):
        if data.keys() == {key} and isinstance(data[key], str) and type(moment := read_time(data[key])) is kind:
            return moment
    raise LogicalQueryError(f"At {path}: not a date or time.", hint=_CONDITION)


def _expect(kind: type[T], value: object, path: str) -> T:
    # The value is never shown: it can be nested deeper than repr can follow.
    if not isinstance(value, kind):
        got = _NAMES.get(type(value), type(value).__name__)
        raise LogicalQueryError(f"At {path}: expected {_NAMES[kind]}, got {got}.", hint=_FORMS)
    return value
