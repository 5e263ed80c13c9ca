"""NS-IR: passages that another retriever found, ranked by first-order logic."""

from logical_retriever.lab.nsir.fol import Formula as Formula, parse as parse
from logical_retriever.lab.nsir.rerank import (
    NSIR as NSIR,
    Parts as Parts,
    ReadText as ReadText,
    RerankedPassage as RerankedPassage,
    RerankResult as RerankResult,
    RerankWarning as RerankWarning,
)
from logical_retriever.lab.nsir.sentences import SentenceFormulas as SentenceFormulas
from logical_retriever.lab.nsir.tokens import SentenceTransformerTokens as SentenceTransformerTokens
from logical_retriever.lab.nsir.translate import (
    LLMFormulas as LLMFormulas,
    QueryFormulas as QueryFormulas,
    Translation as Translation,
    from_query as from_query,
)
