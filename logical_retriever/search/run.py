"""Carry out a plan: candidates, their vectors, their scores, the best k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.lexical import LexicalModel, distinct_words
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.results import Plan, RankedDocument, SearchResult
from logical_retriever.search.candidates import Candidates, nearest, scanned
from logical_retriever.search.plan import EvidenceSource, make_plan
from logical_retriever.search.statistics import StatisticsCache
from logical_retriever.semantics import Composition, Evidence, LexicalProbe, Semantics
from logical_retriever.stores.base import Filter, Store
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
) -> Plan:
    """Check the numbers and decide how to search.

    Raises:
        InvalidArgumentError: k or fetch_k is not an integer of at least 1, or there is no such source of evidence.
        StoreCapabilityError: The store cannot answer this query.
    """
    check_count("k", k)
    check_count("fetch_k", fetch_k)
    if evidence not in get_args(EvidenceSource):
        raise InvalidArgumentError(
            f"There is no evidence {evidence!r}.", hint=f"Choose one of {', '.join(get_args(EvidenceSource))}."
        )
    return make_plan(query, semantics, store.capabilities, count=store.count(), k=k, fetch_k=fetch_k, evidence=evidence)


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
        statistics: Of the same store; read where the semantics is calibrated or uses lexical evidence.
        k: Documents to return; a store with fewer returns all it has.
        filter: In the store's own language.

    Returns:
        Best first, ties by document id. Every candidate is scored with all its cosines; one that the store no
        longer has is left out.
    """
    if plan.strategy == "scan":
        candidates = scanned(store, vectors, filter)
    else:
        candidates = nearest(store, plan, vectors, semantics.probes(query), filter)
    # A store that ranks the one cosine truly has already given the true best k.
    exact = plan.strategy == "scan" or (isinstance(query, Term) and store.capabilities.exact_search)
    scored = len(candidates.ids)
    needed = semantics.calibrated or plan.lexical_k is not None
    corpus = statistics.get(store, store.count()) if needed and scored else None
    nulls = corpus.nulls.of(unit(vectors)) if corpus is not None else None
    evidence = Evidence(plan.texts, candidates.cosines, nulls)
    composition = semantics.compose(query, evidence)
    if plan.lexical_k is not None and corpus is not None:
        candidates = candidates.subset(top_k(composition.scores, candidates.ids, plan.lexical_k)).read(store)
        exact = plan.strategy == "scan" and len(candidates.ids) == scored
        evidence = Evidence(
            plan.texts, candidates.cosines, nulls, _lexical(query, semantics, corpus.lexical, candidates)
        )
        composition = semantics.compose(query, evidence)
    best = top_k(composition.scores, candidates.ids, k)
    if candidates.documents is None:
        read = candidates.subset(best).read(store).documents
        candidates = replace(candidates, documents=read)
    return SearchResult(
        documents=_ranked(query, best, candidates, evidence, composition), exact=exact, candidates=scored, plan=plan
    )


def top_k(scores: npt.NDArray[np.float64], ids: Sequence[str], k: int) -> list[int]:
    """Positions of the k best scores, best first, ties by id.

    Args:
        scores: Shape (N,).
        ids: N identities.
        k: At least 1.

    Raises:
        SemanticsError: A score is NaN.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )
    if k < len(scores):
        threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
        contenders = np.flatnonzero(scores >= threshold).tolist()
    else:
        contenders = list(range(len(scores)))
    return sorted(contenders, key=lambda i: (-scores[i], ids[i]))[:k]


def check_count(name: str, value: object) -> None:
    """Refuse anything but an integer of at least 1.

    Raises:
        InvalidArgumentError: Saying which argument, and what it was.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidArgumentError(f"{name} must be an integer of at least 1, got {value!r}.", hint=f"Set {name}=4.")


def _lexical(
    query: LogicalQuery, semantics: Semantics, model: LexicalModel, candidates: Candidates
) -> dict[LexicalProbe, npt.NDArray[np.float64]]:
    """Standardised BM25 scores of the candidates' texts, shape (N,) per probe."""
    documents = candidates.documents if candidates.documents is not None else {}
    texts = [documents[id].text for id in candidates.ids]
    return {
        probe: model.standardised(distinct_words(probe.text, probe.without), texts)
        for probe in semantics.lexical(query)
    }


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
            native=document.native,
        )
        for i in best
        if (document := documents.get(candidates.ids[i])) is not None  # deleted since it was scored
    )
