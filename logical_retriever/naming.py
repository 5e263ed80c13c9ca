"""Parts that have a name: a semantics, a transformer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from logical_retriever.errors import InvalidArgumentError, did_you_mean


def make_named(name: object, built_in: Mapping[str, Callable[[], Any]], what: str) -> Any:
    """Make the part that has a name; its class or function is called without arguments.

    Args:
        name: The name.
        built_in: Every part by name.
        what: The kind of part, in words.

    Raises:
        InvalidArgumentError: No part has this name; the message has the nearest name and all of them.
    """
    name = name if isinstance(name, str) else repr(name)
    if name in built_in:
        return built_in[name]()
    names = f"Known names: {', '.join(built_in)}; or give an instance."
    raise InvalidArgumentError(f"There is no {what} {name!r}.", hint=did_you_mean(name, built_in) + names)
