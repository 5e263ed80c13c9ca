"""The event for LlamaIndex' instrumentation."""

from __future__ import annotations

from llama_index.core.instrumentation.events.base import BaseEvent  # type: ignore[attr-defined]  # re-exported

from logical_retriever.adapters import ReadQuestion


class LogicalQueryEvent(BaseEvent):
    """The reading of a question, sent between the start and the end of a retrieval.

    Attributes:
        question: The question, word for word.
        logical_query: The logical query, in canonical text.
        method: What made it: "typed", "tagger", "llm", "given", "dense" (the model failed) or the like.
        problem: Why a NOT was not understood, or None.
        confidence: The tagger's probability of its reading, or None.
    """

    question: str
    logical_query: str
    method: str
    problem: str | None
    confidence: float | None

    @classmethod
    def class_name(cls) -> str:
        """Return the event's name in logs."""
        return "LogicalQueryEvent"

    @classmethod
    def of(cls, read_question: ReadQuestion) -> LogicalQueryEvent:
        """Make the event of a question that has been read."""
        same = {name: getattr(read_question, name) for name in ("question", "method", "problem", "confidence")}
        return cls(logical_query=str(read_question.query), **same)
