"""Negation-aware, logical retrieval over any vector store."""

from logical_retriever.embedding import Embedder
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.explain import Explanation
from logical_retriever.query import And, Condition, FieldInfo, LogicalQuery, Not, Or, Term, parse
from logical_retriever.reading import (
    LogicalQueryTransformer,
    QueryTransformer,
    QuestionReader,
    ReadQuestion,
)
from logical_retriever.reading.passages import PassageReader, Verifier
from logical_retriever.results import Cost, RankedDocument, SearchResult, Verdict
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.scoring import Semantics, get_semantics
from logical_retriever.stores import (
    ChromaStore,
    InMemoryStore,
    SqlFilter,
    SqlStore,
    Store,
    StoredDocument,
    discover_fields,
)

__version__ = "0.1.0"

__all__ = [
    "And",
    "ChromaStore",
    "Condition",
    "Cost",
    "Embedder",
    "Explanation",
    "FieldInfo",
    "InMemoryStore",
    "LogicalQuery",
    "LogicalQueryTransformer",
    "LogicalRetriever",
    "LogicalRetrieverError",
    "Not",
    "Or",
    "PassageReader",
    "QueryTransformer",
    "QuestionReader",
    "RankedDocument",
    "ReadQuestion",
    "SearchResult",
    "Semantics",
    "SentenceTransformerEmbedder",
    "SqlFilter",
    "SqlStore",
    "Store",
    "StoredDocument",
    "Term",
    "Verdict",
    "Verifier",
    "discover_fields",
    "get_semantics",
    "parse",
]
