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
from collections.abc import Sequence
from dataclasses import replace

from logical_retriever.results import DocumentId, SecondOpinion, Verdict
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.candidates import Array, Candidates
from logical_retriever.search.exclusion import Ranking, Verdicts, blocked, in_order, leave_out
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scores import PERHAPS, GroupScores, score
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


def verified(
    request: SearchRequest,
    texts: EncodedTexts,
    candidates: Candidates,
    groups: Sequence[GroupScores],
    verification: Verification,
) -> tuple[Ranking, SecondOpinion | None]:
    """The ranking once a verifier has looked at the documents in doubt, down to k that stay and a margin.

    Args:
        request: The request.
        texts: Its texts.
        candidates: The documents.
        groups: Their scores.
        verification: The verifier, and its budget.
    """
    asking, weight = Asking(verification), weight_within(verification.between)
    verdicts: dict[DocumentId, dict[str, Verdict]] = {}
    seen: set[tuple[DocumentId, str]] = set()
    current, number = list(groups), request.options.k + verification.margin
    while pairs := _doubts(request, candidates, groups, current, verdicts, number, verification.between):
        pairs = {key: pair for key, pair in pairs.items() if key not in seen}
        if not pairs:
            break
        number = request.options.k  # what is asked again is only what takes the place of what went
        seen.update(pairs)
        for (id, text), verdict in asking.ask(pairs).items():
            verdicts.setdefault(id, {})[text] = verdict
        current = _with_verdicts(request, texts, candidates, groups, verdicts, weight)
    ranking = leave_out(request, texts, candidates, current, verdicts, groups)
    return ranking, asking.said if seen else None


def _doubts(
    request: SearchRequest,
    candidates: Candidates,
    before: Sequence[GroupScores],
    groups: Sequence[GroupScores],
    verdicts: Verdicts,
    number: int,
    between: tuple[float, float],
) -> dict[tuple[DocumentId, str], tuple[str, str]]:
    """Pairs of a term and a passage that are in doubt, by document and term, the best documents first."""
    low, high = between
    gone = [blocked(request, group) for group in groups]
    pairs: dict[tuple[DocumentId, str], tuple[str, str]] = {}
    stay = 0
    for of, place in in_order(candidates, groups):
        if stay >= number:
            break
        document, goes = candidates.documents[groups[of].rows[place]], gone[of][place] is not None
        shares = {text: float(values[place]) for text, values in before[of].shares.items()}
        # What goes for one term, clearly or by a verdict, needs no look for another.
        if not goes or (document.id not in verdicts and all(share <= high for share in shares.values())):
            doubtful = [text for text, share in shares.items() if low <= share <= high]
            pairs.update({(document.id, text): (text, document.text) for text in doubtful})
        stay += not goes
    return pairs


def _with_verdicts(
    request: SearchRequest,
    texts: EncodedTexts,
    candidates: Candidates,
    before: Sequence[GroupScores],
    verdicts: Verdicts,
    weight: float,
) -> list[GroupScores]:
    """The scores and the shares that all verdicts so far give."""
    moved: dict[DocumentId, dict[str, float]] = {}
    settled: list[dict[str, Array]] = []
    for group in before:
        shares = {text: values.copy() for text, values in group.shares.items()}
        for place, row in enumerate(group.rows):
            id = candidates.documents[row].id
            for text, verdict in verdicts.get(id, {}).items():
                share = float(group.shares[text][place])
                shares[text][place] = share_after(share, verdict, weight)
                if _is_about(share, verdict, weight) != (share >= request.about):
                    moved.setdefault(id, {})[text] = log_odds(verdict, weight)
        settled.append(shares)
    scored = score(request, texts, candidates, moved) if moved else before
    return [replace(group, shares=shares) for group, shares in zip(scored, settled, strict=True)]
