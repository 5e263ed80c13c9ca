"""``MetadataFilters`` as a condition on a JSON column of Postgres, with nothing of theirs pasted into the statement."""

from __future__ import annotations

from typing import Any

from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from sqlalchemy import ARRAY, Float, Text, and_, bindparam, cast, not_, or_
from sqlalchemy.dialects.postgresql import JSONB

from logical_retriever.integration import InvalidArgumentError


def condition(metadata: Any, filters: MetadataFilters | None) -> Any:
    """The condition that filters put on a column of metadata; None for no filter."""
    if filters is None or not filters.filters:
        return None
    parts = []
    for one in filters.filters:
        part = condition(metadata, one) if isinstance(one, MetadataFilters) else _compared(metadata, one)
        if part is not None:
            parts.append(part)
    if not parts:
        return None
    if filters.condition == FilterCondition.NOT:
        return not_(or_(*parts))
    return or_(*parts) if filters.condition == FilterCondition.OR else and_(*parts)


def _compared(metadata: Any, filter: MetadataFilter) -> Any:
    """One comparison, as the vector store reads it: by number where the value is one, else by text."""
    value, operator = filter.value, filter.operator
    field = metadata.op("->>", return_type=Text())(bindparam(None, filter.key, type_=Text))
    part = cast(metadata, JSONB).op("->")(bindparam(None, filter.key, type_=Text))
    if operator == FilterOperator.IS_EMPTY:
        return field.is_(None)
    if operator in (FilterOperator.IN, FilterOperator.NIN):
        texts = [_text(one) for one in _listed(filter)]
        return field.in_(texts) if operator == FilterOperator.IN else field.not_in(texts)
    if operator in (FilterOperator.ANY, FilterOperator.ALL):
        wanted = cast([_text(one) for one in _listed(filter)], ARRAY(Text))
        return part.op("?|" if operator == FilterOperator.ANY else "?&")(wanted)
    if operator == FilterOperator.CONTAINS:
        return part.op("@>")(cast([value], JSONB))
    if operator == FilterOperator.TEXT_MATCH:
        return field.contains(_text(value), autoescape=True)
    if operator == FilterOperator.TEXT_MATCH_INSENSITIVE:
        return field.icontains(_text(value), autoescape=True)
    compare = _COMPARISONS.get(operator)
    if compare is None:
        raise InvalidArgumentError(
            f"PGVectorStore cannot apply the filter operator {operator.value!r}.",
            hint=f"It knows {', '.join(sorted(known.value for known in _COMPARISONS))}, in, nin, any, all, contains, "
            "text_match, text_match_insensitive and is_empty.",
        )
    number = _number(value)
    return compare(field, _text(value)) if number is None else compare(cast(field, Float), number)


_COMPARISONS: dict[FilterOperator, Any] = {
    FilterOperator.EQ: lambda a, b: a == b,
    FilterOperator.NE: lambda a, b: a != b,
    FilterOperator.GT: lambda a, b: a > b,
    FilterOperator.GTE: lambda a, b: a >= b,
    FilterOperator.LT: lambda a, b: a < b,
    FilterOperator.LTE: lambda a, b: a <= b,
}


def _listed(filter: MetadataFilter) -> list[Any]:
    if not isinstance(filter.value, list):
        raise InvalidArgumentError(
            f"The filter operator {filter.operator.value!r} on {filter.key!r} needs a list of values, got "
            f"{type(filter.value).__name__}.",
            hint=f'For example MetadataFilter(key={filter.key!r}, value=["a", "b"], operator="in").',
        )
    return filter.value


def _number(value: Any) -> float | None:
    """A value as a number; None for what is none."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str:
    """A value as ``->>`` shows it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
