"""Tree to text: the canonical spelling, and a drawing."""

from __future__ import annotations

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
    return query.fold(_spell)


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


def _spell(node: LogicalQuery, parts: tuple[str, ...]) -> str:
    if isinstance(node, Term):
        return quote(node.text)
    wrapped = _PARENTHESISED[type(node)]
    pairs = zip(node.children, parts, strict=True)
    operands = [f"({part})" if isinstance(child, wrapped) else part for child, part in pairs]
    return f"NOT {operands[0]}" if isinstance(node, Not) else f" {_WORD[type(node)]} ".join(operands)


def _draw(node: LogicalQuery, parts: tuple[list[str], ...]) -> list[str]:
    if isinstance(node, Term):
        return ["".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in quote(node.text))]
    lines = [_WORD[type(node)]]
    for number, (first, *rest) in enumerate(parts, start=1):
        branch, below = ("└── ", "    ") if number == len(parts) else ("├── ", "│   ")
        lines += [branch + first, *(below + line for line in rest)]
    return lines
