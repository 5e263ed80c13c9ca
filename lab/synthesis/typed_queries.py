"""The 14 query types (papers: ComLQ): what each one means, and what follows from facts by it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from lab.synthesis import query_types as data
from lab.synthesis.prompts import fill

Expression: TypeAlias = "str | list[Any]"
"""A set of entities: "e1" | ["project", "R1", X] | ["and", X, ...] | ["or", X, ...] | ["not", X] inside an "and"."""


Support: TypeAlias = Mapping[str, frozenset[int]]
"""Entity -> positions of the facts it rests on."""


@dataclass(frozen=True)
class Projection:
    """One relation of an expression.

    Attributes:
        relation: Its name, such as "R1".
        source: The expression whose entities are its subjects.
        outermost: Whether a "not" stands right above it.
    """

    relation: str
    source: Expression
    outermost: bool


@dataclass(frozen=True)
class QueryType:
    """A kind of complex logical query.

    Attributes:
        name: "1p", "2p", "3p", "2i", "3i", "pi", "ip", "2u", "up", "2in", "3in", "inp", "pin" or "pni".
        definition: In words.
        expression: The set of answers, as nested lists that can be evaluated.
        formal: The same set in the paper's notation.
        indicator: The subgraph indicator: the steps that make up the set.
        demonstration: ``passages``, and the ``answer`` wanted of the model for them.
    """

    name: str
    definition: str
    expression: Expression
    formal: str
    indicator: tuple[str, ...]
    demonstration: Mapping[str, Any]

    @property
    def negations(self) -> int:
        """Number of negated conditions."""
        return json.dumps(self.expression).count('"not"')

    def projections(self) -> tuple[Projection, ...]:
        """Return its relations, inner ones first."""
        return tuple(_projections(self.expression, False))

    def entities(self) -> tuple[str, ...]:
        """Return the names of the given entities, such as ("e1", "e2")."""
        return tuple(sorted(set(re.findall(r'"(e\d)"', json.dumps(self.expression)))))

    def relations(self) -> tuple[str, ...]:
        """Return the names of the relations, such as ("R1", "R2")."""
        return tuple(sorted({projection.relation for projection in self.projections()}))

    def prompt(self, passages: Sequence[str]) -> str:
        """Build the subgraph-guided prompt: definition, indicator, demonstration, passages."""
        shown = json.dumps(self.demonstration["answer"], ensure_ascii=False, indent=1)
        return fill(
            "typed_query",
            name=self.name,
            definition=self.definition,
            formal=self.formal,
            indicator="\n".join(f"{number}. {step}" for number, step in enumerate(self.indicator, start=1)),
            demonstration=f"{_numbered(self.demonstration['passages'])}\n\n{shown}",
            passages=_numbered(passages),
        )


@cache
def query_types() -> Mapping[str, QueryType]:
    """Read the 14 types by name, in the paper's order."""
    records = sorted(
        (file for file in files(data).iterdir() if file.name.endswith(".json")), key=lambda file: file.name
    )
    read = [json.loads(file.read_text(encoding="utf-8")) for file in records]
    types = [QueryType(**{**record, "indicator": tuple(record["indicator"])}) for record in read]
    return {kind.name: kind for kind in types}


def _projections(node: Expression, outermost: bool) -> Iterator[Projection]:
    if isinstance(node, str):
        return
    kind, *rest = node
    if kind == "project":
        relation, source = rest
        yield from _projections(source, False)
        yield Projection(relation, source, outermost)
        return
    for operand in rest:
        yield from _projections(operand, kind == "not")


def _numbered(passages: Sequence[str]) -> str:
    return "\n".join(f'<passage number="{n}">\n{text}\n</passage>' for n, text in enumerate(passages, start=1))


@dataclass(frozen=True)
class Fact:
    """A triple read from a passage.

    Attributes:
        relation: The name of the relation, such as "R1".
        subject: Normalised.
        object: Normalised.
        holds: False for a triple that the passage shows not to hold.
        passage: Position of the passage, from 0.
    """

    relation: str
    subject: str
    object: str
    holds: bool
    passage: int


def derive(
    expression: Expression, entities: Mapping[str, str], facts: Sequence[Fact], use: Iterable[int] | None = None
) -> Support:
    """Derive the entities of an expression, by set operations over facts (closed world).

    Args:
        expression: See :data:`Expression`.
        entities: Given entity -> normalised name.
        facts: All facts.
        use: Positions of the facts that may be used; all for None.

    Returns:
        Each entity with the facts that it can be derived from. An entity kept by a negation also rests on the facts
        that show the negated triple not to hold.
    """
    usable = range(len(facts)) if use is None else sorted(use)
    if isinstance(expression, str):
        return {entities[expression]: frozenset()}
    kind, *rest = expression
    if kind == "project":
        relation, source = rest
        subjects = derive(source, entities, facts, usable)
        answers: dict[str, frozenset[int]] = {}
        for position in usable:
            fact = facts[position]
            if fact.relation == relation and fact.holds and fact.subject in subjects:
                answers[fact.object] = answers.get(fact.object, frozenset()) | subjects[fact.subject] | {position}
        return answers
    positive = [derive(node, entities, facts, usable) for node in rest if node[0] != "not"]
    if kind == "or":
        names = dict.fromkeys(name for support in positive for name in support)
        return {name: _together(name, positive) for name in names}
    negated = [node[1] for node in rest if node[0] == "not"]
    excluded = {name for node in negated for name in derive(node, entities, facts, usable)}
    denied = {node[1] for node in negated}
    return {
        name: _together(name, positive)
        | {p for p in usable if facts[p].relation in denied and not facts[p].holds and facts[p].object == name}
        for name in positive[0]
        if name not in excluded and all(name in support for support in positive)
    }


def _together(name: str, supports: Sequence[Support]) -> frozenset[int]:
    return frozenset().union(*(support.get(name, frozenset()) for support in supports))
