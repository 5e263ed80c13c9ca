"""A filter that an agent's call gives, joined by AND with the one that the program has set: it can only narrow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import And, Field
from logical_retriever.stores import ChromaFilter, Filter, Store
from logical_retriever.stores.base import NarrowingStore

FieldValue: TypeAlias = "str | int | float | bool"
FieldValues: TypeAlias = Mapping[str, tuple[FieldValue, ...]]
"""Fields of metadata, each with the values of which a document has one."""


def narrowed(store: Store, filter: Filter, fields: FieldValues) -> Filter:
    """The filter that lets through what ``filter`` lets through and whose fields have these values.

    Args:
        store: Searched with it.
        filter: The program's, in the store's own language; None for all documents.
        fields: The call's; none for the program's filter as it is.

    Raises:
        InvalidArgumentError: It is not known how this store joins two filters.
    """
    if not fields:
        return filter
    if isinstance(store, NarrowingStore):
        conditions = [Field(name).in_(values) for name, values in fields.items()]
        joined = store.narrowed(filter, conditions[0] if len(conditions) == 1 else And(tuple(conditions)))
        if joined is not None:
            return joined
    join = _JOINS.get(store.capabilities.name)
    if join is None:
        raise InvalidArgumentError(
            f"Passages of {store.capabilities.name} cannot be filtered by a call.", hint="Call again without filter."
        )
    return join(filter, fields)


def _predicate(filter: Filter, fields: FieldValues) -> Callable[[Any], bool]:
    """Stores in memory, whose filters are functions of a document."""

    def passes(document: Any) -> bool:
        if filter is not None and not filter(document):
            return False
        return all(_one_of(document.metadata.get(name), values) for name, values in fields.items())

    return passes


def _one_of(found: object, values: tuple[FieldValue, ...]) -> bool:
    # 1 and True are equal to Python, and not to people.
    return any(found == value and isinstance(found, bool) is isinstance(value, bool) for value in values)


def _operators(filter: Filter, fields: FieldValues) -> dict[str, Any]:
    """Filters of the form that MongoDB has made common."""
    parts = [{name: {"$in": list(values)}} for name, values in fields.items()]
    if filter:
        parts.insert(0, filter)
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _chroma(filter: Filter, fields: FieldValues) -> ChromaFilter:
    """Chroma's condition on metadata; the one on the text stays as it is."""
    given = filter if isinstance(filter, ChromaFilter) else ChromaFilter(where=filter)
    return ChromaFilter(where=_operators(given.where, fields), where_document=given.where_document)


def _faiss(filter: Filter, fields: FieldValues) -> Filter:
    """A function of the metadata, or operators."""
    if not callable(filter):
        return _operators(filter, fields)
    given = filter
    return lambda metadata: given(metadata) and all(_one_of(metadata.get(name), fields[name]) for name in fields)


_JOINS: Final[Mapping[str, Callable[[Filter, FieldValues], Filter]]] = {
    "InMemoryVectorStore": _predicate,
    "Chroma": _chroma,
    "FAISS": _faiss,
    "PGVector": _operators,
    "PGVectorStore": _operators,
    "Pinecone": _operators,
}
"""For stores that cannot say conditions themselves, by the name in their capabilities."""
