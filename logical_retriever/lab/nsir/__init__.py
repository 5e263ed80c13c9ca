"""Second stages: what another retriever found is ranked anew. NS-IR compares first-order logic."""

from logical_retriever.lab.nsir.base import (
    PROBLEMS,
    PassageTranslator,
    Problem,
    Progress,
    QuestionTranslator,
    Translation,
)
from logical_retriever.lab.nsir.cache import FormulaCache
from logical_retriever.lab.nsir.from_query import QueryFormulas, from_query
from logical_retriever.lab.nsir.llm import LLMFormulas
from logical_retriever.lab.nsir.nsir import DEFAULT_K, NSIR
from logical_retriever.lab.nsir.progress import progress_bar
from logical_retriever.lab.nsir.results import PARTS, Parts, RerankedPassage, RerankResult, RerankWarning
from logical_retriever.lab.nsir.sentences import SentenceFormulas
from logical_retriever.lab.nsir.tokens import SentenceTransformerTokens, TokenEncoder, TokenVectors
from logical_retriever.lab.nsir.transport import TRANSPORTS, Transport

__all__ = [
    "DEFAULT_K",
    "NSIR",
    "PARTS",
    "PROBLEMS",
    "TRANSPORTS",
    "FormulaCache",
    "LLMFormulas",
    "Parts",
    "PassageTranslator",
    "Problem",
    "Progress",
    "QueryFormulas",
    "QuestionTranslator",
    "RerankResult",
    "RerankWarning",
    "RerankedPassage",
    "SentenceFormulas",
    "SentenceTransformerTokens",
    "TokenEncoder",
    "TokenVectors",
    "Translation",
    "Transport",
    "from_query",
    "progress_bar",
]
