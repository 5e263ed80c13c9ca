"""Candidates of a scanned store: every document is compared with every text in float32, and the best in float64."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logical_retriever.lexical import own_words
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.scoring import BagOfWords
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.scoring.exclusion import exclusion_log_odds, exclusion_weights, probability_of
from logical_retriever.search.candidates import (
    CUES,
    EVERY,
    Candidates,
    Found,
    Lexical,
    gather,
    strongest_evidence,
    word_evidence,
)
from logical_retriever.search.filters import Rows, with_outcomes
from logical_retriever.search.nearest import word_matches
from logical_retriever.search.question import Question
from logical_retriever.search.scores import check_scores
from logical_retriever.search.session import StoreSession
from logical_retriever.vectors import Vectors, cosines

MARGIN = 32
"""Documents compared again in float64 beyond those wanted: float32 may exchange neighbours."""
TIES = 1000
"""Most documents taken beyond those wanted, for scores equal up to rounding."""
ROUNDING = 1e-4
"""Greatest error of scores from float32 cosines, relative to the largest score."""


@dataclass(frozen=True, eq=False)
class Scan:
    """All documents that pass the filter, compared in float32.

    Attributes:
        ids: N identities.
        cosines: With each text, shape (T, N).
        lexical: Evidence of their words, shape (N,) for each bag, empty if no words are looked for; None if the scan
            brought no index of words.
    """

    ids: Sequence[DocumentId]
    cosines: Vectors
    lexical: Lexical | None

    def only(self, rows: Rows) -> Scan:
        """Return the scan of some of its documents."""
        lexical = None if self.lexical is None else {bag: values[rows] for bag, values in self.lexical.items()}
        return Scan([self.ids[row] for row in rows], self.cosines[:, rows], lexical)


def scan_candidates(question: Question, session: StoreSession) -> Candidates:
    """Compare all documents in float32, then read the best and compare them in float64."""
    scan = scan_store(question, session)
    count, outcomes = len(scan.ids), dict[LogicalQuery, Flags]()
    if question.conditional or session.passes is not None:  # metadata decides: all of it is read
        pool = session.fetch(scan.ids)
        scan = scan.only(np.array([row for row, id in enumerate(scan.ids) if id in pool], np.intp))
        rows, outcomes = with_outcomes(question.scored, session.passes, [pool[id][0] for id in scan.ids])
        scan = scan.only(rows)
    strongest = strongest_evidence(question, question.evidence(scan.cosines, scan.lexical or {}, outcomes))
    best = best_scored(question, scan, outcomes, strongest)
    pool = session.fetch([scan.ids[row] for row in best])
    if scan.lexical is None:  # no index of words: the words of the best by vectors are read
        pool.update(session.fetch(word_matches(question, session, pool)))
        reason = f"all {count} documents were scored by their vectors, and words were read of the best alone"
        return gather(question, session, pool, Found("all", len(scan.ids), reason=reason, strongest=strongest))
    short = session.filter is None and session.count is not None and count < session.count
    reason = f"the store counts {session.count} documents, and a scan brought {count}" if short else EVERY
    places = {scan.ids[row]: row for row in best}
    fetched = [places[id] for id in pool]
    lexical = {bag: values[fetched] for bag, values in scan.lexical.items()}
    found = Found("all", len(scan.ids), complete=not short, reason=reason, strongest=strongest)
    return gather(question, session, pool, found, lexical)


def scan_store(question: Question, session: StoreSession) -> Scan:
    """Compare every document with every text in float32, in one matrix product a batch."""
    batches = list(session.scan())
    parts = [cosines(question.vectors, batch.vectors, batch.scales) for batch in batches]
    compared = np.concatenate([np.empty((len(question.texts), 0), np.float32), *parts], axis=1)
    language = question.statistics.word_statistics.language
    indexes = [batch.word_index(language) for batch in batches if batch.word_index is not None] if question.bags else []
    lexical: Lexical | None = {}
    if question.bags and len(indexes) < len(batches):
        lexical = None
    elif indexes:
        evidence = [word_evidence(question, index) for index in indexes]
        lexical = {bag: np.concatenate([part[bag] for part in evidence], dtype=np.float32) for bag in question.bags}
    return Scan([id for batch in batches for id in batch.ids], compared, lexical)


def best_scored(
    question: Question, scan: Scan, outcomes: Mapping[LogicalQuery, Flags], strongest: Mapping[str, float]
) -> list[int]:
    """Return positions of the best documents, enough of them for k that stay.

    Cue and verdict of each document are not known yet, so every document gets two scores: the highest, as if it denied
    every excluded term or a verifier found none, and the lowest, as if it asserted each one it may name. Returned are
    the top documents by highest score, and every document whose highest score reaches the lowest score of the documents
    needed. Only documents that stay even if they assert every term count among these. A document without any of a
    term's words, or whose words are not indexed, does not assert it.

    Args:
        question: The question.
        scan: N documents.
        outcomes: Whether they fulfil each condition, shape (N,).
        strongest: Greatest evidence for each excluded term.
    """
    calibrated, number, lexical = question.options.calibrated_semantics, question.depth, scan.lexical or {}
    unnamed = question.evidence(scan.cosines, lexical, outcomes, strongest=strongest)
    highest = lowest = question.semantics.compose(question.scored, unnamed)
    term_evidence = asserted_evidence = calibrated.term_evidence(question.scored, unnamed)
    if question.excluded and calibrated.words:
        denied = dict.fromkeys(question.excluded, np.full(len(scan.ids), CUES["denied"]))
        asserted = {
            term: CUES["asserted"] * _named(question, term_evidence.for_decision(term).bag(term), scan)
            for term in denied
        }
        if_denied, if_asserted = (replace(unnamed, cues=cues) for cues in (denied, asserted))
        highest = np.maximum(highest, question.semantics.compose(question.scored, if_denied))
        lowest = np.minimum(lowest, question.semantics.compose(question.scored, if_asserted))
        asserted_evidence = calibrated.term_evidence(question.scored, if_asserted)
    if none_has := question.none_has(question.read_terms, len(scan.ids)):
        if_none = replace(unnamed, read=none_has)
        highest = np.maximum(highest, question.semantics.compose(question.scored, if_none))
    if scan.lexical is None:
        number = max(number, question.options.k, question.options.fetch_k)
    rows = best_rows(highest, number + MARGIN)
    if question.excluded and len(highest) > number:
        if question.options.leaves_out:
            log_odds = np.max([exclusion_log_odds(term, asserted_evidence) for term in question.excluded], axis=0)
            # By the strictest threshold these stay, whatever the cue; a verifier may still send them away.
            lowest = lowest[probability_of(log_odds) < exclusion_weights().strict]
        needed = lowest[best_rows(lowest, number)].min() if len(lowest) > number else -np.inf
        rows = np.union1d(rows, np.flatnonzero(highest >= needed))
    return [int(row) for row in rows]


def _named(question: Question, bag: BagOfWords, scan: Scan) -> Array:
    """Return 1 where a document may name a term, as it has one of its words, shape (N,); 0 where none is indexed."""
    if not scan.lexical:
        return np.zeros(len(scan.ids))
    if not own_words(bag.text, bag.without, bag.keeping, question.statistics.word_statistics.language):
        return np.ones(len(scan.ids))  # stop words, or words that are all wanted too
    return np.asarray(scan.lexical[bag] > 0.0, np.float64)


def best_rows(scores: Array, n: int) -> Rows:
    """Return positions, ascending, of the n best of N scores, and of equal ones up to rounding.

    Args:
        scores: Shape (N,).
        n: At least 1.

    Raises:
        SemanticsError: A score is NaN.
    """
    check_scores(scores)
    if len(scores) <= n:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    size = np.abs(scores[np.isfinite(scores)]).max(initial=1.0)
    near = np.flatnonzero(scores >= (least - ROUNDING * size if np.isfinite(least) else least))
    return near if len(near) <= n + TIES else np.sort(near[np.argsort(-scores[near], kind="stable")[: n + TIES]])
