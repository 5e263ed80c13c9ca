"""Asking a verifier about the documents that the scores are not sure of, and what its answers weigh.

A document's share of the best evidence for an excluded term is worth ``SLOPE * (share - MIDDLE)`` log-odds of being
about it. A verdict adds its weight for "about" and takes as much away for "mentions" and "not", or it adds the
log-odds of its probability, up to the same; the sign of the sum decides. The weight is what a verdict needs to decide
anywhere between the bounds of doubt, and no more: 3.24 by default, what a verifier is worth that is right in 96 of 100
cases. The same log-odds enter the score, through the semantics, where the verdict overturns what the scores decide. One
that agrees with them moves nothing: a document must not pass another for having been asked about.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from logical_retriever.results import DocumentId, RankedDocument, SearchResult, Verdict, id_order
from logical_retriever.verify import Asking, Verification

SLOPE, MIDDLE = 12.0, 0.77
"""Log-odds of being about a term for a share of 1, and the share at which they are 0: read off a histogram
of a language model's verdicts on the development half of ``ask``."""
WANTED_DOUBT = (0.1, 0.9)
"""Relevance of a document between which the verifier is asked about wanted terms."""


def weight_within(between: tuple[float, float]) -> float:
    """Most log-odds of a verdict on documents whose shares lie between two bounds."""
    low, high = between
    return SLOPE * max(MIDDLE - low, high - MIDDLE)


def log_odds(verdict: Verdict, weight: float) -> float:
    """Log-odds, in [-weight, weight], that a verdict adds to those of a document being about a term."""
    p = verdict.probability
    if p is None or p in (0.0, 1.0):
        return weight if verdict.label == "about" else -weight
    return max(-weight, min(weight, math.log(p / (1.0 - p))))


def told(share: float, verdict: Verdict, weight: float, perhaps: float) -> float:
    """The share that a document counts with once a verdict is in: 1 for about, ``perhaps`` for mentions, 0 for not."""
    if _is_about(share, verdict, weight):
        return 1.0
    return perhaps if verdict.label == "mentions" else 0.0


def _is_about(share: float, verdict: Verdict, weight: float) -> bool:
    return SLOPE * (share - MIDDLE) + log_odds(verdict, weight) >= 0.0


class SecondLook:
    """The looks that a verifier takes at the documents of one search.

    Args:
        verification: Who is asked, and within which budget.
        wanted: Wanted terms to ask about as well.
        k: Documents wanted.
        about: Share from which, by the scores, a document is about an excluded term.
    """

    def __init__(self, verification: Verification, wanted: Sequence[str], k: int, about: float) -> None:
        self._verification, self._wanted, self._k, self._about = verification, wanted, k, about
        self._weight = weight_within(verification.between)
        self._asking = Asking(verification)
        self._verdicts: dict[tuple[DocumentId, str], Verdict] = {}
        self._asked: set[tuple[DocumentId, str]] = set()

    def at(
        self,
        found: SearchResult,
        shares: Mapping[DocumentId, Mapping[str, float]],
        goes: Callable[[RankedDocument], bool],
    ) -> SearchResult:
        """A ranking in the order that verdicts give it, looked at down to k documents that stay and a margin.

        Args:
            found: The ranking.
            shares: Of each document, for each excluded term, by the scores alone.
            goes: Whether a document is left out, with the verdicts that it has.
        """
        documents = self._with_verdicts(found, found.documents, shares)
        margin = self._verification.margin
        while pairs := self._doubts(documents, shares, goes, self._k + margin):
            margin = 0  # what is asked again is only what takes the place of what went
            self._asked.update(pairs)
            self._verdicts.update(self._asking.ask(pairs))
            documents = self._with_verdicts(found, documents, shares)
        said = self._asking.said if self._asked else None
        return replace(found, documents=tuple(documents), second_opinion=said)

    def _doubts(
        self,
        documents: Sequence[RankedDocument],
        by_scores: Mapping[DocumentId, Mapping[str, float]],
        goes: Callable[[RankedDocument], bool],
        number: int,
    ) -> dict[tuple[DocumentId, str], tuple[str, str]]:
        """The next to ask: pairs of a term and a passage, by document and term, the best documents first."""
        low, high = self._verification.between
        pairs: dict[tuple[DocumentId, str], tuple[str, str]] = {}
        stay = 0
        for document in documents:
            if stay >= number:
                break
            shares, gone = by_scores[document.id], goes(document)
            # What goes for one term, clearly or by a verdict, needs no look for another.
            settled = gone and (bool(document.verdicts) or any(share > high for share in shares.values()))
            terms = [] if settled else [text for text, share in shares.items() if low <= share <= high]
            terms += self._wanted if not gone and WANTED_DOUBT[0] <= document.relevance <= WANTED_DOUBT[1] else ()
            new = [text for text in dict.fromkeys(terms) if (document.id, text) not in self._asked]
            pairs.update({(document.id, text): (text, document.text) for text in new})
            stay += not gone
        return pairs

    def _with_verdicts(
        self,
        found: SearchResult,
        documents: Sequence[RankedDocument],
        shares: Mapping[DocumentId, Mapping[str, float]],
    ) -> list[RankedDocument]:
        """The documents with all verdicts that are known, in the order of the scores that these give."""
        by_document: dict[Any, dict[str, Verdict]] = {}
        for (id, text), verdict in self._verdicts.items():
            by_document.setdefault(id, {})[text] = verdict
        moved: dict[DocumentId, dict[str, float]] = {}
        for (id, text), verdict in self._verdicts.items():
            if self._overturns(verdict, shares.get(id, {}).get(text)):
                moved.setdefault(id, {})[text] = log_odds(verdict, self._weight)
        again = found.rescored(moved) if moved and found.rescored is not None else {}
        before = {document.id: document.score for document in found.documents}
        made = [
            replace(again.get(one.id, one), verdicts=by_document[one.id], unverified_score=before[one.id])
            if one.id in by_document
            else one
            for one in documents
        ]
        return sorted(made, key=lambda one: (-one.score, id_order(one.id))) if moved else made

    def _overturns(self, verdict: Verdict, share: float | None) -> bool:
        """Whether a verdict decides otherwise than the share does; always on a wanted term, which has none."""
        return share is None or _is_about(share, verdict, self._weight) != (share >= self._about)
