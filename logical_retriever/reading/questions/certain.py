"""The check that a model's query keeps the exclusions of which the tagger is certain."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import Condition, LogicalQuery, Not, Or, Term, negative_terms, positive_terms
from logical_retriever.reading.questions.tagger import split_words

_HINT: Final = "Put NOT before everything that the question excludes, and before nothing that it wants."
_NEGATIVE: Final = ("!=", "not in")
_COMPARES: Final = ("<", "<=", ">", ">=")
_POINTS: Final = re.compile(r"\b(?:first|last|second|third|these|those|that|this|previous|above|mentioned|ones?)\b")


def check_certain(query: LogicalQuery, certain: LogicalQuery) -> None:
    """Reject a query that lost an exclusion of a certain reading, or exchanged wish and exclusion.

    Each wish of the query needs the exclusion, unless the reading has several wishes itself. A condition may stand for
    one exclusion: a negative one, or a comparison with a number of the exclusion's words, as ``[year >= 2022]`` for
    "before 2022". A term that points ("the first two") only a model can name, so it is not looked for.

    Args:
        query: The query in a model's answer.
        certain: The tagger's query of the same question.

    Raises:
        LLMAnswerError: The queries contradict each other; written for the model.
    """
    wanted = [_words(text) for text in positive_terms(certain)]
    wished = set[str]().union(*wanted)
    parts = query.operands if isinstance(query, Or) and not isinstance(certain, Or) else (query,)
    for part in parts:
        negative, spare = negative_terms(part), _conditions(part)
        for text in filter(lambda text: not _POINTS.search(text.casefold()), negative_terms(certain)):
            if any(_alike(text, other, wished) for other in negative):
                continue
            stands = next((node for node in spare if _stands_for(node, text)), None)
            if stands is None:
                raise _contradiction(query, f"The question excludes {Term(text)}, and the answer does not.")
            spare.remove(stands)
    excluded = set[str]().union(*(_words(text) for text in negative_terms(certain)))
    if any(words and words <= wished - excluded for words in map(_words, negative_terms(query))):
        raise _contradiction(query, "The answer excludes what the question wants.")


def _contradiction(query: LogicalQuery, message: str) -> LLMAnswerError:
    return LLMAnswerError(message, hint=_HINT, answers=(str(query),))


def _words(text: str) -> set[str]:
    words = split_words(text)
    return {text[start:end].casefold() for start, end in words.spans if text[start:end].isalnum()}


def _alike(text: str, other: str, wished: set[str]) -> bool:
    """Return whether two excluded terms mean the same: one contains the other, or they share most words of the first.

    Words of the wish do not count: "Dell laptops" is not "gaming laptops".
    """
    a, b = text.casefold(), other.casefold()
    if a in b or b in a:
        return True
    own, theirs = _words(text), _words(other)
    own = own - wished or own
    same = sum(any(word == one or _inflected(word, one) for one in theirs) for word in own)
    return 2 * same >= len(own) > 0


def _inflected(word: str, other: str) -> bool:
    """Return whether two words differ in their last two letters at most, as "candle" and "candles" do."""
    same = max(4, len(word) - 2, len(other) - 2)
    return len(word) >= same and word[:same] == other[:same]


def _conditions(query: LogicalQuery) -> list[Condition]:
    """Return the conditions of a query that may exclude something: negative ones, and comparisons."""
    negated = [one for node in query.walk() if isinstance(node, Not) for one in node.conditions()]
    others = [node for node in query.walk() if isinstance(node, Condition) and node not in negated]
    return negated + [node for node in others if node.operator in (*_NEGATIVE, *_COMPARES)]


def _stands_for(condition: Condition, text: str) -> bool:
    """Return whether a condition that may exclude something excludes a term: a comparison must have its number."""
    numbers = filter(str.isdigit, _words(text))
    return condition.operator not in _COMPARES or any(number in str(condition.value) for number in numbers)
