"""A verifier reads the best documents for the excluded terms, best first, until enough of them stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from logical_retriever.query import positive_terms
from logical_retriever.reading.passages import PassageReader, VerifierCalls
from logical_retriever.results import SecondOpinion, Verdict
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.decisions import TermDecisions
from logical_retriever.search.question import PAIRS, SAME_MEANING, Question
from logical_retriever.search.scores import Scores
from logical_retriever.search.selection import Selection, select

FEW = 6
"""Passages of fewer words are not read: the package's reader was taught with longer ones, and guesses at headings."""


def verified(
    question: Question, candidates: Candidates, scores: Scores, selection: Selection
) -> tuple[Selection, SecondOpinion | None]:
    """Return a selection anew, by the decisions with a verifier's verdicts.

    Each call reads twice as many documents as the one before, k at first. Past the bound on pairs, and after a failed
    call, evidence and cue decide; ``exclusion="certain"`` leaves out what was not read. The package's passage
    reader reads only where a verdict can change the decision, and no headings.
    """
    options, certain = question.options, question.options.exclusion == "certain"
    calls = VerifierCalls(options.verify, otherwise="it is not shown" if certain else "the evidence decides alone")
    # With "rank" nothing is left out for the question's own exclusions: not worth a call.
    terms = options.always_exclude if options.exclusion == "rank" else question.excluded
    packaged = isinstance(options.verify, PassageReader)  # with its own networks or a larger one
    if packaged and not certain:
        terms = tuple([term for term in terms if not _synonym(question, term)])
    passed, number = 0, options.k
    if not terms or not selection.seen:
        return selection, None
    before = {term: scores.decisions[term] for term in terms}
    answers: dict[str, dict[int, Verdict | float]] = {term: {} for term in terms}
    pairs_left = PAIRS
    while passed < selection.seen and pairs_left >= len(terms) and not calls.failed:
        rows, number = scores.order[passed : passed + min(number, pairs_left // len(terms))], 2 * number
        texts = {row: candidates.documents[row].text for row in rows}
        # In scripts that set no words apart, their number tells nothing.
        worth = [row for row in rows if not packaged or len(texts[row].split()) >= FEW or not texts[row].isascii()]
        to_read = [(row, term) for row in worth for term in terms if not packaged or before[term].can_change(row)]
        pairs = {(row, term): (term, texts[row]) for row, term in to_read}
        for (row, term), answer in calls.verdicts(pairs).items():
            answers[term][row] = answer
        pairs_left -= len(pairs)
        answered = {term: before[term].with_answers(answers[term]) for term in terms}
        scores, passed = replace(scores, decisions={**scores.decisions, **answered}), passed + len(rows)
        selection = select(question, candidates, scores)
    if passed < selection.seen and not calls.failed:
        calls.note_limit(f"Only the best {passed} documents were considered for reading.")
    if quoted := _quoted(candidates, scores.decisions, selection, calls):
        selection = select(question, candidates, replace(scores, decisions={**scores.decisions, **quoted}))
    return selection, calls.opinion


def _synonym(question: Question, term: str) -> bool:
    """Return whether an excluded term means the same as a wanted one, in other words: "sofa, but not couch".

    Then only its name tells what is excluded.
    """
    correlations, words = question.statistics.nulls.correlations, set(term.casefold().split())
    wanted = [text for text in positive_terms(question.scored) if words.isdisjoint(text.casefold().split())]
    if correlations is None or not wanted:
        return False
    return bool(max(correlations[question.rows([term])[0], question.rows(wanted)]) >= SAME_MEANING)


def _quoted(
    candidates: Candidates, decisions: Mapping[str, TermDecisions], selection: Selection, calls: VerifierCalls
) -> dict[str, TermDecisions]:
    """Return the decisions with the verifier's quotations, for documents left out in which no cue asserts the term."""
    row_of = {document.id: row for row, document in enumerate(candidates.documents)}
    unnamed = [
        (row_of[out.id], out)
        for out in selection.left_out
        if out.verdict and not out.decision.silent and out.decision.cue != "asserted"
    ]
    sentences = calls.quotes([(out.excluded, out.text) for _, out in unnamed])
    quotes: dict[str, dict[int, str]] = {}
    for (row, out), sentence in zip(unnamed, sentences, strict=True):
        if sentence:
            quotes.setdefault(out.excluded, {})[row] = sentence
    return {term: replace(decisions[term], quotes=by_row) for term, by_row in quotes.items()}
