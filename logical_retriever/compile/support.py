"""Which engine can say what, read off the compilers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from logical_retriever.compile.base import Compiler, Fidelity
from logical_retriever.compile.lower import lower
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.semantics import (
    CalibratedSemantics,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    LukasiewiczSemantics,
    NullDistributions,
    ProductSemantics,
    Semantics,
)
from logical_retriever.semantics.itlr import Conjunction, Disjunction, Negation
from logical_retriever.semantics.nsfl import NsflSemantics

_TERM, _AND, _OR, _NOT = Term("a"), Term("a") & Term("b"), Term("a") | Term("b"), Term("a") & ~Term("b")


@dataclass(frozen=True)
class Support:
    """What one engine makes of one operator of one semantics.

    Attributes:
        engine: Name of the engine.
        semantics: Name of the semantics.
        operator: "term", "AND", "OR" or "NOT", with its name where the semantics has several: "AND min".
        fidelities: What a request can be worth, best first; none where there is no request.
        reason: Why there is none.
    """

    engine: str
    semantics: str
    operator: str
    fidelities: tuple[Fidelity, ...]
    reason: str = ""


def support(compilers: Sequence[type[Compiler[Any, Any]]]) -> tuple[Support, ...]:
    """Every engine with every operator of every semantics.

    Args:
        compilers: Classes of compilers.
    """
    return tuple(
        _support(compiler, semantics, operator, query)
        for compiler in compilers
        for semantics, operator, query in _operators()
    )


def support_table(compilers: Sequence[type[Compiler[Any, Any]]]) -> str:
    """The same as a Markdown table: a row for each semantics, and for each operator that differs from the rest.

    Args:
        compilers: Classes of compilers.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for entry in support(compilers):
        cell = ", ".join(entry.fidelities) if entry.fidelities else "no"
        found.setdefault(entry.semantics, {}).setdefault(entry.operator, {})[entry.engine] = cell
    engines = [compiler.engine for compiler in compilers]
    lines = [f"| semantics | {' | '.join(engines)} |", f"|---{'|---' * len(engines)}|"]
    for semantics, operators in found.items():
        cells = list(operators.values())
        rows = {semantics: cells[0]} if all(cell == cells[0] for cell in cells) else {}
        for name, row in (rows or {f"{semantics}: {operator}": row for operator, row in operators.items()}).items():
            lines.append(f"| {name} | {' | '.join(row[engine] for engine in engines)} |")
    return "\n".join(lines)


def _operators() -> list[tuple[Semantics, str, LogicalQuery]]:
    found: list[tuple[Semantics, str, LogicalQuery]] = []
    for semantics in (
        CalibratedSemantics(),
        ProductSemantics(),
        GodelSemantics(),
        LukasiewiczSemantics(),
        HamacherSemantics(),
        NsflSemantics(),
    ):
        found += [
            (semantics, name, query) for name, query in (("term", _TERM), ("AND", _AND), ("OR", _OR), ("NOT", _NOT))
        ]
    found.append((ItlrSemantics(), "term", _TERM))
    found += [(ItlrSemantics(conjunction=name), f"AND {name}", _AND) for name in get_args(Conjunction)]
    found += [(ItlrSemantics(disjunction=name), f"OR {name}", _OR) for name in get_args(Disjunction)]
    found += [(ItlrSemantics(negation=name), f"NOT {name}", _NOT) for name in get_args(Negation)]
    return found


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
