"""A verifier reads the best documents for the excluded terms, best first, until enough of them stay."""

from __future__ import annotations

from dataclasses import replace

from logical_retriever.query import negative_terms
from logical_retriever.reading.passages import VerifierCalls
from logical_retriever.results import SecondOpinion, Verdict
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.question import PAIRS, Question
from logical_retriever.search.scores import Scores
from logical_retriever.search.selection import Selection, select


def verified(question: Question, candidates: Candidates, scores: Scores) -> tuple[Selection, SecondOpinion | None]:
    """Return the selection by the decisions with a verifier's verdicts.

    Each call reads twice as many documents as the one before, k at first. Past the bound on pairs, and after a failed
    call, evidence and cue decide.
    """
    calls, options = VerifierCalls(question.options.verify), question.options
    # With "rank" nothing is left out for the question's own exclusions: not worth a call.
    terms = options.always_exclude if options.exclusion == "rank" else negative_terms(question.scored)
    selection, read, number = select(question, candidates, scores), 0, options.k
    if not terms or not selection.seen:
        return selection, None
    answers: dict[str, dict[int, Verdict | float]] = {term: {} for term in terms}
    most = min(len(scores.order), PAIRS // len(terms))
    while read < min(selection.seen, most) and not calls.failed:
        rows, number = scores.order[read : min(read + number, most)], 2 * number
        pairs = {(row, term): (term, candidates.documents[row].text) for row in rows for term in terms}
        for (row, term), answer in calls.verdicts(pairs).items():
            answers[term][row] = answer
        decided = {term: scores.decisions[term].with_answers(answers[term]) for term in terms}
        scores, read = replace(scores, decisions={**scores.decisions, **decided}), read + len(rows)
        selection = select(question, candidates, scores)
    if read < selection.seen and not calls.failed:
        calls.note_limit(f"Only the best {read} documents were read.")
    return selection, calls.opinion
