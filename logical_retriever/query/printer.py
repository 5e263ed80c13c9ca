"""Tree to text: the canonical spelling, and a drawing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

from logical_retriever.trees import Tree

NAME: Final = re.compile(r"[^\W\d][\w.\-]*")
"""The name of a field that needs no quotes, but for :data:`RESERVED`."""
RESERVED: Final = frozenset({"in", "not", "contains", "exists", "true", "false"})
"""Words of conditions."""

# Operands that need parentheses below each operator. The grammar would misread the looser ones; an operand of the
# operator's own kind would become part of the chain.
_PARENTHESISED: Final = {"NOT": ("AND", "OR"), "AND": ("AND", "OR"), "OR": ("OR",)}


def to_text(query: Tree[Any]) -> str:
    r"""Spell a query canonically: terms quoted, conditions in brackets, operators as words, no parenthesis too many.

    ``parse(to_text(query)) == query`` for every query.

    Examples:
        >>> from logical_retriever.query import And, Term
        >>> a, b, c = Term("a"), Term('say "b"'), Term("c")
        >>> print(to_text(~(a | b) & c))
        NOT ("a" OR "say \"b\"") AND "c"
        >>> print(to_text(And((And((a, b)), c))))
        ("a" AND "say \"b\"") AND "c"
    """
    return spell(query)


def spell(
    query: Tree[Any],
    *,
    term: Callable[[str], str] | None = None,
    word: Callable[[str], str] = str,
    condition: Callable[[str], str] = str,
) -> str:
    """Spell a query as :func:`to_text` does, with terms and operators in a notation of the caller's, such as HTML.

    Args:
        query: The query.
        term: Spells a term's text; called once for each occurrence, in the order of the text. None for
            :func:`quote`.
        word: Spells "NOT", "AND" and "OR".
        condition: Spells a condition, given its canonical text.

    Examples:
        >>> from logical_retriever.query import Term
        >>> print(spell(Term("a") & ~Term("b"), term=str.upper, word=str.lower))
        A and not B
    """
    quoted = quote if term is None else term

    def visit(node: Any, parts: tuple[str, ...]) -> str:
        if not node.connective:
            return quoted(node.text) if hasattr(node, "text") else condition(_condition(node))
        wrapped = _PARENTHESISED[node.connective]
        pairs = zip(node.children, parts, strict=True)
        operands = [f"({part})" if child.connective in wrapped else part for child, part in pairs]
        operator = word(node.connective)
        return f" {operator} ".join(operands) if len(operands) > 1 else f"{operator} {operands[0]}"

    return query.fold(visit)


def to_tree(query: Tree[Any]) -> str:
    r"""Draw a query as an indented tree, one node a line; characters that do not print are shown as escapes.

    Examples:
        >>> from logical_retriever.query import Term
        >>> print(to_tree(Term("vitamin D") & ~(Term("bone\nhealth") | Term("skin"))))
        AND
        ├── "vitamin D"
        └── NOT
            └── OR
                ├── "bone\nhealth"
                └── "skin"
    """
    lines: list[str] = query.fold(_draw)
    return "\n".join(lines)


def quote(text: str) -> str:
    r"""Spell a text as a quoted term.

    Examples:
        >>> print(quote('a "b" \\ c'))
        "a \"b\" \\ c"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _draw(node: Any, parts: tuple[list[str], ...]) -> list[str]:
    if not node.connective:
        leaf = quote(node.text) if hasattr(node, "text") else _condition(node)
        return ["".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in leaf)]
    lines: list[str] = [node.connective]
    for number, (first, *rest) in enumerate(parts, start=1):
        branch, below = ("└── ", "    ") if number == len(parts) else ("├── ", "│   ")
        lines += [branch + first, *(below + line for line in rest)]
    return lines


def _condition(node: Any) -> str:
    name = node.field if NAME.fullmatch(node.field) and node.field.lower() not in RESERVED else quote(node.field)
    values = f"[{', '.join(map(_value, node.value))}]" if isinstance(node.value, tuple) else _value(node.value)
    return f"[{name} {node.operator}]" if node.value is None else f"[{name} {node.operator} {values}]"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    return value.isoformat() if isinstance(value, date) else repr(value)
