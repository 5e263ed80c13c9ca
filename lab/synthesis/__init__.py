"""Test sets made from a user's own documents with a language model, as BEIR folders.

Two pipelines: three-term logical queries (ITLR, appendices H and I) and the 14 query types of ComLQ.
"""

from lab.synthesis.comlq import synthesize_typed as synthesize_typed
from lab.synthesis.itlr import synthesize_templates as synthesize_templates
from lab.synthesis.running import Synthesis as Synthesis
from lab.synthesis.three_terms import query_templates as query_templates
from lab.synthesis.typed_queries import query_types as query_types
