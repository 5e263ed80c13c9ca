"""Entities that follow from facts by an expression of set operations, and the facts that each of them rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from logical_retriever.lab.synthesis.typed_queries import Expression

Support = Mapping[str, frozenset[int]]
"""Entity -> positions of the facts it rests on."""


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
    """The entities of an expression, by set operations over facts (closed world).

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
        found: dict[str, frozenset[int]] = {}
        for position in usable:
            fact = facts[position]
            if fact.relation == relation and fact.holds and fact.subject in subjects:
                found[fact.object] = found.get(fact.object, frozenset()) | subjects[fact.subject] | {position}
        return found
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
