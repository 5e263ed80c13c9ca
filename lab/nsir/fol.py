"""First-order logic: text to formula and back, and the spelling that an encoder reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from logical_retriever.errors import InvalidArgumentError

MAX_LENGTH: Final = 20_000
"""Most characters of a formula's text."""
MAX_DEPTH: Final = 48
"""Most levels of a formula; a predicate alone has one."""
MAX_PREDICATES: Final = 512
MAX_ARGUMENTS: Final = 16

BINDING: Final = {"↔": 1, "→": 2, "∨": 3, "⊕": 4, "∧": 5, "¬": 6, "∀": 6, "∃": 6, "": 7}
"""How tightly a connective or quantifier binds; more is tighter. A predicate has no symbol."""
_SYMBOLS: Final = dict(zip(("IFF", "IMPLIES", "OR", "XOR", "AND", "NOT", "FORALL", "EXISTS"), BINDING, strict=False))

_NAME: Final = r"[^\W\d]\w*(?:[-'’]\w+)*"
_VARIABLE: Final = re.compile(r"[a-z]\d*")
_BARE: Final = re.compile(rf"{_NAME}|\d\w*(?:\.\d+)*")
_CONNECTIVES: Final = {"not", "and", "or", "xor", "implies", "iff", "forall", "exists"}
_RESERVED: Final = _CONNECTIVES | {word.upper() for word in _CONNECTIVES}
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


class FormulaError(InvalidArgumentError):
    """A text that is no formula, or a formula beyond the bounds."""


@dataclass(frozen=True)
class Formula:
    """A predicate, or a connective or quantifier over formulas. ``parse(str(formula)) == formula``.

    Attributes:
        symbol: The connective or quantifier; empty for a predicate.
        name: Name of the predicate, or of the variable that a quantifier binds; empty for a connective.
        arguments: A predicate's variables and constants, as they are spelled; see :func:`constant`.
        parts: The formulas that the symbol stands before or between.

    Raises:
        FormulaError: It is deeper or larger than the bounds allow.
    """

    symbol: str = ""
    name: str = ""
    arguments: tuple[str, ...] = ()
    parts: tuple[Formula, ...] = ()
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", 1 + max((part.depth for part in self.parts), default=0))
        object.__setattr__(self, "size", sum(part.size for part in self.parts) or 1)
        if self.depth > MAX_DEPTH or self.size > MAX_PREDICATES or len(self.arguments) > MAX_ARGUMENTS:
            raise FormulaError(
                f"A formula has at most {MAX_DEPTH} levels and {MAX_PREDICATES} predicates of {MAX_ARGUMENTS} "
                "arguments.",
                hint="Write several formulas instead of one.",
            )

    def __str__(self) -> str:
        if not self.symbol:
            return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name
        operands = [f"({part})" if wrap else str(part) for part, wrap in zip(self.parts, self.wrapped(), strict=True)]
        bound = f"{self.name} " if self.name else ""
        return f" {self.symbol} ".join(operands) if len(operands) > 1 else f"{self.symbol}{bound}{operands[0]}"

    def wrapped(self) -> list[bool]:
        """Tell which parts need parentheses: looser ones, and those that would otherwise join the chain or regroup."""
        own, parts = BINDING[self.symbol], [BINDING[part.symbol] for part in self.parts]
        if self.symbol == "→":
            return [parts[0] <= own, parts[1] < own]
        if self.symbol == "↔":
            return [parts[0] < own, parts[1] <= own]
        return [part < own if len(parts) == 1 else part <= own for part in parts]


@dataclass(frozen=True)
class Spelling:
    """Formulas as one text for an encoder.

    Attributes:
        text: The pieces, with a space between two.
        signs: Start and end of each connective in the text, and its σ: -1 for ¬, 1 for the others.
    """

    text: str
    signs: tuple[tuple[int, int, int], ...]


def parse(text: str) -> Formula:
    r"""Read a formula of first-order logic.

    ¬ and the quantifiers bind tightest, then ∧, ⊕, ∨, → (to the right) and ↔; parentheses group. A quantifier governs
    what directly follows it. Variables are one lower-case letter, with a number or without; every other name, number or
    quoted text among the arguments is a constant. Programming signs, words and LaTeX are read as well; ``^`` is
    refused, since some mean AND by it and some XOR.

    Raises:
        FormulaError: The text is no formula, or one over the bounds; says at which character.

    Examples:
        >>> print(parse("forall x (Dog(x) and not Barks(x) -> Quiet(x))"))
        ∀x (Dog(x) ∧ ¬Barks(x) → Quiet(x))
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(
            f"The formula has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.",
            hint="Write several formulas instead of one.",
        )
    try:
        formula: Formula = _LARK.parse(text)  # type: ignore[assignment]  # Lark types the result without a transformer
    except UnexpectedInput as error:
        ended = getattr(getattr(error, "token", None), "type", "") == "$END"
        at = len(text) if ended or error.pos_in_stream is None else error.pos_in_stream
        raise FormulaError(
            f"{text[max(0, at - 40) : at + 40]!r} is no formula from character {at} on: "
            f"{repr(text[at : at + 20]) if at < len(text) else 'the end'} cannot stand there.",
            hint='Write predicates with arguments, A(x, "New York"), joined by ¬ ∧ ∨ ⊕ → ↔ ∀x ∃x and ( ), one formula '
            "a line.",
        ) from None
    return formula


def spell(formulas: Sequence[Formula]) -> Spelling:
    """Spell formulas as one text in words: names are split, signs stand alone, a full stop follows each formula.

    A sentence encoder splits ``CausesDisease`` into pieces that mean nothing ("causes", "##dis", "##ease"), and reads a
    sign only where it stands alone.

    Examples:
        >>> spell([parse("CausesDisease(x, Smoking) & ~treats_well(x)")]).text
        'Causes Disease ( x , Smoking ) ∧ ¬ treats well ( x ) .'
    """
    pieces = [piece for formula in formulas for piece in (*_pieces(formula), ".")]
    signs, start = [], 0
    for piece in pieces:
        # A constant may be spelled like a sign, but never alone: the signs are told by their type.
        if isinstance(piece, _Sign):
            signs.append((start, start + len(piece), -1 if piece == "¬" else 1))
        start += len(piece) + 1
    return Spelling(" ".join(pieces), tuple(signs))


def predicate(name: str, arguments: Sequence[str] = ()) -> Formula:
    """Build a predicate, or a proposition where there are no arguments.

    Args:
        name: Two characters or more or a capital, and no connective; see :func:`is_predicate_name`.
        arguments: Variables as they are, constants by :func:`constant`.
    """
    return Formula(name=name, arguments=tuple(arguments))


def negation(formula: Formula) -> Formula:
    """Build ``¬A``."""
    return Formula("¬", parts=(formula,))


def joined(symbol: str, parts: Sequence[Formula]) -> Formula:
    """Join formulas to a chain; a single formula is returned as it is."""
    return parts[0] if len(parts) == 1 else Formula(symbol, parts=tuple(parts))


def constant(text: str) -> str:
    """Spell a constant: in double quotes unless it is a name or a number that means nothing else."""
    if _BARE.fullmatch(text) and not _VARIABLE.fullmatch(text) and text not in _RESERVED:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_predicate_name(name: str) -> bool:
    """Tell whether a text can name a predicate."""
    return bool(re.fullmatch(_NAME, name)) and not _VARIABLE.fullmatch(name) and name not in _RESERVED


class _Sign(str):
    """A connective or quantifier among the pieces of a spelling."""


def _pieces(formula: Formula) -> list[str]:
    if not formula.symbol:
        pieces = [_in_words(formula.name)]
        for number, argument in enumerate(formula.arguments):
            pieces += ["," if number else "(", _in_words(_unquoted(argument))]
        return [*pieces, ")"] if formula.arguments else pieces
    pieces = [] if len(formula.parts) > 1 else [_Sign(formula.symbol), *([formula.name] if formula.name else [])]
    for number, (part, wrap) in enumerate(zip(formula.parts, formula.wrapped(), strict=True)):
        own = _pieces(part)
        pieces += [*([_Sign(formula.symbol)] if number else []), *(["(", *own, ")"] if wrap else own)]
    return pieces


def _in_words(name: str) -> str:
    """Split a name into words, at underscores and where capitals begin."""
    return " ".join(_WORDS.sub(" ", name).split()) or name


def _unquoted(argument: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", argument[1:-1]) if argument.startswith('"') else argument


@v_args(inline=True)
class _Builder(Transformer[Token, Formula]):
    """One method for each alternative of the grammar."""

    def predicate(self, name: Token, *arguments: str) -> Formula:
        return predicate(str(name), tuple(map(str, arguments)))

    def quoted(self, token: Token) -> str:
        return constant(_unquoted(token))

    def variables(self, *names: Token) -> tuple[str, ...]:
        return tuple(map(str, names))

    def negation(self, formula: Formula) -> Formula:
        return negation(formula)

    def quantified(self, sign: Token, variables: tuple[str, ...], formula: Formula) -> Formula:
        """Nest the quantifiers: ``∀x y A`` is ``∀x ∀y A``."""
        for variable in reversed(variables):
            formula = Formula(_SYMBOLS[sign.type], variable, parts=(formula,))
        return formula

    def chain(self, *parts: Any) -> Formula:
        return joined(_SYMBOLS[parts[1].type], parts[::2])


_LARK: Final = Lark(
    files(__package__).joinpath("fol.lark").read_text(encoding="utf-8"),
    parser="lalr",
    lexer="basic",
    transformer=_Builder(),
)
