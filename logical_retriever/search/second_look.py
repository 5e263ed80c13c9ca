"""A second opinion on the documents about to be shown: a verifier reads them for what is excluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from logical_retriever.query import negative_terms
from logical_retriever.results import DocumentId, RankedDocument, SecondOpinion
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.exclusion import Selection, leave_out
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scores import Scores
from logical_retriever.verify import Verifier, VerifierCalls

CALLS = 2
"""Times that a verifier is called for one question: for the k documents about to be shown, and for those that take the
place of what it found to be about an excluded term."""


def verified(
    request: SearchRequest, candidates: Candidates, scores: Scores, verifier: Verifier
) -> tuple[Selection, SecondOpinion | None]:
    """The ranking without the documents that a verifier reads as being about what is excluded.

    What neither of its calls has read is not shown. Where it gives no verdict, the scores decide alone.

    Args:
        request: The request.
        candidates: The documents.
        scores: Their scores and judgements.
        verifier: Reads the documents.
    """
    calls = VerifierCalls(verifier)
    # What is only ranked lower is not worth a call: nothing would be left out.
    ranked = request.options.exclusion == "rank"
    excluded = request.options.always_exclude if ranked else negative_terms(request.scored)
    read: set[DocumentId] = set()
    about: set[tuple[DocumentId, str]] = set()
    ranking = leave_out(request, candidates, scores)
    for _ in range(CALLS):
        documents = [document for document in ranking.documents if document.id not in read]
        if not documents or not excluded:
            break
        read.update(document.id for document in documents)
        verdicts = calls.verdicts(_pairs(documents, excluded))
        about.update(pair for pair, verdict in verdicts.items() if verdict == "about")
        scores = _with_verdicts(scores, candidates, about)
        ranking = leave_out(request, candidates, scores, about)
    if not read:
        return ranking, None
    shown = tuple([document for document in ranking.documents if document.id in read])
    return replace(ranking, documents=shown), calls.opinion


def _pairs(documents: Sequence[RankedDocument], excluded: Sequence[str]) -> dict[tuple[Any, str], tuple[str, str]]:
    """Each document's text beside each excluded term, by document and term."""
    return {(document.id, term): (term, document.text) for document in documents for term in excluded}


def _with_verdicts(scores: Scores, candidates: Candidates, about: set[tuple[DocumentId, str]]) -> Scores:
    """The scores, with what a verifier found in their judgements."""
    judgements = {}
    for term, judgement in scores.judgements.items():
        read = np.array([(document.id, term) in about for document in candidates.documents], bool)
        judgements[term] = replace(judgement, about=judgement.about | read)
    return replace(scores, judgements=judgements)
