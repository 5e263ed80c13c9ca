"""A registry of adapters by the class of the vector store, which imports no vector store itself."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, cast

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.stores import Store

AdapterFactory = Callable[[Any], Store]
"""A function that makes a :class:`logical_retriever.Store` of a framework's vector store or index."""


class AdapterRegistry:
    """Adapter factories by the qualified name of a class, ``"package.module.Class"``.

    Args:
        factories: A framework's own adapters; a text ``"package.module:name"`` is imported on its first use.
    """

    def __init__(self, factories: Mapping[str, AdapterFactory | str]) -> None:
        self._factories = dict(factories)

    def register(self, wrapped: type | str, factory: AdapterFactory) -> None:
        """Register the adapter of a class of vector stores and of its subclasses.

        Args:
            wrapped: The class, or its qualified name. A registered name gets the new factory.
            factory: Makes the adapter, a :class:`logical_retriever.Store`, of an instance.

        Raises:
            InvalidArgumentError: The factory is not callable.
        """
        if not callable(factory):
            raise InvalidArgumentError(
                f"An adapter factory must be callable, got {type(factory).__name__}.",
                hint="Pass a class or function that takes the vector store and returns a logical_retriever Store.",
            )
        self._factories[wrapped if isinstance(wrapped, str) else qualified_name(wrapped)] = factory

    def names(self) -> tuple[str, ...]:
        """Return the qualified names of all registered classes."""
        return tuple(self._factories)

    def factory(self, cls: type) -> AdapterFactory | None:
        """Return the factory of a class or of its first base that has one, in method resolution order; else None."""
        names = map(qualified_name, cls.__mro__)
        factory: Any = next((self._factories[name] for name in names if name in self._factories), None)
        return cast("AdapterFactory | None", pkgutil.resolve_name(factory) if isinstance(factory, str) else factory)


def qualified_name(cls: type) -> str:
    """Return the name of a class in the registry, ``"package.module.Class"``."""
    return f"{cls.__module__}.{cls.__qualname__}"
