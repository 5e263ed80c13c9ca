"""The demo's 200 passages on ten themes and its questions, all written for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from logical_retriever.corpus import Passage, read_corpus

__all__ = ["DemoQuestion", "load_passages", "load_questions", "load_topics"]

_CORPUS = Path(__file__).with_name("corpus.jsonl")
_QUESTIONS = Path(__file__).with_name("questions.json")


@dataclass(frozen=True)
class DemoQuestion:
    """A question of the demo.

    Attributes:
        question: As a user would type it.
        logical_query: What it means, in the query language.
        unwanted_topics: Topics that the question excludes.
        wanted: Ids of the passages that answer it.
        kind: "exclusion", "either-or", "both-and", "plain", or "fact" (its "never" is said of a fixed thing).
        note: Why it is in the demo.
    """

    question: str
    logical_query: str
    unwanted_topics: tuple[str, ...]
    wanted: frozenset[str]
    kind: str
    note: str


def load_passages() -> list[Passage]:
    """Return the 200 passages."""
    return read_corpus(_CORPUS)


def load_topics() -> dict[str, frozenset[str]]:
    """Return the topics of each passage by its id."""
    return {passage.id: frozenset(passage.metadata["topics"]) for passage in load_passages()}


def load_questions() -> list[DemoQuestion]:
    """Return the questions in the order of the demo."""
    return TypeAdapter(list[DemoQuestion]).validate_json(_QUESTIONS.read_bytes())
