"""The events that the instrumentation dispatcher is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.instrumentation.events.base import BaseEvent  # type: ignore[attr-defined]  # re-exported

from logical_retriever.integration import SearchOptions, SearchResult, Transformation, query_event, search_event


class LogicalQueryEvent(BaseEvent):
    """A question has become a logical query; sent between the start and the end of a retrieval or a reranking.

    Attributes:
        question: The question, word for word.
        logical_query: The logical query, in canonical text.
        json_form: The logical query as data.
        method: What made it: "typed", "tagger", "llm", "given", "dense" (the model failed) or the like.
        problem: Why it was not read, or None.
        standalone: The question in words that need no conversation, or None.
        confidence: The probability that the tagger gives its reading, or None.
        searched: The query that is searched for: the logical query, or the plain question where that has no logic.
    """

    question: str
    logical_query: str
    json_form: dict[str, Any]
    method: str
    problem: str | None
    standalone: str | None
    confidence: float | None
    searched: str

    @classmethod
    def class_name(cls) -> str:
        """Name of the event in logs."""
        return "LogicalQueryEvent"

    @classmethod
    def of(cls, made: Transformation, options: SearchOptions) -> LogicalQueryEvent:
        """The event of a transformation that is searched with these settings."""
        said = query_event(made, options)
        return cls(json_form=said.pop("json"), **said)


class LogicalSearchEvent(BaseEvent):
    """A search is done; sent before the end of a retrieval.

    Attributes:
        completeness: Whether the ranking is exact, and why.
        note: How many nodes were left out, or "".
        strategy: How nodes were found, as of :class:`logical_retriever.results.Cost`.
        scored: How many nodes were scored.
        requests: Requests made to the vector store.
        vectors: Vectors that came back.
        milliseconds: Of each stage.
    """

    completeness: str
    note: str
    strategy: str
    scored: int
    requests: int
    vectors: int
    milliseconds: dict[str, float]

    @classmethod
    def class_name(cls) -> str:
        """Name of the event in logs."""
        return "LogicalSearchEvent"

    @classmethod
    def of(cls, result: SearchResult, reading: Mapping[str, float]) -> LogicalSearchEvent:
        """The event of a search's result, and of the milliseconds before it."""
        return cls(**search_event(result, reading))
