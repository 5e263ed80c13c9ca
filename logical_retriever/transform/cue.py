"""Turns a question into a logical query by the exclusion cues of its language, without a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from logical_retriever.language.recognise import recognise
from logical_retriever.query import Term
from logical_retriever.transform.base import LONG, Transformation, check_question, check_questions, too_long
from logical_retriever.transform.languages import LANGUAGES
from logical_retriever.transform.languages.signs import signs_in
from logical_retriever.transform.languages.unspaced import UNSPACED
from logical_retriever.transform.reading import Reading
from logical_retriever.transform.rules.compiled import compiled
from logical_retriever.transform.rules.read import read_by_rules
from logical_retriever.transform.rules.unspaced import read_unspaced

_METHOD: Final = "cue"
_USUAL: Final = "en"


class CueQueryTransformer:
    """Makes a logical query of a question by rules: what an exclusion cue names becomes a ``NOT``.

    The cues ("excluding X", "other than X", "but don't mention X", "(excluding X)", "Apart from X, ...", "außer X",
    "sauf X", "кроме X", "X以外の") are those of the languages' tables in ``transform/languages``: English, German,
    French, Spanish, Italian, Portuguese and, shorter, Dutch, Polish, Russian, Chinese and Japanese, recognised by the
    question's own words. Precision comes before recall: a negation that is a fact about the answer ("never won", "which
    actors are not American", "not only ... but also") is no exclusion, and a question without one is returned as a
    single term, word for word. So is a question whose exclusion leaves nothing wanted ("Excluding bone health"), or
    excludes its very subject: nothing of it is lost.

    The time taken is linear in the length of the question, under a fifth of a second at ``MAX_QUESTION_LENGTH``
    characters; a longer question is left whole, and ``problem`` says so. One instance serves any number of threads.

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

        A question in a language without a table here is left whole; its signs are seen all the same. A question longer
        than ``MAX_QUESTION_LENGTH`` is left whole and is not understood.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
        """
        if too_long(check_question(question)):
            return Reading(None, understood=False)
        code = recognise(question)
        if code in LANGUAGES:
            reading = read_by_rules(question, compiled(code))
            if code == _USUAL or reading.query is not None or reading.signs:
                return reading
        elif code in UNSPACED and (unspaced := read_unspaced(question, code)):
            return unspaced
        elif code and (signs := signs_in(question, code)):
            return Reading(None, signs, understood=False, language=code)
        # What tells little of its language, like most short queries, is read as English where English reads it.
        usual = read_by_rules(question, compiled(_USUAL))
        if code and usual.query is None:
            return Reading(None, (), understood=True, language=code)
        return usual if code else replace(usual, language="")

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
