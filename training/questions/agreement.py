"""How well a query agrees with a gold one: the judgement of the benchmark's ``form_agreement.py``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from logical_retriever.query import And, LogicalQuery, Not, Or, Term, parse

_COMMON_WORDS = """
    a an the of for in on at to and or with about from by as is are be do does did what which who whom how why when
    where that this it its their there i me my you your we our can could would should please some any all more most
    tell show give find list anything something things thing want know like
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_ENOUGH = 0.75


@dataclass(frozen=True)
class Agreement:
    """A query against its best gold form."""

    gold_not: bool
    predicted_not: bool
    decision: bool
    excluded: bool
    wanted: bool

    @property
    def right(self) -> bool:
        """Whether all of it agrees."""
        return self.decision and self.excluded and self.wanted


def content(text: str) -> set[str]:
    """Return the stems of a text's content words, or its characters in Chinese and Japanese."""
    result: set[str] = set()
    for word in re.findall(r"\w+", text.casefold()):
        if re.search("[\u3040-\u30ff\u4e00-\u9fff]", word):
            result.update(word)
        elif word not in _COMMON:
            if len(word) > 4:
                word = re.sub(r"ies$", "y", word)
            if len(word) > 4 and not word.endswith("ss"):
                word = re.sub(r"(ings?|ed|es|s)$", "", word)
            result.add(re.sub(r"e$", "", word) if len(word) > 3 else word)
    return result


def _literals(query: LogicalQuery, negated: bool = False) -> list[tuple[set[str], bool]]:
    if isinstance(query, Term):
        return [(content(query.text), negated)]
    if isinstance(query, Not):
        return _literals(query.operand, not negated)
    if isinstance(query, (And, Or)):
        return [literal for operand in query.operands for literal in _literals(operand, negated)]
    return []


def judge(gold: str, predicted: str) -> Agreement:
    """Compare a query in canonical form with one gold form."""
    expected, given = _literals(parse(gold)), _literals(parse(predicted))
    out, cut = [words for words, negated in expected if negated], [words for words, negated in given if negated]
    want = set().union(*(words for words, negated in expected if not negated))
    get = set().union(*(words for words, negated in given if not negated))
    if not out or not cut:
        same = bool(out) == bool(cut)
        return Agreement(bool(out), bool(cut), same, same, same)
    excluded = all(any(_covers(b, a) for b in cut) for a in out) and all(any(_covers(b, a) for a in out) for b in cut)
    wanted = _covers(get, want) and not get & (set().union(*out) - want)
    return Agreement(True, True, True, excluded, wanted)


def _covers(predicted: set[str], gold: set[str]) -> bool:
    return len(predicted & gold) >= _ENOUGH * len(gold)


def judge_best(gold: Sequence[str], question: str, predicted: str | None) -> Agreement:
    """Against the gold form that it agrees with best; without a query, the question itself."""
    plain = '"' + question.replace("\\", "\\\\").replace('"', '\\"') + '"'
    judged = [judge(form, predicted or plain) for form in gold]
    best = max(judged, key=lambda one: one.decision + one.excluded + one.wanted)
    return Agreement(judged[0].gold_not, best.predicted_not, best.decision, best.excluded, best.wanted)
