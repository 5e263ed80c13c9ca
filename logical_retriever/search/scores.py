"""Scores of candidates, their relevance, and how far each is about what is excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery, Term, negative_terms, positive_terms
from logical_retriever.results import DocumentId, RankedDocument, Sources, id_order
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.candidates import LEAST, Array, Candidates, check_scores, strength
from logical_retriever.search.request import SearchRequest
from logical_retriever.semantics import Composition, Evidence, Semantics
from logical_retriever.semantics.relevance import SEEN, closeness

PERHAPS = 0.6
"""Share of the best evidence from which a document is perhaps about an excluded term."""
OWN = 3.0
"""Standard deviations of chance that a document must have for an excluded term beyond what wanted terms bring; chosen
together with :data:`~logical_retriever.options.ABOUT`."""

LogOdds = Mapping[DocumentId, Mapping[str, float]]
"""Of a verifier's verdicts that move scores, by document and term."""


@dataclass(frozen=True, eq=False)
class GroupScores:
    """Scores of N documents that one query scores.

    Attributes:
        query: It.
        rows: Positions of the documents among the candidates.
        order: Positions of the N documents, best first.
        fulfilled: Whether their metadata alone fulfils the query.
        composition: Scores, shape (N,), with the values that explain them.
        values: Truth value of each term under the semantics, shape (N,).
        relevance: Shape (N,), in [0, 1].
        truths: Truth value of each term as a wanted one, by calibrated evidence, shape (N,).
        shares: For each excluded term, the documents' shares of the best evidence in the store, in [0, 1], shape (N,).
    """

    query: LogicalQuery
    rows: list[int]
    order: list[int]
    fulfilled: bool
    composition: Composition
    values: Mapping[str, Array]
    relevance: Array
    truths: Mapping[str, Array]
    shares: dict[str, Array]

    def explained(self, candidates: Candidates, texts: EncodedTexts, place: int, **others: Any) -> RankedDocument:
        """One of the documents with the reasons for its place."""
        row, composition = self.rows[place], self.composition
        document, cosines = candidates.documents[row], candidates.cosines[:, row]
        return RankedDocument(
            document.id,
            document.text,
            float(composition.scores[place]),
            metadata=document.metadata,
            truth_values={term: min(max(float(value[place]), 0.0), 1.0) for term, value in self.values.items()},
            cosines={term: float(cosines[texts.texts.index(term)]) for term in self.values},
            strengths={term: float(z[place]) for term, z in composition.strengths.items()},
            native=document.native,
            sources={term: Sources(float(z[place]), float(w[place])) for term, (z, w) in composition.sources.items()},
            **others,
        )


def score(
    request: SearchRequest, texts: EncodedTexts, candidates: Candidates, log_odds: LogOdds | None = None
) -> list[GroupScores]:
    """Score candidates, those that different queries score apart.

    Args:
        request: The request.
        texts: Its texts.
        candidates: The documents.
        log_odds: Of verdicts; documents without any keep the scores and the relevance that they have.

    Raises:
        SemanticsError: The semantics cannot score this evidence, or says nothing of the value of a term.
    """
    groups = []
    for query, rows, fulfilled in candidates.groups:
        lexical = {bag: values[rows] for bag, values in candidates.lexical.items()}
        ids = [candidates.documents[row].id for row in rows]
        evidence = Evidence(texts.texts, candidates.cosines[:, rows], texts.nulls, lexical, request.question)
        composition = request.semantics.compose(query, evidence)
        values = _values(request.semantics, query, composition)
        order = ordered(composition.scores, ids)
        relevance, truths, shares = np.ones(len(rows)), dict[str, Array](), dict[str, Array]()
        if request.judge is not None:
            judged = composition
            if request.judge is not request.semantics:
                alone = Evidence(texts.texts, evidence.cosines, texts.nulls, lexical)
                judged = request.judge.compose(query, alone)
            truths = values if judged is composition else _values(request.judge, query, judged)
            shares = _shares(request, texts, query, judged, evidence, candidates.strongest)
        close = None if fulfilled else _close(request, texts, query, composition, evidence, order)
        best = float(composition.scores.max(initial=-np.inf)) if log_odds else None
        if log_odds and request.semantics.pointwise:
            verdicts = {text: np.zeros(len(rows)) for odds in log_odds.values() for text in odds}
            for place, id in enumerate(ids):
                for text, value in log_odds.get(id, {}).items():
                    verdicts[text][place] = value
            told = Evidence(texts.texts, evidence.cosines, texts.nulls, lexical, request.question, verdicts)
            composition = request.semantics.compose(query, told)
            values = _values(request.semantics, query, composition)
        if not fulfilled and rows:
            words = bool(candidates.lexical)
            relevance[order] = request.semantics.relevance(
                query, composition.scores[order], words=words, close=close, best=best
            )
        order = ordered(composition.scores, ids) if log_odds else order
        groups.append(GroupScores(query, rows, order, fulfilled, composition, values, relevance, truths, shares))
    return groups


def ordered(scores: Array, ids: Sequence[DocumentId]) -> list[int]:
    """Positions of scores of shape (N,), best first, ties by id.

    Raises:
        SemanticsError: A score is NaN.
    """
    check_scores(scores)
    _, ranks, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    alone = (counts == 1)[ranks]
    keys = [(ranks[row], ("", 0) if alone[row] else id_order(ids[row])) for row in range(len(ids))]
    return sorted(range(len(ids)), key=keys.__getitem__)


def _values(semantics: Semantics, query: LogicalQuery, composition: Composition) -> dict[str, Array]:
    """Truth value of each term of a query, shape (N,)."""
    values = {node.text: value for node, value in composition.values.items() if isinstance(node, Term)}
    if missing := [text for text in query.terms() if text not in values]:
        raise SemanticsError(
            f"The semantics {semantics.name!r} gives no value for the term {missing[0]!r}.",
            hint="Return Composition(scores, values), with values[Term(text)] of shape (N,) for every term.",
        )
    return {text: values[text] for text in query.terms()}


def _close(
    request: SearchRequest,
    texts: EncodedTexts,
    query: LogicalQuery,
    composition: Composition,
    evidence: Evidence,
    order: Sequence[int],
) -> float | None:
    """How close the best come to what the query wants, beside texts that have nothing to do with it."""
    if not request.semantics.calibrated or texts.unrelated is None or not order:
        return None
    first = list(order[: 1 if isinstance(query, Term) else SEEN])
    by_term = {term: evidence.cosines[texts.texts.index(term), first] for term in query.terms()}
    by_words = {term: values[first] for term, (_, values) in composition.sources.items()}
    return closeness(query, by_term, by_words, texts.unrelated)


def likeness(query: LogicalQuery, texts: EncodedTexts) -> dict[str, dict[str, float]]:
    """For each excluded term of a query, how much of their evidence the wanted terms bring to it, in [0, 1]."""
    units = texts.vectors / np.linalg.norm(texts.vectors, axis=1, keepdims=True)
    together = np.eye(len(units)) if texts.correlations is None else texts.correlations
    both = np.clip(np.minimum(together, units @ units.T), 0.0, 1.0)
    row, wanted = {text: place for place, text in enumerate(texts.texts)}, positive_terms(query)
    return {
        text: {other: float(both[row[text], row[other]]) for other in wanted if other != text}
        for text in negative_terms(query)
    }


def _shares(
    request: SearchRequest,
    texts: EncodedTexts,
    query: LogicalQuery,
    judged: Composition,
    evidence: Evidence,
    strongest: Mapping[tuple[LogicalQuery, str], float],
) -> dict[str, Array]:
    """Shares of N documents for each excluded term, in [0, 1], shape (N,).

    How far a document is about an excluded term is its evidence for it as a share of what the store's best has, the
    document that is most about the term: one about bone health has twice the evidence for "bone health" that one about
    a person's name has for the name, and both are the best there are. Where the best has less than
    :data:`~logical_retriever.search.candidates.LEAST`, nothing in the store is about the term, and the share is one of
    that.

    Terms alike bring evidence of each other: what is about "causes of inflation" has some for "monetary policy as a
    cause of inflation". Of a document's evidence for an excluded term, a wanted term of which it has w brings rho * w,
    with rho the smaller of the cosine of both terms and the correlation that their cosines with documents have by
    chance: all terms have a high one with some encoders, or in a store of one subject, but not both. The rest is the
    document's own. With less than :data:`OWN` of its own it is "perhaps" about the excluded term at most.

    Standing exclusions are judged apart from the question, which brings them nothing.
    """
    shares: dict[str, Array] = {}
    for text, alike in likeness(query, texts).items():
        brought = [rho * np.maximum(judged.strengths[other], 0.0) for other, rho in alike.items()]
        values = judged.strengths[text]
        if text in request.options.always_exclude:
            values, brought = strength(request, texts, query, text, evidence.cosines, evidence.lexical), []
        best = max(LEAST, strongest.get((query, text), LEAST), float(values.max(initial=LEAST)))
        share = np.clip(values / best, 0.0, 1.0)
        own = values - np.max([np.zeros(len(values)), *brought], axis=0)
        shares[text] = np.where(own < OWN, np.minimum(share, PERHAPS), share)
    return shares
