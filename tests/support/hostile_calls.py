"""Calls of an agent's tool that mean to lift a filter, for the tools of both frameworks and of MCP."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from logical_retriever.query import Condition, Term
from logical_retriever.testing.samples import HOSTILE, hostile_conditions


def hostile_calls(fields: Mapping[str, Sequence[Any]], count: int = 12) -> Iterator[dict[str, Any]]:
    """Calls of an agent's tool that mean to lift ``kind = "odd"``: in the grammar, and in its lists and conditions."""
    drawn, asked = random.Random(5), [one for one in hostile_conditions(fields) if not _has_date(one)]
    for number in range(count):
        one, other = drawn.sample(asked, 2)
        if number % 2:
            yield {"query": str(Term(drawn.choice(HOSTILE)) | one | ~one | ~~other), "k": 50}
            continue
        where, where_not = ({"field": c.field, "op": c.operator, "value": c.value} for c in (one, other))
        filter = {"kind": ["odd", "even", drawn.choice(HOSTILE)]}
        lists = {"all_of": [drawn.choice(HOSTILE)], "where_not": [where_not]}
        yield {**lists, "filter": filter, "where": [where] if number % 3 else [], "k": 50}


def _has_date(condition: Condition) -> bool:
    value: Any = condition.value
    return any(isinstance(one, date) for one in (value if isinstance(value, tuple) else (value,)))
