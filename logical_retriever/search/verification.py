"""A second opinion on the documents about to be shown: a verifier reads them for the excluded terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from logical_retriever.query import negative_terms
from logical_retriever.reading.passages import VerifierCalls
from logical_retriever.results import DocumentId, SecondOpinion, Verdict
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.question import Question
from logical_retriever.search.scores import Scores
from logical_retriever.search.selection import Selection, select

CALLS = 2
"""Most calls of a verifier for one question: one for the k documents about to be shown, one for those that replace the
documents it left out."""


def verified(question: Question, candidates: Candidates, scores: Scores) -> tuple[Selection, SecondOpinion | None]:
    """Return the selection without the documents about an excluded term, according to the verifier.

    Documents that it has not read are not shown. Without a verdict, the scores decide alone.
    """
    calls, options = VerifierCalls(question.options.verify), question.options
    # With "rank" nothing would be left out for the question's own exclusions: not worth a call.
    excluded = options.always_exclude if options.exclusion == "rank" else negative_terms(question.scored)
    read: set[DocumentId] = set()
    about: set[tuple[DocumentId, str]] = set()
    selection = select(question, candidates, scores)
    for _ in range(CALLS):
        documents = [document for document in selection.documents if document.id not in read]
        if not documents or not excluded:
            break
        read.update(document.id for document in documents)
        pairs = {(document.id, term): (term, document.text) for document in documents for term in excluded}
        about.update(pair for pair, verdict in calls.verdicts(pairs).items() if _goes(verdict))
        scores = _with_verdicts(scores, candidates, about)
        selection = select(question, candidates, scores, about)
    if not read:
        return selection, None
    shown = tuple([document for document in selection.documents if document.id in read])
    return replace(selection, documents=shown), calls.opinion


def _goes(verdict: Verdict | float) -> bool:
    return max(verdict.has, verdict.about) >= 0.5 if isinstance(verdict, Verdict) else verdict >= 0.5


def _with_verdicts(scores: Scores, candidates: Candidates, about: set[tuple[DocumentId, str]]) -> Scores:
    """Return the scores, with the verifier's verdicts added to the judgements."""
    judgements = {}
    for term, judgement in scores.judgements.items():
        read = np.array([(document.id, term) in about for document in candidates.documents], bool)
        judgements[term] = replace(judgement, about=judgement.about | read)
    return replace(scores, judgements=judgements)
