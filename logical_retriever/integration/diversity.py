"""The best documents that also differ: maximal marginal relevance over logical scores."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import check_count
from logical_retriever.query import LogicalQuery
from logical_retriever.query.fields import Fields
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Filter
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors, cosines

DEFAULT_LAMBDA_MULT: Final = 0.5
"""Weight of relevance beside difference, from 0 to 1."""
DEFAULT_MMR_FETCH_K: Final = 20
"""How many of the best documents are chosen from."""


@dataclass(frozen=True)
class DiverseSearch:
    """A retriever of the core whose k best are chosen among more, one after another, each unlike those before.

    The next is the one with the greatest ``lambda_mult * relevance - (1 - lambda_mult) * cosine``, with the greatest
    cosine of its vector with those already chosen (MMR: Carbonell and Goldstein, SIGIR 1998). What the query excludes
    does not come back by being different: only the best by the logical score are chosen from, which is why neither
    LangChain's nor LlamaIndex' own helper serves; both compare with one query vector.

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
        check_lambda_mult("lambda_mult", self.lambda_mult)

    @property
    def fields(self) -> Fields | None:
        """Those of the retriever."""
        return self.retriever.fields

    def search(
        self, query: LogicalQuery | Transformation | str, *, filter: Filter = None, **settings: Any
    ) -> SearchResult:
        """As of the retriever; ``fetch_k`` is that of this class, for this call."""
        k, settings = self._widened(settings)
        return self._chosen(self.retriever.search(query, filter=filter, **settings), k)

    async def asearch(
        self, query: LogicalQuery | Transformation | str, *, filter: Filter = None, **settings: Any
    ) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the store's blocking calls run in a thread."""
        k, settings = self._widened(settings)
        return await asyncio.to_thread(self._chosen, await self.retriever.asearch(query, filter=filter, **settings), k)

    def _widened(self, settings: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        fetch_k = settings.pop("fetch_k", None)
        k = self.retriever.options.but(**settings).k
        return k, {**settings, "k": max(k, self.fetch_k if fetch_k is None else check_count("fetch_k", fetch_k))}

    def _chosen(self, result: SearchResult, k: int) -> SearchResult:
        if len(result.documents) <= 1:
            return result
        batch = self.retriever.store.fetch([document.id for document in result.documents])
        by_id = {document.id: document for document in result.documents}
        documents = [by_id[id] for id in batch.ids]  # one deleted meanwhile has no vector
        relevance = np.array([document.relevance for document in documents])
        rows = marginal_relevance(relevance, batch.vectors, k, self.lambda_mult)
        return replace(result, documents=tuple(documents[row] for row in rows))


def marginal_relevance(relevance: npt.NDArray[np.float64], vectors: Vectors, k: int, lambda_mult: float) -> list[int]:
    """Up to k distinct rows of ``vectors``, shape (N, d), by maximal marginal relevance; ties go to the first row."""
    alike = cosines(vectors, vectors)
    chosen: list[int] = []
    closest = np.full(len(relevance), -np.inf)
    while len(chosen) < min(k, len(relevance)):
        gain = lambda_mult * relevance - (1.0 - lambda_mult) * closest if chosen else relevance.copy()
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
        closest = np.maximum(closest, alike[chosen[-1]])
    return chosen


def check_lambda_mult(name: str, value: object) -> None:
    """Check a weight of relevance against diversity.

    Raises:
        InvalidArgumentError: It is no number from 0 to 1.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
        raise InvalidArgumentError(
            f"{name} must be a number from 0 to 1, got {value!r}.",
            hint="0 asks for different documents alone, 1 for relevant ones alone.",
        )
