"""From a question to its answer: statistics, candidates, scores, selection."""

from __future__ import annotations

from dataclasses import replace

from logical_retriever.errors import StoreCapabilityError, StoreError
from logical_retriever.lexical import own_words
from logical_retriever.query import Term, positive_terms
from logical_retriever.results import SearchResult, SecondOpinion
from logical_retriever.search.candidates import Candidates, strongest_evidence
from logical_retriever.search.listing import list_documents
from logical_retriever.search.nearest import engine_candidates, nearest_candidates
from logical_retriever.search.question import UNMEASURED, Question, open_ended
from logical_retriever.search.scan import scan_candidates
from logical_retriever.search.scores import score
from logical_retriever.search.selection import Selection, select
from logical_retriever.search.session import StoreSession, missing_documents
from logical_retriever.search.verification import SAME_MEANING, verified

LONGER = 8
"""Factor for the lengths of lists in the second look at the store, after too few documents stayed."""


def run_search(question: Question, session: StoreSession) -> SearchResult:
    """Answer a question.

    Args:
        question: The question, its texts encoded.
        session: Its access to the store.

    Raises:
        StoreCapabilityError: The query is open-ended, as NOT A is, and the store cannot be scanned.
        VectorMismatchError: The vectors have another dimension than the store's.
        StoreError: The store failed.
    """
    if not question.texts:
        return list_documents(question, session)
    if question.statistics is UNMEASURED:
        question = with_statistics(question, session)
    if question.statistics is UNMEASURED:
        if session.count:
            raise StoreError(
                f"{session.capabilities.name} counts {session.count} documents, and gave none as a sample.",
                hint="A store's sample draws from all its documents; check its adapter.",
            )
        return no_documents(question, session, "the store is empty")
    if only_standing(question):
        return no_documents(question, session, "the question wants nothing but what is always excluded", barred=True)
    return search_result(question, session, *run_stages(question, session))


def with_statistics(question: Question, session: StoreSession) -> Question:
    """Return a question with its store's statistics; the question itself for an empty store."""
    current = session.store_statistics.current(session.count)
    return question if current is None else question.with_statistics(current.of(question.vectors))


def of_whole_store(question: Question, session: StoreSession) -> Question:
    """Return a question with a store's statistics and greatest evidence for excluded terms, to search a part of it."""
    if question.texts:
        question = with_statistics(question, session)
    if (
        question.statistics is UNMEASURED
        or not question.excluded
        or (open_ended(question.scored_terms) and not session.capabilities.scan)
    ):
        return question
    candidates = find_candidates(question, session, 1)
    own, known = strongest_evidence(question, candidates.evidence), candidates.found.strongest
    return replace(question, strongest={text: max(value, known.get(text, value)) for text, value in own.items()})


def no_documents(question: Question, session: StoreSession, reason: str, *, barred: bool = False) -> SearchResult:
    """Return an answer without documents; none was read."""
    return SearchResult(
        documents=(),
        left_out=(),
        exact=barred or session.count == 0,
        reason=reason,
        query=question.reported,
        cost=session.cost("listing", 0),
        always_excluded=_always(question),
        barred=barred,
        fact=question.fact,
        problem=question.problem,
        remarks=question.remarks,
    )


def run_stages(question: Question, session: StoreSession) -> tuple[Candidates, Selection, SecondOpinion | None]:
    """Find, score and select; again with longer lists if too few documents stay; then ask the verifier, if any."""
    for times in (1, LONGER):
        candidates = find_candidates(question, session, times)
        scores = score(question, candidates)
        selection = select(question, candidates, scores)
        # Nothing further belongs to the answer, or longer lists would bring nothing.
        if selection.full or candidates.found.ended:
            break
    if not question.read_terms:
        return candidates, selection, None
    return candidates, *verified(question, candidates, scores, selection)


def find_candidates(question: Question, session: StoreSession, times: int) -> Candidates:
    """Find candidates in the way that suits the store: a scan, its engine, or lists of nearest documents.

    Args:
        question: The question with its vectors and statistics.
        session: Its access to the store.
        times: Factor for the usual lengths of lists of nearest documents.

    Raises:
        StoreCapabilityError: The query is open-ended, as NOT A is, and the store cannot be scanned.
        StoreError: The store failed.
    """
    can, query = session.capabilities, question.scored_terms
    if can.scan and (can.in_process or open_ended(query)):
        return scan_candidates(question, session)
    if open_ended(query):
        raise StoreCapabilityError(
            f"Documents about none of its terms answer {query}, and {can.name} cannot be scanned.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )
    return engine_candidates(question, session, times) or nearest_candidates(question, session, times)


def search_result(
    question: Question,
    session: StoreSession,
    candidates: Candidates,
    selection: Selection,
    opinion: SecondOpinion | None,
) -> SearchResult:
    """Return the answer with its exactness and cost."""
    found, can, words_read = candidates.found, session.capabilities, bool(candidates.evidence.lexical)
    reason = found.reason
    if missing := missing_documents(session):
        reason = f"{missing}; of the others: {reason}"
    if not can.stored_vectors:
        reason = f"{reason}; vectors were encoded again from the texts"
    return SearchResult(
        documents=selection.documents,
        left_out=selection.left_out,
        left_out_more={str(Term(text)): count for text, count in selection.left_out_more.items()},
        silent=selection.silent,
        # All documents were scored by their stored vectors, and none was missing.
        exact=found.complete and not session.missing and can.stored_vectors,
        reason=reason,
        query=question.reported,
        cost=session.cost(
            found.strategy,
            len(candidates.documents) if found.number_scored is None else found.number_scored,
            words=(session.finds_words or "of the candidates alone") if words_read else None,
            language=question.statistics.word_statistics.language,
            statement=found.statement,
        ),
        too_low=selection.too_low,
        always_excluded=_always(question),
        second_opinion=opinion,
        fact=question.fact,
        problem=question.problem,
        remarks=(*question.remarks, *session.remarks(len(candidates.documents), words_read)),
    )


def only_standing(question: Question) -> bool:
    """Tell whether every wanted term means the same as a standing exclusion."""
    standing, wanted = question.options.always_exclude, positive_terms(question.scored)
    nulls, language = question.statistics.nulls, question.statistics.word_statistics.language
    if not standing or not wanted or nulls.correlations is None:
        return False
    rows = question.rows(standing)
    return all(
        any(nulls.correlations[question.texts.index(text), rows] >= SAME_MEANING)
        or any(not own_words(text, (term,), (), language) for term in standing)
        for text in wanted
    )


def _always(question: Question) -> tuple[str, ...]:
    return tuple([str(Term(text)) for text in question.options.always_exclude])
