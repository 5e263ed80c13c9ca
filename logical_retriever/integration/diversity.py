"""The best documents that also differ: maximal marginal relevance over logical scores."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery
from logical_retriever.query.fields import Fields
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search import SearchSettings, as_number, check_count
from logical_retriever.stores import Filter
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors, cosines

DEFAULT_LAMBDA_MULT = 0.5
"""Weight of the score against likeness to what is chosen already, from 0 to 1; as of LangChain's vector stores."""
DEFAULT_MMR_FETCH_K = 20
"""As of LangChain's vector stores."""


@dataclass(frozen=True)
class DiverseSearch:
    """A retriever of the core whose k best are chosen among more, one after another, each unlike those before.

    The next is the one with the greatest ``lambda_mult * relevance - (1 - lambda_mult) * cosine``, with the greatest
    cosine of its vector with those already chosen (MMR: Carbonell and Goldstein, SIGIR 1998). What the query excludes
    does not come back by being different: only the best by the logical score are chosen from.

    Args:
        retriever: Searches; its store gives the vectors.
        fetch_k: How many of its best are chosen from, at least 1, raised to k where it is smaller.
        lambda_mult: From 0, only different, to 1, only relevant.

    Raises:
        InvalidArgumentError: ``fetch_k`` or ``lambda_mult`` is none of these.
    """

    retriever: LogicalRetriever
    fetch_k: int = DEFAULT_MMR_FETCH_K
    lambda_mult: float = DEFAULT_LAMBDA_MULT

    def __post_init__(self) -> None:
        check_count("fetch_k", self.fetch_k)
        object.__setattr__(self, "lambda_mult", check_lambda_mult("lambda_mult", self.lambda_mult))

    @property
    def fields(self) -> Fields | None:
        """Those of the retriever."""
        return self.retriever.fields

    def search(
        self, query: LogicalQuery | Transformation | str, *, filter: Filter = None, **settings: Unpack[SearchSettings]
    ) -> SearchResult:
        """As of the retriever; ``fetch_k`` is that of this class, for this call."""
        wanted, settings = self._widened(settings)
        return self._chosen(self.retriever.search(query, filter=filter, **settings), wanted)

    async def asearch(
        self, query: LogicalQuery | Transformation | str, *, filter: Filter = None, **settings: Unpack[SearchSettings]
    ) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the store's blocking calls run in a thread."""
        wanted, settings = self._widened(settings)
        result = await self.retriever.asearch(query, filter=filter, **settings)
        return await asyncio.to_thread(self._chosen, result, wanted)

    def search_many(
        self,
        queries: Sequence[LogicalQuery | Transformation | str | Exception],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """As of the retriever."""
        wanted, widened = self._widened(settings)
        found = self.retriever.search_many(queries, filter=filter, return_exceptions=return_exceptions, **widened)
        return self._all_chosen(found, wanted)

    async def asearch_many(
        self,
        queries: Sequence[LogicalQuery | Transformation | str | Exception],
        *,
        filter: Filter = None,
        return_exceptions: bool = False,
        **settings: Unpack[SearchSettings],
    ) -> list[Any]:
        """Asynchronous twin of :meth:`search_many`: the store's blocking calls run in threads."""
        wanted, widened = self._widened(settings)
        core = self.retriever
        found = await core.asearch_many(queries, filter=filter, return_exceptions=return_exceptions, **widened)
        return await asyncio.to_thread(self._all_chosen, found, wanted)

    def _all_chosen(self, found: Sequence[Any], k: int) -> list[Any]:
        return [self._chosen(one, k) if isinstance(one, SearchResult) else one for one in found]

    def _widened(self, settings: SearchSettings) -> tuple[int, SearchSettings]:
        settings = {**settings}
        fetch_k = settings.pop("fetch_k", None)
        wanted = self.retriever.options.but(**settings).k
        return wanted, {
            **settings,
            "k": max(wanted, self.fetch_k if fetch_k is None else check_count("fetch_k", fetch_k)),
        }

    def _chosen(self, result: SearchResult, k: int) -> SearchResult:
        if len(result.documents) <= 1:
            return result
        batch = self.retriever.store.fetch([document.id for document in result.documents])
        known = {document.id: document for document in result.documents}
        found = [known[id] for id in batch.ids]  # what was deleted meanwhile has no vector
        relevance = np.array([document.relevance for document in found])
        best = marginal_relevance(relevance, batch.vectors, k, self.lambda_mult)
        return replace(result, documents=tuple(found[row] for row in best))


def marginal_relevance(relevance: npt.NDArray[np.float64], vectors: Vectors, k: int, lambda_mult: float) -> list[int]:
    """Rows in the order of maximal marginal relevance.

    Args:
        relevance: Shape (N,).
        vectors: Shape (N, d).
        k: Rows wanted, at least 1.
        lambda_mult: In [0, 1].

    Returns:
        Up to k distinct rows; the most relevant is the first, and ties go to the first row.
    """
    alike = cosines(vectors, vectors)
    chosen: list[int] = []
    nearest = np.full(len(relevance), -np.inf)
    while len(chosen) < min(k, len(relevance)):
        gain = lambda_mult * relevance - (1.0 - lambda_mult) * nearest if chosen else relevance.copy()
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
        nearest = np.maximum(nearest, alike[chosen[-1]])
    return chosen


def check_lambda_mult(name: str, value: object) -> float:
    """A weight of relevance against diversity.

    Args:
        name: How the argument is called.
        value: What was given.

    Raises:
        InvalidArgumentError: It is no number from 0 to 1.
    """
    number = as_number(value)
    if not 0.0 <= number <= 1.0:
        raise InvalidArgumentError(
            f"{name} must be a number from 0 to 1, got {value!r}.",
            hint="0 asks for different documents alone, 1 for relevant ones alone.",
        )
    return number
