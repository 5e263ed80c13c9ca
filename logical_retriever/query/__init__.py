"""The language: text <-> tree. No vectors, no language model."""

from logical_retriever.query.nodes import MAX_DEPTH, MAX_TERMS, And, LogicalQuery, Not, Or, Term
from logical_retriever.query.parser import MAX_LENGTH, parse
from logical_retriever.query.rewrite import Literal, flatten, literals, to_nnf

__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_TERMS",
    "And",
    "LogicalQuery",
    "Literal",
    "Not",
    "Or",
    "Term",
    "flatten",
    "literals",
    "parse",
    "to_nnf",
]
