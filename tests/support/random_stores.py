"""Random vectors, and stores that are filled with them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from random_queries import LETTERS

from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.vectors import Vectors

S = TypeVar("S", bound=InMemoryStore)


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
    """A random vector of shape (d,) for each letter of :data:`random_queries.LETTERS`."""
    return dict(zip(LETTERS, rng.normal(size=(len(LETTERS), dimension)).astype(np.float32), strict=True))
