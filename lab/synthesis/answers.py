"""Readers of what a language model answers; an unusable answer has a fixed reason, which is counted."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from lab.asking import InvalidAnswer

MAX_TOPIC_LENGTH: Final = 100
MAX_QUESTION_WORDS: Final = 100
PASSAGE_WORDS: Final = (20, 300)
MAX_OBJECTS_TRIED: Final = 200

_FENCE = re.compile(r"```[\w-]*\s*")
_OBJECT = re.compile(r'\{\s*["}]')
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")
_QUOTES: Final = (('"', '"'), ("“", "”"), ("'", "'"), ("`", "`"))


@dataclass(frozen=True)
class Judgement:
    """The verdict of a language model on a question and a document.

    Attributes:
        relevant: Whether the document answers to the question.
        about: Those of the query's terms that the document is about.
    """

    relevant: bool
    about: frozenset[str]


def read_topics(answer: str) -> tuple[str, ...]:
    """Read topics, one a line, without bullets, numbers and repetitions.

    Lines that end with a colon introduce the list; lines over 100 characters are prose. Both are passed over.

    Raises:
        InvalidAnswer: There is no topic ("no_topics").
    """
    topics: dict[str, str] = {}
    for line in unfenced(answer).split("\n"):
        topic = unquoted(" ".join(_BULLET.sub("", line).split()).strip("*_ "))
        if topic and len(topic) <= MAX_TOPIC_LENGTH and not topic.endswith(":") and _letters(topic):
            topics.setdefault(topic.casefold(), topic)
    if not topics:
        raise InvalidAnswer("no_topics", "it holds no topic. Give one short topic per line.")
    return tuple(topics.values())


def read_question(answer: str) -> str:
    """Read a question in natural language, on one line.

    Raises:
        InvalidAnswer: It is empty ("question_empty"), has several lines or is too long ("question_not_one"), or
            holds the operators AND, OR, NOT in capitals ("question_has_operators").
    """
    text = unquoted(unfenced(answer).strip())
    if not _letters(text):
        raise InvalidAnswer("question_empty", "it is empty. Give one question.")
    if len([line for line in text.split("\n") if line.strip()]) > 1 or len(text.split()) > MAX_QUESTION_WORDS:
        raise InvalidAnswer("question_not_one", "it is not one question. Give the question alone, on one line.")
    if _OPERATOR.search(text):
        raise InvalidAnswer(
            "question_has_operators", "it holds AND, OR or NOT in capitals. Say it in natural language."
        )
    return " ".join(text.split())


def read_passage(answer: str) -> str:
    """Read a passage of 20 to 300 words, and put it on one line.

    Raises:
        InvalidAnswer: It is empty ("passage_empty") or has another length ("passage_length").
    """
    text = " ".join(unfenced(answer).split())
    least, most = PASSAGE_WORDS
    count = len(text.split())
    if not _letters(text):
        raise InvalidAnswer("passage_empty", "it is empty. Write the passage.")
    if not least <= count <= most:
        raise InvalidAnswer("passage_length", f"it has {count} words. Write one passage of 40 to 120 words.")
    return text


def read_judgement(answer: str, terms: Sequence[str]) -> Judgement:
    """Read a judgement, ``{"relevant": bool, "topics": [numbers from 1]}``.

    Args:
        answer: The model's answer.
        terms: The topics in the order they were numbered.

    Raises:
        InvalidAnswer: No JSON object ("not_json"), or not of this form ("judgement_form").
    """
    data = read_object(answer)
    relevant, numbers = data.get("relevant"), data.get("topics")
    if not isinstance(relevant, bool) or not isinstance(numbers, list):
        raise InvalidAnswer("judgement_form", '"relevant" must be true or false and "topics" a list of numbers.')
    if not all(type(number) is int and 1 <= number <= len(terms) for number in numbers):
        raise InvalidAnswer("judgement_form", f'"topics" may hold whole numbers from 1 to {len(terms)} alone.')
    return Judgement(relevant, frozenset(terms[number - 1] for number in numbers))


def read_object(answer: str) -> dict[str, Any]:
    """Read the first JSON object in an answer; words and code fences around it are passed over.

    Raises:
        InvalidAnswer: There is none ("not_json").
    """
    decoder = json.JSONDecoder()
    # Each failure counts lines up to it, and each brace of an endless nest leads to another: the tries are bounded.
    for start in islice(_OBJECT.finditer(answer), MAX_OBJECTS_TRIED):
        try:
            data: dict[str, Any] = decoder.raw_decode(answer, start.start())[0]
        except ValueError:
            continue
        except RecursionError:
            break
        return data
    raise InvalidAnswer("not_json", "it holds no complete JSON object. Answer with one JSON object alone.")


def unfenced(answer: str) -> str:
    """Remove a code fence around the whole answer."""
    opening, _, rest = answer.strip().partition("\n")
    return rest[:-3].rstrip() if rest.endswith("```") and _FENCE.fullmatch(opening) else answer


def unquoted(text: str) -> str:
    """Remove one pair of quotation marks around the whole text."""
    for left, right in _QUOTES:
        inner = text[1:-1]
        if len(text) > 2 and text.startswith(left) and text.endswith(right) and not {left, right} & set(inner):
            return inner.strip()
    return text


def _letters(text: str) -> bool:
    return any(character.isalnum() for character in text)
