"""Formula to text: the canonical spelling, and the spelling that an encoder of sentences reads best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from logical_retriever.lab.nsir.fol.arguments import NAME, RESERVED, VARIABLE, Argument, Variable
from logical_retriever.query import quote
from logical_retriever.trees import Tree

_BARE: Final = re.compile(rf"{NAME}|\d\w*(?:\.\d+)*")
_VARIABLE: Final = re.compile(VARIABLE)
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


@dataclass(frozen=True)
class Piece:
    """A piece of a spelling, and its σ in NS-IR: -1 for ¬, +1 for other connectives and quantifiers, 0 for the rest."""

    text: str
    sign: int = 0


@dataclass(frozen=True)
class Spelling:
    """Formulas as one text for an encoder.

    Attributes:
        text: The pieces, with a space between two.
        signs: Start and end of each connective in the text, and its σ.
    """

    text: str
    signs: tuple[tuple[int, int, int], ...]


def to_text(formula: Tree[Any]) -> str:
    """Spell a formula canonically: no parenthesis more than needed, ``parse(to_text(formula)) == formula``.

    Examples:
        >>> from logical_retriever.lab.nsir.fol.nodes import ForAll, Implication, Negation, Predicate
        >>> x = Variable("x")
        >>> print(to_text(ForAll(x, Implication(Predicate("Dog", (x,)), Negation(Predicate("Likes", (x,)))))))
        ∀x (Dog(x) → ¬Likes(x))
    """
    return formula.fold(_spell)


def spell(formulas: Sequence[Tree[Any]]) -> Spelling:
    """Spell formulas as one text in words: names are split, signs stand alone, a full stop follows each formula.

    A sentence encoder splits ``CausesDisease`` into pieces that mean nothing ("causes", "##dis", "##ease"), and reads a
    sign only where it stands alone.

    Examples:
        >>> from logical_retriever.lab.nsir.fol.parser import parse
        >>> spell([parse("CausesDisease(x, Smoking) & ~treats_well(x)")]).text
        'Causes Disease ( x , Smoking ) ∧ ¬ treats well ( x ) .'
    """
    pieces = [piece for formula in formulas for piece in (*formula.fold(_pieces), Piece("."))]
    signs, start = [], 0
    for piece in pieces:
        if piece.sign:
            signs.append((start, start + len(piece.text), piece.sign))
        start += len(piece.text) + 1
    return Spelling(" ".join(piece.text for piece in pieces), tuple(signs))


def _spell(node: Any, parts: tuple[str, ...]) -> str:
    if not node.symbol:
        arguments = ", ".join(map(_argument, node.arguments))
        return f"{node.name}({arguments})" if arguments else node.name
    operands = [f"({part})" if wrap else part for part, wrap in zip(parts, _wrapped(node), strict=True)]
    if len(operands) > 1:
        return f" {node.symbol} ".join(operands)
    bound = f"{node.variable.name} " if hasattr(node, "variable") else ""
    return f"{node.symbol}{bound}{operands[0]}"


def _pieces(node: Any, parts: tuple[tuple[Piece, ...], ...]) -> tuple[Piece, ...]:
    if not node.symbol:
        found = [Piece(_in_words(node.name))]
        for number, argument in enumerate(node.arguments):
            found += [Piece("," if number else "("), Piece(_in_words(argument.name))]
        return (*found, Piece(")")) if node.arguments else tuple(found)
    operands = [
        (Piece("("), *part, Piece(")")) if wrap else part for part, wrap in zip(parts, _wrapped(node), strict=True)
    ]
    symbol = Piece(node.symbol, -1 if node.symbol == "¬" else 1)
    if len(operands) > 1:
        return tuple(p for number, part in enumerate(operands) for p in ((symbol, *part) if number else part))
    return (symbol, *((Piece(node.variable.name),) if hasattr(node, "variable") else ()), *operands[0])


def _wrapped(node: Any) -> list[bool]:
    """Which operands need parentheses: looser ones, and those that would join the chain or lean to the other side."""
    binding = [child.binding for child in node.children]
    if node.symbol == "→":
        return [binding[0] <= node.binding, binding[1] < node.binding]
    if node.symbol == "↔":
        return [binding[0] < node.binding, binding[1] <= node.binding]
    if len(binding) == 1:
        return [binding[0] < node.binding]
    return [inner <= node.binding for inner in binding]


def _argument(argument: Argument) -> str:
    name = argument.name
    if isinstance(argument, Variable):
        return name
    bare = _BARE.fullmatch(name) and not _VARIABLE.fullmatch(name) and name not in RESERVED
    return name if bare else quote(name)


def _in_words(name: str) -> str:
    """A name as words: split at underscores and where capitals begin."""
    return " ".join(_WORDS.sub(" ", name).split()) or name
