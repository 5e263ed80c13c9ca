"""Tree to plain data and back, and the types as pydantic fields.

Each node is an object with one key: ``{"term": "x"}``, ``{"condition": {"field": "year", "operator": ">=", "value":
1990}}``, ``{"not": {...}}``, ``{"and": [{...}, ...]}`` or ``{"or": [{...}, ...]}``. JSON knows no dates: a date is
``{"date": "2020-01-31"}``, a time ``{"time": "2020-01-31T12:30:00"}``. Spans are not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final, TypeVar

from pydantic_core import CoreSchema, core_schema as cs

from logical_retriever.errors import InvalidArgumentError, LogicalQueryError, QueryTooDeepError
from logical_retriever.query.values import MAX_VALUES, read_time
from logical_retriever.trees import Tree

_FORMS: Final = 'A query is an object with one key: "term", "condition", "not", "and" or "or".'
_CONDITION: Final = (
    'A condition reads {"field": "year", "operator": ">=", "value": 1990}; a date is {"date": "2020-01-31"}.'
)
_OPERATORS: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "exists")


def to_dict(query: Tree[Any]) -> dict[str, Any]:
    """Write a query as plain data, ready for JSON.

    Examples:
        >>> from logical_retriever.query import Term
        >>> to_dict(Term("cats") & ~Term("dogs"))
        {'and': [{'term': 'cats'}, {'not': {'term': 'dogs'}}]}
    """
    return query.fold(_written)


def from_dict(data: object, kinds: Mapping[str, Any], max_depth: int) -> Any:
    """Read plain data written by :func:`to_dict`, or by anyone else.

    Args:
        data: From a JSON reader. It is not trusted: any object ends in a query or a typed error.
        kinds: The class of node of each key.
        max_depth: Most levels.

    Raises:
        LogicalQueryError: The data is not the JSON form of a query; the message says where.
        QueryTooDeepError: It has more than ``max_depth`` levels.
        TooManyTermsError: It has more terms than a query may have.

    Examples:
        >>> from logical_retriever.query import LogicalQuery
        >>> print(LogicalQuery.from_dict({"or": [{"term": "cats"}, {"not": {"term": "dogs"}}]}))
        "cats" OR NOT "dogs"
        >>> LogicalQuery.from_dict({"or": [{"term": "cats"}, {"nor": {"term": "dogs"}}]})
        Traceback (most recent call last):
        logical_retriever.errors.LogicalQueryError: At $.or[1]: unknown key 'nor'.
        Hint: A query is an object with one key: "term", "condition", "not", "and" or "or".
        More: docs/errors.md#logicalqueryerror
    """
    return _read(data, "$", max_depth, kinds, max_depth)


def core_schema(kind: type, kinds: Mapping[str, type], read: Callable[[object], Any]) -> CoreSchema:
    """The pydantic schema of a field of type ``kind``: a query, or one of its five nodes.

    A field takes a query or its JSON form, and dumps the JSON form. Its JSON schema is the recursive form itself.
    """

    def validate(data: object, _: cs.ValidatorFunctionWrapHandler) -> Any:
        query = data if isinstance(data, tuple(kinds.values())) else read(data)
        if not isinstance(query, kind):
            raise LogicalQueryError(
                f"Expected {kind.__name__}, got {type(query).__name__}.",
                hint=f"Give {kind.__name__}, or declare the field as LogicalQuery, which takes every query.",
            )
        return query

    # The inner schema describes the form to people and models that ask for a JSON schema; the validation is ours,
    # because its errors say where and what to do, and its bounds hold for any input.
    form, shared = _described(kind, kinds)
    field = cs.no_info_wrap_validator_function(
        validate, form, serialization=cs.plain_serializer_function_ser_schema(to_dict)
    )
    return cs.definitions_schema(field, [shared])


def _written(node: Any, parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    if node.connective:
        return {node.connective.lower(): parts[0] if node.connective == "NOT" else list(parts)}
    if hasattr(node, "text"):
        return {"term": node.text}
    several = isinstance(node.value, tuple)
    value = [_plain(one) for one in node.value] if several else _plain(node.value)
    wanted = {} if node.value is None else {"value": value}
    return {"condition": {"field": node.field, "operator": node.operator, **wanted}}


def _plain(value: Any) -> Any:
    """A value of a condition in JSON's own types."""
    if not isinstance(value, date):
        return value
    return {"time" if isinstance(value, datetime) else "date": value.isoformat()}


def _read(data: object, path: str, levels: int, kinds: Mapping[str, Any], max_depth: int) -> Any:
    # By hand: pydantic would read all of a form that doubles at every level before it said that it is too large.
    if levels == 0:  # data that contains itself ends here as well
        raise QueryTooDeepError(
            f"The query is nested more than {max_depth} levels deep.",
            hint="Flatten it: an AND within an AND can be one AND, and a doubled NOT can go.",
        )
    items = list(_expect(dict, data, path).items())
    if len(items) != 1:
        raise LogicalQueryError(f"At {path}: an object with {len(items)} keys.", hint=_FORMS)
    ((key, value),) = items
    if not isinstance(key, str) or key not in kinds:
        shown = f"'{key[:40]}'" if isinstance(key, str) else type(key).__name__
        raise LogicalQueryError(f"At {path}: unknown key {shown}.", hint=_FORMS)
    inside = f"{path}.{key}"
    try:
        if key == "term":
            return kinds[key](_expect(str, value, inside))
        if key == "condition":
            return kinds[key](*_comparison(value, inside))
        if key == "not":
            return kinds[key](_read(value, inside, levels - 1, kinds, max_depth))
        operands = enumerate(_expect(list, value, inside))
        return kinds[key](
            tuple(_read(part, f"{inside}[{number}]", levels - 1, kinds, max_depth) for number, part in operands)
        )
    except InvalidArgumentError as error:
        raise LogicalQueryError(f"At {inside}: {error.message}", hint=error.hint) from None


def _comparison(data: object, path: str) -> tuple[str, str, Any]:
    """Field, operator and value of a condition; whether they go together is for the node to say."""
    form = _expect(dict, data, path)
    if not {"field", "operator"} <= set(form) <= {"field", "operator", "value"}:
        raise LogicalQueryError(f"At {path}: not the keys of a condition.", hint=_CONDITION)
    value = form.get("value")
    if isinstance(value, list):
        value = tuple(_value(one, f"{path}.value[{number}]") for number, one in enumerate(value))
    elif "value" in form:
        value = _value(value, f"{path}.value")
    return _expect(str, form["field"], f"{path}.field"), _expect(str, form["operator"], f"{path}.operator"), value


def _value(data: object, path: str) -> object:
    """One value of a condition; whether it can be compared with is for the node to say."""
    if isinstance(data, (str, bool, int, float)):
        return data
    form = _expect(dict, data, path)
    kind = next((kind for kind in ("date", "time") if set(form) == {kind} and isinstance(form[kind], str)), "")
    moment = read_time(form[kind]) if kind else None
    if moment is None or isinstance(moment, datetime) is not (kind == "time"):
        raise LogicalQueryError(f"At {path}: not a date or time.", hint=_CONDITION)
    return moment


T = TypeVar("T")

_JSON_NAMES: Final[dict[type, str]] = {dict: "an object", list: "a list", str: "a text", type(None): "null"}


def _expect(kind: type[T], value: object, path: str) -> T:
    # The value is never shown: it can be nested deeper than repr can follow.
    if not isinstance(value, kind):
        got = _JSON_NAMES.get(type(value), type(value).__name__)
        raise LogicalQueryError(f"At {path}: expected {_JSON_NAMES[kind]}, got {got}.", hint=_FORMS)
    return value


_REFERENCE: Final = "logical_retriever.LogicalQuery"


def _described(kind: type, kinds: Mapping[str, type]) -> tuple[CoreSchema, CoreSchema]:
    """The JSON form of one kind of node in pydantic's terms, and the form of every query, which it refers to."""
    anything = cs.definition_reference_schema(_REFERENCE)
    several = cs.list_schema(anything, min_length=2)
    values = {
        "term": cs.str_schema(pattern=r"\S"),
        "condition": _described_condition(),
        "not": anything,
        "and": several,
        "or": several,
    }
    forms = {kinds[key]: _object(key, value) for key, value in values.items()}
    return forms.get(kind, anything), cs.union_schema(list(forms.values()), ref=_REFERENCE)


def _described_condition() -> CoreSchema:
    moment = cs.union_schema([_object("date", cs.date_schema()), _object("time", cs.datetime_schema())])
    scalar = cs.union_schema([cs.str_schema(), cs.bool_schema(), cs.int_schema(), cs.float_schema(), moment])
    values = cs.union_schema([scalar, cs.list_schema(scalar, min_length=1, max_length=MAX_VALUES)])
    parts = {"field": cs.str_schema(pattern=r"\S"), "operator": cs.literal_schema(list(_OPERATORS)), "value": values}
    fields = {name: cs.typed_dict_field(part, required=name != "value") for name, part in parts.items()}
    return cs.typed_dict_schema(fields, extra_behavior="forbid")


def _object(key: str, value: CoreSchema) -> CoreSchema:
    return cs.typed_dict_schema({key: cs.typed_dict_field(value, required=True)}, extra_behavior="forbid")
