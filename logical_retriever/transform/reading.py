"""The reading of a question by a reader that asks no language model."""

from __future__ import annotations

from dataclasses import dataclass

from logical_retriever.query import LogicalQuery


@dataclass(frozen=True)
class Reading:
    """A question read without a language model, and how sure that is.

    Attributes:
        query: The logical query, or None where the question stays whole.
        signs: The words of negation, or of several wishes, that were seen, as they are written in the question.
        understood: Whether every sign was read, or is known to be no exclusion (a fact about the answer, a title, a
            courtesy). A question without a sign is understood.
        language: Of the question's own words: an ISO 639-1 code such as "en", or "" where nothing tells.
    """

    query: LogicalQuery | None
    signs: tuple[str, ...] = ()
    understood: bool = True
    language: str = ""
