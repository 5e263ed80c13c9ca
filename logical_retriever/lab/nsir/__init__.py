"""Second stages: what another retriever found is ranked anew. NS-IR compares first-order logic."""

from logical_retriever.lab.nsir.base import (
    PROBLEMS as PROBLEMS,
    PassageTranslator as PassageTranslator,
    Problem as Problem,
    Progress as Progress,
    QuestionTranslator as QuestionTranslator,
    Translation as Translation,
)
from logical_retriever.lab.nsir.cache import FormulaCache as FormulaCache
from logical_retriever.lab.nsir.from_query import QueryFormulas as QueryFormulas, from_query as from_query
from logical_retriever.lab.nsir.llm import LLMFormulas as LLMFormulas
from logical_retriever.lab.nsir.nsir import DEFAULT_K as DEFAULT_K, NSIR as NSIR
from logical_retriever.lab.nsir.progress import progress_bar as progress_bar
from logical_retriever.lab.nsir.results import (
    PARTS as PARTS,
    Parts as Parts,
    RerankedPassage as RerankedPassage,
    RerankResult as RerankResult,
    RerankWarning as RerankWarning,
)
from logical_retriever.lab.nsir.sentences import SentenceFormulas as SentenceFormulas
from logical_retriever.lab.nsir.tokens import (
    SentenceTransformerTokens as SentenceTransformerTokens,
    TokenEncoder as TokenEncoder,
    TokenVectors as TokenVectors,
)
from logical_retriever.lab.nsir.transport import TRANSPORTS as TRANSPORTS, Transport as Transport
