"""Scores computed where the documents are: the store's engine ranks all of them by vectors."""

from __future__ import annotations

from logical_retriever.errors import StoreError, UnsupportedByEngineError
from logical_retriever.query import Term
from logical_retriever.search.question import Question
from logical_retriever.search.session import StoreSession
from logical_retriever.semantics.formula import score_formula
from logical_retriever.stores.base import Program, PushdownAnswer, PushdownStore
from logical_retriever.vectors import check_dimensions


def propose_in_engine(question: Question, store: StoreSession, number: int) -> PushdownAnswer | None:
    """Have the engine propose the best documents by their vectors.

    An index of nearest neighbours is quicker than an engine that scores every row: a store with one, and a query of one
    term, which any store ranks by itself, are left to their lists.

    Args:
        question: The question.
        store: Where to look.
        number: Most documents.

    Returns:
        None where the store's engine does not score, or cannot say the query.

    Raises:
        StoreError: The engine failed.
    """
    can, query, nulls = store.capabilities, question.scored, question.statistics.nulls
    if not isinstance(store.store, PushdownStore) or can.in_process or not can.exact_search:
        return None
    if question.conditional or isinstance(query, Term):
        return None
    try:
        formula = score_formula(query, question.semantics, question.texts, nulls, question.text)
    except UnsupportedByEngineError:
        return None
    try:
        return store.score_in_engine(Program(formula, question.vectors), number)
    except StoreError:
        # Engines report other dimensions in words of their own, if at all.
        check_dimensions(question.vectors, store.store.sample(1, 0).vectors)
        raise
