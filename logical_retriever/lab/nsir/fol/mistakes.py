"""Mistakes in a text that is not a formula, in words: for the person or the language model that wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logical_retriever.errors import FormulaSyntaxError, Span
from logical_retriever.query.mistakes import Lexeme

OPERAND: Final = ("a predicate", "¬", "∀", "∃", 'an opening parenthesis "("')
CONNECTIVE: Final = "a connective (∧ ∨ ⊕ → ↔)"
ARGUMENT: Final = ("a variable", "a constant")

_CONNECTIVES: Final = frozenset({"NOT", "_AND", "_OR", "_XOR", "_IMPLIES", "_IFF"})
_QUANTIFIERS: Final = frozenset({"FORALL", "EXISTS"})
_NAMES: Final = frozenset({"NAME", "VARIABLE", "NUMBER", "QUOTED"})

_CHARACTERS: Final = {
    "^": "Write ∧ for AND or ⊕ for exclusive OR: ^ is used for both.",
    "=": "There is no equality: write a predicate, Equals(x, y).",
    "≠": "There is no equality: write a predicate, ¬Equals(x, y).",
    "<": "There are no comparisons: write a predicate, LessThan(x, y).",
    ">": "There are no comparisons: write a predicate, GreaterThan(x, y).",
    "≤": "There are no comparisons: write a predicate, ¬GreaterThan(x, y).",
    "≥": "There are no comparisons: write a predicate, ¬LessThan(x, y).",
    "[": "Group with round parentheses ( ).",
    "]": "Group with round parentheses ( ).",
    "{": "Group with round parentheses ( ).",
    "}": "Group with round parentheses ( ).",
    ".": "A quantifier is followed by its formula in parentheses: ∀x (A(x) → B(x)); a formula has no final full stop.",
    ":": "A quantifier is followed by its formula in parentheses: ∀x (A(x) → B(x)).",
    "'": 'Quote a constant with double quotes ".',
    "‘": 'Quote a constant with double quotes ".',
    "“": 'Quote a constant with straight double quotes ".',
    "”": 'Quote a constant with straight double quotes ".',
    ";": "Write one formula a line.",
    "+": "Names have letters, digits and underscores.",
    "-": "Names have letters, digits and underscores; an implication is written → or ->.",
}


def explain_character(text: str, position: int) -> FormulaSyntaxError:
    """Say what is wrong with the character at ``position``, which begins nothing."""
    character = text[position]
    if character == '"':
        return _error(
            f"The quote opened at character {position} is never closed, or holds nothing.",
            text,
            Span(position, position + 1),
            ("a constant in double quotes",),
            'Close it with a straight quote ("); a quote inside is written \\".',
        )
    hint = _CHARACTERS.get(character, "Use predicates, variables, constants, ¬ ∧ ∨ ⊕ → ↔ ∀ ∃ and parentheses alone.")
    return _error(f"{_shown(character)} is no part of a formula.", text, Span(position, position + 1), (), hint)


def not_unicode(text: str, span: Span) -> FormulaSyntaxError:
    """Say that a text is not valid Unicode."""
    return _error(
        "The text is not valid Unicode.",
        text,
        span,
        ("a character",),
        "Decode the text with the encoding it was written in, most often UTF-8, before parsing it.",
    )


def explain(text: str, before: Sequence[Lexeme], culprit: Lexeme | None) -> FormulaSyntaxError:
    """Say why a text cannot go on with ``culprit`` (None: cannot end) after the lexemes before it."""
    span = Span(len(text), len(text)) if culprit is None else culprit.span
    last = before[-1] if before else None
    if last is None and culprit is None:
        return _error("The formula is empty.", text, span, OPERAND, "Write at least one predicate: Treats(x, Drug).")
    quantifier = _open_quantifier(before)
    if quantifier is not None and (last is quantifier or (culprit is not None and culprit.kind == "_COMMA")):
        return _error(
            f"{_shown(quantifier.text)} binds no variable here.",
            text,
            span,
            ("a variable",),
            "A variable is one lower-case letter, with a number or without, then a space: ∀x (P(x)).",
        )
    inside = _open_predicate(before)
    if inside is not None and not (culprit is None and last is not None and last.kind in _NAMES):
        return _in_arguments(text, span, last, culprit)
    if culprit is not None and culprit.kind in _NAMES - {"NAME"} and _needs_operand(last, quantifier):
        return _error(
            f"{_shown(culprit.text)} is no predicate.",
            text,
            span,
            OPERAND,
            "A predicate has a name of two letters or more, or a capital: Dog(x), P(x).",
        )
    if _needs_operand(last, quantifier):
        return _operand_missing(text, span, last, culprit)
    opened = _open_parentheses(before)
    if culprit is None:
        return _error(
            f"The parenthesis opened at character {opened[-1].span.start} is never closed.",
            text,
            opened[-1].span,
            ('a closing parenthesis ")" before the end of the formula',),
            'Add ")" where the group ends, or remove this "(".',
        )
    follow = (CONNECTIVE, 'a closing parenthesis ")"' if opened else "the end of the formula")
    if culprit.kind == "CLOSE":
        return _error(
            "This closing parenthesis was never opened.", text, span, follow, 'Remove it, or add "(" where it begins.'
        )
    if culprit.kind == "NOT":
        hint = "Negation joins nothing: write ∧ ¬."
    elif culprit.kind == "_COMMA":
        hint = "A comma stands between arguments alone: join formulas with ∧."
    else:
        hint = "Join the two with a connective, or write one formula a line."
    return _error(f"A connective is missing before {_shown(culprit.text)}.", text, span, follow, hint)


def _in_arguments(text: str, span: Span, last: Lexeme | None, culprit: Lexeme | None) -> FormulaSyntaxError:
    shown = "the end" if culprit is None else _shown(culprit.text)
    complete = last is not None and last.kind in _NAMES
    expected = ("a comma", 'a closing parenthesis ")"') if complete else ARGUMENT
    if complete and culprit is not None and culprit.kind == "OPEN":
        hint = "Arguments are variables and constants; a function becomes a predicate of its own: FatherOf(y, x)."
    elif culprit is not None and culprit.kind in _CONNECTIVES | _QUANTIFIERS:
        hint = "Arguments are variables and constants, not formulas; quote a constant that is a connective's word."
    elif complete and culprit is not None and culprit.kind in _NAMES:
        hint = 'Put a comma between two arguments, or quote a constant of several words: "New York".'
    else:
        hint = "Arguments are variables and constants, with commas between them: Treats(x, Penicillin)."
    return _error(f"{shown[0].upper()}{shown[1:]} cannot stand among the arguments.", text, span, expected, hint)


def _operand_missing(text: str, span: Span, last: Lexeme | None, culprit: Lexeme | None) -> FormulaSyntaxError:
    if culprit is None:
        problem = f"{_shown(last.text)} has nothing on its right." if last is not None else "The formula is empty."
        hint = "Add the formula that belongs there, or remove it."
    elif culprit.kind == "CLOSE":
        problem, hint = "There is no formula before this parenthesis.", "Put a formula there, or remove the connective."
    elif culprit.kind == "_COMMA":
        problem, hint = "There is no formula before this comma.", "Join formulas with ∧."
    else:
        problem = f"{_shown(culprit.text)} has nothing on its left."
        hint = "Add the formula that belongs before it, or remove it."
    return _error(problem, text, span, OPERAND, hint)


def _needs_operand(last: Lexeme | None, quantifier: Lexeme | None) -> bool:
    """Whether a formula has to follow: at the beginning, after a connective, a parenthesis, a bound variable."""
    return last is None or last.kind == "OPEN" or last.kind in _CONNECTIVES or quantifier is not None


def _open_quantifier(before: Sequence[Lexeme]) -> Lexeme | None:
    """The quantifier whose variables end the text so far."""
    for lexeme in reversed(before):
        if lexeme.kind in _QUANTIFIERS:
            return lexeme
        if lexeme.kind not in ("VARIABLE", "_COMMA"):
            return None
    return None


def _open_predicate(before: Sequence[Lexeme]) -> Lexeme | None:
    """The predicate whose arguments are not closed yet."""
    opened: list[Lexeme | None] = []
    for previous, lexeme in zip((None, *before), before, strict=False):
        if lexeme.kind == "OPEN":
            opened.append(previous if previous is not None and previous.kind == "NAME" else None)
        elif lexeme.kind == "CLOSE":
            opened.pop()
    return opened[-1] if opened else None


def _open_parentheses(before: Sequence[Lexeme]) -> list[Lexeme]:
    """Opening parentheses without their closing one, outermost first."""
    opened: list[Lexeme] = []
    for lexeme in before:
        if lexeme.kind == "OPEN":
            opened.append(lexeme)
        elif lexeme.kind == "CLOSE":
            opened.pop()
    return opened


def _error(problem: str, text: str, span: Span, expected: tuple[str, ...], hint: str) -> FormulaSyntaxError:
    return FormulaSyntaxError(problem, text=text, span=span, expected=expected, hint=hint)


def _shown(text: str) -> str:
    """A piece of the text on one line, in quotes."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f'"{line if len(line) <= 40 else line[:37] + "..."}"'
