"""The language: text <-> tree. No vectors, no language model."""

from logical_retriever.query._fields import FieldInfo as FieldInfo, Fields as Fields, discovered as discovered
from logical_retriever.query._metadata import Decider as Decider, decider as decider, holds as holds
from logical_retriever.query._nodes import (
    And as And,
    Condition as Condition,
    LogicalQuery as LogicalQuery,
    Not as Not,
    Or as Or,
    Term as Term,
)
from logical_retriever.query._parser import parse as parse
from logical_retriever.query._printer import quote as quote, spell as spell
from logical_retriever.query._rewrite import (
    Literal as Literal,
    all_of as all_of,
    conjuncts as conjuncts,
    contradiction as contradiction,
    flatten as flatten,
    has_logic as has_logic,
    literals as literals,
    necessary_condition as necessary_condition,
    negative_terms as negative_terms,
    positive_terms as positive_terms,
    refuse_conditions as refuse_conditions,
    to_nnf as to_nnf,
    without_conditions as without_conditions,
    without_exclusions as without_exclusions,
)
from logical_retriever.query._values import (
    MAX_DEPTH as MAX_DEPTH,
    MAX_TERMS as MAX_TERMS,
    MAX_VALUES as MAX_VALUES,
    Operator as Operator,
    Scalar as Scalar,
    Value as Value,
)
