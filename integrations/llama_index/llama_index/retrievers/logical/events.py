"""The events that the instrumentation dispatcher is sent."""

from __future__ import annotations

from typing import Any

from llama_index.core.instrumentation.events.base import BaseEvent  # type: ignore[attr-defined]  # re-exported

from logical_retriever.integration import SearchResult, Semantics, Transformation, query_event, search_event


class LogicalQueryEvent(BaseEvent):
    """A question has become a logical query; sent between the start and the end of a retrieval or a reranking.

    Attributes:
        question: The question, word for word.
        logical_query: The logical query, in canonical text.
        json_form: The logical query as data.
        method: What made it: "typed", "cue", "llm", "given", "dense" (the model failed) or the like.
        problem: Why it was not read, or None.
        standalone: The question in words that need no conversation, or None.
        signs: The words of negation that rules saw.
        searched: The query that is searched for: the logical query, or the plain question where that has no logic.
    """

    question: str
    logical_query: str
    json_form: dict[str, Any]
    method: str
    problem: str | None
    standalone: str | None
    signs: list[str]
    searched: str

    @classmethod
    def class_name(cls) -> str:
        """Name of the event in logs."""
        return "LogicalQueryEvent"

    @classmethod
    def of(cls, made: Transformation, semantics: Semantics) -> LogicalQueryEvent:
        """The event of a transformation that is searched with this semantics."""
        said = query_event(made, semantics)
        return cls(json_form=said.pop("json"), **said)


class LogicalSearchEvent(BaseEvent):
    """A search is done; sent before the end of a retrieval.

    Attributes:
        completeness: Whether the ranking is exact, and why.
        note: What was left out, or "".
        candidates: How many nodes were scored.
        store_calls: Requests made to the vector store.
        vectors_read: Vectors that came back.
        milliseconds: Of each stage, as in :class:`logical_retriever.results.SearchResult`.
        store_milliseconds: Of these, spent waiting for the vector store.
    """

    completeness: str
    note: str
    candidates: int
    store_calls: int
    vectors_read: int
    milliseconds: dict[str, float]
    store_milliseconds: float

    @classmethod
    def class_name(cls) -> str:
        """Name of the event in logs."""
        return "LogicalSearchEvent"

    @classmethod
    def of(cls, result: SearchResult) -> LogicalSearchEvent:
        """The event of a search's result."""
        return cls(**search_event(result))
