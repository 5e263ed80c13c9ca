"""Lexical evidence: the documents that have a term's words, and how unusual that is in this store."""

from logical_retriever.lexical.analysis import (
    LANGUAGES as LANGUAGES,
    Analyser as Analyser,
    analyser as analyser,
    language_of as language_of,
    matched_words as matched_words,
    own_words as own_words,
    tokenize as tokenize,
    visible as visible,
)
from logical_retriever.lexical.bm25 import LexicalModel as LexicalModel, ranked as ranked
from logical_retriever.lexical.index import WordIndex as WordIndex
