"""The decision on an excluded term: the log odds that a document is to be left out.

It is one logistic function. ``exclusion.json`` has its weights, its thresholds and the command that fits them on all
development sets together. Each weight belongs to one feature:

- the evidence for the term, as a share of the most that any document has and in standard deviations of chance (the fit
  lets the share count, and takes some of it back where the evidence is great in itself);
- what the document's vector says of the term, and of the question, beyond what the wish (the first wanted term)
  explains;
- the cue: whether the document names the term and asserts it, names it and denies it, or does not name it;
- the kind of exclusion: as a topic, as something to lack, or either where a person typed the logic.

Where a verifier read the document, its verdict joins them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from logical_retriever.results import Verdict
from logical_retriever.scoring.evidence import Array
from logical_retriever.scoring.term_evidence import TermEvidence

LEAST_STRONGEST = 5.0
"""Lower bound of the evidence of the document most about a term, in standard deviations of chance."""
LEAST_VARIANCE = 0.02
"""Lower bound of the variance of a term's evidence, given that for a wanted term."""
SHARE_CEILING = 1.05
"""Bound of a share in its logarithm: a share of 1 counts 3.0, one of 0.9 counts 1.9, one of 0.5 counts 0.6."""
USUAL_WISH = 2.5
"""Evidence for an excluded term that the wish explains on average on the development sets; for want of a wish."""
CLIP = 0.01
"""Probabilities of a verdict are clipped to [0.01, 0.99] before their log odds."""


@dataclass(frozen=True)
class ExclusionWeights:
    """The weights of the decision, in log odds per unit of a feature, and its thresholds.

    Attributes:
        document: Weights of what is known of every document, by feature.
        small_reader: Weights of a verdict of the package's networks; "unread" is the factor of the log odds without it.
        other_reader: The same of any other verdict, fitted to a large reader: the evidence weighs less beside it.
        drop: Probability from which a document is left out with ``exclusion="drop"``.
        strict: The same for "strict", "certain" and standing exclusions.
    """

    document: Mapping[str, float]
    small_reader: Mapping[str, float]
    other_reader: Mapping[str, float]
    drop: float
    strict: float


@cache
def exclusion_weights() -> ExclusionWeights:
    """Return the package's weights."""
    text = files("logical_retriever.scoring").joinpath("exclusion.json").read_text(encoding="utf-8")
    return ExclusionWeights(**{name: value for name, value in json.loads(text).items() if name != "fitted by"})


def exclusion_features(term: str, term_evidence: TermEvidence) -> dict[str, Array]:
    """Return the features of N documents for an excluded term, shape (N,) each.

    A share is in [0, 1], its logarithm in [-0.05, 3]. Evidence is in units of five standard deviations of chance, in
    [0, 3], and beyond the wish in [-0.4, 2]. The others are 0 or 1.
    """
    evidence, judged = term_evidence.evidence, term_evidence.for_decision(term)
    own, beyond, kind = judged.total(term), _beyond_wish(term, judged), evidence.kinds.get(term, "typed")
    asked = evidence.asked if judged.wanted else None
    question_beyond = beyond if asked is None else _beyond_wish(asked, judged)
    # Question.evidence knows the greatest of the whole store; the N documents may not have it.
    strongest = max(evidence.strongest.get(term, 0.0), float(own.max(initial=LEAST_STRONGEST)))
    cue, one = evidence.cues.get(term, np.zeros(len(own))), np.ones(len(own))
    topic, share = one * (kind == "topic"), np.clip(own / strongest, 0.0, 1.0)
    asserted, denied = (cue > 0.0) * one, (cue < 0.0) * one
    return {
        "constant": one,
        "asserted": asserted,
        "denied": denied,
        "topic": topic,
        "lack": one * (kind == "lack"),
        "share": share,
        "evidence": np.clip(own / 5.0, 0.0, 3.0),
        "beyond the wish": np.clip(beyond / 5.0, -0.4, 2.0),
        "topic and share": -topic * np.log(SHARE_CEILING - share),
        "question beyond the wish": np.clip(question_beyond / 5.0, -0.4, 2.0),
        "topic and denied": topic * denied,
    }


def _beyond_wish(text: str, term_evidence: TermEvidence) -> Array:
    """Return the evidence of a text's vector beyond what the first wanted term explains, shape (N,)."""
    evidence, own = term_evidence.evidence, term_evidence.z(text)
    if not term_evidence.wanted or text in term_evidence.wanted or term_evidence.nulls.correlations is None:
        return own - USUAL_WISH
    together = float(term_evidence.nulls.correlations[evidence.row(text), evidence.row(term_evidence.wanted[0])])
    beyond: Array = own - together * term_evidence.z(term_evidence.wanted[0])
    return beyond / math.sqrt(max(LEAST_VARIANCE, 1.0 - together * together))


def exclusion_parts(term: str, term_evidence: TermEvidence) -> dict[str, Array]:
    """Return what each feature adds to the log odds that N documents are to be left out, shape (N,) each."""
    weights = exclusion_weights().document
    return {name: weights[name] * values for name, values in exclusion_features(term, term_evidence).items()}


def exclusion_log_odds(term: str, term_evidence: TermEvidence) -> Array:
    """Return the log odds that N documents are to be left out, shape (N,): as read, and by the evidence elsewhere.

    The score of a NOT is made of them. :mod:`~logical_retriever.search.decisions` keeps the parts and adds them up.
    """
    unread: Array = np.sum([*exclusion_parts(term, term_evidence).values()], axis=0)
    read = term_evidence.evidence.read.get(term)
    return unread if read is None else np.where(np.isnan(read), unread, read)


def probability_of(log_odds: Array | float) -> Array:
    """Return the probability of log odds, of the same shape."""
    small = np.exp(-np.abs(log_odds))
    probability: Array = np.where(np.asarray(log_odds) >= 0.0, 1.0, small) / (1.0 + small)
    return probability


def log_odds_of(probability: float) -> float:
    """Return the log odds of a verifier's probability, clipped to [0.01, 0.99]."""
    inside = min(max(probability, CLIP), 1.0 - CLIP)
    return math.log(inside / (1.0 - inside))


def verdict_features(log_odds: float, verdict: Verdict, kind: str) -> dict[str, float]:
    """Return the features of a document that was read: its log odds without the verdict, and the verdict's own."""
    said = {"topic": verdict.about, "lack": verdict.has}.get(kind, max(verdict.has, verdict.about))
    return {
        "read": 1.0,
        "unread": log_odds,
        "said": log_odds_of(said),
        "topic and read": float(kind == "topic"),
        "lack and read": float(kind == "lack"),
    }


def verdict_parts(log_odds: float, verdict: Verdict, kind: str, *, small_reader: bool = False) -> dict[str, float]:
    """Return what each of :func:`verdict_features` adds to the log odds."""
    weights = exclusion_weights().small_reader if small_reader else exclusion_weights().other_reader
    return {name: weights[name] * value for name, value in verdict_features(log_odds, verdict, kind).items()}
