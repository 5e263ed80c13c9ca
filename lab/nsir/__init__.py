"""NS-IR: passages that another retriever found, ranked by first-order logic."""

from lab.nsir.fol import Formula as Formula, parse as parse
from lab.nsir.method import NeuroSymbolic as NeuroSymbolic
from lab.nsir.sentences import SentenceFormulas as SentenceFormulas
from lab.nsir.tokens import SentenceTransformerTokens as SentenceTransformerTokens
from lab.nsir.translate import LLMFormulas as LLMFormulas, Translation as Translation, from_query as from_query
