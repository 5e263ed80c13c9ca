"""Scores of candidates, their relevance, and how far each is about what is excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery, Term, without_exclusions
from logical_retriever.results import DocumentId, RankedDocument, Sources, id_order
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.candidates import Array, Candidates, check_scores
from logical_retriever.search.filters import certain
from logical_retriever.search.judgement import Judgement, judge
from logical_retriever.search.request import SearchRequest
from logical_retriever.semantics import Composition, Evidence, Semantics
from logical_retriever.semantics.relevance import SEEN, closeness


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of N candidates.

    Attributes:
        order: Positions of the documents, best first; those that their metadata alone makes answers before all others.
        composition: Scores, shape (N,), with the values that explain them.
        values: Truth value of each term under the semantics, shape (N,).
        relevance: Shape (N,), in [0, 1].
        truths: Truth value of each term as a wanted one, by calibrated evidence, shape (N,).
        judgements: For each excluded term, how far the documents are about it.
    """

    order: list[int]
    composition: Composition
    values: Mapping[str, Array]
    relevance: Array
    truths: Mapping[str, Array]
    judgements: dict[str, Judgement]

    def explained(self, candidates: Candidates, row: int, **others: Any) -> RankedDocument:
        """One of the documents with the reasons for its place."""
        document, evidence, composition = candidates.documents[row], candidates.evidence, self.composition
        return RankedDocument(
            document.id,
            document.text,
            float(composition.scores[row]),
            metadata=document.metadata,
            truth_values={term: min(max(float(value[row]), 0.0), 1.0) for term, value in self.values.items()},
            cosines={term: float(evidence.cosines[evidence.row(term), row]) for term in self.values},
            strengths={term: float(z[row]) for term, z in composition.strengths.items()},
            native=document.native,
            sources={term: Sources(float(z[row]), float(w[row])) for term, (z, w) in composition.sources.items()},
            **others,
        )


def score(request: SearchRequest, texts: EncodedTexts, candidates: Candidates) -> Scores:
    """Score candidates.

    Args:
        request: The request.
        texts: Its texts.
        candidates: The documents.

    Raises:
        SemanticsError: The semantics cannot score this evidence, or says nothing of the value of a term.
    """
    query, evidence = request.scored, candidates.evidence
    composition = request.semantics.compose(query, evidence)
    values = _values(request.semantics, query, composition)
    fulfilled = certain(query, evidence.outcomes) if request.conditional else np.zeros(len(candidates.documents), bool)
    if fulfilled.any():  # the terms then only order them
        by_terms = request.semantics.scores(request.topic, evidence)
        composition = replace(composition, scores=np.where(fulfilled, by_terms, composition.scores))
    truths: Mapping[str, Array] = {}
    judgements = dict[str, Judgement]()
    if request.judge is not None:
        judged = composition
        if request.judge is not request.semantics:
            judged = request.judge.compose(query, replace(evidence, question=None))
        truths = values if judged is composition else _values(request.judge, query, judged)
        judgements = judge(request, texts, judged, candidates)
    relevance = np.ones(len(fulfilled))
    if not fulfilled.all():
        rest = ~fulfilled
        relevance[rest] = _relevance(request, texts, composition, evidence)[rest]
    order = ordered(composition.scores, [document.id for document in candidates.documents])
    if fulfilled.any():
        order.sort(key=lambda row: not fulfilled[row])
    return Scores(order, composition, values, relevance, truths, judgements)


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


def _values(semantics: Semantics, query: LogicalQuery, composition: Composition) -> Mapping[str, Array]:
    """Truth value of each term of a query, shape (N,)."""
    if missing := [text for text in query.terms() if text not in composition.values]:
        raise SemanticsError(
            f"The semantics {semantics.name!r} gives no value for the term {missing[0]!r}.",
            hint="Return Composition(scores, values), with values[text] of shape (N,) for every term.",
        )
    return composition.values


def _relevance(request: SearchRequest, texts: EncodedTexts, composition: Composition, evidence: Evidence) -> Array:
    """Relevance of N documents, shape (N,), in [0, 1]: that of what is wanted, no higher for what is excluded."""
    semantics, scores = request.semantics, composition.scores
    wish = without_exclusions(request.topic) if semantics.calibrated else request.topic
    wish = request.topic if wish is None else wish
    if wish != request.scored:
        scores = semantics.scores(wish, evidence)
    order, close = np.argsort(-scores, kind="stable"), None
    if semantics.calibrated and texts.unrelated is not None:
        first = order[: 1 if isinstance(wish, Term) else SEEN]
        by_term = {term: evidence.cosines[texts.texts.index(term), first] for term in wish.terms()}
        by_words = {term: composition.sources[term][1][first] for term in wish.terms() if term in composition.sources}
        close = closeness(wish, by_term, by_words, texts.unrelated)
    relevance = np.ones(len(scores))
    relevance[order] = semantics.relevance(wish, scores[order], words=bool(evidence.lexical), close=close)
    return relevance
