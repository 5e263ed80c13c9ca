"""First-order logic: text <-> formula. No vectors, no language model."""

from logical_retriever.lab.nsir.fol.arguments import (
    Argument as Argument,
    Constant as Constant,
    Variable as Variable,
    is_predicate_name as is_predicate_name,
)
from logical_retriever.lab.nsir.fol.nodes import (
    MAX_ARGUMENTS as MAX_ARGUMENTS,
    MAX_DEPTH as MAX_DEPTH,
    MAX_PREDICATES as MAX_PREDICATES,
    Conjunction as Conjunction,
    Disjunction as Disjunction,
    Equivalence as Equivalence,
    ExclusiveDisjunction as ExclusiveDisjunction,
    Exists as Exists,
    ForAll as ForAll,
    Formula as Formula,
    Implication as Implication,
    Negation as Negation,
    Predicate as Predicate,
)
from logical_retriever.lab.nsir.fol.parser import MAX_LENGTH as MAX_LENGTH, parse as parse
from logical_retriever.lab.nsir.fol.printer import Spelling as Spelling, spell as spell, to_text as to_text
