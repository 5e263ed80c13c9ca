"""Turns a question into a logical query by the exclusion cues of English, without a language model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from logical_retriever.query import MAX_TERMS, And, LogicalQuery, Not, Term
from logical_retriever.transform.base import LONG, Transformation, check_question, check_questions, too_long
from logical_retriever.transform.cue_excluded import excluded_items, on_its_own, topic_of
from logical_retriever.transform.cue_match import Exclusion, exclusions
from logical_retriever.transform.cue_text import normalized
from logical_retriever.transform.cue_wanted import statement, wanted_text
from logical_retriever.transform.reading import Reading

_METHOD: Final = "cue"
_SIGN: Final = re.compile(
    r"(?<![\w'’])(?:not|no|nor|neither|none|nothing|without|w/o|except|excluding|excl|other than|besides|apart from"
    r"|aside|minus|instead|rather than|but not|skip|omit|ignore|exclude|forget|\w+n['’]t|dont|isnt|arent"
    r"|non(?=-\w))(?![\w'’])",
    re.IGNORECASE,
)
_REFERS_BACK: Final = re.compile(r"\b(?:for|of|in|with|by) (?:this|these|those) \w+|\bthe same\b", re.IGNORECASE)


class CueQueryTransformer:
    """Makes a logical query of a question by rules: what an exclusion cue names becomes a ``NOT``.

    The cues ("excluding X", "other than X", "but don't mention X", "(excluding X)", "Apart from X, ...") are those of
    :mod:`~logical_retriever.transform.cue_table`. Precision comes before recall: a negation that is a fact about the
    answer ("never won", "which actors are not American", "not only ... but also") is no exclusion, and a question
    without one is returned as a single term, word for word. So is a question whose exclusion leaves nothing wanted
    ("Excluding bone health"), or excludes its very subject: nothing of it is lost.

    The time taken is linear in the length of the question, under a fifth of a second at ``MAX_QUESTION_LENGTH``
    characters; a longer question is left whole, and ``problem`` says so. Instances have no state: one serves any
    number of threads.

    Examples:
        >>> transformer = CueQueryTransformer()
        >>> print(transformer.transform("benefits of vitamin D other than bone health").query)
        "Benefits of vitamin D" AND NOT "bone health"
        >>> print(transformer.transform("Which actors are not American?").query)
        "Which actors are not American?"
    """

    def transform(self, question: str) -> Transformation:
        """Turn one question into a logical query.

        Args:
            question: Any text with a visible character.

        Returns:
            The query: ``wanted AND NOT excluded AND NOT ...``, or the question itself as one term.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
        """
        problem = too_long(check_question(question))
        query = None if problem else self.read(question).query
        return Transformation(question, Term(question) if query is None else query, _METHOD, problem=problem)

    def read(self, question: str) -> Reading:
        """Read one question, and say what signs of negation it has and whether all of them were understood.

        A question longer than ``MAX_QUESTION_LENGTH`` is left whole and is not understood.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
        """
        if too_long(check_question(question)):
            return Reading(None, understood=False)
        query = _query(question)
        signs = tuple(match[0] for match in _SIGN.finditer(question))
        return Reading(query, signs, understood=query is not None or not signs)

    async def atransform(self, question: str) -> Transformation:
        """Asynchronous twin of :meth:`transform`; a long question is read in a thread."""
        if isinstance(question, str) and len(question) > LONG:
            return await asyncio.to_thread(self.transform, question)
        return self.transform(question)

    def batch(self, questions: Sequence[str]) -> list[Transformation]:
        """Transform several questions, in order.

        Raises:
            InvalidArgumentError: ``questions`` is no sequence, or holds something that is no string.
            EmptyQuestionError: One of them has no visible character.
        """
        return [self.transform(question) for question in check_questions(questions)]


def _query(question: str) -> LogicalQuery | None:
    """The query of a question with an exclusion, or None: the question is then one term."""
    text = normalized(question)
    named = [(found, items) for found in exclusions(text) if (items := _named(text, found))]
    if not named:
        return None
    wanted = statement(_wanted(text, [found for found, _ in named]))
    topic = topic_of(wanted)
    negated = [operand for found, items in named for operand in _negated(text, found, items, topic)]
    operands = tuple(dict.fromkeys(negated))
    same = any(_core(term) == _core(wanted) for operand in operands for term in operand.terms())
    if same or not any(char.isalnum() for char in wanted) or sum(operand.size for operand in operands) >= MAX_TERMS:
        return None
    return And((Term(wanted), *operands))


def _named(text: str, found: Exclusion) -> list[str]:
    """The things an exclusion names; none where something is spared and it is not clear what."""
    spared = "" if found.spared is None else found.spared.of(text).strip()
    # "excluding comedies except anything other than satire": half understood, it would lose satire.
    return excluded_items(found.named.of(text)) if not spared or excluded_items(spared) else []


def _wanted(text: str, found: list[Exclusion]) -> str:
    kept, at = [], 0
    for exclusion in found:
        kept.append(text[at : exclusion.out.start])
        at = exclusion.out.end
    wanted = wanted_text([*kept, text[at:]])
    # "Apart from the film Fame, which films have the same title?": without its exclusion the question is about nothing.
    return text if found[0].front and not kept[0] and _REFERS_BACK.search(wanted) else wanted


def _negated(text: str, found: Exclusion, items: list[str], topic: str) -> list[LogicalQuery]:
    spared = [] if found.spared is None else excluded_items(found.spared.of(text))
    kept = tuple(Not(Term(item)) for item in spared)
    terms = [Term(on_its_own(item, topic)) for item in items]
    return [Not(And((term, *kept))) if kept else Not(term) for term in terms]


def _core(text: str) -> str:
    return re.sub(r"^(?:the|an?) |\W+", " ", text.casefold()).strip()
