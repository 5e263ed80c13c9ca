"""A verifier reads the documents that may be shown for the excluded terms, most hopeful first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from logical_retriever.query import positive_terms
from logical_retriever.reading.passages import PassageReader, VerifierCalls
from logical_retriever.results import SecondOpinion, Verdict
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.decisions import TermDecisions
from logical_retriever.search.question import PAIRS, Question
from logical_retriever.search.scores import Scores, score
from logical_retriever.search.selection import Selection, select

FEW = 6
"""Passages of fewer words are not read: the package's reader was taught with longer ones, and guesses at headings."""
SAME_MEANING = 0.8
"""Correlation of two texts, over unrelated documents, from which they mean the same."""


def verified(
    question: Question, candidates: Candidates, scores: Scores, selection: Selection
) -> tuple[Selection, SecondOpinion | None]:
    """Return a selection anew, by the decisions with a verifier's verdicts.

    Documents are considered in the order that they would have if they had none of the excluded things (topics keep
    their evidence), until no further one can be among the k. So k=4 shows the first four of k=10. Each step considers
    twice as many as the one before, k at first. Past the bound on pairs, and after a failed call, evidence and cue
    decide; ``exclusion="certain"`` leaves out what was not read. The package's passage reader reads only where a
    verdict can change the decision, and no headings.
    """
    options, certain = question.options, question.options.exclusion == "certain"
    calls = VerifierCalls(options.verify, otherwise="it is not shown" if certain else "the evidence decides alone")
    terms = question.read_terms
    packaged = isinstance(options.verify, PassageReader)  # with its own networks or a larger one
    if packaged and not certain:
        terms = tuple([term for term in terms if not _synonym(question, term)])
    if not terms or not selection.seen:
        return selection, None
    before = {term: scores.decisions[term] for term in terms}
    answers: dict[str, dict[int, Verdict | float]] = {term: {} for term in terms}
    none_has = question.none_has(terms, len(candidates.documents))
    hopeful = score(question, candidates, scores.decisions, none_has) if none_has else scores
    passed, number, pairs_left = 0, options.k, PAIRS
    while _may_be_shown(hopeful, passed, scores, selection) and pairs_left >= len(terms) and not calls.failed:
        rows = hopeful.order[passed : passed + min(number, pairs_left // len(terms))]
        texts = {row: candidates.documents[row].text for row in rows}
        # In scripts that set no words apart, their number tells nothing.
        worth = [row for row in rows if not packaged or len(texts[row].split()) >= FEW or not texts[row].isascii()]
        pairs = {
            (row, term): (term, texts[row])
            for row in worth
            for term in terms
            if not packaged or before[term].can_change(row)
        }
        for (row, term), answer in calls.verdicts(pairs).items():
            answers[term][row] = answer
        pairs_left -= len(pairs)
        passed, number = passed + len(rows), 2 * number
        if not pairs and not certain:
            continue
        answered = {term: before[term].with_answers(answers[term]) for term in terms}
        scores = replace(scores, decisions={**scores.decisions, **answered})
        if none_has:
            read = {term: answered[term].as_read() for term in none_has}
            scores = score(question, candidates, scores.decisions, read)
        selection = select(question, candidates, scores)
    if _may_be_shown(hopeful, passed, scores, selection) and not calls.failed:
        calls.note_limit(f"Only the best {passed} documents were considered for reading.")
    if quoted := _quoted(candidates, scores.decisions, selection, calls):
        selection = select(question, candidates, replace(scores, decisions={**scores.decisions, **quoted}))
    return selection, calls.opinion


def _may_be_shown(hopeful: Scores, passed: int, scores: Scores, selection: Selection) -> bool:
    """Return whether a document past the first ones of the hopeful order is among those shown, or would be."""
    if selection.seen == 0 or passed == len(hopeful.order):
        return False
    last = scores.order[selection.seen - 1]
    return bool(hopeful.scores[hopeful.order[passed]] >= scores.scores[last])


def _synonym(question: Question, term: str) -> bool:
    """Return whether an excluded term means the same as a wanted one, in other words: "sofa, but not couch".

    A reader would take the wanted thing for the excluded one. Only cues tell the words apart.
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
