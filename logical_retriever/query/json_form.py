"""Tree to plain data and back, and the types as pydantic fields.

Each node is an object with one key: ``{"term": "x"}``, ``{"not": {...}}``, ``{"and": [{...}, ...]}`` or
``{"or": [{...}, ...]}``. Spans are not part of it.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs

from logical_retriever.errors import InvalidArgumentError, LogicalQueryError, QueryTooDeepError
from logical_retriever.query.nodes import MAX_DEPTH, And, LogicalQuery, Not, Or, Term

Q = TypeVar("Q", bound=LogicalQuery)

_FORMS: Final = 'A query is an object with one key: {"term": "..."}, {"not": {...}}, {"and": [...]} or {"or": [...]}.'


def to_dict(query: LogicalQuery) -> dict[str, Any]:
    """Write a query as plain data, ready for JSON.

    Examples:
        >>> to_dict(Term("cats") & ~Term("dogs"))
        {'and': [{'term': 'cats'}, {'not': {'term': 'dogs'}}]}
    """
    return query.fold(_written)


def from_dict(data: object) -> LogicalQuery:
    """Read plain data written by :func:`to_dict`, or by anyone else.

    Args:
        data: What a JSON reader returns. It is not trusted: any object ends in a query or a typed error.

    Raises:
        LogicalQueryError: The data is not the JSON form of a query; the message says where.
        QueryTooDeepError: It has more than ``MAX_DEPTH`` levels.
        TooManyTermsError: It has more than ``MAX_TERMS`` terms.

    Examples:
        >>> print(from_dict({"or": [{"term": "cats"}, {"not": {"term": "dogs"}}]}))
        "cats" OR NOT "dogs"
        >>> from_dict({"or": [{"term": "cats"}, {"nor": {"term": "dogs"}}]})
        Traceback (most recent call last):
        logical_retriever.errors.LogicalQueryError: At $.or[1]: unknown key 'nor'.
        Hint: A query is an object with one key: {"term": "..."}, {"not": {...}}, {"and": [...]} or {"or": [...]}.
    """
    return _read(data, "$", 1)


def core_schema(kind: type[Q]) -> CoreSchema:
    """The pydantic schema of a field of type ``kind``: :class:`LogicalQuery`, or one of its four nodes.

    A field takes a query or its JSON form, and dumps the JSON form. Its JSON schema is the recursive form itself.
    """

    def validate(data: object, _: cs.ValidatorFunctionWrapHandler) -> Q:
        query = data if isinstance(data, LogicalQuery) else from_dict(data)
        if not isinstance(query, kind):
            raise LogicalQueryError(
                f"Expected {kind.__name__}, got {type(query).__name__}.",
                hint=f"Give {kind.__name__}, or declare the field as LogicalQuery, which takes every query.",
            )
        return query

    # The inner schema describes the form to people and models that ask for a JSON schema; the validation is ours,
    # because its errors say where and what to do, and its bounds hold for any input.
    form, shared = _described(kind)
    field = cs.no_info_wrap_validator_function(
        validate, form, serialization=cs.plain_serializer_function_ser_schema(to_dict)
    )
    return cs.definitions_schema(field, [shared])


def _written(node: LogicalQuery, parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    if isinstance(node, Term):
        return {"term": node.text}
    if isinstance(node, Not):
        return {"not": parts[0]}
    return {"and" if isinstance(node, And) else "or": list(parts)}


def _read(data: object, path: str, level: int) -> LogicalQuery:
    # The level bounds this recursion, whatever the data's own depth; data that contains itself ends here as well.
    if level > MAX_DEPTH:
        raise QueryTooDeepError(
            f"The query is nested more than {MAX_DEPTH} levels deep.",
            hint="Flatten it: an AND within an AND can be one AND, and a doubled NOT can go.",
        )
    key, value = _only_item(data, path)
    inside = f"{path}.{key}"
    try:
        if key == "term":
            return Term(_expect(str, value, inside))
        if key == "not":
            return Not(_read(value, inside, level + 1))
        operands = enumerate(_expect(list, value, inside))
        kind = And if key == "and" else Or
        return kind(tuple(_read(operand, f"{inside}[{number}]", level + 1) for number, operand in operands))
    except InvalidArgumentError as error:
        raise LogicalQueryError(f"At {inside}: {error.message}", hint=error.hint) from None


def _only_item(data: object, path: str) -> tuple[str, object]:
    """The one key of an object, which names the node, and its value."""
    items = list(_expect(dict, data, path).items())
    if len(items) != 1:
        raise LogicalQueryError(f"At {path}: an object with {len(items)} keys.", hint=_FORMS)
    ((key, value),) = items
    if key not in ("term", "not", "and", "or"):
        shown = f"'{key[:40]}'" if isinstance(key, str) else type(key).__name__
        raise LogicalQueryError(f"At {path}: unknown key {shown}.", hint=_FORMS)
    return key, value


T = TypeVar("T")

_JSON_NAMES: Final[dict[type, str]] = {dict: "an object", list: "a list", str: "a text", type(None): "null"}


def _expect(kind: type[T], value: object, path: str) -> T:
    # The value is never shown: it can be nested deeper than repr can follow.
    if not isinstance(value, kind):
        got = _JSON_NAMES.get(type(value), type(value).__name__)
        raise LogicalQueryError(f"At {path}: expected {_JSON_NAMES[kind]}, got {got}.", hint=_FORMS)
    return value


_REFERENCE: Final = "logical_retriever.LogicalQuery"


def _described(kind: type[LogicalQuery]) -> tuple[CoreSchema, CoreSchema]:
    """The JSON form of one kind of node in pydantic's terms, and the form of every query, which it refers to."""
    anything = cs.definition_reference_schema(_REFERENCE)
    several = cs.list_schema(anything, min_length=2)
    forms: dict[type[LogicalQuery], CoreSchema] = {
        Term: _object("term", cs.str_schema(pattern=r"\S")),
        Not: _object("not", anything),
        And: _object("and", several),
        Or: _object("or", several),
    }
    return forms.get(kind, anything), cs.union_schema(list(forms.values()), ref=_REFERENCE)


def _object(key: str, value: CoreSchema) -> CoreSchema:
    return cs.typed_dict_schema({key: cs.typed_dict_field(value, required=True)}, extra_behavior="forbid")
