"""The fields of a store's metadata, from a sample of its documents."""

from __future__ import annotations

from typing import Any

from logical_retriever.query import Fields, discovered
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
        - year (integer; such as 1990)
        - seen (boolean)
    """
    return discovered(document.metadata for document in store.sample(n, seed).documents)


def known_fields(fields: Any, store: Store) -> Fields | None:
    """A ``fields=`` argument of a retriever.

    Args:
        fields: As :meth:`Fields.of` takes it, or "discover" for those of a sample of the store. The sample is of the
            whole store: of documents that a filter hides as well.
        store: The documents.

    Raises:
        InvalidArgumentError: It is none of these.
    """
    return discover_fields(store) if isinstance(fields, str) and fields == "discover" else Fields.of(fields)
