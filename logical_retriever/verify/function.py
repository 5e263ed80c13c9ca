"""A verifier that is a function of the user's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from logical_retriever.errors import InvalidArgumentError


class FunctionVerifier:
    """Asks a function about each passage: ``function(term, passage)``.

    Args:
        function: Returns "about", "mentions" or "not", True or False, or a probability in [0, 1]; None where it cannot
            say.
        name: What messages call it.

    Raises:
        InvalidArgumentError: It is no function, or a coroutine function, for which a class has ``averify``.

    Examples:
        >>> verifier = FunctionVerifier(lambda term, passage: term in passage)
        >>> verifier.verify(["price", "price"], ["the price of tea", "brewing tea"])
        [True, False]
    """

    def __init__(self, function: Callable[[str, str], Any], *, name: str | None = None) -> None:
        if not callable(function) or inspect.iscoroutinefunction(function):
            raise InvalidArgumentError(
                f"A FunctionVerifier calls a function, and {function!r} is none.",
                hint="Give a function of a term and a passage; a coroutine is a verifier's method averify.",
            )
        self._function = function
        self.name = name

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Any]:
        """One answer a pair."""
        return [self._function(term, passage) for term, passage in zip(terms, passages, strict=True)]
