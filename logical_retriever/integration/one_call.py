"""Query texts in one call, by an encoder that takes many at once as documents alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import numpy as np

MANY = 8
"""Texts from which on one call is tried: those of several questions."""
ALIKE = 0.9999
"""Cosine from which two encodings of one text are the same up to rounding."""

Row = Sequence[float]


class QueriesAsDocuments:
    """Tells whether an encoder takes queries and documents alike, so that many queries can be one call for documents.

    A model that writes "query: " before the one, or "passage: " before the other, encodes one text in two ways. It is
    compared once, with the first text of the first call of many; such a model goes on with a call for each query.
    """

    def __init__(self) -> None:
        self._alike: bool | None = None

    def encode(
        self, texts: Sequence[str], one: Callable[[str], Row], many: Callable[[list[str]], Sequence[Row]]
    ) -> Sequence[Row]:
        """Encode T query texts: T rows of length d, by ``one`` as a query each, or all by ``many`` as documents."""
        if len(texts) >= MANY and self._alike is not False:
            rows = many(list(texts))
            if self._alike or self._compared(one(texts[0]), rows[0]):
                return rows
        return [one(text) for text in texts]

    async def aencode(
        self,
        texts: Sequence[str],
        each: Callable[[Sequence[str]], Awaitable[Sequence[Row]]],
        many: Callable[[list[str]], Awaitable[Sequence[Row]]],
    ) -> Sequence[Row]:
        """Asynchronous twin of :meth:`encode`; ``each`` encodes some texts as queries."""
        if len(texts) >= MANY and self._alike is not False:
            rows = await many(list(texts))
            if self._alike or self._compared((await each(texts[:1]))[0], rows[0]):
                return rows
        return await each(texts)

    def _compared(self, query: Row, document: Row) -> bool:
        one, other = np.asarray(query, np.float64), np.asarray(document, np.float64)
        length = float(np.linalg.norm(one) * np.linalg.norm(other))
        self._alike = one.shape == other.shape and length > 0 and float(one @ other) >= ALIKE * length
        return self._alike
