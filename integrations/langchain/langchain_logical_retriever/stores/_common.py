"""Shared by the adapters: filters that are checked, and errors that say which store failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from langchain_logical_retriever.stores.registry import refuse_unknown
from logical_retriever.integration import (
    Filter,
    InvalidArgumentError,
    OfCapabilities,
    VectorMismatchError,
    Vectors,
)


class VectorStoreAdapter(OfCapabilities):
    """The common part of all adapters of this package.

    Args:
        vectorstore: The LangChain vector store; only read.
    """

    filter_argument: ClassVar[str] = "filter"
    """Name of the filter in the class's own search; ``filter`` is understood as well."""
    filter_types: ClassVar[tuple[type, ...]] = (dict,)
    filter_example: ClassVar[str] = 'filter={"year": 2024}'

    def __init__(self, vectorstore: Any) -> None:
        self.vectorstore = vectorstore

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """The filter, in the store's own language.

        Raises:
            InvalidArgumentError: Another argument, two filters, or one of another type.
        """
        known = tuple(dict.fromkeys(("filter", self.filter_argument)))
        refuse_unknown(self.name, search_kwargs, known=known)
        given = [value for name in known if (value := search_kwargs.get(name)) is not None]
        if len(given) > 1:
            raise InvalidArgumentError(
                f"A filter was given twice: as filter and as {self.filter_argument}.", hint="Keep one of the two."
            )
        for filter in given:
            self.check_filter(filter)
        return given[0] if given else None

    def check_filter(self, filter: Filter) -> None:
        """Refuse what cannot be a filter of this store.

        Raises:
            InvalidArgumentError: It is of another type.
        """
        if not isinstance(filter, self.filter_types):
            expected = " or ".join(t.__name__ for t in self.filter_types)
            raise InvalidArgumentError(
                f"A filter of {self.name} must be a {expected}, got {type(filter).__name__}.",
                hint=f"For example: {self.filter_example}.",
            )

    def check_dimension(self, vectors: Vectors, dimension: int) -> None:
        """Refuse query vectors of another dimension than the store's.

        Raises:
            VectorMismatchError: Naming both.
        """
        if vectors.shape[1] != dimension:
            raise VectorMismatchError(
                f"The embedder's vectors have dimension {vectors.shape[1]}, those of {self.name} {dimension}.",
                hint="Use the embedding model that the store was filled with.",
            )
