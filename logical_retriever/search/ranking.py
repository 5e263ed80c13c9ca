"""Candidates with their scores, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from logical_retriever.query import Term
from logical_retriever.results import DocumentId, RankedDocument, Sources, Verdict, id_order
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.ordering import ordered
from logical_retriever.search.scorer import Array, Scorer
from logical_retriever.semantics import Composition


@dataclass(frozen=True, eq=False)
class Group:
    """Candidates that one query without conditions scores.

    Attributes:
        scorer: Scores them.
        candidates: N documents.
        composition: Of their scores.
        truths: Truth value of each term as a wanted one, by calibrated evidence, shape (N,).
        shares: For each excluded term, the documents' shares of the best evidence in the store, shape (N,).
        fulfilled: Whether these documents' metadata alone fulfils the query.
    """

    scorer: Scorer
    candidates: Candidates
    composition: Composition
    truths: Mapping[str, Array]
    shares: Mapping[str, Array]
    fulfilled: bool = False

    def hits(self) -> list[Hit]:
        """All documents, best first."""
        ids = [document.id for document in self.candidates.documents]
        order = ordered(self.composition.scores, ids)
        relevance = np.ones(len(order)) if self.fulfilled else self._relevance(order)
        scores = self.composition.scores
        return [Hit(self, row, float(scores[row]), float(value)) for row, value in zip(order, relevance, strict=True)]

    def with_verdicts(self, log_odds: Mapping[DocumentId, Mapping[str, float]]) -> Mapping[DocumentId, Hit]:
        """Documents that have verdicts, scored again; the others keep the scores and the relevance that they have.

        Args:
            log_odds: Of each verdict, by document and term.
        """
        rows = {d.id: row for row, d in enumerate(self.candidates.documents) if d.id in log_odds}
        if not rows:
            return {}
        verdicts = {text: np.zeros(len(self.candidates.documents)) for odds in log_odds.values() for text in odds}
        for id, row in rows.items():
            for text, value in log_odds[id].items():
                verdicts[text][row] = value
        evidence = self.scorer.evidence(self.candidates.cosines, self.candidates.lexical, verdicts)
        composition = self.scorer.compose(evidence)
        order = ordered(self.composition.scores, [document.id for document in self.candidates.documents])
        relevance = dict(zip(order, self._relevance(order, composition.scores[order]), strict=True))
        group = replace(self, composition=composition)
        return {
            id: Hit(group, row, float(composition.scores[row]), float(relevance[row])) for id, row in rows.items()
        }

    def _relevance(self, order: Sequence[int], scores: Array | None = None) -> Array:
        words = bool(self.candidates.lexical)
        return self.scorer.relevance(self.composition, self.candidates.cosines, order, words=words, scores=scores)


class Hit(NamedTuple):
    """One scored document.

    Attributes:
        group: Where it was scored.
        row: Its position there.
        score: Under the semantics; higher is better.
        relevance: In [0, 1].
        verdicts: Of a verifier, by term.
        unverified_score: The score before them; None where there are none.
    """

    group: Group
    row: int
    score: float
    relevance: float
    verdicts: Mapping[str, Verdict] = {}  # noqa: RUF012  a NamedTuple's default, never changed
    unverified_score: float | None = None

    @property
    def id(self) -> DocumentId:
        """Identity of the document."""
        return self.group.candidates.documents[self.row].id

    @property
    def text(self) -> str:
        """Text of the document."""
        return self.group.candidates.documents[self.row].text

    def share(self, text: str) -> float:
        """The document's share of the best evidence in the store for an excluded term, in [0, 1]."""
        return float(self.group.shares[text][self.row])

    def ranked(self) -> RankedDocument:
        """The document with the reasons for its place."""
        group, row = self.group, self.row
        document, composition = group.candidates.documents[row], group.composition
        terms = group.scorer.query.terms()
        truths = {term: float(composition.values[Term(term)][row]) for term in terms}
        return RankedDocument(
            id=document.id,
            text=document.text,
            score=self.score,
            relevance=self.relevance,
            metadata=document.metadata,
            truth_values={term: min(max(value, 0.0), 1.0) for term, value in truths.items()},
            cosines={
                term: float(group.candidates.cosines[group.scorer.texts.index(term), row]) for term in terms
            },
            strengths={term: float(values[row]) for term, values in composition.strengths.items()},
            native=document.native,
            sources={term: Sources(float(z[row]), float(w[row])) for term, (z, w) in composition.sources.items()},
            verdicts=self.verdicts,
            unverified_score=self.unverified_score,
        )


def merged(groups: Sequence[Group]) -> list[Hit]:
    """The documents of all groups in one order, those first whose metadata alone fulfils the query; ties by id."""
    if len(groups) == 1:
        return groups[0].hits()
    hits = [hit for group in groups for hit in group.hits()]
    hits.sort(key=lambda hit: (not hit.group.fulfilled, -hit.score, id_order(hit.id)))
    least, capped = 1.0, []
    for hit in hits:  # relevance is told by the best of a group: no document's is above a better one's
        least = min(least, hit.relevance)
        capped.append(hit._replace(relevance=least))
    return capped
