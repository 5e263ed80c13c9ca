"""Many questions in one call: read in one batch and searched for together, each retrieval with its own events."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import QueryBundle

from logical_retriever.integration import (
    DiverseSearch,
    Filter,
    LogicalRetriever as CoreRetriever,
    QueryTransformer,
    SearchResult,
    Transformation,
    read_many,
)


@dataclass
class AnsweredBundle(QueryBundle):
    """A question with what was found for it already.

    Attributes:
        made: Its transformation.
        result: What was found.
    """

    made: Transformation | None = None
    result: SearchResult | None = None


class ManyQuestions(BaseRetriever):
    """A retriever that can be asked many questions at once, and be made ready for the first."""

    _core: CoreRetriever
    _transformer: QueryTransformer
    _filters: Filter

    @property
    @abstractmethod
    def _searching(self) -> CoreRetriever | DiverseSearch: ...

    def warm_up(self, *, background: bool = True) -> None:
        """As of the core's retriever: see now to what the first question would have to wait for."""
        self._core.warm_up(background=background)

    def retrieve_many(self, questions: Sequence[str], *, return_exceptions: bool = False) -> list[Any]:
        """Answer many questions: as :meth:`retrieve` one by one, in less time.

        Texts are encoded in one call, each once, and the store is asked for many questions together. Events are
        dispatched question by question when all have been searched for.

        Args:
            questions: As users typed them: an agent's tool input is for :meth:`retrieve`.
            return_exceptions: Whether a question that fails has its error in place of its nodes; else the first error
                is raised.

        Returns:
            Nodes for each question, or, where that is wanted, an error.
        """
        made = read_many(self._transformer, questions, return_exceptions=return_exceptions)
        found = self._searching.search_many(made, filter=self._filters, return_exceptions=return_exceptions)
        answered = _answered(questions, made, found)
        return [one if isinstance(one, Exception) else self.retrieve(one) for one in answered]

    async def aretrieve_many(self, questions: Sequence[str], *, return_exceptions: bool = False) -> list[Any]:
        """Asynchronous twin of :meth:`retrieve_many`; questions are read in a thread."""
        made = await asyncio.to_thread(read_many, self._transformer, questions, return_exceptions=return_exceptions)
        found = await self._searching.asearch_many(made, filter=self._filters, return_exceptions=return_exceptions)
        answered = _answered(questions, made, found)
        return [one if isinstance(one, Exception) else await self.aretrieve(one) for one in answered]


def _answered(questions: Sequence[str], made: Sequence[Any], found: Sequence[Any]) -> list[AnsweredBundle | Exception]:
    """Questions with what was found for each, or errors."""
    return [
        result if isinstance(result, Exception) else AnsweredBundle(question, made=one, result=result)
        for question, one, result in zip(questions, made, found, strict=True)
    ]
