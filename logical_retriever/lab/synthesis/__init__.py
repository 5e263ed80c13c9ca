"""Test sets made from a user's own documents with a language model.

Two pipelines: three-term logical queries (papers: ITLR, appendices H and I) and the 14 query types of ComLQ. Both
write a BEIR folder and keep every answer of the model in a journal, so that an interrupted run continues.
"""

from logical_retriever.lab.synthesis.conditions import (
    Condition as Condition,
    hard_negatives as hard_negatives,
    negated_terms as negated_terms,
    positive_conditions as positive_conditions,
    satisfies as satisfies,
)
from logical_retriever.lab.synthesis.pooling import (
    Ranker as Ranker,
    bm25_ranker as bm25_ranker,
    dense_ranker as dense_ranker,
)
from logical_retriever.lab.synthesis.results import Stop as Stop, Synthesis as Synthesis
from logical_retriever.lab.synthesis.template_pipeline import synthesize_templates as synthesize_templates
from logical_retriever.lab.synthesis.templates import QueryTemplate as QueryTemplate, query_templates as query_templates
from logical_retriever.lab.synthesis.typed_pipeline import synthesize_typed as synthesize_typed
from logical_retriever.lab.synthesis.typed_queries import QueryType as QueryType, query_types as query_types
