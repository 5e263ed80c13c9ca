"""Text to formula. The only file of first-order logic that knows the parser generator."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from logical_retriever.errors import FormulaLimitError, InvalidArgumentError, Span
from logical_retriever.lab.nsir.fol import mistakes
from logical_retriever.lab.nsir.fol.arguments import Argument, Constant, Variable
from logical_retriever.lab.nsir.fol.nodes import (
    Conjunction,
    Disjunction,
    Equivalence,
    ExclusiveDisjunction,
    Exists,
    ForAll,
    Formula,
    Implication,
    Negation,
    Predicate,
)
from logical_retriever.query.mistakes import Lexeme

MAX_LENGTH: Final = 20_000
"""Most characters the text of a formula may have."""


def parse(text: str) -> Formula:
    r"""Read a formula of first-order logic.

    ¬ and the quantifiers bind tightest, then ∧, ⊕, ∨, → (``A → B → C`` is ``A → (B → C)``) and ↔; parentheses group.
    A quantifier governs what directly follows it: ``∀x P(x) → Q(x)`` is ``(∀x P(x)) → Q(x)``.

    **Predicates** are names, with arguments in parentheses or without: ``Treats(x, Penicillin)``, ``Raining``.
    **Variables** are one lower-case letter, with a number or without; free ones are allowed. Every other name, number
    or quoted text that stands as an argument is a **constant**.

    **ASCII spellings**: ``not ~ !``, ``and & && /\``, ``or | || \/``, ``xor``, ``implies -> =>``, ``iff <-> <=>``,
    ``forall``, ``exists`` (words in lower or upper case, whole), and LaTeX's (``\neg``, ``\land``, ``\forall``, ...).
    ``^`` is refused, since some mean AND by it and some XOR.

    Args:
        text: The formula, at most ``MAX_LENGTH`` characters.

    Returns:
        The formula; every node keeps the span of the text that it was read from.

    Raises:
        FormulaSyntaxError: The text is not a formula.
        FormulaLimitError: It is longer, deeper or has more predicates or arguments than the bounds allow.
        InvalidArgumentError: ``text`` is no text.

    Examples:
        >>> print(parse("forall x (Dog(x) and not Barks(x) -> Quiet(x))"))
        ∀x (Dog(x) ∧ ¬Barks(x) → Quiet(x))
        >>> parse("Dog(x) Cat(x)")
        Traceback (most recent call last):
        logical_retriever.errors.FormulaSyntaxError: A connective is missing before "Cat". (characters 7-10)
          Dog(x) Cat(x)
                 ^^^
        Expected a connective (∧ ∨ ⊕ → ↔) or the end of the formula.
        Hint: Join the two with a connective, or write one formula a line.
        More: docs/errors.md#formulasyntaxerror
    """
    if not isinstance(text, str):
        raise InvalidArgumentError(f"A formula is parsed from text, got {type(text).__name__}.", hint="Give a str.")
    if len(text) > MAX_LENGTH:
        raise FormulaLimitError(
            f"The formula has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.",
            hint="Write several formulas instead of one.",
        )
    if surrogate := _SURROGATE.search(text):
        raise mistakes.not_unicode(text, Span(*surrogate.span()))
    try:
        part: _Part = _LARK.parse(text)  # type: ignore[assignment]  # Lark types the result without a transformer
    except UnexpectedCharacters as error:
        position: int = error.pos_in_stream  # type: ignore[assignment]  # Lark declares it on the base, as None
        raise mistakes.explain_character(text, position) from None
    except UnexpectedToken as error:
        culprit = None if error.token.type == "$END" else _lexeme(error.token)
        raise mistakes.explain(text, _lexemes_before(text, culprit), culprit) from None
    return part.formula


class _Part(NamedTuple):
    """A sub-formula and its extent, which includes parentheses around it."""

    formula: Formula
    extent: Span


@v_args(inline=True)
class _Builder(Transformer[Token, _Part]):
    """One method for each alternative of the grammar."""

    def proposition(self, name: Token, *parentheses: Token) -> _Part:
        span = _between(name, parentheses[-1] if parentheses else name)
        return _Part(Predicate(str(name), (), span), span)

    def predicate(self, name: Token, opening: Token, arguments: tuple[Argument, ...], closing: Token) -> _Part:
        del opening  # the span ends at the closing one
        span = _between(name, closing)
        return _Part(Predicate(str(name), arguments, span), span)

    def arguments(self, *arguments: Argument) -> tuple[Argument, ...]:
        return arguments

    def variables(self, *names: Token) -> tuple[Variable, ...]:
        return tuple(Variable(str(name)) for name in names)

    def variable(self, token: Token) -> Variable:
        return Variable(str(token))

    def constant(self, token: Token) -> Constant:
        return Constant(str(token))

    def quoted(self, token: Token) -> Constant:
        return Constant(_ESCAPE.sub(r"\1", token[1:-1]))

    def group(self, opening: Token, part: _Part, closing: Token) -> _Part:
        return _Part(part.formula, _between(opening, closing))

    def negate(self, operator: Token, part: _Part) -> _Part:
        span = Span(_span(operator).start, part.extent.end)
        return _Part(Negation(part.formula, span), span)

    def forall(self, quantifier: Token, variables: tuple[Variable, ...], part: _Part) -> _Part:
        return _quantified(ForAll, quantifier, variables, part)

    def exists(self, quantifier: Token, variables: tuple[Variable, ...], part: _Part) -> _Part:
        return _quantified(Exists, quantifier, variables, part)

    def conjunction(self, *parts: _Part) -> _Part:
        return _chain(Conjunction, parts)

    def exclusive(self, *parts: _Part) -> _Part:
        return _chain(ExclusiveDisjunction, parts)

    def disjunction(self, *parts: _Part) -> _Part:
        return _chain(Disjunction, parts)

    def implication(self, left: _Part, right: _Part) -> _Part:
        span = Span(left.extent.start, right.extent.end)
        return _Part(Implication(left.formula, right.formula, span), span)

    def equivalence(self, left: _Part, right: _Part) -> _Part:
        span = Span(left.extent.start, right.extent.end)
        return _Part(Equivalence(left.formula, right.formula, span), span)


def _quantified(
    kind: type[ForAll] | type[Exists], quantifier: Token, variables: tuple[Variable, ...], part: _Part
) -> _Part:
    """``∀x y A`` is ``∀x ∀y A``."""
    span = Span(_span(quantifier).start, part.extent.end)
    formula = part.formula
    for variable in reversed(variables):
        formula = kind(variable, formula, span)
    return _Part(formula, span)


def _chain(kind: type[Conjunction] | type[ExclusiveDisjunction] | type[Disjunction], parts: tuple[_Part, ...]) -> _Part:
    span = Span(parts[0].extent.start, parts[-1].extent.end)
    return _Part(kind(tuple(part.formula for part in parts), span), span)


def _span(token: Token) -> Span:
    return Span(token.start_pos, token.end_pos)  # type: ignore[arg-type]  # None only on tokens made by hand


def _between(first: Token, last: Token) -> Span:
    return Span(_span(first).start, _span(last).end)


def _lexeme(token: Token) -> Lexeme:
    return Lexeme(token.type, str(token), _span(token))


def _lexemes_before(text: str, culprit: Lexeme | None) -> list[Lexeme]:
    """Lex the text again up to the culprit, or to its end."""
    found: list[Lexeme] = []
    for token in _LARK.lex(text):
        lexeme = _lexeme(token)
        if culprit is not None and lexeme.span.start >= culprit.span.start:
            break
        found.append(lexeme)
    return found


_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_ESCAPE: Final = re.compile(r'\\(["\\])')

# Built once, on import; see the parser of logical queries.
_LARK: Final = Lark(
    files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8"),
    parser="lalr",
    lexer="basic",
    transformer=_Builder(),
)
