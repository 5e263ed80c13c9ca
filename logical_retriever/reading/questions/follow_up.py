"""Follow-ups such as "and not the cheap ones", read without a model as exclusions added to the earlier question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logical_retriever.query import negative_terms, positive_terms
from logical_retriever.reading.base import Message, ReadQuestion
from logical_retriever.reading.questions.conversation import MAX_MESSAGES
from logical_retriever.reading.questions.tagger import Reading, Tagger

SURE_FROM: Final = 0.8
"""Least certainty of a reading of two messages as one question."""


def follow_up(tagger: Tagger, question: str, history: Sequence[Message]) -> ReadQuestion | None:
    """Return the user's earlier question without what the last message excludes; None for any other message.

    Args:
        tagger: Reads the earlier question and the message as one.
        question: The last message.
        history: The messages before it, oldest first.
    """
    messages = [message["content"] for message in history[-MAX_MESSAGES:] if message["role"] == "user"]
    before, reading = "", None
    for message in (*messages, question):
        both = f"{before.rstrip(' .?!')}, {message}"
        reading = tagger.read(both) if before else None
        if reading is not None and not _only_excludes(reading, before):
            reading = None
        before = message if reading is None else both
    if reading is None or reading.query is None:
        return None
    return ReadQuestion(question, reading.query, "tagger", confidence=reading.certainty, standalone=before)


def _only_excludes(reading: Reading, before: str) -> bool:
    """Return whether the reading wants only words of the earlier text, and excludes a term that is new."""
    if reading.outcome != "read" or reading.query is None or reading.certainty < SURE_FROM:
        return False
    earlier = before.casefold()
    wanted = all(term.casefold() in earlier for term in positive_terms(reading.query))
    return wanted and not all(term.casefold() in earlier for term in negative_terms(reading.query))
