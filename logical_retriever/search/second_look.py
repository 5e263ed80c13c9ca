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
from collections.abc import Callable, Sequence

from logical_retriever.results import DocumentId, SecondOpinion, Verdict, id_order
from logical_retriever.search.exclusion import PERHAPS
from logical_retriever.search.ranking import Hit
from logical_retriever.verify import Asking, Verification

SLOPE, MIDDLE = 12.0, 0.77
"""Log-odds of being about a term for a share of 1, and the share at which they are 0: read off a histogram
of a language model's verdicts on the development half of ``ask``."""


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


def share_after(share: float, verdict: Verdict, weight: float) -> float:
    """The share that a document counts with once a verdict is in: 1 for about, 0.6 for mentions, 0 for not."""
    if _is_about(share, verdict, weight):
        return 1.0
    return PERHAPS if verdict.label == "mentions" else 0.0


def _is_about(share: float, verdict: Verdict, weight: float) -> bool:
    return SLOPE * (share - MIDDLE) + log_odds(verdict, weight) >= 0.0


class SecondLook:
    """The looks that a verifier takes at the documents of one search.

    Args:
        verification: Who is asked, and within which budget.
        k: Documents wanted.
        about: Share from which, by the scores, a document is about an excluded term.
        goes: Whether a document is left out, with the verdicts that it has.
    """

    def __init__(self, verification: Verification, k: int, about: float, goes: Callable[[Hit], bool]) -> None:
        self._verification, self._k, self._about, self._goes = verification, k, about, goes
        self._weight = weight_within(verification.between)
        self._asking = Asking(verification)
        self._verdicts: dict[DocumentId, dict[str, Verdict]] = {}
        self._seen: set[tuple[DocumentId, str]] = set()

    def at(self, hits: Sequence[Hit]) -> tuple[list[Hit], SecondOpinion | None]:
        """A ranking in the order that verdicts give it, looked at down to k documents that stay and a margin."""
        first = {hit.id: hit for hit in hits}
        current = list(hits)
        margin = self._verification.margin
        while pairs := self._doubts(current, self._k + margin):
            margin = 0  # what is asked again is only what takes the place of what went
            self._seen.update(pairs)
            for (id, text), verdict in self._asking.ask(pairs).items():
                self._verdicts.setdefault(id, {})[text] = verdict
            current = self._with_verdicts(first, current)
        return current, self._asking.said if self._seen else None

    def _doubts(self, hits: Sequence[Hit], number: int) -> dict[tuple[DocumentId, str], tuple[str, str]]:
        """The next to ask: pairs of a term and a passage, by document and term, the best documents first."""
        low, high = self._verification.between
        pairs: dict[tuple[DocumentId, str], tuple[str, str]] = {}
        stay = 0
        for hit in hits:
            if stay >= number:
                break
            gone = self._goes(hit)
            shares = {text: hit.share(text) for text in hit.group.shares}
            # What goes for one term, clearly or by a verdict, needs no look for another.
            settled = gone and (bool(hit.verdicts) or any(share > high for share in shares.values()))
            terms = [] if settled else [text for text, share in shares.items() if low <= share <= high]
            new = [text for text in terms if (hit.id, text) not in self._seen]
            pairs.update({(hit.id, text): (text, hit.text) for text in new})
            stay += not gone
        return pairs

    def _with_verdicts(self, first: dict[DocumentId, Hit], hits: Sequence[Hit]) -> list[Hit]:
        """The documents with all verdicts so far, in the order of the scores that these give."""
        moved: dict[DocumentId, dict[str, float]] = {}
        for id, verdicts in self._verdicts.items():
            for text, verdict in verdicts.items():
                if self._overturns(verdict, first[id].share(text)):
                    moved.setdefault(id, {})[text] = log_odds(verdict, self._weight)
        again: dict[DocumentId, Hit] = {}
        if moved and all(hit.group.scorer.semantics.pointwise for hit in first.values()):
            for group in dict.fromkeys(hit.group for hit in first.values()):
                again.update(group.with_verdicts(moved))
        current = [
            again.get(hit.id, hit)._replace(verdicts=self._verdicts[hit.id], unverified_score=first[hit.id].score)
            if hit.id in self._verdicts
            else hit
            for hit in hits
        ]
        return sorted(current, key=lambda hit: (-hit.score, id_order(hit.id))) if moved else current

    def _overturns(self, verdict: Verdict, share: float) -> bool:
        """Whether a verdict decides otherwise than the share does."""
        return _is_about(share, verdict, self._weight) != (share >= self._about)
