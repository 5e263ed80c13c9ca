"""Random corpora, a store that pretends to be far away, and one call that searches it with given vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import SearchResult
from logical_retriever.search import Problem, SearchOptions, StatisticsCache, plan_search, run_search
from logical_retriever.semantics import Semantics, get_semantics
from logical_retriever.stores.base import Batch, Capabilities, Filter, Store, StoredDocument
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.testing.strategies import LETTERS
from logical_retriever.vectors import Vectors

S = TypeVar("S", bound=InMemoryStore)


class RemoteStore(InMemoryStore):
    """The reference store as if behind a network: exact lists, never scanned, every request recorded.

    Attributes:
        searched: Number of vectors and length of the lists of each search, oldest first.
        fetched: Ids of each fetch, oldest first.
    """

    capabilities: Capabilities = replace(InMemoryStore.capabilities, name="Remote", in_process=False, scan=False)

    def __init__(self, documents: Sequence[StoredDocument] = (), vectors: npt.ArrayLike = ()) -> None:
        super().__init__(documents, vectors)
        self.searched: list[tuple[int, int]] = []
        self.fetched: list[list[str]] = []

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[str]]:
        """As the reference store, recorded."""
        self.searched.append((len(vectors), n))
        return super().search(vectors, n, filter)

    def fetch(self, ids: Sequence[str]) -> Batch:
        """As the reference store, recorded."""
        self.fetched.append(list(ids))
        return super().fetch(ids)


def filled(kind: type[S], vectors: Vectors) -> S:
    """A store of this kind over rows of vectors, with ids whose order is not that of the rows.

    Args:
        kind: The reference store, or one derived from it.
        vectors: Shape (N, d).
    """
    count = len(vectors)
    step = next(step for step in (7, 11, 13, 1) if np.gcd(step, count) == 1)
    return kind([StoredDocument(f"d{step * i % count:05}", f"text {i}") for i in range(count)], vectors)


def as_mapping(store: InMemoryStore) -> dict[str, Vectors]:
    """Vector of each document by id, shape (d,) each."""
    return {id: row for batch in store.scan() for id, row in zip(batch.ids, batch.vectors, strict=True)}


def random_vectors(
    rng: np.random.Generator, count: int, dimension: int = 6, *, copies: int = 0, unusable: int = 0, unit: bool = True
) -> Vectors:
    """Random directions.

    Args:
        rng: Source of randomness.
        count: N.
        dimension: d.
        copies: How many are copies of others.
        unusable: How many are zeros, NaN or infinite.
        unit: Whether all are of length 1, or of lengths that differ.

    Returns:
        Shape (N, d).
    """
    made = rng.normal(size=(count, dimension))
    if unit:
        made /= np.linalg.norm(made, axis=1, keepdims=True)
    for i in rng.permutation(count)[:copies]:
        made[i] = made[rng.integers(count)]
    for i in rng.permutation(count)[:unusable]:
        made[i] = [0.0, np.nan, np.inf][i % 3]
    return made.astype(np.float32)


def random_terms(rng: np.random.Generator, dimension: int = 6) -> dict[str, Vectors]:
    """A random vector of shape (d,) for each letter of :data:`~logical_retriever.testing.strategies.LETTERS`."""
    return dict(zip(LETTERS, rng.normal(size=(len(LETTERS), dimension)).astype(np.float32), strict=True))


def find(
    query: LogicalQuery,
    store: Store,
    terms: Mapping[str, npt.ArrayLike],
    semantics: str | Semantics = "product",
    *,
    k: int = 5,
    filter: Filter = None,
    **options: Any,
) -> SearchResult:
    """Search by vectors alone, one given for each term, without an encoder.

    The options are settings of :class:`logical_retriever.search.SearchOptions`, and ``question``.
    """
    question = options.pop("question", None)
    settings = {"k": k, "evidence": "dense", "pushdown": "never", **options}
    problem = Problem.of(query, get_semantics(semantics), question)
    plan = plan_search(problem, store, SearchOptions(**settings), filter=filter)
    vectors = np.array([terms[text] for text in plan.texts], dtype=np.float32)
    return run_search(problem.encoded(plan.texts, vectors), plan, store, StatisticsCache(), filter)
