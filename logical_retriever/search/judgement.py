"""How far documents are about an excluded term: one judgement for each document and term, whatever k is.

Evidence does not compare between terms: the best passage for "bone health" may have twice the evidence of the best for
a person's name. So a document's evidence is divided by the most that any document in the store has. From some share on,
the document is about the term. This limit

- is lower for a document that names the term, or is plainly about it in the light of the wish;
- rises for a document that is nearly the best for what is wanted. It rises less far for one that names the term, and
  least for one that is plainly about it as well.

The share alone is not enough, since similar terms share evidence: a document about "causes of inflation" has some for
"monetary policy as a cause of inflation". A document must have evidence of its own, either

- beyond what the wanted terms explain. A wanted term for which it has evidence s explains rho * s, with rho the smaller
  of two likenesses of the terms: the cosine of their vectors without the direction that all have in common, and the
  correlation of their cosines with unrelated documents; or
- for the term in the light of the wish, the text "<wish>: <term>", beyond what the wish alone explains.

docs/leaving-out.md has the limits in a table.

The form and its constants were chosen on the development sets together; ``benchmarks/answers.py`` prints what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from logical_retriever.lexical import distinct_words, tokenize
from logical_retriever.query import positive_terms
from logical_retriever.scoring import Evidence
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.search.candidates import LEAST, Candidates, calibrated_evidence
from logical_retriever.search.question import Question


class Limits(NamedTuple):
    """Shares of the best evidence from which a document is about an excluded term.

    Attributes:
        unnamed: For a document that does not name the term.
        named: For one that names it, or is plainly about it.
        certain: The most that the limit rises to for one that names it.
        plain: The most that the limit rises to for one that names it and is plainly about it.
    """

    unnamed: float
    named: float
    certain: float
    plain: float


LIMITS = MappingProxyType({"drop": Limits(0.95, 0.65, 0.92, 0.80), "strict": Limits(0.85, 0.50, 0.80, 0.65)})
"""By the setting ``exclusion``."""
GOOD = 0.8
"""Share of the best evidence for a wanted term from which the limit rises."""
NAMED_GOOD = 0.6
"""The same for a document that names the term or is plainly about it."""
RISE = 0.75
"""Rise of the limit per unit of the wish's share beyond GOOD or NAMED_GOOD."""
MOST = 0.999
"""Most that the limit rises to: the document with the best evidence for the term is about it."""
OWN = 2.5
"""Least evidence beyond what wanted terms bring, in standard deviations of chance."""
IN_LIGHT = 4.0
"""Least evidence for the term in the light of the wish, in standard deviations of chance."""
PLAIN = 6.0
"""Evidence for the term in the light of the wish from which a document is plainly about the term."""
LEAST_VARIANCE = 0.02
"""Lower bound of the variance of the term's evidence, given that for the wish."""


@dataclass(frozen=True, eq=False)
class Judgement:
    """How far N documents are about one excluded term.

    Attributes:
        share: Share of the best evidence in the store, shape (N,), in [0, 1].
        about: Whether each is about the term, shape (N,).
        named: Whether each has all words of the term that no wanted term has, shape (N,); words are not compared, and
            it is False, for a share below :attr:`Limits.named`.
    """

    share: Array
    about: Flags
    named: Flags


def judge(question: Question, candidates: Candidates, by_term: Mapping[str, Array]) -> dict[str, Judgement]:
    """Judge N candidates by each excluded term.

    Args:
        question: The question.
        candidates: The documents, and the greatest evidence in the store as far as it is known.
        by_term: The documents' calibrated evidence for each term, shape (N,).
    """

    def shares(text: str, values: Array) -> Array:
        return values / max(LEAST, candidates.found.strongest.get(text, LEAST), float(values.max(initial=LEAST)))

    evidence, wanted = candidates.evidence, positive_terms(question.scored)
    zeros, judgements = np.zeros(len(candidates.documents)), dict[str, Judgement]()
    if not question.excluded:
        return judgements
    wish_share = np.max([zeros, *(shares(text, by_term[text]) for text in wanted)], axis=0)
    for text, alike in likeness(question).items():
        always = text in question.options.always_exclude
        limits = LIMITS["strict" if always or question.options.exclusion == "strict" else "drop"]
        if always:  # judged apart from the question, which explains nothing of it
            values, explained, good = calibrated_evidence(question, text, evidence), [], zeros
            in_light = np.full(len(zeros), -np.inf)
        else:
            values, good, in_light = by_term[text], wish_share, _beside_wish(question, text, evidence)
            explained = [rho * np.maximum(by_term[other], 0.0) for other, rho in alike.items()]
        share = np.clip(shares(text, values), 0.0, 1.0)
        has_own = (values - np.max([zeros, *explained], axis=0) >= OWN) | (in_light >= IN_LIGHT)
        named = _names(question, text, candidates, share >= limits.named)
        plain = in_light >= PLAIN
        unnamed = limits.unnamed + RISE * np.maximum(0.0, good - GOOD)
        limit = np.where(named | plain, limits.named + RISE * np.maximum(0.0, good - NAMED_GOOD), unnamed)
        limit = np.minimum(limit, np.where(named, np.where(plain, limits.plain, limits.certain), MOST))
        judgements[text] = Judgement(share, has_own & (share >= limit), named)
    return judgements


def likeness(question: Question) -> dict[str, dict[str, float]]:
    """Return how much of each excluded term (first key) each wanted term (second key) explains, in [0, 1]."""
    units, common, nulls = question.vectors.astype(np.float64), question.statistics.common, question.statistics.nulls
    if common is not None:
        units = units - (units @ common)[:, None] * common
    lengths = np.linalg.norm(units, axis=1, keepdims=True)
    units = units / np.where(lengths > 0.0, lengths, 1.0)
    together = np.eye(len(units)) if nulls.correlations is None else nulls.correlations
    both = np.clip(np.minimum(together, units @ units.T), 0.0, 1.0)
    row, wanted = {text: place for place, text in enumerate(question.texts)}, positive_terms(question.scored)
    return {
        text: {other: float(both[row[text], row[other]]) for other in wanted if other != text}
        for text in question.excluded
    }


def _beside_wish(question: Question, text: str, evidence: Evidence) -> Array:
    """Return the evidence for "<wish>: <term>" beyond what the wish explains, by vectors, shape (N,)."""
    pair, nulls = question.wishes.get(text), question.statistics.nulls
    if pair is None or nulls.correlations is None:
        return np.full(evidence.cosines.shape[1], -np.inf)
    wish, light = question.rows(pair)
    z = (evidence.cosines[[wish, light]] - nulls.means[[wish, light], None]) / nulls.deviations[[wish, light], None]
    together = float(nulls.correlations[wish, light])
    partial: Array = (z[1] - together * z[0]) / np.sqrt(max(LEAST_VARIANCE, 1.0 - together * together))
    return partial


def _names(question: Question, text: str, candidates: Candidates, checked: Flags) -> Flags:
    """Tell which of the checked documents name a term, by all its words that no wanted term has."""
    named, language = np.zeros(len(checked), bool), question.statistics.word_statistics.language
    if not question.options.weighing.words:
        return named
    wanted = () if text in question.options.always_exclude else positive_terms(question.scored)
    words = set(distinct_words(text, wanted, (), language))
    for row in np.flatnonzero(checked) if words else ():
        named[row] = words <= set(tokenize(candidates.documents[row].text, language))
    return named
