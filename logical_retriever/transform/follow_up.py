"""A follow-up ("and not the cheap ones"), read without a model as an exclusion added to the question before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logical_retriever.query import negative_terms, positive_terms
from logical_retriever.transform.base import Message, Transformation
from logical_retriever.transform.conversation import MAX_MESSAGES
from logical_retriever.transform.tagger import Reading, Tagger

SURE_FROM: Final = 0.8
"""Certainty from which the tagger's reading of two messages as one question is taken."""


def follow_up(tagger: Tagger, question: str, history: Sequence[Message]) -> Transformation | None:
    """The user's earlier question with what the last message excludes from it; None where the message is no such thing.

    Args:
        tagger: Reads the earlier question and the message as one.
        question: The last message.
        history: The messages before it, oldest first.
    """
    before, reading = "", None
    for message in [
        *(earlier["content"] for earlier in history[-MAX_MESSAGES:] if earlier["role"] == "user"),
        question,
    ]:
        both = f"{before.rstrip(' .?!')}, {message}"
        reading = tagger.read(both) if before else None
        if reading is None or not _only_excludes(reading, before):
            before, reading = message, None
        else:
            before = both
    if reading is None or reading.query is None:
        return None
    return Transformation(question, reading.query, "tagger", confidence=reading.certainty, standalone=before)


def _only_excludes(reading: Reading, before: str) -> bool:
    """Whether the reading wants what the earlier text says, and excludes something that it does not say."""
    if reading.outcome != "read" or reading.query is None or reading.certainty < SURE_FROM:
        return False
    earlier = before.casefold()
    wanted = all(term.casefold() in earlier for term in positive_terms(reading.query))
    return wanted and not all(term.casefold() in earlier for term in negative_terms(reading.query))
