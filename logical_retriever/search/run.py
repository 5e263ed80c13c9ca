"""Carry out a plan: candidates, their vectors, their scores, the best k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.results import Plan, RankedDocument, SearchResult
from logical_retriever.search.plan import make_plan
from logical_retriever.semantics import Composition, Evidence, Semantics
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.vectors import Vectors, cosines

DEFAULT_FETCH_K = 200


def plan_search(
    query: LogicalQuery, *, store: Store, semantics: Semantics, k: int, fetch_k: int = DEFAULT_FETCH_K
) -> Plan:
    """Check the numbers and decide how to search.

    Raises:
        InvalidArgumentError: k or fetch_k is not an integer of at least 1.
        StoreCapabilityError: The store cannot answer this query.
    """
    check_count("k", k)
    check_count("fetch_k", fetch_k)
    return make_plan(query, semantics, store.capabilities, count=store.count(), k=k, fetch_k=fetch_k)


def run_search(
    query: LogicalQuery,
    plan: Plan,
    vectors: Vectors,
    *,
    store: Store,
    semantics: Semantics,
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
        k: Documents to return; a store with fewer returns all it has.
        filter: In the store's own language.

    Returns:
        Best first, ties by document id. Every candidate is scored with all its cosines; one that the store no
        longer has is left out.
    """
    if plan.strategy == "scan":
        candidates = _scanned(store, vectors, filter)
    else:
        candidates = _nearest(store, plan, vectors, semantics.probes(query), filter)
    evidence = Evidence(plan.texts, candidates.cosines)
    composition = semantics.compose(query, evidence)
    best = top_k(composition.scores, candidates.ids, k)
    documents = candidates.documents
    if documents is None:
        documents = {d.id: d for d in store.fetch([candidates.ids[i] for i in best]).documents}
    return SearchResult(
        documents=_ranked(query, best, candidates.ids, documents, evidence, composition),
        # A store that ranks the one cosine truly has already given the true best k.
        exact=plan.strategy == "scan" or (isinstance(query, Term) and store.capabilities.exact_search),
        candidates=len(candidates.ids),
        plan=plan,
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


@dataclass(frozen=True)
class _Candidates:
    """N candidates: identities, cosines of shape (T, N), and the documents where they came along."""

    ids: tuple[str, ...]
    cosines: npt.NDArray[np.float64]
    documents: Mapping[str, StoredDocument] | None


def _scanned(store: Store, vectors: Vectors, filter: Filter) -> _Candidates:
    """Every document of the store."""
    ids: list[str] = []
    parts = [np.empty((len(vectors), 0), dtype=np.float64)]
    for batch in store.scan(filter):
        ids.extend(batch.ids)
        parts.append(cosines(vectors, batch.vectors))
    return _Candidates(tuple(ids), np.concatenate(parts, axis=1), None)


def _nearest(store: Store, plan: Plan, vectors: Vectors, probes: Sequence[str], filter: Filter) -> _Candidates:
    """The union of the probes' nearest documents, with all their cosines computed from stored vectors."""
    rows = vectors[[plan.texts.index(text) for text in probes]]
    lists = store.search(rows, plan.fetch_k, filter) if plan.fetch_k is not None else []
    batch = store.fetch(list(dict.fromkeys(id for found in lists for id in found)))
    similarities = cosines(vectors, batch.vectors) if batch.ids else np.empty((len(vectors), 0))
    return _Candidates(batch.ids, similarities, {document.id: document for document in batch.documents})


def _ranked(
    query: LogicalQuery,
    best: Sequence[int],
    ids: Sequence[str],
    documents: Mapping[str, StoredDocument],
    evidence: Evidence,
    composition: Composition,
) -> tuple[RankedDocument, ...]:
    """The chosen candidates, each with the values its score was composed of."""
    cosine_rows = dict(zip(evidence.texts, evidence.cosines, strict=True))
    terms = query.terms()
    return tuple(
        RankedDocument(
            id=ids[i],
            text=documents[ids[i]].text,
            score=float(composition.scores[i]),
            metadata=documents[ids[i]].metadata,
            truth_values={t: float(np.clip(composition.values[Term(t)][i], 0.0, 1.0)) for t in terms},
            values={str(node): float(row[i]) for node, row in composition.values.items()},
            cosines={t: float(cosine_rows[t][i]) for t in terms},
            native=documents[ids[i]].native,
        )
        for i in best
        if ids[i] in documents  # a document deleted since it was scored is no answer any more
    )
