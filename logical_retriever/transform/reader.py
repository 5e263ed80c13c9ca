"""Reads a question by the cheapest reader that is sure: typed logic, the tagger, and a language model after them."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import Fields, Term
from logical_retriever.transform.base import (
    MAX_QUESTION_LENGTH,
    ChatModel,
    Message,
    Transformation,
    TransformWarning,
    check_question,
    shown,
)
from logical_retriever.transform.conversation import check_history
from logical_retriever.transform.follow_up import follow_up
from logical_retriever.transform.llm import LogicalQueryTransformer
from logical_retriever.transform.tagger import MAX_WORDS, Reading, Tagger, default_tagger
from logical_retriever.transform.typed import broken_logic, read_typed

_log: Final = logging.getLogger(__name__)


class QuestionReader:
    """Reads a question by the cheapest reader that is sure, and asks a language model only where none is.

    1. Logic that the user typed (``"solar power" AND NOT "offshore"``) is taken as it is.
    2. The tagger, a small network inside the package, reads the question in milliseconds, in eleven languages, and says
       how sure it is. Most questions exclude nothing and end here, whole.
    3. Where the tagger is not sure, and with ``fields`` or a history, the model is asked, unless the question is longer
       than :data:`~logical_retriever.transform.base.MAX_QUESTION_LENGTH`.
    4. If the model fails, or answers nonsense, the question is read as if there were none, with a
       :class:`TransformWarning`.

    Without a model, a question that the tagger is not sure of is searched whole, and ``problem`` says so.

    Calls of one instance may come from several threads, as far as the model allows them.

    Args:
        llm: Anything with ``complete(messages) -> str``; or a :class:`LogicalQueryTransformer`, for its prompt,
            cache and ``on_failure`` ("raise" raises where the model fails, in place of step 4). None
            for no model.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.Fields` takes
            them. Only a model reads conditions in plain words: with ``llm`` and ``fields``, it is asked for every
            question that is not typed logic. Typed conditions need no fields.
        tagger: A tagger with your own weights, instead of the package's.

    Raises:
        InvalidArgumentError: An argument is none of these.

    Examples:
        >>> transformation = QuestionReader().transform("benefits of vitamin D other than bone health")
        >>> print(transformation.query, transformation.method)
        "benefits of vitamin D" AND NOT "bone health" tagger
        >>> transformation = QuestionReader().transform('"solar power" AND NOT offshore')
        >>> print(transformation.query, transformation.method)
        "solar power" AND NOT "offshore" typed
    """

    def __init__(
        self,
        llm: ChatModel | LogicalQueryTransformer | None = None,
        *,
        fields: Any = None,
        tagger: Tagger | None = None,
    ) -> None:
        if fields is not None and isinstance(llm, LogicalQueryTransformer):
            raise InvalidArgumentError(
                "fields was given beside a LogicalQueryTransformer.", hint="Give fields to the transformer instead."
            )
        Fields.of(fields)  # checked even without a model
        if llm is not None and not isinstance(llm, LogicalQueryTransformer):
            llm = LogicalQueryTransformer(llm, fields=fields)
        self._chain = llm
        self._tagger = tagger

    def transform(self, question: str, *, history: Sequence[Message] = ()) -> Transformation:
        """Read one question.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation whose last message the question is, oldest first. With one, the
                model is asked for every question that is not typed logic, and reads it in its context in the same call.
                Without a model, a message that only excludes something ("and not the cheap ones") is an exclusion added
                to the question before it, where the tagger is sure of that; any other is read as it stands.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
            TransformError: The model failed, and its ``on_failure`` is "raise".
            WeightsError: The tagger's weights are missing or damaged.
        """
        draft, chain = self._draft(question, history)
        return draft if chain is None else _settled(draft, chain.transform(question, history=history, warn=False))

    async def atransform(self, question: str, *, history: Sequence[Message] = ()) -> Transformation:
        """Asynchronous twin of :meth:`transform`; the tagger reads in a thread."""
        draft, chain = await asyncio.to_thread(self._draft, question, history)
        if chain is None:
            return draft
        return _settled(draft, await chain.atransform(question, history=history, warn=False))

    def _draft(
        self, question: str, history: Sequence[Message]
    ) -> tuple[Transformation, LogicalQueryTransformer | None]:
        """A question as read without a model, and the model's chain where it has to be asked."""
        history = check_history(history)
        typed = read_typed(check_question(question))
        if typed is not None:
            return Transformation(question, typed, "typed"), None
        tagger = self._tagger or default_tagger()
        reading = tagger.read(question)
        query = reading.query if reading.outcome == "read" and reading.query is not None else Term(question)
        draft = Transformation(question, query, "tagger", confidence=reading.confidence)
        addition = follow_up(tagger, question, history) if history else None
        broken, chain = broken_logic(question), self._chain
        # Where there are fields, only the model knows whether a question has conditions on them.
        asks = reading.ask or reading.cut or broken is not None or bool(history)
        if chain is not None and (asks or chain.fields is not None) and len(question) <= MAX_QUESTION_LENGTH:
            return addition or draft, chain
        return addition or replace(draft, problem=_problem(reading, broken)), None


def _problem(reading: Reading, broken: str | None) -> str | None:
    """Why a reading is not all that was meant; None where the tagger is sure."""
    if broken is not None:
        return f"{broken} It is searched {'as the tagger read it' if reading.outcome == 'read' else 'whole'}."
    if reading.outcome == "unsure":
        # The log holds no questions of users.
        _log.info("A question was searched whole: it may exclude something (probability %.2f).", reading.excludes)
        guess = "" if reading.query is None else f" It may mean {reading.query}."
        return (
            f"The reader is not sure whether this excludes something, so the question is searched whole.{guess} "
            "A language model can tell (llm=, or --llm on the command line)."
        )
    return f"Only the first {MAX_WORDS} words of the question were read for exclusions." if reading.cut else None


def _settled(draft: Transformation, answer: Transformation) -> Transformation:
    """The model's reading, or the draft if the model failed."""
    if answer.problem is None:
        return answer
    warnings.warn(
        f"The reading without a model is used for {shown(draft.question)}. {answer.problem}",
        TransformWarning,
        stacklevel=3,
    )
    return replace(draft, answers=answer.answers, problem=answer.problem)
