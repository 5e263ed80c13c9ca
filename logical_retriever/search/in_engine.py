"""Scores computed where the documents are: the store's engine ranks all of them by vectors."""

from __future__ import annotations

from logical_retriever.errors import StoreError, UnsupportedByEngineError
from logical_retriever.query import Term
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.store_reader import StoreReader
from logical_retriever.semantics.formula import score_formula
from logical_retriever.stores.base import EngineRanking, ScoreExpression, ScoringStore
from logical_retriever.vectors import check_dimensions


def propose_in_engine(
    request: SearchRequest, texts: EncodedTexts, reader: StoreReader, number: int
) -> EngineRanking | None:
    """Have the engine propose the best documents by their vectors.

    An index of nearest neighbours is quicker than an engine that scores every row: a store that has one, and a query
    of one term, which any store ranks by itself, are left to their lists.

    Args:
        request: The request.
        texts: Its texts.
        reader: Of the store.
        number: Most documents.

    Returns:
        None where the store's engine does not score, or cannot say the query.

    Raises:
        StoreError: The engine failed.
    """
    store, can, query = reader.store, reader.capabilities, request.scored
    if not isinstance(store, ScoringStore) or can.in_process or not can.exact_search:
        return None
    if request.conditional or isinstance(query, Term):
        return None
    try:
        formula = score_formula(query, request.semantics, texts.texts, texts.nulls, request.question)
    except UnsupportedByEngineError:
        return None
    try:
        return reader.rank(ScoreExpression(formula, texts.vectors), number)
    except StoreError:
        check_dimensions(texts.vectors, store.sample(1, 0).vectors)  # engines say it in words of their own, if at all
        raise
