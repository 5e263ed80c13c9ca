"""Common parts of the adapters: filters among search arguments, conditions as texts, documents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

from logical_retriever.adapters import (
    SETTINGS,
    Capabilities,
    DocumentId,
    Filter,
    InvalidArgumentError,
    LogicalQuery,
    Store,
    StoredDocument,
    capabilities_property,
    filter_with_condition,
    names_hint,
)


class VectorStoreAdapter:
    """The common part of all adapters of this package.

    Args:
        vectorstore: The LangChain vector store; only read.
    """

    capabilities: capabilities_property | Capabilities
    filter_arguments: ClassVar[tuple[str, ...]] = ("filter",)
    """Names of filters among the class's own search arguments."""
    filter_types: ClassVar[tuple[type, ...]] = (dict,)
    filter_example: ClassVar[str] = 'filter={"year": 2024}'

    def __init__(self, vectorstore: Any) -> None:
        self.vectorstore = vectorstore

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """Read the filter of search arguments, in the store's own language; None for no filter.

        Raises:
            InvalidArgumentError: An unknown argument, two filters, or a filter of another type.
        """
        name = type(self).capabilities.name
        refuse_unknown(name, search_kwargs, known=self.filter_arguments)
        filters = {key: value for key, value in search_kwargs.items() if value is not None}
        for key, value in filters.items():
            if not isinstance(value, self.filter_types):
                types = " or ".join(t.__name__.replace("Callable", "function") for t in self.filter_types)
                raise InvalidArgumentError(
                    f"{name}'s {key} must be a {types}, got {type(value).__name__}.",
                    hint=f"For example: {self.filter_example}.",
                )
        return self.filter_of(filters) if filters else None

    def filter_of(self, filters: Mapping[str, Any]) -> Filter:
        """Make one filter of all filter arguments, at least one."""
        if len(filters) > 1:
            raise InvalidArgumentError(
                f"A filter was given twice: as {' and as '.join(filters)}.", hint="Keep one of the two."
            )
        return next(iter(filters.values()))


class IndexedAdapter(VectorStoreAdapter):
    """An adapter with an index of the documents' words in this process, shared by all retrievers of a vector store."""

    @property
    def cache_key(self) -> Hashable:
        """A key that is equal for adapters of one vector store."""
        return type(self), id(self.vectorstore)


def read_filter(store: Store, search_kwargs: Mapping[str, Any]) -> Filter:
    """Read the filter among arguments of a vector store's own search; a core store knows ``filter`` alone.

    Raises:
        InvalidArgumentError: An unknown argument, or one of the wrong type.
    """
    if isinstance(store, VectorStoreAdapter):
        return store.read_search_kwargs(search_kwargs)
    refuse_unknown(store.capabilities.name, search_kwargs, known=("filter",))
    return search_kwargs.get("filter")


def refuse_unknown(store: str, search_kwargs: Mapping[str, Any], *, known: tuple[str, ...]) -> None:
    """Reject unknown search arguments."""
    for name in search_kwargs:
        if name not in known:
            raise InvalidArgumentError(
                f"{store} has no search argument {name!r}.",
                hint=names_hint(name, (*known, *SETTINGS, "score_threshold", "history")),
            )


def outside(name: str, **facts: Any) -> Capabilities:
    """Return capabilities of a store outside this process whose searches return vectors."""
    return Capabilities(name, **{"exact_search": False, "stored_vectors": True, "scan": True, **facts})


def stored(id: DocumentId, text: str | None, metadata: Mapping[str, Any] | None) -> StoredDocument:
    """Make a document; a missing text is empty, and so are missing metadata."""
    return StoredDocument(id, "" if text is None else text, {} if metadata is None else metadata)


def in_words(
    filter: str | None, condition: LogicalQuery, compared: Callable[[str, str, Any], str | None]
) -> str | None:
    """Join a filter with a condition, in a language of texts with "and" and "or", by its comparisons."""
    return filter_with_condition(
        filter,
        condition,
        every=lambda parts: " and ".join(f"({part})" for part in parts),
        some=lambda parts: " or ".join(f"({part})" for part in parts),
        compared=compared,
    )


def comparable(kinds: tuple[type, ...], is_list: bool, operator: str, value: Any) -> bool:
    """Return whether a field can be compared with a value.

    Args:
        kinds: Python types of the field's values, or of the items of its lists.
        is_list: Whether the field holds lists; only "contains" asks for an item of one.
        operator: The comparison.
        value: The value, or a list of them.
    """
    values = value if isinstance(value, list) else [value]
    return is_list == (operator == "contains") and all(type(each) in kinds for each in values)
