"""Carry out a plan: candidates, their vectors, their scores, the best k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lexical import LexicalModel, distinct_words
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.results import Plan, RankedDocument, SearchResult
from logical_retriever.search.candidates import Candidates, scanned
from logical_retriever.search.census import Census
from logical_retriever.search.one_vector import read_nearest
from logical_retriever.search.plan import MAX_CANDIDATES, EvidenceSource, SearchMode, check_mode, make_plan
from logical_retriever.search.pushdown import Pushdown, check_pushdown, plan_pushdown, read_engine
from logical_retriever.search.ranking import check_count, check_limit, top_k
from logical_retriever.search.reader import Reader
from logical_retriever.search.scan import Scoring, best_scanned
from logical_retriever.search.statistics import StatisticsCache
from logical_retriever.search.threshold import Reading, read_lists
from logical_retriever.semantics import BagOfWords, Composition, Evidence, Semantics
from logical_retriever.stores.base import Capabilities, Filter, Store
from logical_retriever.vectors import Vectors, unit

DEFAULT_FETCH_K = 200


def plan_search(
    query: LogicalQuery,
    *,
    store: Store,
    semantics: Semantics,
    k: int,
    fetch_k: int = DEFAULT_FETCH_K,
    evidence: EvidenceSource = "auto",
    max_candidates: int | None = MAX_CANDIDATES,
    max_rounds: int | None = None,
    question: str | None = None,
    mode: SearchMode = "exact",
    pushdown: Pushdown = "never",
    census: Census | None = None,
) -> Plan:
    """Check the numbers and decide how to search.

    Args:
        query: The query.
        store: The documents.
        semantics: Composes the scores.
        k: Documents wanted.
        fetch_k: See :func:`~logical_retriever.search.plan.make_plan`, as for the arguments up to ``mode``.
        evidence: Where evidence comes from.
        max_candidates: Most documents read by lists.
        max_rounds: Most times that lists are asked for.
        question: The user's question, where the query was made of one.
        mode: How documents are looked for.
        pushdown: Whether the store's engine computes scores.
        census: Of the same store; the store is counted each time without it.

    Raises:
        InvalidArgumentError: A count or limit is not an integer of at least 1, or there is no such source of
            evidence, or no such mode.
        SemanticsError: The mode needs gradients that the semantics does not have.
        StoreCapabilityError: The store cannot answer this query, or not in its engine where that is wanted always.
        UnsupportedByEngineError: The engine is always to compute the scores, and cannot say the query.
    """
    check_count("k", k)
    check_count("fetch_k", fetch_k)
    check_limit("max_candidates", max_candidates)
    check_limit("max_rounds", max_rounds)
    check_mode(mode)
    check_pushdown(pushdown, mode)
    if evidence not in get_args(EvidenceSource):
        raise InvalidArgumentError(
            f"There is no evidence {evidence!r}.", hint=f"Choose one of {', '.join(get_args(EvidenceSource))}."
        )
    count = store.count() if census is None else census.count(store)
    if mode == "exact":
        pushed = plan_pushdown(
            query,
            semantics,
            store,
            pushdown=pushdown,
            count=count,
            k=k,
            fetch_k=fetch_k,
            evidence=evidence,
            question=question,
        )
        if pushed is not None:
            return pushed
    return make_plan(
        query,
        semantics,
        store.capabilities,
        count=count,
        k=k,
        fetch_k=fetch_k,
        evidence=evidence,
        max_candidates=max_candidates,
        max_rounds=max_rounds,
        question=question,
        mode=mode,
    )


def run_search(
    query: LogicalQuery,
    plan: Plan,
    vectors: Vectors,
    *,
    store: Store,
    semantics: Semantics,
    statistics: StatisticsCache,
    k: int,
    filter: Filter = None,
) -> SearchResult:
    """Search as planned.

    Args:
        query: The query.
        plan: From :func:`plan_search` for the same query and store.
        vectors: Shape (T, d): one vector per text of ``plan.texts``, in that order.
        store: The documents.
        semantics: Composes the scores.
        statistics: Of the same store; read where the semantics is calibrated or uses lexical evidence. The sample
            they are taken from is read once per store, and not counted among what this search reads.
        k: Documents to return; a store with fewer returns all it has.
        filter: In the store's own language.

    Returns:
        Best first, ties by document id. Every candidate is scored with all its cosines; one that the store no
        longer has is left out.
    """
    needed = semantics.calibrated or plan.lexical_k is not None
    corpus = statistics.get(store, plan.count) if needed else None
    nulls = corpus.nulls.of(unit(vectors)) if corpus is not None else None
    reader = Reader(store, filter)
    similarities: npt.NDArray[np.float64] | None = None
    if needed and corpus is None:
        nothing = Candidates((), np.empty((len(plan.texts), 0)))
        reading = Reading(nothing, proved=True, complete=True, reason="the store is empty")
        return _result((), plan, reader, reading, exact=True, proved=True, reason=reading.reason)
    if plan.strategy == "scan":
        reading = _scanned(Scoring(query, plan, semantics, nulls), vectors, reader, k)
    elif plan.strategy == "pushdown":
        reading, plan = read_engine(query, plan, vectors, reader, semantics=semantics, nulls=nulls, k=k)
    elif plan.one_vector:
        reading, similarities = read_nearest(query, plan, vectors, reader, semantics=semantics, nulls=nulls, k=k)
    else:
        reading = read_lists(query, plan, vectors, reader, semantics=semantics, nulls=nulls, k=k)
    candidates = reading.candidates
    exact, reason = _exactness(reading, reader.capabilities)
    if not candidates.ids:  # an empty store has no statistics that a semantics could read
        return _result((), plan, reader, reading, exact=exact, proved=reading.proved, reason=reason)
    evidence = Evidence(plan.texts, candidates.cosines, nulls, question=plan.question)
    composition = semantics.compose(query, evidence)
    if plan.strategy == "deo" and similarities is not None:
        composition = replace(composition, scores=similarities)
    proved = reading.proved
    if plan.lexical_k is not None and corpus is not None:
        candidates = candidates.subset(top_k(composition.scores, candidates.ids, plan.lexical_k)).read(reader)
        if not (reading.complete and len(candidates.ids) == reading.count):
            exact, proved = False, False
            by = f"BM25 was computed for the best {len(candidates.ids)} documents by vectors; by these: "
            reason = reason if plan.one_vector else by + reason  # BM25 saw all that one vector found
        lexical = _lexical(semantics.lexical(query, plan.question), corpus.lexical, candidates)
        evidence = Evidence(plan.texts, candidates.cosines, nulls, lexical, plan.question)
        composition = semantics.compose(query, evidence)
    best = top_k(composition.scores, candidates.ids, k)
    if candidates.documents is None:
        candidates = replace(candidates, documents=candidates.subset(best).read(reader).documents)
    documents = _ranked(query, best, candidates, evidence, composition)
    return _result(documents, plan, reader, reading, exact=exact, proved=proved, reason=reason)


def _scanned(scoring: Scoring, vectors: Vectors, reader: Reader, k: int) -> Reading:
    """Every document scored; the best of them where scores can be told one document at a time, else all."""
    batches, n = reader.scan(), k if scoring.plan.lexical_k is None else scoring.plan.lexical_k
    # A semantics that bounds documents that it has not seen looks at no others to score one.
    if scoring.semantics.bounded:
        candidates, count = best_scanned(batches, vectors, scoring, n)
    else:
        candidates = scanned(batches, vectors)
        count = len(candidates.ids)
    reason = "every document was scored"
    return Reading(candidates, proved=True, complete=True, reason=reason, dropped=count - len(candidates.ids))


def _result(
    documents: tuple[RankedDocument, ...],
    plan: Plan,
    reader: Reader,
    reading: Reading,
    *,
    exact: bool,
    proved: bool,
    reason: str,
) -> SearchResult:
    return SearchResult(
        documents=documents,
        exact=exact,
        candidates=reading.count,
        plan=replace(plan, cost=reader.cost),
        proved=proved,
        reason=reason,
        bound=reading.bound,
        gap=reading.gap,
        depths=reading.depths,
        rounds=reading.rounds,
        store_calls=reader.calls,
        vectors_read=reader.vectors,
        convergence=reading.convergence,
    )


def _exactness(reading: Reading, capabilities: Capabilities) -> tuple[bool, str]:
    """Whether what was proved holds for the store's documents and not only for the lists it gave."""
    if not reading.proved:
        return False, reading.reason
    if not capabilities.stored_vectors:
        return False, f"{reading.reason}, but vectors were encoded again from the texts"
    if reading.complete:
        return True, reading.reason
    if not capabilities.exact_search:
        return False, f"{reading.reason} by the index's own lists, and the index is approximate"
    if reading.assumes_length:
        return False, f"{reading.reason} if vectors that were not read are as long as those that were"
    return True, reading.reason


def _lexical(
    bags: Sequence[BagOfWords], model: LexicalModel, candidates: Candidates
) -> dict[BagOfWords, npt.NDArray[np.float64]]:
    """Standardised BM25 scores of the candidates' texts, shape (N,) per bag."""
    documents = candidates.documents if candidates.documents is not None else {}
    texts = [documents[id].text for id in candidates.ids]
    return {bag: model.standardised(distinct_words(bag.text, bag.without), texts) for bag in bags}


def _ranked(
    query: LogicalQuery, best: Sequence[int], candidates: Candidates, evidence: Evidence, composition: Composition
) -> tuple[RankedDocument, ...]:
    """The chosen candidates, each with the values its score was composed of."""
    terms = query.terms()
    rows = {term: evidence.row(term) for term in terms}
    documents = candidates.documents if candidates.documents is not None else {}
    return tuple(
        RankedDocument(
            id=document.id,
            text=document.text,
            score=float(composition.scores[i]),
            metadata=document.metadata,
            truth_values={t: float(np.clip(composition.values[Term(t)][i], 0.0, 1.0)) for t in terms},
            values={str(node): float(row[i]) for node, row in composition.values.items()},
            cosines={t: float(evidence.cosines[rows[t]][i]) for t in terms},
            strengths={t: float(row[i]) for t, row in composition.strengths.items()},
            native=document.native,
        )
        for i in best
        if (document := documents.get(candidates.ids[i])) is not None  # deleted since it was scored
    )
