"""Random vectors, and stores that are filled with them."""

import numpy as np
from random_queries import LETTERS

from logical_retriever.stores import StoredDocument


def filled(kind, vectors):
    """A store of this kind over rows of vectors, with ids whose order is not that of the rows."""
    count = len(vectors)
    step = next(step for step in (7, 11, 13, 1) if np.gcd(step, count) == 1)
    return kind([StoredDocument(f"d{step * i % count:05}", f"text {i}") for i in range(count)], vectors)


def random_vectors(rng, count, dimension=6):
    """Random directions of length 1, shape (count, dimension)."""
    rows = rng.normal(size=(count, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def random_terms(rng, dimension=6):
    """A random vector of shape (dimension,) for each letter."""
    return dict(zip(LETTERS, rng.normal(size=(len(LETTERS), dimension)).astype(np.float32), strict=True))
