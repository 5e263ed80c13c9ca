"""Candidates of a store outside this process: from lists of nearest documents and of words, or from its engine."""

from __future__ import annotations

import numpy as np

from logical_retriever.errors import StoreError, UnsupportedByEngineError
from logical_retriever.query import Term, flatten, to_nnf
from logical_retriever.results import DocumentId
from logical_retriever.scoring.formula import score_formula
from logical_retriever.search.candidates import EVERY, Candidates, Found, gather
from logical_retriever.search.question import Question, wanted_together
from logical_retriever.search.session import Fetched, StoreSession
from logical_retriever.stores.base import EngineRanking, ScoreExpression, ScoringStore, WordQuery
from logical_retriever.vectors import Vectors, check_dimensions

WORDED = 50
"""Documents in each list by words."""
NEAREST = 40
"""Usual length of a list of nearest documents, unless ``fetch_k`` is less; with it the ten best were found on the
development sets."""
OTHER_ORDER = 4
"""Factor for the lengths of lists in stores that do not order by cosine."""
PAIR, MORE = 400, 1000
"""Lengths of the lists for the sum of two wanted texts, and of three or more: they hold the best for their AND."""
REENCODED = 100
"""The same for stores without vectors: every document's text is encoded for the question."""
ABOUT_EXCLUDED = 10
"""Documents nearest to each excluded term, read beside those of an engine for the greatest evidence."""


def nearest_candidates(question: Question, session: StoreSession, times: int) -> Candidates:
    """Read the documents nearest to each text and each conjunct, and those with the texts' rarest words.

    The documents nearest to excluded terms tell the greatest evidence for these.
    """
    options, can = question.options, session.capabilities
    # Distance and cosine rank differently where vectors have several lengths: longer lists are read.
    usual = max(NEAREST, 2 * options.k + 12) * (1 if can.cosine_order else OTHER_ORDER)
    length = times * max(options.k, min(usual, options.fetch_k))
    listed = dict.fromkeys((*question.wanted_texts, *question.excluded))
    pool = session.nearest(question.vectors[question.rows(listed)], length)
    for terms, vector in _conjunct_vectors(question):
        number = max(length, PAIR if terms == 2 else MORE)
        pool.update(session.nearest(vector[None], number if can.stored_vectors else min(number, REENCODED)))
    pool.update(session.fetch(word_matches(question, session, pool)))
    whole = session.filter is None and session.count is not None and len(pool) >= session.count and can.stored_vectors
    reason = f"the nearest {length} documents of each text, and those with its words, were scored"
    found = Found("nearest", complete=whole, ended=len(pool) < length or whole, reason=EVERY if whole else reason)
    return gather(question, session, pool, found)


def engine_candidates(question: Question, session: StoreSession, times: int) -> Candidates | None:
    """Read an engine's best documents by vector, those with the rarest words, and those nearest to excluded terms.

    Returns:
        None if the store's engine does not score, or cannot express the query.

    Raises:
        StoreError: The engine failed.
    """
    number = max(times * question.depth, question.options.k, question.options.fetch_k)
    answer = propose_in_engine(question, session, number)
    if answer is None:
        return None
    pool = session.fetch([*answer.ids, *word_matches(question, session, {})])
    if question.excluded:
        pool.update(session.nearest(question.vectors[question.rows(question.excluded)], ABOUT_EXCLUDED))
    every = len(answer.ids) < number
    by_words = ", and words were read of the best" if question.bags else ""
    found = Found(
        "engine",
        number_scored=session.count,
        complete=every or not question.bags,
        ended=every,
        reason=EVERY if every else f"{session.capabilities.name} scored every document by its vector{by_words}",
        statement=answer.statement,
    )
    return gather(question, session, pool, found)


def propose_in_engine(question: Question, session: StoreSession, number: int) -> EngineRanking | None:
    """Have the engine propose the best documents by their vectors.

    An index of nearest neighbours is quicker than an engine that scores every row, so a store with such an index is
    asked for lists instead. So is any store for a query of one term.

    Args:
        question: The question.
        session: Where to look.
        number: Most documents.

    Returns:
        None if the store's engine does not score, or cannot express the query.

    Raises:
        StoreError: The engine failed.
    """
    can, query, nulls = session.capabilities, question.scored, question.statistics.nulls
    if not isinstance(session.store, ScoringStore) or can.in_process or not can.exact_search:
        return None
    if question.conditional or isinstance(query, Term):
        return None
    try:
        formula = score_formula(query, question.semantics, question.texts, nulls, question.asked, question.kinds)
    except UnsupportedByEngineError:
        return None
    try:
        return session.score_in_engine(ScoreExpression(formula, question.vectors), number)
    except StoreError:
        # Engines report other dimensions in words of their own, if at all.
        check_dimensions(question.vectors, session.gate.sample(1, 0).vectors)
        raise


def _conjunct_vectors(question: Question) -> list[tuple[int, Vectors]]:
    """Return, for each conjunct with two or more wanted terms, their number and the sum of unit(v) / deviation.

    An AND of unrelated texts has its best documents in no list of one of them; this vector's nearest documents are
    those of the greatest sum of evidence.
    """
    sums = []
    for terms in wanted_together(flatten(to_nnf(question.scored))):
        if len(terms) > 1:
            rows = question.rows(sorted(terms))
            units = question.vectors[rows] / np.linalg.norm(question.vectors[rows], axis=1, keepdims=True)
            weights = 1.0 / question.statistics.nulls.deviations[rows]
            sums.append((len(rows), (weights[:, None] * units).sum(axis=0).astype(np.float32)))
    return sums


def word_matches(question: Question, session: StoreSession, pool: Fetched) -> list[DocumentId]:
    """Return ids of documents outside the pool with the rarest words of a term, or of all wanted terms together."""
    model, queries, together = question.statistics.word_statistics, [], dict[str, float]()
    wanted = [bag for bag in question.bags if bag.text in question.wanted_texts]
    for bag in (*wanted, *[bag for bag in question.bags if bag.text in question.excluded and bag not in wanted]):
        weights = model.rarest(bag.text, bag.without, bag.keeping)
        if weights:
            vector = question.vectors[question.texts.index(bag.text)]
            queries.append(WordQuery(tuple(weights), vector, tuple(weights.values()), model.language))
            together.update(weights if bag in wanted else {})
    if len(queries) > 1 and len(wanted) > 1:
        ordered = dict(sorted(together.items(), key=lambda entry: -entry[1]))
        vector = question.vectors[question.rows(question.wanted_texts)].mean(axis=0)
        queries.append(WordQuery(tuple(ordered), vector, tuple(ordered.values()), model.language))
    return [id for id in session.with_words(queries, WORDED) if id not in pool]
