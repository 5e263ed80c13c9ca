"""Tree to text: the canonical spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

NAME: Final = re.compile(r"(?!(?i:in|not|contains|exists|true|false)(?![\w.\-]))[^\W\d][\w.\-]*")
"""The name of a field that needs no quotes: no word of conditions, no sign."""

# Operands that need parentheses below each operator. The grammar would misread the looser ones; an operand of the
# operator's own kind would become part of the chain.
_PARENTHESISED: Final = {"NOT": ("AND", "OR"), "AND": ("AND", "OR"), "OR": ("OR",)}


def quote(text: str) -> str:
    r"""Spell a text as a quoted term.

    Examples:
        >>> print(quote('a "b" \\ c'))
        "a \"b\" \\ c"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def spell(
    query: Any,
    *,
    term: Callable[[str], str] = quote,
    word: Callable[[str], str] = str,
    condition: Callable[[str], str] = str,
) -> str:
    """Spell a query canonically: terms quoted, conditions in brackets, operators as words, no parenthesis too many.

    ``str(query)`` is this, and ``parse(str(query)) == query``; a caller may have a notation of its own, such as HTML.

    Args:
        query: The query.
        term: Spells a term's text; called once for each occurrence, in the order of the text. :func:`quote`
            by default.
        word: Spells "NOT", "AND" and "OR".
        condition: Spells a condition, given its canonical text.

    Examples:
        >>> from logical_retriever.query import Term
        >>> print(Term("a") & ~(Term("b") | Term("c")))
        "a" AND NOT ("b" OR "c")
        >>> print(spell(Term("a") & ~Term("b"), term=str.upper, word=str.lower))
        A and not B
    """

    def visit(node: Any, parts: tuple[str, ...]) -> str:
        if not node.connective:
            return term(node.text) if hasattr(node, "text") else condition(_condition(node))
        wrapped = _PARENTHESISED[node.connective]
        pairs = zip(node.children, parts, strict=True)
        operands = [f"({part})" if child.connective in wrapped else part for child, part in pairs]
        operator = word(node.connective)
        return f" {operator} ".join(operands) if len(operands) > 1 else f"{operator} {operands[0]}"

    text: str = query.fold(visit)
    return text


def spell_value(value: Any) -> str:
    """Spell a value of a condition, or several, as a query has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(spell_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def _condition(node: Any) -> str:
    name = node.field if NAME.fullmatch(node.field) else quote(node.field)
    return f"[{name} {node.operator}{'' if node.value is None else f' {spell_value(node.value)}'}]"
