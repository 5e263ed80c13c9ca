"""A search with LangChain's arguments: settings, the store's own search arguments, and documents that also differ."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from langchain_logical_retriever.stores import read_filter
from logical_retriever.adapters import (
    ALIASES,
    SETTINGS,
    InvalidArgumentError,
    LogicalRetriever as CoreRetriever,
    SearchResult,
    Vectors,
    cosines,
    names_hint,
)

MMR_FETCH_K, LAMBDA_MULT = 20, 0.5
"""As of LangChain's vector stores."""
KNOWN = (*SETTINGS, "filter", "history", "score_threshold")


def split_settings(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings, and the arguments of the store's own search; LangChain's ``score_threshold`` is ``min_relevance``.

    A filter of None is none, and lifts no other.

    Raises:
        InvalidArgumentError: Another library's name for a setting.
    """
    settings = {name: value for name, value in arguments.items() if name in SETTINGS}
    none = {name for name, value in arguments.items() if name == "filter" and value is None}
    rest = {name: value for name, value in arguments.items() if name not in (*SETTINGS, *none)}
    if "score_threshold" in rest:
        settings["min_relevance"] = rest.pop("score_threshold")
    for name in rest:
        if name in ALIASES:
            raise InvalidArgumentError(f"There is no setting {name!r}.", hint=names_hint(name, KNOWN))
    return settings, rest


@dataclass(frozen=True)
class Search:
    """Searches a store with the arguments of a call.

    Attributes:
        core: Searches.
        fields: Fields of metadata that conditions may name.
        arguments: Those of the store's own search that hold for all calls.
        diverse: LangChain's search type "mmr": how many of the best to choose from, and the weight of their relevance.
            What a question excludes does not come back by being different.
    """

    core: CoreRetriever
    fields: Any
    arguments: Mapping[str, Any]
    diverse: tuple[int, float] | None = None

    def search(self, query: Any, **arguments: Any) -> SearchResult:
        """As of the core's retriever, with LangChain's arguments."""
        call, k = self.call(arguments)
        return self._chosen(self.core.search(query, **call), k)

    async def asearch(self, query: Any, **arguments: Any) -> SearchResult:
        """Asynchronous twin of :meth:`search`."""
        call, k = self.call(arguments)
        result = await self.core.asearch(query, **call)
        return await asyncio.to_thread(self._chosen, result, k) if self.diverse else result

    def call(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """Arguments of the core's search, and how many documents to return; wrong ones are refused."""
        settings, rest = split_settings(arguments)
        k = self.core.options.but(**settings).k
        if self.diverse is not None:
            fetch_k = settings.pop("fetch_k", None)
            settings["k"] = max(k, self.diverse[0] if fetch_k is None else fetch_k)
        return {**settings, "filter": read_filter(self.core.store, {**self.arguments, **rest})}, k

    def _chosen(self, result: SearchResult, k: int) -> SearchResult:
        if self.diverse is None or len(result.documents) <= 1:
            return result
        batch = self.core.store.fetch([document.id for document in result.documents])
        by_id = {document.id: document for document in result.documents}
        documents = [by_id[id] for id in batch.ids]  # one deleted meanwhile has no vector
        relevance = [document.relevance for document in documents]
        rows = marginal_relevance(np.array(relevance), batch.vectors, k, self.diverse[1])
        return replace(result, documents=tuple(documents[row] for row in rows))


def marginal_relevance(relevance: Any, vectors: Vectors, k: int, lambda_mult: float) -> list[int]:
    """Up to k distinct rows of ``vectors``, shape (N, d), each with a high relevance and unlike those before it.

    The next has the greatest ``lambda_mult * relevance - (1 - lambda_mult) * cosine`` with the greatest cosine with
    those chosen (Carbonell and Goldstein, SIGIR 1998). LangChain's own function takes the cosine with one vector for
    the relevance.
    """
    alike = cosines(vectors, vectors)
    rows: list[int] = []
    while len(rows) < min(k, len(relevance)):
        gain = lambda_mult * relevance - (1.0 - lambda_mult) * alike[rows].max(axis=0, initial=-1.0)
        gain[rows] = -np.inf
        rows.append(int(np.argmax(gain)))
    return rows
