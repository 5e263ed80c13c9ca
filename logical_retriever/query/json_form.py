"""Tree to plain data and back, and the types as pydantic fields.

Each node is an object with one key: ``{"term": "x"}``, ``{"not": {...}}``, ``{"and": [{...}, ...]}`` or
``{"or": [{...}, ...]}``. Spans are not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from pydantic_core import CoreSchema, core_schema as cs

from logical_retriever.errors import InvalidArgumentError, LogicalQueryError, QueryTooDeepError
from logical_retriever.trees import Tree

_FORMS: Final = 'A query is an object with one key: {"term": "..."}, {"not": {...}}, {"and": [...]} or {"or": [...]}.'


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
        Hint: A query is an object with one key: {"term": "..."}, {"not": {...}}, {"and": [...]} or {"or": [...]}.
    """
    return _read(data, "$", max_depth, kinds, max_depth)


def core_schema(kind: type, kinds: Mapping[str, type], read: Callable[[object], Any]) -> CoreSchema:
    """The pydantic schema of a field of type ``kind``: a query, or one of its four nodes.

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
    if not node.operator:
        return {"term": node.text}
    return {node.operator.lower(): parts[0] if node.operator == "NOT" else list(parts)}


def _read(data: object, path: str, levels: int, kinds: Mapping[str, Any], max_depth: int) -> Any:
    # The levels left bound this recursion, whatever the data's own depth; data that contains itself ends here as well.
    if levels == 0:
        raise QueryTooDeepError(
            f"The query is nested more than {max_depth} levels deep.",
            hint="Flatten it: an AND within an AND can be one AND, and a doubled NOT can go.",
        )
    key, value = _only_item(data, path)
    inside = f"{path}.{key}"
    try:
        if key == "term":
            return kinds[key](_expect(str, value, inside))
        if key == "not":
            return kinds[key](_read(value, inside, levels - 1, kinds, max_depth))
        operands = enumerate(_expect(list, value, inside))
        return kinds[key](
            tuple(_read(part, f"{inside}[{number}]", levels - 1, kinds, max_depth) for number, part in operands)
        )
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


def _described(kind: type, kinds: Mapping[str, type]) -> tuple[CoreSchema, CoreSchema]:
    """The JSON form of one kind of node in pydantic's terms, and the form of every query, which it refers to."""
    anything = cs.definition_reference_schema(_REFERENCE)
    several = cs.list_schema(anything, min_length=2)
    values = {"term": cs.str_schema(pattern=r"\S"), "not": anything, "and": several, "or": several}
    forms = {kinds[key]: _object(key, value) for key, value in values.items()}
    return forms.get(kind, anything), cs.union_schema(list(forms.values()), ref=_REFERENCE)


def _object(key: str, value: CoreSchema) -> CoreSchema:
    return cs.typed_dict_schema({key: cs.typed_dict_field(value, required=True)}, extra_behavior="forbid")
