"""Which adapter belongs to which class of vector store, without importing any of them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from typing import Any

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.stores import Store

AdapterFactory = Callable[[Any], Store]
"""Makes a :class:`logical_retriever.Store` of what users of a framework have: a vector store, or an index over one."""


class AdapterRegistry:
    """Adapters by the qualified name of the class that they are for, ``"package.module.Class"``.

    The class of an instance and its bases are looked up in method resolution order, so that subclasses are found.

    Args:
        factories: A framework's own adapters; a text ``"package.module:name"`` is imported when it is needed.
    """

    def __init__(self, factories: Mapping[str, AdapterFactory | str]) -> None:
        self._factories = dict(factories)

    def register(self, wrapped: type | str, factory: AdapterFactory) -> None:
        """Make the vector stores of a class, and of its subclasses, ones that can be searched by logic.

        Args:
            wrapped: The class, or its qualified name. A known name is replaced.
            factory: Makes a :class:`logical_retriever.Store`, the adapter, of an instance.

        Raises:
            InvalidArgumentError: The factory cannot be called.
        """
        if not callable(factory):
            raise InvalidArgumentError(
                f"An adapter factory must be callable, got {type(factory).__name__}.",
                hint="Pass a class or function that takes the vector store and returns a logical_retriever Store.",
            )
        self._factories[wrapped if isinstance(wrapped, str) else qualified_name(wrapped)] = factory

    def names(self) -> tuple[str, ...]:
        """Qualified names of the classes that have an adapter."""
        return tuple(self._factories)

    def factory(self, cls: type) -> AdapterFactory | None:
        """The factory for instances of a class; None where neither it nor a base has one."""
        for base in cls.__mro__:
            factory = self._factories.get(qualified_name(base))
            if isinstance(factory, str):
                adapter: AdapterFactory = pkgutil.resolve_name(factory)
                return adapter
            if factory is not None:
                return factory
        return None


def qualified_name(cls: type) -> str:
    """The name that a class is registered under."""
    return f"{cls.__module__}.{cls.__qualname__}"
