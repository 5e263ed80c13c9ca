"""Scores of candidates, their relevance, and the decisions on the excluded terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import Term, without_exclusions
from logical_retriever.results import DocumentId, RankedDocument, Sources, id_order
from logical_retriever.scoring import TermEvidence
from logical_retriever.scoring.evidence import Array
from logical_retriever.scoring.relevance import SEEN, closeness
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.decisions import TermDecisions, decide
from logical_retriever.search.filters import fulfils
from logical_retriever.search.question import Question


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of N candidates.

    Attributes:
        order: Positions of the documents, best first; answers by metadata alone come before all others.
        scores: Shape (N,).
        relevance: Shape (N,), in [0, 1].
        truth_values: Truth value of each term under the semantics, shape (N,).
        wanted_truths: Truth value of each wanted term by calibrated evidence, shape (N,), for leaving out under an OR;
            those of excluded terms are not used.
        evidence: Calibrated evidence for each term, shape (N,); empty under other semantics.
        sources: Evidence for each term from vectors and from words, shape (N,) each; empty if no words were read.
        decisions: Which documents to leave out for each excluded term.
    """

    order: list[int]
    scores: Array
    relevance: Array
    truth_values: Mapping[str, Array]
    wanted_truths: Mapping[str, Array]
    evidence: Mapping[str, Array]
    sources: Mapping[str, tuple[Array, Array]]
    decisions: Mapping[str, TermDecisions]

    def explained(self, candidates: Candidates, row: int, relevance: float) -> RankedDocument:
        """Return one of the documents with the reasons for its place; its relevance is capped where it is shown."""
        document, known = candidates.documents[row], candidates.evidence
        return RankedDocument(
            document.id,
            document.text,
            float(self.scores[row]),
            metadata=document.metadata,
            truth_values={term: min(max(float(value[row]), 0.0), 1.0) for term, value in self.truth_values.items()},
            cosines={term: float(known.cosines[known.row(term), row]) for term in self.truth_values},
            evidence={term: float(value[row]) for term, value in self.evidence.items()},
            native=document.native,
            sources={term: Sources(float(z[row]), float(w[row])) for term, (z, w) in self.sources.items()},
            relevance=relevance,
            decisions={term: decisions.decision(row) for term, decisions in self.decisions.items()},
        )


def score(
    question: Question,
    candidates: Candidates,
    decisions: Mapping[str, TermDecisions] | None = None,
    read: Mapping[str, Array] = MappingProxyType({}),
) -> Scores:
    """Score candidates, and decide on them for each excluded term.

    Args:
        question: The question.
        candidates: N documents.
        decisions: Decisions made before; None to decide by evidence, cue and kind.
        read: Log odds that a document is to be left out for an excluded term, in place of those by the evidence, shape
            (N,); NaN where these stay.

    Raises:
        SemanticsError: The semantics cannot score this evidence, or gives no value for a term.
    """
    query, evidence, semantics = question.scored, candidates.evidence, question.semantics
    evidence = replace(evidence, read=read) if read else evidence
    scores, fulfilled = semantics.compose(query, evidence), np.zeros(len(candidates.documents), bool)
    if question.conditional:
        fulfilled = fulfils(query, evidence.outcomes, terms=False)
        if fulfilled.any():  # the terms then only order them
            scores = np.where(fulfilled, semantics.compose(question.scored_terms, evidence), scores)
    term_evidence = question.options.calibrated_semantics.term_evidence(query, evidence)
    by_term = {text: term_evidence.total(text) for text in query.terms()}
    truth_values = semantics.truth_values(query, evidence)
    if missing := [text for text in by_term if text not in truth_values]:
        raise SemanticsError(
            f"The semantics {semantics.name!r} gives no value for the term {missing[0]!r}.",
            hint="Return from truth_values an array of shape (N,) for every term.",
        )
    wanted_truths = truth_values
    if question.excluded and not semantics.calibrated:  # for leaving out under an OR
        wanted_truths = question.options.calibrated_semantics.truth_values(query, evidence)
    relevance = np.ones(len(scores))
    if not fulfilled.all():
        relevance = np.where(fulfilled, 1.0, _relevance(question, scores, term_evidence))
    order = ordered(scores, [document.id for document in candidates.documents])
    if fulfilled.any():
        order.sort(key=lambda row: not fulfilled[row])
    evidence_of_terms = by_term if semantics.calibrated else {}
    sources = {text: both for text in evidence_of_terms if (both := term_evidence.sources(text)) is not None}
    return Scores(
        order,
        scores,
        relevance,
        truth_values=truth_values,
        wanted_truths=wanted_truths,
        evidence=evidence_of_terms,
        sources=sources,
        decisions=decide(question, candidates, term_evidence) if decisions is None else decisions,
    )


def ordered(scores: Array, ids: Sequence[DocumentId]) -> list[int]:
    """Return the positions of N documents, best score first, ties by id.

    Args:
        scores: Shape (N,).
        ids: Ids of the N documents.

    Raises:
        SemanticsError: A score is NaN.
    """
    check_scores(scores)
    _, ranks, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    alone = (counts == 1)[ranks]
    keys = [(ranks[row], ("", 0) if alone[row] else id_order(ids[row])) for row in range(len(ids))]
    return sorted(range(len(ids)), key=keys.__getitem__)


def check_scores(scores: Array) -> None:
    """Reject scores that are not numbers.

    Raises:
        SemanticsError: One is NaN.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )


def _relevance(question: Question, scores: Array, term_evidence: TermEvidence) -> Array:
    """Return the relevance of N documents to what is wanted, shape (N,), in [0, 1].

    Exclusions count only where nothing is wanted, or under a semantics that is not calibrated.
    """
    semantics, evidence, close = question.semantics, term_evidence.evidence, None
    wanted = without_exclusions(question.scored_terms) if semantics.calibrated else question.scored_terms
    wanted = question.scored_terms if wanted is None else wanted
    if wanted != question.scored:
        scores = semantics.compose(wanted, evidence)
    if semantics.calibrated:
        first = np.argsort(-scores, kind="stable")[: 1 if isinstance(wanted, Term) else SEEN]
        cosines = {term: evidence.cosines[evidence.row(term), first] for term in wanted.terms()}
        by_words = {
            term: both[1][first] for term in wanted.terms() if (both := term_evidence.sources(term)) is not None
        }
        close = closeness(wanted, cosines, by_words, question.statistics.unrelated)
    return semantics.relevance(wanted, scores, words_read=bool(evidence.lexical), close=close)
