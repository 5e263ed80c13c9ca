"""Scores computed where the documents are: the store's engine ranks all of them by vectors, and the best are read."""

from __future__ import annotations

from logical_retriever.errors import StoreError, UnsupportedByEngineError
from logical_retriever.query import Term
from logical_retriever.search.candidates import Candidates, Look
from logical_retriever.semantics.formula import score_formula
from logical_retriever.stores.base import Program, PushdownStore
from logical_retriever.vectors import check_dimensions

ABOUT_EXCLUDED = 10
"""Documents nearest to each excluded term that are read, to know what is most about it."""


def ranked_by_engine(look: Look) -> Candidates | None:
    """Have the engine propose the best documents by their vectors, and score these with all evidence here.

    An index of nearest neighbours is quicker than an engine that scores every row: a store that has one, and a query
    of one term, which any store ranks by itself, are left to :mod:`~logical_retriever.search.nearest`.

    Returns:
        The best ``look.fetch_k`` documents by vectors, those that have the texts' words, and those nearest to excluded
        terms; None where the store's engine does not score, or cannot say the query.

    Raises:
        StoreError: The engine failed.
    """
    reader, scorer = look.reader, look.scorer
    store, can = reader.store, reader.capabilities
    if not isinstance(store, PushdownStore) or can.in_process or not can.exact_search or isinstance(scorer.query, Term):
        return None
    proposed = max(look.number, look.fetch_k)
    try:
        formula = score_formula(scorer.query, scorer.semantics, scorer.nulls, scorer.question, scorer.texts)
    except UnsupportedByEngineError:
        return None
    program = Program(formula, scorer.vectors, tuple(scorer.rows(look.excluded)), ABOUT_EXCLUDED)
    try:
        answer = reader.rank(program, proposed)
    except StoreError:
        sample = reader.store.sample(1, 0)  # engines say it in words of their own, if at all
        check_dimensions(scorer.vectors, sample.vectors)
        raise
    compared = reader.compare((*answer.ids, *answer.about, *look.named_ids()), scorer.vectors)
    passes = look.narrowing.passes
    rows = [row for row, one in enumerate(compared.documents) if passes is None or passes(one.metadata)]
    documents = tuple(compared.documents[row] for row in rows)
    by_words = "" if look.words is None else ", and words were read of the best"
    every = len(answer.ids) < proposed
    return Candidates(
        documents=documents,
        cosines=compared.cosines[:, rows],
        lexical=look.lexical([document.text for document in documents]) if documents else {},
        strategy="engine",
        complete=every or look.words is None,
        scored=len(documents) if look.count is None else look.count,
        ended=every,
        reason="every document was scored" if every else f"{can.name} scored every document by its vector{by_words}",
        statement=answer.statement,
    )
