"""The documents nearest to every text of the query, and those that only their words name."""

from __future__ import annotations

from logical_retriever.search.candidates import Candidates, Look

PAIR, MORE = 400, 1000
"""Documents nearest to the sum of two, and of three or more, unrelated wanted texts that hold the best of their AND."""
REENCODED = 100
"""The same where the store gives no vectors, and every document's text is encoded for the question."""


def nearest_and_words(look: Look) -> Candidates:
    """Read the nearest documents of each text, of each conjunct, and those that have the texts' rarest words.

    The nearest documents of excluded terms are among them, so that what is most about these is known.
    """
    scorer, reader = look.scorer, look.reader
    texts = list(dict.fromkeys((*scorer.wanted_texts, *look.excluded)))
    pool = reader.nearest(scorer.vectors[scorer.rows(texts)], look.length)
    stored = reader.capabilities.stored_vectors
    for terms, vector in scorer.conjunct_vectors():
        length = max(look.length, PAIR if terms == 2 else MORE)
        pool.update(reader.nearest(vector[None], length if stored else min(length, REENCODED)))
    pool.update(look.named(pool))
    documents, cosines, lexical = look.scored(pool)
    complete = look.narrowing.filter is None and look.count is not None and len(pool) >= look.count and stored
    reason = f"the nearest {look.length} documents of each text, and those with its words, were scored"
    return Candidates(
        documents=documents,
        cosines=cosines,
        lexical=lexical,
        strategy="nearest",
        complete=complete,
        scored=len(documents),
        ended=len(pool) < look.length or complete,
        reason="every document was scored" if complete else reason,
    )
