"""The language: text <-> tree. No vectors, no language model."""

from logical_retriever.query.conditions import (
    necessary_condition as necessary_condition,
    refuse_conditions as refuse_conditions,
)
from logical_retriever.query.fields import FieldInfo as FieldInfo, Fields as Fields, discovered as discovered
from logical_retriever.query.metadata import decider as decider, holds as holds
from logical_retriever.query.nodes import (
    And as And,
    Condition as Condition,
    LogicalQuery as LogicalQuery,
    Not as Not,
    Or as Or,
    Term as Term,
)
from logical_retriever.query.parser import parse as parse
from logical_retriever.query.printer import quote as quote, spell as spell
from logical_retriever.query.rewrite import (
    Literal as Literal,
    flatten as flatten,
    has_logic as has_logic,
    literals as literals,
    negative_terms as negative_terms,
    positive_terms as positive_terms,
    to_nnf as to_nnf,
)
from logical_retriever.query.values import (
    MAX_DEPTH as MAX_DEPTH,
    MAX_TERMS as MAX_TERMS,
    MAX_VALUES as MAX_VALUES,
    Operator as Operator,
    Scalar as Scalar,
    Value as Value,
)
