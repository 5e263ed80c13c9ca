"""Which engine can say what, by lowering queries under every semantics that has a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from logical_retriever.compile.base import Compiler, Fidelity
from logical_retriever.compile.lower import lower
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.semantics import SEMANTICS, NullDistributions, Semantics, get_semantics

_A, _B = Term("a"), Term("b")
_QUERIES: dict[str, LogicalQuery] = {"term": _A, "AND": _A & _B, "OR": _A | _B, "NOT": _A & ~_B}


@dataclass(frozen=True)
class Support:
    """Whether, and how, one engine computes one operator of one semantics.

    Attributes:
        engine: Name of the engine.
        semantics: Name of the semantics.
        operator: "term", "AND", "OR" or "NOT"; under another choice than the usual one, "AND (conjunction min)".
        fidelities: How far answers can be trusted, best first; none where there is no request.
        reason: Why there is none.
    """

    engine: str
    semantics: str
    operator: str
    fidelities: tuple[Fidelity, ...]
    reason: str = ""


def support(compilers: Sequence[type[Compiler[Any, Any]]]) -> tuple[Support, ...]:
    """Every engine, by the class of its compiler, with every operator of every semantics."""
    return tuple(
        _support(compiler, semantics, operator, query)
        for compiler in compilers
        for semantics, operator, query in _operators()
    )


def support_table(compilers: Sequence[type[Compiler[Any, Any]]]) -> str:
    """The same as a Markdown table: a row for each semantics, or one for each operator where they differ."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for entry in support(compilers):
        cell = ", ".join(entry.fidelities) if entry.fidelities else "no"
        found.setdefault(entry.semantics, {}).setdefault(entry.operator, {})[entry.engine] = cell
    engines = [compiler.engine for compiler in compilers]
    lines = [f"| semantics | {' | '.join(engines)} |", f"|---{'|---' * len(engines)}|"]
    for semantics, operators in found.items():
        usual = [operators[name] for name in _QUERIES]
        differing = {name: row for name, row in operators.items() if row != operators[name.partition(" ")[0]]}
        if not differing and all(row == usual[0] for row in usual):
            rows = {semantics: usual[0]}
        else:
            rows = {f"{semantics}: {name}": operators[name] for name in (*_QUERIES, *differing)}
        lines += [f"| {name} | {' | '.join(row[engine] for engine in engines)} |" for name, row in rows.items()]
    return "\n".join(lines)


def _operators() -> Iterator[tuple[Semantics, str, LogicalQuery]]:
    """Every semantics that has a name with every operator, and with every choice that its constructor offers."""
    for made in map(get_semantics, SEMANTICS):
        yield from ((made, operator, query) for operator, query in _QUERIES.items())
        for parameter, hint in get_type_hints(type(made).__init__).items():
            for choice in get_args(hint) if get_origin(hint) is Literal else ():
                chosen = type(made)(**{parameter: choice})
                yield from (
                    (chosen, f"{operator} ({parameter} {choice})", query) for operator, query in _QUERIES.items()
                )


def _support(compiler: type[Compiler[Any, Any]], semantics: Semantics, operator: str, query: LogicalQuery) -> Support:
    count = len(semantics.texts(query))
    try:
        expression = lower(query, semantics, NullDistributions(np.zeros(count), np.ones(count))).expression
    except UnsupportedByEngineError as error:
        return Support(compiler.engine, semantics.name, operator, (), error.message)
    kinds = dict.fromkeys(type(node) for node in expression.walk())
    reasons = [f"{kind.__name__}: {compiler.unsupported[kind]}" for kind in kinds if kind in compiler.unsupported]
    fidelities = () if reasons else compiler.fidelities
    return Support(compiler.engine, semantics.name, operator, fidelities, "; ".join(reasons))
