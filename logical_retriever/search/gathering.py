"""Candidates and their evidence, however they were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from logical_retriever.lexical import WordIndex, distinct_words
from logical_retriever.query import Not, Term
from logical_retriever.results import DocumentId, Strategy
from logical_retriever.search.filters import decided
from logical_retriever.search.question import Question
from logical_retriever.search.session import Fetched, StoreSession
from logical_retriever.semantics import BagOfWords, Evidence, NullDistributions
from logical_retriever.semantics.evidence import Array
from logical_retriever.stores.base import StoredDocument, WordQuery
from logical_retriever.vectors import precise_cosines

Lexical = Mapping[BagOfWords, Array]
"""Evidence of N documents' words, shape (N,) for each bag of words."""

EVERY = "every document was scored"
LEAST = 5.0
"""Lower bound of the evidence of the document most about a term, in standard deviations of chance."""
WORDED = 50
"""Documents in each list by words."""


@dataclass(frozen=True)
class Found:
    """How candidates were found.

    Attributes:
        strategy: As :class:`~logical_retriever.results.Cost` says.
        scored: How many documents were scored; by an engine, all of the store. None for the candidates alone.
        complete: Whether all documents that pass the filter were scored.
        ended: Whether longer lists would bring no others.
        reason: How they were found, in one sentence.
        strongest: Evidence of the document that is most about each term, where all documents were scored.
        statement: What was sent to the engine; None where it scored nothing.
    """

    strategy: Strategy
    scored: int | None = None
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
    """

    documents: tuple[StoredDocument, ...]
    evidence: Evidence
    found: Found

    @property
    def scored(self) -> int:
        """How many documents were scored."""
        return len(self.documents) if self.found.scored is None else self.found.scored


def gather(
    question: Question, store: StoreSession, pool: Fetched, found: Found, lexical: Lexical | None = None
) -> Candidates:
    """Compare the documents of a pool with the question's texts, and keep those that may be answers.

    Args:
        question: The question.
        store: Where they are from.
        pool: M documents with their vectors.
        found: How they were found.
        lexical: Evidence of their words, shape (M,) for each bag; None where the texts are still to be read.
    """
    documents, vectors = tuple([document for document, _ in pool.values()]), [vector for _, vector in pool.values()]
    cosines = precise_cosines(question.vectors, np.stack(vectors)) if pool else np.empty((len(question.texts), 0))
    rows, outcomes = decided(question.scored, store.passes, documents)
    documents, cosines = tuple([documents[row] for row in rows]), cosines[:, rows]
    if lexical is None:
        lexical = word_evidence(question, [document.text for document in documents]) if documents else {}
    else:
        lexical = {bag: values[rows] for bag, values in lexical.items()}
    return Candidates(documents, question.evidence(cosines, lexical, outcomes), found)


def word_evidence(question: Question, texts: Sequence[str] | WordIndex) -> Lexical:
    """Return the evidence of the words of N texts, or of all texts of an index, shape (N,) for each bag."""
    model = question.statistics.word_statistics
    words = [distinct_words(bag.text, bag.without, bag.keeping, model.language) for bag in question.bags]
    return {bag: model.evidence(some, texts) for bag, some in zip(question.bags, words, strict=True)}


def term_strength(question: Question, text: str, evidence: Evidence) -> Array:
    """Return the calibrated evidence of N documents for a term, shape (N,).

    A standing exclusion counts by itself: no wanted term takes words from it.
    """
    rows, nulls = question.rows([text]), question.statistics.nulls
    own = NullDistributions(nulls.means[rows], nulls.deviations[rows])
    query = Not(Term(text)) if text in question.options.always_exclude else question.scored
    alone = Evidence((text,), evidence.cosines[rows], own, evidence.lexical)
    return question.weighing.term_evidence(query, alone).of(text)


def with_rare_words(question: Question, store: StoreSession, pool: Fetched) -> Fetched:
    """Read further documents that have the rarest words of a wanted or an excluded term, or of all wanted ones."""
    return store.fetch([id for id in word_matches(question, store) if id not in pool])


def word_matches(question: Question, store: StoreSession) -> list[DocumentId]:
    """Return ids of documents that have the rarest words of a wanted or an excluded term, or of all wanted ones."""
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
    return store.with_words(queries, WORDED)
