"""The demo's own corpus and questions: 200 passages on ten themes, written for it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from logical_retriever.corpus import Passage, read_corpus

_CORPUS = Path(__file__).with_name("corpus.jsonl")
_QUESTIONS = Path(__file__).with_name("questions.json")


@dataclass(frozen=True)
class DemoQuestion:
    """A question of the demo.

    Attributes:
        question: As a user would type it.
        logical_query: What it means, in the grammar.
        unwanted_topics: A passage on one of these is not wanted.
        wanted: Passages that answer it, by id.
        kind: "exclusion", "either-or", "both-and", "plain", or "fact" (its "not" is a fact about the answer).
        note: Why it is in the demo.
    """

    question: str
    logical_query: str
    unwanted_topics: tuple[str, ...]
    wanted: frozenset[str]
    kind: str
    note: str


def load_passages() -> list[Passage]:
    """The corpus."""
    return read_corpus(_CORPUS)


def load_topics() -> dict[str, frozenset[str]]:
    """Topics of each passage, by its id."""
    rows = map(json.loads, _CORPUS.read_text(encoding="utf-8").splitlines())
    return {row["_id"]: frozenset(row["topics"]) for row in rows}


def load_questions() -> list[DemoQuestion]:
    """The questions, in the order they are shown."""
    rows = json.loads(_QUESTIONS.read_text(encoding="utf-8"))
    return [
        DemoQuestion(**{**row, "unwanted_topics": tuple(row["unwanted_topics"]), "wanted": frozenset(row["wanted"])})
        for row in rows
    ]
