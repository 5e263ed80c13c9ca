"""Lexical evidence: which documents mention a term's words, and how unusual that is in this store."""

from logical_retriever.lexical.bm25 import LexicalModel, ranked
from logical_retriever.lexical.index import WordIndex
from logical_retriever.lexical.tokens import distinct_words, tokenize

__all__ = ["LexicalModel", "WordIndex", "distinct_words", "ranked", "tokenize"]
