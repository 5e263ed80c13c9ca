"""The fields of a store's metadata, from a sample of its documents."""

from __future__ import annotations

from logical_retriever.query.fields import Fields, discovered
from logical_retriever.stores.base import Store

SAMPLE_SIZE = 500
"""Documents that are looked at by default."""


def discover_fields(store: Store, *, n: int = SAMPLE_SIZE, seed: int = 0) -> Fields:
    """Read the fields of a store's metadata off a sample: types, some values, ranges.

    What it says is of the sample: other documents may have other fields and values, so that no list of values is
    closed. Fields with values of several types are left out.

    Args:
        store: The documents.
        n: How many to look at.
        seed: Of the sample.

    Examples:
        >>> from logical_retriever import InMemoryStore, StoredDocument
        >>> store = InMemoryStore([StoredDocument("a", "tea", {"year": 1990, "seen": True})], [[1.0, 0.0]])
        >>> print(discover_fields(store))
        - year (integer; such as 1990; from 1990 to 1990)
        - seen (boolean)
    """
    return discovered(document.metadata for document in store.sample(n, seed).documents)
