"""Reads a question by the cheapest reader that is sure: what the user typed, rules, and a language model after them."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final, Literal, Protocol

from logical_retriever.errors import InvalidArgumentError, check_choice
from logical_retriever.query import Fields, Term
from logical_retriever.transform.base import (
    LONG,
    AsyncChatModel,
    ChatModel,
    Message,
    Transformation,
    TransformWarning,
    check_count,
    check_question,
    check_questions,
    shown,
    too_long,
)
from logical_retriever.transform.conversation import check_history
from logical_retriever.transform.cue import CueQueryTransformer
from logical_retriever.transform.llm import DEFAULT_CONCURRENCY, LogicalQueryTransformer
from logical_retriever.transform.reading import Reading
from logical_retriever.transform.typed import broken_logic, read_typed

ReadBy = Literal["auto", "always_llm", "rules"]
"""Who reads a question: rules, with a model for what they do not understand; a model always; rules alone."""

_log: Final = logging.getLogger(__name__)


class Rules(Protocol):
    """A reader that asks no language model."""

    def read(self, question: str) -> Reading:
        """Say what is made of a question, what was seen in it, and whether all of that was understood."""
        ...


class QuestionReader:
    """Reads a question by the cheapest reader that is sure, and asks a language model only where none is.

    1. Logic that the user typed (``"solar power" AND NOT "offshore"``) is taken as it is.
    2. Rules read what they understand, in milliseconds. Most questions hold no negation and end here, whole.
    3. Where the rules saw a sign of negation, or of several wishes, and did not understand it, the model is asked.
    4. A model that fails, or answers nonsense, leaves the rules' reading, with a :class:`TransformWarning`.

    Without a model the third step is left out: ``problem`` then says what was seen and not understood, and the log says
    so once for each sign.

    Calls of one instance may come from several threads, as far as the model allows them.

    Args:
        llm: Anything with ``complete(messages) -> str``; or a :class:`LogicalQueryTransformer`, for its prompt,
            examples, limits, cache and ``on_failure`` ("raise" raises where the model fails, in place of step 4). None
            for no model.
        read: "auto", as above; "always_llm" asks the model for every question; "rules" asks it for none.
        rules: Another reader in place of :class:`CueQueryTransformer`.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.fields.Fields` takes
            them. Only a model reads conditions in plain words: with one, "auto" asks it for every question that is no
            typed logic. Typed conditions need no fields.

    Raises:
        InvalidArgumentError: An argument is none of these, or ``read="always_llm"`` without a model.

    Examples:
        >>> made = QuestionReader().transform("benefits of vitamin D other than bone health")
        >>> print(made.query, made.method)
        "Benefits of vitamin D" AND NOT "bone health" cue
        >>> made = QuestionReader().transform('"solar power" AND NOT offshore')
        >>> print(made.query, made.method)
        "solar power" AND NOT "offshore" typed
    """

    def __init__(
        self,
        llm: ChatModel | AsyncChatModel | LogicalQueryTransformer | None = None,
        *,
        read: ReadBy = "auto",
        rules: Rules | None = None,
        fields: Any = None,
    ) -> None:
        check_choice("QuestionReader", "way to read", read, ReadBy)
        if llm is None and read == "always_llm":
            raise InvalidArgumentError(
                'read is "always_llm", and there is no model.', hint="Give a model (llm=, or --llm)."
            )
        if fields is not None and (rules is not None or isinstance(llm, LogicalQueryTransformer)):
            owner = "rules" if rules is not None else "the LogicalQueryTransformer"
            raise InvalidArgumentError(f"fields was given beside {owner}.", hint=f"Give fields to {owner} instead.")
        Fields.of(fields)  # refused without a model as with one
        if llm is None or isinstance(llm, LogicalQueryTransformer):
            self._chain = llm
        else:
            self._chain = LogicalQueryTransformer(llm, fields=fields)
        self._read = read
        self._rules: Rules = CueQueryTransformer() if rules is None else rules

    def transform(self, question: str, *, history: Sequence[Message] = ()) -> Transformation:
        """Read one question.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation whose last message the question is, oldest first. With one, the
                model is asked for every question that is no typed logic, and reads it in its context in the same call;
                without a model the question is read as it stands.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
            TransformError: The model failed, and its ``on_failure`` is "raise".
        """
        said = check_history(history)
        made, chain = self._begun(check_question(question), in_conversation=bool(said))
        return made if chain is None else _settled(made, chain.transform(question, history=said, warn=False))

    async def atransform(self, question: str, *, history: Sequence[Message] = ()) -> Transformation:
        """Asynchronous twin of :meth:`transform`; a long question is read in a thread."""
        said = check_history(history)
        begin = partial(self._begun, check_question(question), in_conversation=bool(said))
        made, chain = await asyncio.to_thread(begin) if len(question) > LONG else begin()
        return made if chain is None else _settled(made, await chain.atransform(question, history=said, warn=False))

    def batch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY
    ) -> list[Transformation]:
        """Read several questions, in order; only what needs the model goes to it, identical questions once.

        Args:
            questions: The questions; none gives an empty list.
            max_concurrency: As for :meth:`LogicalQueryTransformer.batch`.

        Raises:
            InvalidArgumentError: ``questions`` is not a sequence of strings, or ``max_concurrency`` is below 1.
            EmptyQuestionError: A question has no visible character; nothing has been asked then.
            TransformError: As for :meth:`transform`.
        """
        made, asked = self._all_begun(questions, max_concurrency)
        if self._chain is not None:
            answered = self._chain.batch(asked, max_concurrency=max_concurrency, warn=False)
            made.update((one.question, _settled(made[one.question], one)) for one in answered)
        return [made[question] for question in questions]

    async def abatch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY
    ) -> list[Transformation]:
        """Asynchronous twin of :meth:`batch`."""
        made, asked = await asyncio.to_thread(self._all_begun, questions, max_concurrency)
        if self._chain is not None:
            answered = await self._chain.abatch(asked, max_concurrency=max_concurrency, warn=False)
            made.update((one.question, _settled(made[one.question], one)) for one in answered)
        return [made[question] for question in questions]

    def _all_begun(
        self, questions: Sequence[str], max_concurrency: int | None
    ) -> tuple[dict[str, Transformation], list[str]]:
        """Each distinct question as far as it can be read without a model, and those that go to it."""
        if max_concurrency is not None:
            check_count("max_concurrency", max_concurrency, 1)
        begun = {question: self._begun(question) for question in dict.fromkeys(check_questions(questions))}
        made = {question: one for question, (one, _) in begun.items()}
        return made, [question for question, (_, chain) in begun.items() if chain is not None]

    def _begun(
        self, question: str, *, in_conversation: bool = False
    ) -> tuple[Transformation, LogicalQueryTransformer | None]:
        """A question as far as it can be read without a model, and the model's chain where it has to be asked."""
        if problem := too_long(question):
            return Transformation(question, Term(question), "cue", problem=problem), None
        chain = self._chain if self._read != "rules" else None
        typed = read_typed(question)
        if typed is not None:
            return Transformation(question, typed, "typed"), chain if self._read == "always_llm" else None
        reading = self._rules.read(question)
        query = Term(question) if reading.query is None else reading.query
        made = Transformation(question, query, "cue", signs=reading.signs)
        broken = broken_logic(question)
        # Where there are fields, only the model knows whether a question has conditions on them.
        asked = in_conversation or self._read == "always_llm" or (chain is not None and chain.fields is not None)
        if chain is not None and (asked or broken is not None or not reading.understood):
            return made, chain
        if broken is not None:
            left = "It is left whole." if reading.query is None else "What rules read in it is searched."
            return replace(made, problem=f"{broken} {left}"), None
        return made if reading.understood else _not_understood(made, reading), None


MODEL_CAN: Final = "A language model can (llm=, or --llm on the command line)."
"""The way out for a question that rules do not understand."""


def _not_understood(made: Transformation, reading: Reading) -> Transformation:
    """A reading that nobody could complete, with the reason."""
    signs = ", ".join(map(repr, reading.signs))
    problem = f"The rules saw {signs} and could not tell what is meant, so the question is left whole."
    if reading.query is not None:
        problem = f"The rules saw {signs} and are not sure that the query is all that was meant."
    problem += f" {MODEL_CAN}"
    for sign in dict.fromkeys(sign.casefold() for sign in reading.signs):
        _log_once(sign)
    return replace(made, problem=problem)


@lru_cache(maxsize=256)
def _log_once(sign: str) -> None:
    _log.warning(
        "Seen in a question, and not understood by the rules: %r. Such questions are searched as they stand; a "
        "language model (llm=) reads them. This is said once for each sign.",
        sign,
    )


def _settled(made: Transformation, answered: Transformation) -> Transformation:
    """The model's reading; where it failed, the one without it."""
    if answered.problem is None or answered.method == "llm":  # what of it was left out is said
        return replace(answered, signs=made.signs)
    reader = "logic that was typed" if made.method == "typed" else "reading by rules"
    warnings.warn(
        f"The {reader} is used for {shown(made.question)}. {answered.problem}", TransformWarning, stacklevel=3
    )
    return replace(made, answers=answered.answers, problem=answered.problem)
