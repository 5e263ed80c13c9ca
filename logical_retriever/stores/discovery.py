"""The fields of a store's metadata, inferred from a sample of its documents."""

from __future__ import annotations

from typing import Any

from logical_retriever.query import Fields, discovered
from logical_retriever.stores.base import Store


def discover_fields(store: Store) -> Fields:
    """Infer the fields of a store's metadata from a sample of 500 documents: types, some values, ranges.

    Other documents may have other fields and values, so no list of values is complete. Fields with values of several
    types are left out.

    Args:
        store: The documents.

    Examples:
        >>> from logical_retriever import InMemoryStore, StoredDocument
        >>> store = InMemoryStore([StoredDocument("a", "tea", {"year": 1990, "seen": True})], [[1.0, 0.0]])
        >>> print(discover_fields(store))
        - year (integer; such as 1990)
        - seen (boolean)
    """
    return discovered(document.metadata for document in store.sample(500, seed=0).documents)


def known_fields(fields: Any, store: Store) -> Fields | None:
    """Read a retriever's ``fields=`` argument.

    Args:
        fields: What :meth:`Fields.of` takes, or "discover" to infer them from a sample. The sample is of the whole
            store, including documents that a filter hides.
        store: The documents.

    Raises:
        InvalidArgumentError: The argument is of another kind.
    """
    return discover_fields(store) if isinstance(fields, str) and fields == "discover" else Fields.of(fields)
