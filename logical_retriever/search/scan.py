"""Candidates of a scanned store: every document is compared with every text in float32, and the best in float64."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.scoring import Evidence
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.search.candidates import (
    EVERY,
    LEAST,
    Candidates,
    Found,
    Lexical,
    calibrated_evidence,
    gather,
    with_rare_words,
    word_evidence,
)
from logical_retriever.search.filters import Rows, decided
from logical_retriever.search.question import Question
from logical_retriever.search.session import StoreSession
from logical_retriever.vectors import Vectors, cosines

SURELY_STAYS = 0.5
"""Share of the best evidence below which no setting leaves a document out."""
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
        lexical: Evidence of their words, shape (N,) for each bag; None if the scan brought no index of words.
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
        rows, outcomes = decided(question.scored, session.passes, [pool[id][0] for id in scan.ids])
        scan = scan.only(rows)
    evidence = question.evidence(scan.cosines, scan.lexical or {}, outcomes)
    strongest, stays = strongest_evidence(question, evidence)
    best = best_scored(question, scan, evidence, stays)
    pool = session.fetch([scan.ids[row] for row in best])
    if scan.lexical is None:  # no index of words: the words of the best by vectors are read
        pool.update(with_rare_words(question, session, pool))
        reason = f"all {count} documents were scored by their vectors, and words were read of the best alone"
        return gather(question, session, pool, Found("all", len(scan.ids), reason=reason))
    short = session.filter is None and session.count is not None and count < session.count
    reason = f"the store counts {session.count} documents, and a scan brought {count}" if short else EVERY
    places = {scan.ids[row]: row for row in best}
    read = [places[id] for id in pool]
    lexical = {bag: values[read] for bag, values in scan.lexical.items()}
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


def best_scored(question: Question, scan: Scan, evidence: Evidence, stays: Flags) -> list[int]:
    """Return positions of the best documents, enough of them for k that stay.

    Some of the best may be left out, so the list goes down to the k best of those certain to stay, with a margin.

    Args:
        question: The question.
        scan: N documents.
        evidence: About them.
        stays: Documents that no setting leaves out, shape (N,).
    """
    k, number = question.options.k, question.depth
    if scan.lexical is None:
        number = max(number, k, question.options.fetch_k)
    scores = question.semantics.compose(question.scored, evidence)
    rows = best_rows(scores, number + MARGIN)
    if not stays.all():
        certain = scores[stays]
        least = certain[best_rows(certain, k + MARGIN)].min() if len(certain) > k + MARGIN else -np.inf
        rows = np.union1d(rows, np.flatnonzero(scores >= least))
    best: list[int] = rows.tolist()
    return best


def strongest_evidence(question: Question, evidence: Evidence) -> tuple[dict[str, float], Flags]:
    """Return the greatest evidence of any document for each term, and which documents are certain to stay.

    Returns:
        Evidence by term, in standard deviations of chance, empty if nothing is excluded; and shape (N,).
    """
    strongest, stays = dict[str, float](), np.ones(evidence.cosines.shape[1], bool)
    for text in question.scored.terms() if question.excluded and len(stays) else ():
        values = calibrated_evidence(question, text, evidence)
        strongest[text] = max(LEAST, float(values.max()))
        if question.options.leaves_out and text in question.excluded:
            stays &= values < SURELY_STAYS * strongest[text]
    return strongest, stays


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


def check_scores(scores: Array) -> None:
    """Reject scores that are not numbers.

    Raises:
        SemanticsError: One is NaN.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )
