"""The reader of questions: typed logic first, then the tagger, then a language model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import Fields, LogicalQuery, Term, has_logic, negative_terms, positive_terms
from logical_retriever.reading.base import (
    MAX_QUESTION_LENGTH,
    ChatModel,
    Message,
    ReadQuestion,
    check_history,
    check_question,
    fall_back,
)
from logical_retriever.reading.llm_calls import completed
from logical_retriever.reading.questions.facts import negation_in
from logical_retriever.reading.questions.llm import LogicalQueryTransformer
from logical_retriever.reading.questions.pointers import back_reference, refers_back
from logical_retriever.reading.questions.prompt import MAX_MESSAGES
from logical_retriever.reading.questions.tagger import CERTAIN_FROM, MAX_WORDS, Reading, Tagger, default_tagger
from logical_retriever.reading.questions.typed import broken_logic, read_typed

_log: Final = logging.getLogger(__name__)
_FALLBACK: Final = "reading without a model"
_FOLLOW_UP_FROM: Final = 0.8
"""Least certainty of a reading of two messages as one question."""

_POINTS: Final = (
    'What "{}" points to is in an earlier answer, which the reader does not have, so the question is searched whole. '
    "Name the thing."
)


class QuestionReader:
    """A reader that asks a language model only where the cheaper ways may be wrong.

    1. Typed logic (``"solar power" AND NOT "offshore"``) is taken as it is.
    2. The tagger, a small network inside the package, reads the question in milliseconds, in eleven languages, with a
       probability that it is right. Most questions exclude nothing and end here, whole.
    3. If the tagger is unsure, or certain to less than .7, and always with ``fields`` or a history, the model is asked,
       unless the question is longer than :data:`~logical_retriever.reading.base.MAX_QUESTION_LENGTH`.
    4. If the model fails, answers nonsense, or twice drops an exclusion of a reading certain to .85, the reading
       without a model is used, with a :class:`TransformWarning`.

    Without a model, an unsure question is searched whole, and ``problem`` says so; any other reading is used.

    Several threads may call one instance if the model allows it.

    Args:
        llm: Anything with ``complete(messages) -> str``; or a :class:`LogicalQueryTransformer`, for its prompt,
            cache and ``on_failure`` ("raise" raises if the model fails, in place of step 4). None for no model.
        fields: Fields of metadata for conditions, as :class:`~logical_retriever.query.Fields` takes them. Only
            a model reads conditions in plain words: with ``llm`` and ``fields``, every question without typed logic
            goes to the model. Typed conditions need no fields.
        tagger: A tagger with your own weights, instead of the package's.

    Raises:
        InvalidArgumentError: An argument has another type, or ``fields`` stands beside a transformer.

    Examples:
        >>> read = QuestionReader().transform("benefits of vitamin D other than bone health")
        >>> print(read.query, read.method)
        "benefits of vitamin D" AND NOT "bone health" tagger
        >>> read = QuestionReader().transform('"solar power" AND NOT offshore')
        >>> print(read.query, read.method)
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
        self._llm = llm
        self._tagger = tagger

    def transform(self, question: str, *, history: Sequence[Message] = ()) -> ReadQuestion:
        """Read one question.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation before the question, oldest first. With a history, the model reads
                every question without typed logic, in its context, in one call. Without a model, a message that only
                excludes something ("and not the cheap ones") is an exclusion added to the question before it, if the
                tagger is sure of that; any other message is read as it stands.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
            TransformError: The model failed, and its ``on_failure`` is "raise".
            WeightsError: The tagger's weights are missing or damaged.
        """
        draft, llm = self._draft(question, history)
        if llm is None:
            return draft
        read = completed(llm.read(question, history, blocking=True, certain=_certain(draft)))
        return self._completed(fall_back(read, draft, _FALLBACK), draft)

    async def atransform(self, question: str, *, history: Sequence[Message] = ()) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`; the tagger reads in a thread."""
        draft, llm = await asyncio.to_thread(self._draft, question, history)
        if llm is None:
            return draft
        read = await llm.read(question, history, certain=_certain(draft))
        return await asyncio.to_thread(self._completed, fall_back(read, draft, _FALLBACK), draft)

    def _completed(self, read: ReadQuestion, draft: ReadQuestion) -> ReadQuestion:
        """Return a model's reading with what only the tagger tells: the kinds of its exclusions, and a fact."""
        if not has_logic(read.query):
            return replace(read, fact=draft.fact)
        if read.kinds is not None:
            return read
        return replace(read, kinds=(self._tagger or default_tagger()).kinds(read.sought, negative_terms(read.query)))

    def _draft(self, question: str, history: Sequence[Message]) -> tuple[ReadQuestion, LogicalQueryTransformer | None]:
        """Read a question without a model; return the model's reader as well if that should read it too."""
        history = check_history(history)
        typed = read_typed(check_question(question))
        if typed is not None:
            return ReadQuestion(question, typed, "typed"), None
        tagger = self._tagger or default_tagger()
        reading = tagger.read(question)
        pointer = _pointer(reading, question, bool(history))
        if pointer is not None:
            reading = replace(reading, outcome="unsure", query=None, certainty=0.0)
        query = reading.query if reading.outcome == "read" else None
        broken, llm = broken_logic(question), self._llm
        plain = reading.outcome == "plain" and broken is None and not reading.cut
        draft = ReadQuestion(
            question,
            Term(question) if query is None else query,
            "tagger",
            confidence=reading.confidence,
            kinds=None if query is None else reading.kinds,
            fact=negation_in(question) if plain else None,
        )
        addition = _follow_up(tagger, question, history) if history and pointer is None else None
        asks = reading.ask or reading.cut or broken is not None or bool(history)
        problem = _problem(reading, broken) if pointer is None else _POINTS.format(pointer)
        # With fields, only the model knows whether a question has conditions on them.
        if llm is not None and (asks or llm.fields is not None) and len(question) <= MAX_QUESTION_LENGTH:
            return addition or draft, llm
        return addition or replace(draft, problem=problem), None


def _certain(draft: ReadQuestion) -> LogicalQuery | None:
    """Return the tagger's query if its exclusions are certain: no model takes them away."""
    certain = draft.confidence is not None and draft.confidence >= CERTAIN_FROM
    return draft.query if certain and has_logic(draft.query) else None


def _pointer(reading: Reading, question: str, has_history: bool) -> str | None:
    """Return an excluded term, or in a follow-up a phrase, that only points to an earlier answer; None without one."""
    excluded = () if reading.query is None else negative_terms(reading.query)
    pointer = next((term for term in excluded if refers_back(term, question, has_history=has_history)), None)
    return back_reference(question) if pointer is None and has_history and reading.outcome == "plain" else pointer


def _problem(reading: Reading, broken: str | None) -> str | None:
    """Return what a reading may have missed, in sentences; None if nothing is to be told."""
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


def _follow_up(tagger: Tagger, question: str, history: Sequence[Message]) -> ReadQuestion | None:
    """Return the user's earlier question without what the last message excludes; None for any other message.

    Args:
        tagger: Reads the earlier question and the message as one.
        question: The last message.
        history: The messages before it, oldest first.
    """
    messages = [message["content"] for message in history[-MAX_MESSAGES:] if message["role"] == "user"]
    before, reading = "", None
    for message in (*messages, question):
        both = f"{before.rstrip(' .?!')}, {message}"
        reading = tagger.read(both) if before else None
        if reading is not None and not _only_excludes(reading, before):
            reading = None
        before = message if reading is None else both
    if reading is None or reading.query is None:
        return None
    read = ReadQuestion(question, reading.query, "tagger", confidence=reading.confidence, kinds=reading.kinds)
    return replace(read, standalone=before)


def _only_excludes(reading: Reading, before: str) -> bool:
    """Return whether the reading wants only words of the earlier text, and excludes a term that is new."""
    if reading.outcome != "read" or reading.query is None or reading.certainty < _FOLLOW_UP_FROM:
        return False
    if any(refers_back(term, before, has_history=True) for term in negative_terms(reading.query)):
        return False
    earlier = before.casefold()
    wanted = all(term.casefold() in earlier for term in positive_terms(reading.query))
    return wanted and not all(term.casefold() in earlier for term in negative_terms(reading.query))
