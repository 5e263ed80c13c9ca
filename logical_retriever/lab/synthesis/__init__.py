"""Test sets made from a user's own documents with a language model.

Two pipelines: three-term logical queries (papers: ITLR, appendices H and I) and the 14 query types of ComLQ. Both
write a BEIR folder and keep every answer of the model in a journal, so that an interrupted run continues.
"""

from logical_retriever.lab.synthesis.conditions import (
    Condition,
    hard_negatives,
    negated_terms,
    positive_conditions,
    satisfies,
)
from logical_retriever.lab.synthesis.pooling import Ranker, bm25_ranker, dense_ranker
from logical_retriever.lab.synthesis.results import Stop, Synthesis
from logical_retriever.lab.synthesis.template_pipeline import synthesize_templates
from logical_retriever.lab.synthesis.templates import QueryTemplate, query_templates
from logical_retriever.lab.synthesis.typed_pipeline import synthesize_typed
from logical_retriever.lab.synthesis.typed_queries import QueryType, query_types

__all__ = [
    "Condition",
    "QueryTemplate",
    "QueryType",
    "Ranker",
    "Stop",
    "Synthesis",
    "bm25_ranker",
    "dense_ranker",
    "hard_negatives",
    "negated_terms",
    "positive_conditions",
    "query_templates",
    "query_types",
    "satisfies",
    "synthesize_templates",
    "synthesize_typed",
]
