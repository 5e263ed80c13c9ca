"""Calls of an agent's tool that mean to lift a filter, for the tools of both frameworks and of MCP."""

import random
from datetime import date

from logical_retriever.query import Condition
from logical_retriever.testing.samples import HOSTILE, conditions


def hostile_calls(fields, count=12):
    """Calls of an agent's tool that mean to lift ``kind = "odd"``: by topics, conditions and other arguments."""
    drawn, hostile = random.Random(5), [one for one in hostile_conditions(fields) if not _has_date(one)]
    for number in range(count):
        where = [{"field": c.field, "op": c.operator, "value": c.value} for c in drawn.sample(hostile, number % 3)]
        where.append({"field": "kind", "op": "in", "value": ["odd", "even", drawn.choice(HOSTILE)]})
        yield {"all_of": [drawn.choice(HOSTILE)], "where": where, "k": 50}
        yield {"all_of": [drawn.choice(HOSTILE)], drawn.choice(["filter", "query", "where_document"]): {"kind": "even"}}


def hostile_conditions(fields):
    """Conditions that mean to lift ``kind = "odd"``: any on the fields, those on "kind", and an engine's syntax."""
    yield from conditions(fields)
    for value in ("even", *HOSTILE):
        yield from (Condition("kind", "=", value), Condition("kind", "not in", ("odd", value)))
    for name in (*HOSTILE, "metadata.kind", "$or", "kind\" = 'even' OR \"kind", "id", "text"):
        yield from (Condition(name, "!=", "odd"), Condition(name, "exists"))


def _has_date(condition):
    value = condition.value
    return any(isinstance(one, date) for one in (value if isinstance(value, tuple) else (value,)))
