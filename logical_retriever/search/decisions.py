"""Decisions on candidates: which of them are left out for which excluded term, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from logical_retriever.reading.passages import Mention, PassageReader
from logical_retriever.results import Decision, Verdict
from logical_retriever.scoring import TermEvidence
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.scoring.exclusion import (
    exclusion_parts,
    exclusion_weights,
    log_odds_of,
    probability_of,
    verdict_parts,
)
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.question import Question

BARE_THRESHOLD = 0.5
"""A verifier's bare number, instead of a verdict, from which a document is left out."""
CERTAIN = 0.8
"""Probability in a verdict from which a document denies a thing for certain (``training/passages/measure.py``)."""

HAS = Verdict(has=1.0, denies=0.0, open=0.0, absent=0.0, about=1.0)
DENIES = Verdict(has=0.0, denies=1.0, open=0.0, absent=0.0, about=0.0)


@dataclass(frozen=True, eq=False)
class TermDecisions:
    """The decisions on N candidates for one excluded term.

    Attributes:
        kind: How the term was excluded.
        threshold: Probability from which a document is left out.
        parts: What each feature adds to the log odds that a document is to be left out, unread, shape (N,) each.
        probability: Probability that the document is to be left out, as read, shape (N,).
        leave_out: Whether to leave it out, shape (N,).
        certain: Whether, once a verifier has read, only documents stay that deny the thing for certain.
        mentions: How each document names the term; empty where no text was read.
        answers: A verifier's answers, by position.
        quotes: A verifier's quotations, in place of the cue's sentences, by position.
        small_reader: Whether the verifier is the package's reader with its own networks.
    """

    kind: str
    threshold: float
    parts: Mapping[str, Array]
    probability: Array
    leave_out: Flags
    certain: bool = False
    mentions: Sequence[Mention] = ()
    answers: Mapping[int, Verdict | float] = field(default_factory=dict)
    quotes: Mapping[int, str] = field(default_factory=dict)
    small_reader: bool = False

    def can_change(self, row: int) -> bool:
        """Return whether a verdict can change the decision on a document."""
        most, least = (probability_of(self._log_odds(row, one)) for one in (HAS, DENIES))
        return bool((self.certain or most >= self.threshold) and self.threshold > least)

    def with_answers(self, answers: Mapping[int, Verdict | float]) -> TermDecisions:
        """Return the decisions with a verifier's answers by position."""
        probability, leave_out = self.probability.copy(), self.leave_out | self.certain
        for row, answer in answers.items():
            if isinstance(answer, Verdict):
                probability[row] = probability_of(self._log_odds(row, answer))
                leaves = probability[row] >= self.threshold
            else:
                probability[row], leaves = answer, answer >= BARE_THRESHOLD
            # Nobody lifts a standing exclusion.
            standing = self.kind == "always" and self.leave_out[row]
            leave_out[row] = leaves or standing or (self.certain and not _denies(answer))
        return replace(self, probability=probability, leave_out=leave_out, answers=answers)

    def as_read(self) -> Array:
        """Return the log odds of the documents that were read, shape (N,); NaN elsewhere."""
        log_odds = np.full(len(self.probability), np.nan)
        for row, answer in self.answers.items():
            log_odds[row] = self._log_odds(row, answer) if isinstance(answer, Verdict) else log_odds_of(answer)
        return log_odds

    def silent(self, row: int) -> bool:
        """Return whether a document is left out only because it does not say that it lacks the thing."""
        answer = self.answers.get(row)
        threshold = self.threshold if answer is None or isinstance(answer, Verdict) else BARE_THRESHOLD
        return self.certain and not _denies(answer) and bool(self.leave_out[row] and self.probability[row] < threshold)

    def decision(self, row: int) -> Decision:
        """Return the decision on one document."""
        answer = self.answers.get(row)
        unread = {} if answer is not None else {name: float(values[row]) for name, values in self.parts.items()}
        mention = self.mentions[row] if self.mentions else Mention()
        return Decision(
            probability=float(self.probability[row]),
            leave_out=bool(self.leave_out[row]),
            kind=self.kind,
            cue=mention.cue,
            sentence=self.quotes.get(row, mention.sentence),
            quoted=row in self.quotes,
            silent=self.silent(row),
            parts=self._verdict_parts(row, answer) if isinstance(answer, Verdict) else unread,
            verdict=answer if isinstance(answer, Verdict) else None,
        )

    def _log_odds(self, row: int, verdict: Verdict) -> float:
        return sum(self._verdict_parts(row, verdict).values())

    def _verdict_parts(self, row: int, verdict: Verdict) -> dict[str, float]:
        log_odds = float(sum(values[row] for values in self.parts.values()))
        return verdict_parts(log_odds, verdict, self.kind, small_reader=self.small_reader)


def _denies(answer: Verdict | float | None) -> bool:
    return isinstance(answer, Verdict) and answer.denies >= CERTAIN


def decide(question: Question, candidates: Candidates, term_evidence: TermEvidence) -> dict[str, TermDecisions]:
    """Decide on the candidates for each excluded term, by evidence, cue and kind."""
    weights, decisions, verify = exclusion_weights(), dict[str, TermDecisions](), question.options.verify
    exclusion = question.options.exclusion
    small_reader = isinstance(verify, PassageReader) and verify.small
    for term in question.excluded:
        kind, parts = question.kinds[term], exclusion_parts(term, term_evidence)
        strict = kind == "always" or exclusion in ("strict", "certain")
        threshold = weights.strict if strict else weights.drop
        probability = probability_of(np.sum([*parts.values()], axis=0))
        decisions[term] = TermDecisions(
            kind,
            threshold,
            parts,
            probability,
            leave_out=probability >= threshold,
            certain=exclusion == "certain" and kind != "topic",
            mentions=candidates.mentions.get(term, ()),
            small_reader=small_reader,
        )
    return decisions
