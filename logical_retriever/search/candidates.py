"""One look at a store: documents that may be in the answer, with the evidence about each."""

from __future__ import annotations

import numpy as np

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import flatten, to_nnf
from logical_retriever.search.gathering import EVERY, Candidates, Found, gather, with_rare_words, word_matches
from logical_retriever.search.in_engine import propose_in_engine
from logical_retriever.search.question import Question, open_ended, wanted_together
from logical_retriever.search.scan import scan_candidates
from logical_retriever.search.session import StoreSession
from logical_retriever.stores.base import PushdownAnswer
from logical_retriever.vectors import Vectors

NEAREST = 40
"""Usual length of a list of nearest documents, unless ``fetch_k`` is less; with it the ten best were found on the
development sets."""
OTHER_ORDER = 4
"""Factor for stores that do not order by cosine."""
PAIR, MORE = 400, 1000
"""Documents nearest to the sum of two, and of three or more, unrelated wanted texts that hold the best of their AND."""
REENCODED = 100
"""The same for stores without vectors: every document's text is encoded for the question."""
ABOUT_EXCLUDED = 10
"""Documents nearest to each excluded term that are read beside those of an engine, to know what is most about it."""


def find_candidates(question: Question, store: StoreSession, times: int) -> Candidates:
    """Look at the store in the way that suits it.

    Args:
        question: With terms, encoded and measured.
        store: Where to look.
        times: Factor for the usual lengths of lists of nearest documents.

    Raises:
        StoreCapabilityError: The query is open-ended, as NOT A is, and the store cannot be scanned.
        StoreError: The store failed.
    """
    can, query = store.capabilities, question.topic
    if can.scan and (can.in_process or open_ended(query)):
        return scan_candidates(question, store)
    if open_ended(query):
        raise StoreCapabilityError(
            f"Documents about none of its terms answer {query}, and {can.name} cannot be scanned.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )
    number = max(times * question.depth, question.options.k, question.options.fetch_k)
    answer = propose_in_engine(question, store, number)
    if answer is not None:
        return engine_candidates(question, store, answer, number)
    return nearest_candidates(question, store, times)


def nearest_candidates(question: Question, store: StoreSession, times: int) -> Candidates:
    """Read the nearest documents of each text, of each conjunct, and those that have the texts' rarest words.

    The nearest documents of excluded terms are among them, so that what is most about these is known.
    """
    options, can = question.options, store.capabilities
    # Distance and cosine rank differently where vectors have several lengths: longer lists are read.
    usual = max(NEAREST, 2 * options.k + 12) * (1 if can.cosine_order else OTHER_ORDER)
    length = times * max(options.k, min(usual, options.fetch_k))
    listed = dict.fromkeys((*question.wanted_texts, *question.excluded))
    pool = store.nearest(question.vectors[question.rows(listed)], length)
    for terms, vector in _conjunct_vectors(question):
        number = max(length, PAIR if terms == 2 else MORE)
        pool.update(store.nearest(vector[None], number if can.stored_vectors else min(number, REENCODED)))
    pool.update(with_rare_words(question, store, pool))
    whole = store.filter is None and store.count is not None and len(pool) >= store.count and can.stored_vectors
    reason = f"the nearest {length} documents of each text, and those with its words, were scored"
    found = Found("nearest", complete=whole, ended=len(pool) < length or whole, reason=EVERY if whole else reason)
    return gather(question, store, pool, found)


def engine_candidates(question: Question, store: StoreSession, answer: PushdownAnswer, number: int) -> Candidates:
    """Read the documents that an engine proposes by their vectors, those with the words, and those about exclusions."""
    pool = store.fetch([*answer.ids, *word_matches(question, store)])
    if question.excluded:
        pool.update(store.nearest(question.vectors[question.rows(question.excluded)], ABOUT_EXCLUDED))
    every = len(answer.ids) < number
    by_words = ", and words were read of the best" if question.bags else ""
    found = Found(
        "engine",
        scored=store.count,
        complete=every or not question.bags,
        ended=every,
        reason=EVERY if every else f"{store.capabilities.name} scored every document by its vector{by_words}",
        statement=answer.statement,
    )
    return gather(question, store, pool, found)


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
