"""First-order logic: text <-> formula. No vectors, no language model."""

from logical_retriever.lab.nsir.fol.arguments import Argument, Constant, Variable, is_predicate_name
from logical_retriever.lab.nsir.fol.nodes import (
    MAX_ARGUMENTS,
    MAX_DEPTH,
    MAX_PREDICATES,
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
from logical_retriever.lab.nsir.fol.parser import MAX_LENGTH, parse
from logical_retriever.lab.nsir.fol.printer import Spelling, spell, to_text

__all__ = [
    "MAX_ARGUMENTS",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_PREDICATES",
    "Argument",
    "Conjunction",
    "Constant",
    "Disjunction",
    "Equivalence",
    "ExclusiveDisjunction",
    "Exists",
    "ForAll",
    "Formula",
    "Implication",
    "Negation",
    "Predicate",
    "Spelling",
    "Variable",
    "is_predicate_name",
    "parse",
    "spell",
    "to_text",
]
