"""Formulas of first-order logic: predicates over constants and variables, connectives, quantifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from reprlib import repr as short_repr
from typing import ClassVar, Final, final

from logical_retriever.errors import FormulaLimitError, InvalidArgumentError, Span
from logical_retriever.lab.nsir.fol.arguments import Argument, Constant, Variable, is_predicate_name
from logical_retriever.lab.nsir.fol.printer import to_text
from logical_retriever.trees import MeasuredTree

MAX_PREDICATES: Final = 512
"""Most predicates a formula may have, repetitions counted; a logical query has at most 64 terms."""
MAX_DEPTH: Final = 48
"""Most levels a formula may have; a predicate alone has one."""
MAX_ARGUMENTS: Final = 16
"""Most arguments of a predicate."""


class Formula(MeasuredTree["Formula"]):
    """Base of the nine nodes.

    Formulas are immutable and hashable; equality is by structure and order, never by where the text stood.
    ``str(formula)`` is the canonical text, and ``parse(str(formula)) == formula``.
    """

    __slots__ = ()

    symbol: ClassVar[str]
    """The sign of the connective or quantifier; empty for a predicate."""
    binding: ClassVar[int]
    """How tightly it binds; more is tighter."""

    def __bool__(self) -> bool:
        msg = "A formula has no truth value of its own. Use `is not None` to test for one."
        raise TypeError(msg)

    def __str__(self) -> str:
        return to_text(self)


@final
@dataclass(frozen=True, slots=True)
class Predicate(Formula):
    """A statement about its arguments, or without any: ``Treats(x, Penicillin)``, ``Raining``.

    Attributes:
        name: A name that is neither a variable nor a connective.
        arguments: Variables and constants.
        span: Where it stood in the parsed text, or None; kept, never compared.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)
    symbol = ""
    binding = 7

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not is_predicate_name(self.name):
            raise InvalidArgumentError(
                f"{short_repr(self.name)} is no name of a predicate.",
                hint="Use letters, digits and underscores, two characters or more or a capital, and no connective.",
            )
        arguments = self.arguments
        if not isinstance(arguments, Sequence) or not all(isinstance(a, (Variable, Constant)) for a in arguments):
            raise InvalidArgumentError(
                f"The arguments of {self.name} are {short_repr(arguments)}.",
                hint="Give a tuple of Variable and Constant.",
            )
        if len(arguments) > MAX_ARGUMENTS:
            raise FormulaLimitError(
                f"The predicate {self.name} has {len(arguments)} arguments; at most {MAX_ARGUMENTS} are allowed.",
                hint="Use several predicates of fewer arguments.",
            )
        object.__setattr__(self, "arguments", tuple(arguments))
        self._measure()


@dataclass(frozen=True, slots=True)
class _Unary(Formula):
    operand: Formula
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operand",)

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True)
class _Binary(Formula):
    left: Formula
    right: Formula
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("left", "right")

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True)
class _Chain(Formula):
    operands: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operands",)

    def __post_init__(self) -> None:
        if not isinstance(self.operands, Sequence) or len(self.operands) < 2:
            raise InvalidArgumentError(
                f"{type(self).__name__} needs two or more formulas, got {short_repr(self.operands)}.",
                hint="Use the formula itself where there is only one.",
            )
        object.__setattr__(self, "operands", tuple(self.operands))
        _check(self)


@dataclass(frozen=True, slots=True)
class _Quantified(Formula):
    variable: Variable
    operand: Formula
    span: Span | None = field(default=None, compare=False, repr=False)
    child_names = ("operand",)

    def __post_init__(self) -> None:
        if not isinstance(self.variable, Variable):
            raise InvalidArgumentError(
                f"{type(self).__name__} binds a Variable, got {short_repr(self.variable)}.",
                hint='Give one: Variable("x").',
            )
        _check(self)


@final
@dataclass(frozen=True, slots=True)
class Negation(_Unary):
    """``¬A``."""

    symbol = "¬"
    binding = 6


@final
@dataclass(frozen=True, slots=True)
class Conjunction(_Chain):
    """``A ∧ B ∧ ...``."""

    symbol = "∧"
    binding = 5


@final
@dataclass(frozen=True, slots=True)
class Disjunction(_Chain):
    """``A ∨ B ∨ ...``."""

    symbol = "∨"
    binding = 3


@final
@dataclass(frozen=True, slots=True)
class ExclusiveDisjunction(_Chain):
    """``A ⊕ B ⊕ ...``: an odd number of them holds."""

    symbol = "⊕"
    binding = 4


@final
@dataclass(frozen=True, slots=True)
class Implication(_Binary):
    """``A → B``."""

    symbol = "→"
    binding = 2


@final
@dataclass(frozen=True, slots=True)
class Equivalence(_Binary):
    """``A ↔ B``."""

    symbol = "↔"
    binding = 1


@final
@dataclass(frozen=True, slots=True)
class ForAll(_Quantified):
    """``∀x A``."""

    symbol = "∀"
    binding = 6


@final
@dataclass(frozen=True, slots=True)
class Exists(_Quantified):
    """``∃x A``."""

    symbol = "∃"
    binding = 6


def _check(node: _Unary | _Binary | _Chain | _Quantified) -> None:
    """Refuse children that are no formulas, and what is over the bounds."""
    for child in node.children:
        if not isinstance(child, Formula):
            raise InvalidArgumentError(
                f"{type(node).__name__} takes formulas, got {type(child).__name__} {short_repr(child)}.",
                hint='Use Predicate("Name", (...)) or parse(...).',
            )
    node._measure()
    if node.depth > MAX_DEPTH:
        raise FormulaLimitError(
            f"The formula is nested {node.depth} levels deep; at most {MAX_DEPTH} are allowed.",
            hint="Write several formulas instead of one.",
        )
    if node.size > MAX_PREDICATES:
        raise FormulaLimitError(
            f"The formula has {node.size} predicates; at most {MAX_PREDICATES} are allowed.",
            hint="Write several formulas instead of one.",
        )
