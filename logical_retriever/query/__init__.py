"""The language: text <-> tree. No vectors, no language model."""

from logical_retriever.query.nodes import MAX_DEPTH, MAX_TERMS, And, LogicalQuery, Not, Or, Term
from logical_retriever.query.parser import MAX_LENGTH, parse
from logical_retriever.query.printer import quote, to_text, to_tree
from logical_retriever.query.rewrite import (
    Literal,
    flatten,
    has_logic,
    literals,
    negative_terms,
    positive_terms,
    to_nnf,
)

__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_TERMS",
    "And",
    "Literal",
    "LogicalQuery",
    "Not",
    "Or",
    "Term",
    "flatten",
    "has_logic",
    "literals",
    "negative_terms",
    "parse",
    "positive_terms",
    "quote",
    "to_nnf",
    "to_text",
    "to_tree",
]
