"""Built-in parts that users choose by name, such as a semantics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from logical_retriever.errors import InvalidArgumentError, did_you_mean


def make_named(name: object, built_in: Mapping[str, Callable[[], Any]], what: str) -> Any:
    """Make the built-in part of this name.

    Args:
        name: The name.
        built_in: A class or function without arguments for each name.
        what: The kind of part, for the message.

    Raises:
        InvalidArgumentError: The name is unknown; the hint has the nearest name and all of them.
    """
    if isinstance(name, str) and name in built_in:
        return built_in[name]()
    names = f"Known names: {', '.join(built_in)}; or give an instance."
    raise InvalidArgumentError(f"There is no {what} {name!r}.", hint=did_you_mean(str(name), built_in) + names)
