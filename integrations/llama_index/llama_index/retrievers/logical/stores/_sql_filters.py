"""``MetadataFilters`` as a condition on a JSON column of Postgres, with bound parameters alone."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from llama_index.core.vector_stores.types import FilterCondition, FilterOperator as Op, MetadataFilter, MetadataFilters
from sqlalchemy import ARRAY, Float, Text, and_, bindparam, cast, not_, or_
from sqlalchemy.dialects.postgresql import JSONB

from logical_retriever.adapters import InvalidArgumentError


def condition(metadata: Any, filters: MetadataFilters) -> Any:
    """Return the condition that filters put on a column of metadata; None for no filter."""
    parts = [
        condition(metadata, filter) if isinstance(filter, MetadataFilters) else _compared(metadata, filter)
        for filter in filters.filters
    ]
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    joined = and_(*parts) if filters.condition in (FilterCondition.AND, None) else or_(*parts)
    return not_(joined) if filters.condition == FilterCondition.NOT else joined


def _compared(metadata: Any, filter: MetadataFilter) -> Any:
    key, several = bindparam(None, filter.key, type_=Text), filter.operator in _OF_SEVERAL
    value: Any = filter.value
    if several and not isinstance(value, list):
        raise InvalidArgumentError(
            f"The filter operator {filter.operator.value!r} on {filter.key!r} needs a list of values, got "
            f"{type(value).__name__}.",
            hint=f'For example MetadataFilter(key={filter.key!r}, value=["a", "b"], operator="in").',
        )
    texts = [_text(each) for each in value] if several else _text(value)
    return _CLAUSES[filter.operator](
        metadata.op("->>", return_type=Text())(key), cast(metadata, JSONB).op("->")(key), texts, value
    )


def _by_size(compare: Any, text: Any, _json: Any, words: str, value: Any) -> Any:
    """Compare as the vector store does: by number if the value is one, else by text."""
    try:
        return compare(text, words) if isinstance(value, bool) else compare(cast(text, Float), float(value))
    except (TypeError, ValueError):
        return compare(text, words)


def _text(value: Any) -> str:
    """Write a value as ``->>`` shows it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


_OF_SEVERAL = (Op.IN, Op.NIN, Op.ANY, Op.ALL)
_CLAUSES: dict[Op, Any] = {
    Op.EQ: partial(_by_size, operator.eq),
    Op.NE: partial(_by_size, operator.ne),
    Op.GT: partial(_by_size, operator.gt),
    Op.GTE: partial(_by_size, operator.ge),
    Op.LT: partial(_by_size, operator.lt),
    Op.LTE: partial(_by_size, operator.le),
    Op.IN: lambda text, _json, words, _value: text.in_(words),
    Op.NIN: lambda text, _json, words, _value: text.not_in(words),
    Op.ANY: lambda _text, json, words, _value: json.op("?|")(cast(words, ARRAY(Text))),
    Op.ALL: lambda _text, json, words, _value: json.op("?&")(cast(words, ARRAY(Text))),
    Op.CONTAINS: lambda _text, json, _words, value: json.op("@>")(cast([value], JSONB)),
    Op.TEXT_MATCH: lambda text, _json, words, _value: text.contains(words, autoescape=True),
    Op.TEXT_MATCH_INSENSITIVE: lambda text, _json, words, _value: text.icontains(words, autoescape=True),
    Op.IS_EMPTY: lambda text, _json, _words, _value: text.is_(None),
}
"""The condition of each operator, from the field as text and as JSON, the value as text or texts, and the value."""
