"""A call's search: LangChain's arguments, the core's retriever over a vector store, and documents that also differ."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from langchain_logical_retriever.embedder import as_embedder
from langchain_logical_retriever.stores import as_store
from logical_retriever.adapters import (
    ALIASES,
    SETTINGS,
    Filter,
    InvalidArgumentError,
    LogicalRetriever as CoreRetriever,
    SearchResult,
    Vectors,
    cosines,
    names_hint,
)

MMR_FETCH_K, LAMBDA_MULT = 20, 0.5
"""Defaults of LangChain's vector stores."""
KNOWN = (*SETTINGS, "filter", "history", "score_threshold")


class SharedRetriever(CoreRetriever):
    """The core's retriever over the adapter of a vector store, with default settings."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as None: a copy of a retriever learns about its own store."""
        return type(None), ()


_living: WeakValueDictionary[tuple[int, int, str], SharedRetriever] = WeakValueDictionary()


def shared(vectorstore: Any, embeddings: Any, words_index: Any) -> SharedRetriever:
    """Return the live retriever for this vector store, embeddings and index of words, or create one.

    ``configurable_fields`` makes a new LangChain retriever for each call, and so does a copy with another k. They share
    this one; each would otherwise sample the store and index its words anew. It holds the objects that its key
    identifies, so no other object can have their identities while it lives.
    """
    own = getattr(vectorstore, "embeddings", None) if embeddings is None else embeddings
    key = id(vectorstore), id(own), str(words_index)
    if (living := _living.get(key)) is not None:
        return living
    store = as_store(vectorstore)
    return _living.setdefault(key, SharedRetriever(store, as_embedder(own, vectorstore), words_index=words_index))


def split_settings(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split arguments into settings and arguments of the store's own search.

    LangChain's ``score_threshold`` becomes ``min_relevance``. A filter of None is dropped, and lifts no other.

    Raises:
        InvalidArgumentError: Another library's name for a setting.
    """
    settings = {name: value for name, value in arguments.items() if name in SETTINGS}
    none = {name for name, value in arguments.items() if name == "filter" and value is None}
    rest = {name: value for name, value in arguments.items() if name not in (*SETTINGS, *none)}
    if "score_threshold" in rest:
        threshold = rest.pop("score_threshold")
        if settings.get("min_relevance") is None:
            settings["min_relevance"] = threshold
        elif threshold is not None and settings["min_relevance"] != threshold:
            raise InvalidArgumentError(
                f"min_relevance is {settings['min_relevance']!r} and score_threshold is {threshold!r}.",
                hint="They are one setting: give one of them.",
            )
    for name in rest:
        if name in ALIASES:
            raise InvalidArgumentError(f"There is no setting {name!r}.", hint=names_hint(name, KNOWN))
    return settings, rest


@dataclass(frozen=True)
class Search:
    """A search with all settings of one call.

    Attributes:
        core: The core's retriever with these settings.
        filter: In the store's own language.
        k: Documents to return; ``core`` returns more, to choose from, where they also have to differ.
        lambda_mult: With LangChain's search type "mmr", the weight of relevance against difference, in [0, 1]; None for
            the other types. What a question excludes does not come back by being different.
    """

    core: CoreRetriever
    filter: Filter
    k: int
    lambda_mult: float | None = None

    def search(self, query: Any) -> SearchResult:
        """Search for a query, its text in the grammar, or a question that has been read."""
        return self._diverse(self.core.search(query, filter=self.filter))

    async def asearch(self, query: Any) -> SearchResult:
        """Asynchronous twin of :meth:`search`."""
        result = await self.core.asearch(query, filter=self.filter)
        return result if self.lambda_mult is None else await asyncio.to_thread(self._diverse, result)

    def _diverse(self, result: SearchResult) -> SearchResult:
        if self.lambda_mult is None or len(result.documents) <= 1:
            return result
        batch = self.core.store.fetch([document.id for document in result.documents])
        by_id = {document.id: document for document in result.documents}
        documents = [by_id[id] for id in batch.ids]  # one deleted meanwhile has no vector
        relevance = np.array([document.relevance for document in documents])
        rows = marginal_relevance(relevance, batch.vectors, self.k, self.lambda_mult)
        return replace(result, documents=tuple(documents[row] for row in rows))


def marginal_relevance(relevance: Any, vectors: Vectors, k: int, lambda_mult: float) -> list[int]:
    """Choose up to k distinct rows of ``vectors``, shape (N, d), each with a high relevance and unlike those before it.

    The next row has the greatest ``lambda_mult * relevance - (1 - lambda_mult) * cosine``, with its greatest cosine
    with a chosen row (Carbonell and Goldstein, SIGIR 1998). LangChain's own function takes the cosine with one vector
    for the relevance.
    """
    alike = cosines(vectors, vectors)
    rows: list[int] = []
    while len(rows) < min(k, len(relevance)):
        gain = lambda_mult * relevance - (1.0 - lambda_mult) * alike[rows].max(axis=0, initial=-1.0)
        gain[rows] = -np.inf
        rows.append(int(np.argmax(gain)))
    return rows
