"""Tree to text: the canonical spelling, and a drawing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from logical_retriever.query.nodes import And, LogicalQuery, Not, Or, Term

_WORD: Final[dict[type[LogicalQuery], str]] = {Not: "NOT", And: "AND", Or: "OR"}

# Operands that need parentheses below each operator. The grammar would misread the looser ones; an operand of the
# operator's own kind would become part of the chain.
_PARENTHESISED: Final[dict[type[LogicalQuery], tuple[type[LogicalQuery], ...]]] = {
    Not: (And, Or),
    And: (And, Or),
    Or: (Or,),
}


def to_text(query: LogicalQuery) -> str:
    r"""Spell a query canonically: terms quoted, operators as words, no parenthesis more than needed.

    ``parse(to_text(query)) == query`` for every query.

    Examples:
        >>> a, b, c = Term("a"), Term('say "b"'), Term("c")
        >>> print(to_text(~(a | b) & c))
        NOT ("a" OR "say \"b\"") AND "c"
        >>> print(to_text(And((And((a, b)), c))))
        ("a" AND "say \"b\"") AND "c"
    """
    return spell(query)


def spell(query: LogicalQuery, *, term: Callable[[str], str] | None = None, word: Callable[[str], str] = str) -> str:
    """Spell a query as :func:`to_text` does, with terms and operators in a notation of the caller's, such as HTML.

    Args:
        query: The query.
        term: Spells a term's text; called once for each occurrence, in the order of the text; None is
            :func:`quote`.
        word: Spells "NOT", "AND" and "OR".

    Examples:
        >>> print(spell(Term("a") & ~Term("b"), term=str.upper, word=str.lower))
        A and not B
    """
    quoted = quote if term is None else term

    def visit(node: LogicalQuery, parts: tuple[str, ...]) -> str:
        if isinstance(node, Term):
            return quoted(node.text)
        wrapped = _PARENTHESISED[type(node)]
        pairs = zip(node.children, parts, strict=True)
        operands = [f"({part})" if isinstance(child, wrapped) else part for child, part in pairs]
        operator = word(_WORD[type(node)])
        return f"{operator} {operands[0]}" if isinstance(node, Not) else f" {operator} ".join(operands)

    return query.fold(visit)


def to_tree(query: LogicalQuery) -> str:
    r"""Draw a query as an indented tree, one node a line; characters that do not print are shown as escapes.

    Examples:
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


def _draw(node: LogicalQuery, parts: tuple[list[str], ...]) -> list[str]:
    if isinstance(node, Term):
        return ["".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in quote(node.text))]
    lines = [_WORD[type(node)]]
    for number, (first, *rest) in enumerate(parts, start=1):
        branch, below = ("└── ", "    ") if number == len(parts) else ("├── ", "│   ")
        lines += [branch + first, *(below + line for line in rest)]
    return lines
