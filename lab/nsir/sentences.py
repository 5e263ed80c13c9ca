"""Rule-based logic of passages: clauses become predicates, their negators become ¬. No language model, no parser.

What the rules know of English is in the tables below, and it is little: a clause is a predicate named by its content
words, over the names in it. Quantifiers of the language, tenses, pronouns and what a negation reaches over within its
clause are not understood. It is there so that NS-IR runs without a language model, and its figures say what that is
worth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lab.nsir.fol import MAX_ARGUMENTS, Formula, constant, joined, negation, predicate
from lab.nsir.translate import WORD, Translation, empty, predicate_name

MAX_SENTENCES: Final = 64
"""Sentences of a passage that are looked at; an encoder reads no more of it either."""
MAX_CLAUSES: Final = 8
"""Clauses of a sentence that are told apart; the last holds the rest."""

_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n{2,}")
_CLAUSE: Final = re.compile(
    r"\s*(?:;|,?\s+\b(?P<joint>but|although|though|whereas|while|however|and|or)\b,?|,\s+(?=(?:which|who)\b))\s*",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"^\W*(?:if|when|whenever|unless)\s+(?P<condition>[^,]+),\s*(?:then\s+)?(?P<result>.+)", re.I | re.S
)
_UNLESS: Final = re.compile(r"^\W*unless\b", re.IGNORECASE)
_NEGATOR: Final = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|can't|won't|isn't|aren't|wasn't|weren't|"
    r"doesn't|don't|didn't|hasn't|haven't|hadn't|shouldn't|wouldn't|couldn't)\b",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(r"^\W*(?:all|every|each|any)\b", re.IGNORECASE)
_SOME: Final = re.compile(r"^\W*(?:some|several|many|few|a few|there (?:is|are|was|were))\b", re.IGNORECASE)
_NAME: Final = re.compile(
    r"[A-Z][\w'’.-]*\w(?:\s+(?:of\s+|de\s+|van\s+|von\s+)?[A-Z][\w'’.-]*\w)*|[A-Z]\b|\b\d[\d.,]*\d\b|\b\d\b"
)
_ABOUT: Final = re.compile(r"\s+(?:is|was|had|has)\s+(?:an?|the)\b")
_NEGATED_HEAD: Final = re.compile(rf"^\W*{_NEGATOR.pattern}", re.IGNORECASE)
_FUNCTION_WORDS: Final = frozenset(
    """
    a an the this that these those it its he she they them his her their we our you your i me my and or but
    is are was were be been being am do does did has have had will would can could may might shall should must
    of in on at to for from by with as into onto about over under than then so such also very there here
    which who whom whose what when where if all every each any some several many few
    """.split()  # noqa: SIM905 - a table to be read
)


class SentenceFormulas:
    """The logic of passages by rules over their sentences, without a language model.

    Each clause of a sentence is a predicate, named by its content words; the capitalised names and numbers in it are
    the arguments. A negator ("not", "never", "without", ...) in a clause makes it ¬; an even number of them is written
    as often. "and" and "but" between clauses become ∧, "or" ∨, "if A, B" A → B, "unless A, B" ¬A → B; "all" and "some"
    at the head of a clause ∀ and ∃.

    Examples:
        >>> rules = SentenceFormulas()
        >>> for formula in rules.passages(["Penicillin treats strep throat, but it never treats a cold."])[0].formulas:
        ...     print(formula)
        penicillin_treats_strep_throat ∧ ¬treats_cold
        >>> print(rules.passages(["Moses was the brother of Aaron."])[0].formulas[0])
        brother(Moses, Aaron)
    """

    def passages(self, texts: Sequence[str]) -> list[Translation]:
        """Translate passages, in order."""
        return [_translated(text) for text in texts]


def _translated(text: str) -> Translation:
    if nothing := empty(text):
        return nothing
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence and WORD.search(sentence)]
    formulas = tuple(map(_sentence, sentences[:MAX_SENTENCES]))
    # A text of signs alone ("???") is one predicate without a name of its own.
    return Translation(text, formulas or (predicate(predicate_name(text)),))


def _sentence(sentence: str) -> Formula:
    if match := _CONDITION.match(sentence):
        condition = _clauses(match["condition"])
        condition = negation(condition) if _UNLESS.match(sentence) else condition
        return joined("→", (condition, _clauses(match["result"])))
    return _clauses(sentence)


def _clauses(text: str) -> Formula:
    """Join clauses by ∧, by ∨ where "or" stands between two; ∧ binds tighter."""
    groups: list[list[Formula]] = [[]]
    for joint, clause in _split(text):
        if joint == "or":
            groups.append([])
        groups[-1].append(_clause(clause))
    return joined("∨", [joined("∧", group) for group in groups])


def _split(text: str) -> list[tuple[str, str]]:
    """Split a text into clauses and the word before each; each side needs three words or a negator."""
    parts: list[tuple[str, str]] = []
    start, joint = 0, ""
    for match in _CLAUSE.finditer(text):
        left, right = text[start : match.start()], text[match.end() :]
        if len(parts) == MAX_CLAUSES - 1 or not (_is_clause(left) and _is_clause(right)):
            continue
        parts.append((joint, left))
        start, joint = match.end(), (match["joint"] or "and").lower()
    return [*parts, (joint, text[start:])]


def _is_clause(text: str) -> bool:
    return len(WORD.findall(text)) >= 3 or _NEGATOR.search(text) is not None


def _clause(text: str) -> Formula:
    negations = len(_NEGATOR.findall(text))
    bare = _NEGATOR.sub(" ", text)
    quantifier = "∀" if _EVERY.match(bare) else "∃" if _SOME.match(bare) else ""
    names = list(dict.fromkeys(_names(bare)))[: MAX_ARGUMENTS - 1]
    words = [word for word in WORD.findall(_without(bare, names)) if word.casefold() not in _FUNCTION_WORDS]
    # Names alone, or no content at all: the clause as it stands is the predicate.
    name = predicate_name(" ".join(words).lower() if words else bare)
    arguments = [*(["x"] if quantifier else []), *(map(constant, names) if words else ())]
    formula = predicate(name, arguments)
    if not quantifier:
        return _negated(formula, negations)
    if _NEGATED_HEAD.match(text):  # "not all"
        return _negated(Formula(quantifier, "x", parts=(formula,)), negations)
    return Formula(quantifier, "x", parts=(_negated(formula, negations),))


def _negated(formula: Formula, times: int) -> Formula:
    """Negate a formula as often as the text does; beyond four times, as often as keeps the sense."""
    for _ in range(times if times <= 4 else 4 - times % 2):
        formula = negation(formula)
    return formula


def _names(text: str) -> list[str]:
    """Find capitalised names and numbers.

    The first word of a clause counts only if another capital follows it, or a phrase like "was the": "Moses was the
    ...".
    """
    names, first = [], WORD.search(text)
    for match in _NAME.finditer(text):
        name = " ".join(match[0].split())
        head, _, rest = name.partition(" ")
        if head.casefold() in _FUNCTION_WORDS:  # "The Hebrew Bible"
            name = rest
        elif first is not None and match.start() == first.start() and not rest and head[0].isalpha():
            name = name if name.isupper() or _ABOUT.match(text, match.end()) else ""
        if name:
            names.append(name)
    return names


def _without(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(re.escape(name).replace(r"\ ", r"\s+"), " ", text)
    return text
