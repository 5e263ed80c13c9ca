"""Carry out a plan: what the chosen way to search brings back, its scores with all evidence, the best k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import Term
from logical_retriever.results import DocumentId, Plan, RankedDocument, Rescored, SearchResult, Sources, Strategy
from logical_retriever.search.access import Known, Reader
from logical_retriever.search.engine import read_engine
from logical_retriever.search.lists import plan_nearby, read_lists, read_nearby
from logical_retriever.search.one_vector import read_nearest
from logical_retriever.search.problem import Problem
from logical_retriever.search.ranking import top_k
from logical_retriever.search.reading import Candidates, Reading
from logical_retriever.search.scan import read_all
from logical_retriever.search.statistics import StatisticsCache
from logical_retriever.search.words import with_word_lists
from logical_retriever.semantics import Composition, Evidence, squeezed
from logical_retriever.stages import stage
from logical_retriever.stores.base import Capabilities, Filter, Store
from logical_retriever.stores.notes import SearchNotes, current_notes
from logical_retriever.vectors import check_dimensions, unit

STRATEGIES: Mapping[Strategy, tuple[str, Callable[[Problem, Plan, Reader], Reading]]] = {
    "scan": ("scan", read_all),
    "threshold": ("lists", read_lists),
    "dense": ("lists", read_lists),
    "union": ("lists", read_lists),
    "sqo": ("one vector", read_nearest),
    "deo": ("one vector", read_nearest),
    "pushdown": ("engine", read_engine),
}
"""The room that carries out each strategy, and what its time is called."""
SHOWN = 5
"""Missing documents that the reason names; the result has them all."""


def run_search(
    problem: Problem,
    plan: Plan,
    store: Store,
    statistics: StatisticsCache,
    filter: Filter = None,
    known: Known | None = None,
) -> SearchResult:
    """Search as planned.

    Args:
        problem: With a vector for each of ``plan.texts``.
        plan: From :func:`~logical_retriever.search.plan.plan_search` for the same problem and store.
        store: The documents.
        statistics: Of the same store; read where the semantics is calibrated or uses lexical evidence. The sample
            they are taken from is read once per store, and not counted among what this search reads.
        filter: In the store's own language, the plan's.
        known: What other searches for the same question have read.

    Returns:
        Best first, ties by document id. Every candidate is scored with all its cosines; one that the store named and
        does not bring back is left out and named, and the ranking is then not exact.
    """
    notes = current_notes()
    if notes is None:
        with SearchNotes().taken():
            return run_search(problem, plan, store, statistics, filter, known)
    reader = Reader(store, filter, known)
    extremes = False
    if problem.semantics.calibrated or plan.words is not None:
        with stage("statistics"):
            corpus = statistics.get(store, plan.count)
        if corpus is None:
            nothing = Candidates((), np.empty((len(plan.texts), 0)))
            reading = Reading(nothing, "the store is empty", proved=True, complete=True)
            answer = _Answer(exact=True, proved=True, reason=reading.reason)
            if notes.absent:
                reading, answer = _without_parts(problem, notes.absent, reading, answer)
            return _result(problem, plan, reader, reading, answer, notes)
        check_dimensions(problem.vectors, corpus.nulls.mean[None].astype(np.float32))
        with stage("statistics"):
            words = corpus.words(plan.language) if plan.words is not None else None
        if words is not None and plan.words is not None:
            read = f"{plan.words}; words are read as {words.language!r}" if words.language != "en" else plan.words
            plan = replace(plan, language=words.language, words=read)
        plan = replace(plan, statistics=statistics.said)
        unrelated = corpus.unrelated if problem.semantics.calibrated else None
        problem = replace(problem, nulls=corpus.distributions(unit(problem.vectors)), words=words, unrelated=unrelated)
        extremes = corpus.extremes
    room, look = STRATEGIES[plan.strategy]
    with stage(room):
        nearby = read_nearby(problem, plan, reader) if look is read_lists and plan.effort != "proof" else None
        reading = look(problem, plan, reader) if nearby is None else nearby
        plan = plan if nearby is None else plan_nearby(plan, reader)
    answer = _answered(reading, reader.capabilities)
    if reading.candidates.ids:  # an empty store has no statistics that a semantics could read
        answer = _best(problem, plan, reader, reading, answer)
    # An engine that scored every document did so in float32; what was read was compared in float64.
    if extremes and answer.exact and (not reading.complete or reading.statement is not None):
        lost = "lengths of vectors are such that an engine's float32 may lose some"
        answer = replace(answer, exact=False, reason=f"{answer.reason}, but {lost}")
    if reader.missing:
        answer = _incomplete(answer, reader)
    if notes.absent:
        reading, answer = _without_parts(problem, notes.absent, reading, answer)
    return _result(problem, plan, reader, reading, answer, notes)


@dataclass(frozen=True)
class _Answer:
    """The best documents, and what is known of them."""

    exact: bool
    proved: bool
    reason: str
    documents: tuple[RankedDocument, ...] = ()
    rescored: Rescored | None = None


def _answered(reading: Reading, capabilities: Capabilities) -> _Answer:
    """Whether what was proved holds for the store's documents and not only for the lists it gave."""
    reason = reading.reason
    if not reading.proved:
        return _Answer(exact=False, proved=False, reason=reason)
    if not capabilities.stored_vectors:
        exact, reason = False, f"{reason}, but vectors were encoded again from the texts"
    elif reading.complete:
        exact = True
    elif not capabilities.exact_search:
        exact, reason = False, f"{reason} by the index's own lists, and the index is approximate"
    elif reading.assumes_length:
        exact, reason = False, f"{reason} if vectors that were not read are as long as those that were"
    else:
        exact = True
    return _Answer(exact=exact, proved=True, reason=reason)


def _incomplete(answer: _Answer, reader: Reader) -> _Answer:
    """The answer without what the store named and did not bring back, any of which may be among the best."""
    named = ", ".join(repr(id) for id in reader.missing[:SHOWN]) + (", ..." if len(reader.missing) > SHOWN else "")
    lost = f"{reader.capabilities.name} named {len(reader.missing)} documents and did not bring them back ({named})"
    return replace(answer, exact=False, proved=False, reason=f"{lost}; of the others: {answer.reason}")


def _without_parts(
    problem: Problem, absent: Sequence[str], reading: Reading, answer: _Answer
) -> tuple[Reading, _Answer]:
    """The answer of those parts of the store that were heard, and the most that a document of the others can score.

    Raises:
        SemanticsError: The semantics may score a document by what others there are.
    """
    lost, semantics = "; ".join(absent), problem.semantics
    if not semantics.bounded:
        raise SemanticsError(
            f"Scores of {semantics.name!r} may depend on all documents, and not all were heard: {lost}.",
            hint="Ask again when they answer, or choose a semantics that scores documents on their own.",
        )
    reason, bound = f"{lost}; of the others: {answer.reason}", None
    if not semantics.calibrated or problem.nulls is not None:
        least = np.full((len(problem.texts), 1), -1.0)
        bound = float(problem.upper_bounds(least, -least)[0])
        reason = f"{lost}, and what is there may score up to {bound:.4g} by vectors; of the others: {answer.reason}"
    kth = answer.documents[-1].score if answer.documents else None
    gap = None if bound is None or kth is None else max(0.0, bound - kth)
    return replace(reading, bound=bound, gap=gap), replace(answer, exact=False, proved=False, reason=reason)


def _best(problem: Problem, plan: Plan, reader: Reader, reading: Reading, answer: _Answer) -> _Answer:
    """The best of the candidates, by all the evidence there is."""
    candidates, lexical, vector_scores = reading.candidates, reading.lexical, reading.scores
    if problem.words is not None and lexical is None:
        with stage("words"):
            if plan.lexical_k is not None and not reading.with_words:
                by_vectors = problem.scores(candidates.cosines) if vector_scores is None else vector_scores
                chosen = candidates.subset(top_k(by_vectors, candidates.ids, plan.lexical_k))
                candidates, answer = _by_words(problem, plan, reader, reading, reader.read(chosen), answer)
            else:
                candidates = reader.read(candidates)
            texts = candidates.documents if candidates.documents is not None else {}
            lexical, vector_scores = problem.lexical([texts[id].text for id in candidates.ids]), None
    with stage("compose"):
        evidence = problem.evidence(candidates.cosines, lexical)
        composition = problem.compose(evidence)
    if vector_scores is not None:
        composition = replace(composition, scores=vector_scores)
    best = top_k(composition.scores, candidates.ids, plan.k)
    if candidates.documents is None:
        with stage("documents"):
            candidates = replace(candidates, documents=reader.read(candidates.subset(best)).documents)
    with stage("compose"):
        scores, words = composition.scores[best], bool(evidence.lexical)
        # Cosines with one vector are no scores of the semantics.
        relevance = (
            problem.relevance(composition, candidates.cosines, best, words=words)
            if reading.scores is None
            else squeezed(scores)
        )
        chosen_ones = dict(zip(best, relevance.tolist(), strict=True))
        documents = _ranked(problem, chosen_ones, candidates, evidence, composition)
    # Cosines with one vector have no place for a verdict, and not every semantics scores a document by itself.
    alone = reading.scores is None and problem.semantics.bounded
    again = partial(_with_verdicts, problem, candidates.subset(best), evidence.of(best)) if alone else None
    return replace(answer, documents=documents, rescored=again)


def _with_verdicts(
    problem: Problem,
    candidates: Candidates,
    evidence: Evidence,
    log_odds: Mapping[DocumentId, Mapping[str, float]],
) -> Mapping[DocumentId, RankedDocument]:
    """Documents with verdicts, scored again."""
    rows = {id: row for row, id in enumerate(candidates.ids)}
    verdicts = {text: np.zeros(len(rows)) for known in log_odds.values() for text in known}
    for id, known in log_odds.items():
        for text, value in known.items():
            if id in rows:
                verdicts[text][rows[id]] = value
    composition = problem.compose(replace(evidence, verdicts=verdicts))
    # By the best and the closest before: documents without a verdict keep the relevance that they have.
    before = problem.compose(replace(evidence, verdicts={}))
    order = list(range(len(rows)))
    relevance = problem.relevance(before, evidence.cosines, order, words=bool(evidence.lexical), now=composition.scores)
    moved = {row: float(relevance[row]) for id, row in rows.items() if id in log_odds}
    return {one.id: one for one in _ranked(problem, moved, candidates, evidence, composition)}


def _by_words(
    problem: Problem, plan: Plan, reader: Reader, reading: Reading, chosen: Candidates, answer: _Answer
) -> tuple[Candidates, _Answer]:
    """The best by vectors with those that their words find, and what is left of the proof."""
    # One vector's nearest documents are all that it found, and their words were read.
    candidates = chosen if plan.one_vector else with_word_lists(problem, plan, reader, chosen)
    if reading.complete and len(candidates.ids) >= reading.count:
        return candidates, answer
    more = len(candidates.ids) - len(chosen.ids)
    found = f" and {more} that only their words found" if more else ""
    by = f"words were read of the best {len(chosen.ids)} documents by vectors{found}; by these: "
    reason = answer.reason if plan.one_vector else by + answer.reason
    return candidates, replace(answer, exact=False, proved=False, reason=reason)


def _ranked(
    problem: Problem, best: Mapping[int, float], candidates: Candidates, evidence: Evidence, composition: Composition
) -> tuple[RankedDocument, ...]:
    """The chosen candidates, by position with their relevance, each with the values its score was composed of."""
    terms = problem.query.terms()
    rows = {term: evidence.row(term) for term in terms}
    named = {str(node): row for node, row in composition.values.items()}
    truths = {term: composition.values[Term(term)] for term in terms}
    documents = candidates.documents if candidates.documents is not None else {}
    return tuple(
        RankedDocument(
            id=document.id,
            text=document.text,
            score=float(composition.scores[i]),
            relevance=relevance,
            metadata=document.metadata,
            truth_values={t: min(max(float(row[i]), 0.0), 1.0) for t, row in truths.items()},
            values={name: float(row[i]) for name, row in named.items()},
            cosines={t: float(evidence.cosines[rows[t]][i]) for t in terms},
            strengths={t: float(row[i]) for t, row in composition.strengths.items()},
            native=document.native,
            sources={t: Sources(float(z[i]), float(w[i])) for t, (z, w) in composition.sources.items()},
        )
        for i, relevance in best.items()
        if (document := documents.get(candidates.ids[i])) is not None  # not brought back
    )


def _result(
    problem: Problem, plan: Plan, reader: Reader, reading: Reading, answer: _Answer, notes: SearchNotes
) -> SearchResult:
    said = reader.said
    words = plan.words if plan.words is None or said is None else f"{plan.words} ({said})"
    return SearchResult(
        documents=answer.documents,
        exact=answer.exact,
        candidates=reading.count,
        plan=replace(plan, cost=reader.cost, statement=reading.statement, words=words, device=notes.device),
        proved=answer.proved,
        reason=answer.reason,
        bound=reading.bound,
        gap=reading.gap,
        depths=reading.depths,
        rounds=reading.rounds,
        store_calls=reader.calls,
        store_milliseconds=reader.milliseconds,
        vectors_read=reader.vectors,
        convergence=reading.convergence,
        searched=str(problem.query),
        missing=tuple(reader.missing),
        rescored=answer.rescored,
    )
