"""Documents that may be in the answer, and :func:`gather`, which collects the evidence about each.

Where they come from: :mod:`~logical_retriever.search.scan` reads all documents of a store in this process,
:mod:`~logical_retriever.search.nearest` reads lists of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from logical_retriever.lexical import WordIndex, own_words
from logical_retriever.query import positive_terms
from logical_retriever.reading.passages import Mention, SoughtTerm
from logical_retriever.results import Strategy
from logical_retriever.scoring import BagOfWords, Evidence
from logical_retriever.scoring.evidence import Array
from logical_retriever.scoring.exclusion import LEAST_STRONGEST
from logical_retriever.search.filters import with_outcomes
from logical_retriever.search.question import Question
from logical_retriever.search.session import Fetched, StoreSession
from logical_retriever.stores.base import StoredDocument
from logical_retriever.vectors import precise_cosines

Lexical = Mapping[BagOfWords, Array]
"""Evidence of N documents' words, shape (N,) for each bag of words."""

EVERY = "every document was scored"
CUES = MappingProxyType({"asserted": 1.0, "denied": -1.0, "absent": 0.0})


@dataclass(frozen=True)
class Found:
    """How candidates were found.

    Attributes:
        strategy: As :class:`~logical_retriever.results.Cost` says.
        number_scored: Number of documents scored; by an engine, all of the store. None for the candidates alone.
        complete: Whether all documents that pass the filter were scored.
        ended: Whether longer lists would bring no further documents.
        reason: How they were found, in one sentence.
        strongest: Greatest evidence of any document for each excluded term, as far as it is known beyond the
            candidates.
        statement: Statement sent to the engine; None if the engine scored nothing.
    """

    strategy: Strategy
    number_scored: int | None = None
    complete: bool = False
    ended: bool = True
    reason: str = ""
    strongest: Mapping[str, float] = field(default_factory=dict)
    statement: str | None = None


@dataclass(frozen=True, eq=False)
class Candidates:
    """N documents that may be in the answer.

    Attributes:
        documents: N documents.
        evidence: About them, for each text of the question.
        found: How they were found.
        mentions: How each document names each excluded term; empty where no text is read.
    """

    documents: tuple[StoredDocument, ...]
    evidence: Evidence
    found: Found
    mentions: Mapping[str, Sequence[Mention]] = field(default_factory=dict)


def gather(
    question: Question, session: StoreSession, pool: Fetched, found: Found, lexical: Lexical | None = None
) -> Candidates:
    """Compare the documents of a pool with the question's texts, and keep the possible answers.

    Args:
        question: The question.
        session: Where they are from.
        pool: M documents with their vectors.
        found: How they were found.
        lexical: Evidence of their words, shape (M,) for each bag; None to compute it from their texts.
    """
    documents, vectors = tuple([document for document, _ in pool.values()]), [vector for _, vector in pool.values()]
    cosines = precise_cosines(question.vectors, np.stack(vectors)) if pool else np.empty((len(question.texts), 0))
    rows, outcomes = with_outcomes(question.scored, session.passes, documents)
    documents, cosines = tuple([documents[row] for row in rows]), cosines[:, rows]
    if lexical is None:
        lexical = word_evidence(question, [document.text for document in documents]) if documents else {}
    else:
        lexical = {bag: values[rows] for bag, values in lexical.items()}
    mentions = mentions_in(question, [document.text for document in documents])
    cues = {term: np.array([CUES[one.cue] for one in ones], np.float64) for term, ones in mentions.items()}
    evidence = question.evidence(cosines, lexical, outcomes, cues, found.strongest)
    return Candidates(documents, evidence, found, mentions)


def mentions_in(question: Question, texts: Sequence[str]) -> dict[str, list[Mention]]:
    """Return how each of N texts names each excluded term.

    It looks for the term's words that no wanted term has; for all of them where ``TermEvidence.for_decision`` does.
    """
    if not question.options.calibrated_semantics.words:
        return {}
    wanted, found = positive_terms(question.scored), dict[str, list[Mention]]()
    for term in question.excluded:
        sought = SoughtTerm(term, () if question.kinds[term] == "always" or term in wanted else wanted)
        found[term] = [sought.in_passage(text) for text in texts]
    return found


def word_evidence(question: Question, texts: Sequence[str] | WordIndex) -> Lexical:
    """Return the evidence of the words of N texts, or of all texts of an index, shape (N,) for each bag."""
    model = question.statistics.word_statistics
    words = [own_words(bag.text, bag.without, bag.keeping, model.language) for bag in question.bags]
    return {bag: model.evidence(some, texts) for bag, some in zip(question.bags, words, strict=True)}


def strongest_evidence(question: Question, evidence: Evidence) -> dict[str, float]:
    """Return the greatest evidence of N documents for each excluded term, at least :data:`LEAST_STRONGEST`."""
    term_evidence = question.options.calibrated_semantics.term_evidence(question.scored, evidence)
    totals = {term: term_evidence.for_decision(term).total(term) for term in question.excluded}
    return {term: float(total.max(initial=LEAST_STRONGEST)) for term, total in totals.items()}
