"""Tree to text: the canonical spelling."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

_NAME: Final = re.compile(r"(?!(?i:in|not|contains|exists|true|false)(?![\w.\-]))[^\W\d][\w.\-]*")
"""The name of a field without quotes, as in ``language.lark``."""

# By operator: operands in parentheses. The grammar would misread looser ones, and an operand of the operator's own
# kind would become part of the chain.
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
    """Spell a query: terms quoted, conditions in brackets, operators as words, and no needless parentheses.

    With the defaults this is ``str(query)``, and ``parse(str(query)) == query``. Other notations, such as HTML, pass
    functions of their own.

    Args:
        query: The query.
        term: Spells a term's text, once for each occurrence, in the order of the text.
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
    """Spell the value of a condition, or the list of its values."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(spell_value, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def _condition(node: Any) -> str:
    name = node.field if _NAME.fullmatch(node.field) else quote(node.field)
    return f"[{name} {node.operator}{'' if node.value is None else f' {spell_value(node.value)}'}]"
