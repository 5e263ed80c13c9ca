"""A verifier that is a function of the user's own."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from logical_retriever.errors import InvalidArgumentError


class FunctionVerifier:
    """Asks a function about each passage: ``function(term, passage)``.

    Args:
        function: Returns "about", "mentions" or "not", True or False, or a probability in [0, 1]; None where it cannot
            say. A coroutine function is awaited for all passages at the same time.
        name: What messages call it; by default the function's own name, and None for a lambda.

    Raises:
        InvalidArgumentError: The function cannot be called.

    Examples:
        >>> verifier = FunctionVerifier(lambda term, passage: term in passage)
        >>> verifier.verify(["price", "price"], ["the price of tea", "brewing tea"])
        [True, False]
    """

    def __init__(self, function: Callable[[str, str], Any], *, name: str | None = None) -> None:
        if not callable(function):
            raise InvalidArgumentError(
                f"A FunctionVerifier asks a function, got {type(function).__name__}.",
                hint="Give a function of a term and a passage that returns True or False, or a probability.",
            )
        self._function = function
        own = getattr(function, "__qualname__", "<")
        self.name = name if name is not None or "<" in own else f"{function.__module__}.{own}"

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Any]:
        """One answer a pair."""
        if inspect.iscoroutinefunction(self._function):
            with ThreadPoolExecutor(1) as thread:  # this one may have an event loop running
                return thread.submit(lambda: asyncio.run(self.averify(terms, passages))).result()
        return [self._function(term, passage) for term, passage in zip(terms, passages, strict=True)]

    async def averify(self, terms: Sequence[str], passages: Sequence[str]) -> list[Any]:
        """Asynchronous twin of :meth:`verify`; a function that is no coroutine runs in a thread."""
        if not inspect.iscoroutinefunction(self._function):
            return await asyncio.to_thread(self.verify, terms, passages)
        pairs = zip(terms, passages, strict=True)
        return list(await asyncio.gather(*(self._function(term, passage) for term, passage in pairs)))
