"""Shared by the adapters: the filter among a vector store's own search arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from langchain_logical_retriever.stores.registry import refuse_unknown
from logical_retriever.integration import AtBest, Capabilities, Filter, InvalidArgumentError


class VectorStoreAdapter:
    """The common part of all adapters of this package.

    Args:
        vectorstore: The LangChain vector store; only read.
    """

    capabilities: AtBest | Capabilities
    filter_arguments: ClassVar[tuple[str, ...]] = ("filter",)
    """Names of the filter among the class's own search arguments."""
    filter_types: ClassVar[tuple[type, ...]] = (dict,)
    filter_example: ClassVar[str] = 'filter={"year": 2024}'

    def __init__(self, vectorstore: Any) -> None:
        self.vectorstore = vectorstore

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> Filter:
        """The filter, in the store's own language.

        Raises:
            InvalidArgumentError: Another argument, two filters, or one of another type.
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
        """One filter of one or more arguments.

        Raises:
            InvalidArgumentError: There are two.
        """
        if len(filters) > 1:
            raise InvalidArgumentError(
                f"A filter was given twice: as {' and as '.join(filters)}.", hint="Keep one of the two."
            )
        return next(iter(filters.values()))
