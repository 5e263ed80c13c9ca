"""Question to query with a language model: ask, read, ask once more with the parser's message, give up politely."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from datetime import date
from typing import Any, Final, Literal

from logical_retriever.bounded import BoundedCache
from logical_retriever.errors import (
    InvalidArgumentError,
    LLMAnswerError,
    LogicalQueryError,
    TransformError,
    check_choice,
)
from logical_retriever.query import Fields, LogicalQuery, Term
from logical_retriever.transform.answer import read_answer
from logical_retriever.transform.asking import ask, awithin, check_llm, check_timeout, completed, fills_forms, within
from logical_retriever.transform.base import (
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
from logical_retriever.transform.conversation import check_history, told
from logical_retriever.transform.forms import form_class
from logical_retriever.transform.prompt import Prompt, load_prompt, load_text

DEFAULT_CONCURRENCY: Final = 8
"""Questions of a batch that are asked at the same time."""

Cache = BoundedCache[Any, Transformation]
OnFailure = Literal["dense", "raise"]
"""After a failure: use the plain question, with a warning; or raise."""


class LogicalQueryTransformer:
    """Turns questions into logical queries by asking a language model.

    A model that says it can (:class:`~logical_retriever.transform.base.StructuredChatModel`) fills a form of
    alternatives, each with what is wanted and unwanted. Any other writes the query in the grammar. Both are held to the
    same rules.

    The question is asked as it is, up to ``MAX_QUESTION_LENGTH`` characters; the answer must keep the bounds of the
    language. An answer that cannot be read is shown to the model again with the parser's message, ``max_repairs``
    times; so is one with a term that has nothing to do with the question. A model that raises, answers nothing or takes
    too long is not asked again. Only queries that were read are cached.

    A query of one term means that the question holds no logic; it is then the question itself, word for word.

    Calls of one instance may come from several threads; the model must allow what the caller does.

    Args:
        llm: Anything with ``complete(messages) -> str``. With a coroutine method ``acomplete`` as well, the
            asynchronous methods use that; without it they run ``complete`` in a thread.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), a text that contains
            ``{question}`` once, or a :class:`Prompt`.
        examples: Pairs of a question and its logical query, shown to the model as earlier turns.
        max_repairs: How often an unreadable answer is sent back, at least 0.
        on_failure: "dense" warns with :class:`TransformWarning` and uses the plain question; "raise" raises.
        cache: How many questions are remembered; True for 1,024, False or 0 for none; or the ``cache`` of another
            transformer over the same model.
        structured: Whether the model fills a form; None where it says that it can, and there are no examples, which are
            in the grammar.
        timeout: Most seconds that a question may take, repairs included; None for no bound of this package's.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.fields.Fields` takes
            them; the model is shown them, and today's date. What it writes of others is sent back, and at last left
            out: ``problem`` says what. None for no conditions.

    Raises:
        InvalidArgumentError: An argument is none of these, or an example is not in the grammar.
    """

    def __init__(
        self,
        llm: ChatModel | AsyncChatModel,
        *,
        prompt: str | Prompt = "default",
        examples: Iterable[tuple[str, str | LogicalQuery]] | None = None,
        max_repairs: int = 1,
        on_failure: OnFailure = "dense",
        cache: bool | int | Cache = True,
        structured: bool | None = None,
        timeout: float | None = None,
        fields: Any = None,
    ) -> None:
        check_llm(llm)
        check_timeout(timeout)
        check_choice("LogicalQueryTransformer", "on_failure", on_failure, OnFailure)
        self.prompt = load_prompt(prompt).with_examples(() if examples is None else examples)
        if structured and (self.prompt.examples or not fills_forms(llm)):
            raise InvalidArgumentError(
                f"structured is True, and {type(llm).__name__} does not fill forms or has examples in the grammar.",
                hint="Leave structured out: the model then answers in the grammar.",
            )
        self.fields = Fields.of(fields)
        self._llm, self._structured, self._timeout, self._on_failure = llm, structured, timeout, on_failure
        self._max_repairs = check_count("max_repairs", max_repairs)
        size = cache * 1024 if isinstance(cache, bool) else cache
        self.cache: Cache = size if isinstance(size, BoundedCache) else BoundedCache(check_count("cache", size))

    def transform(self, question: str, *, history: Sequence[Message] = (), warn: bool = True) -> Transformation:
        """Turn one question into a logical query.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation whose last message the question is, oldest first. The model is
                told the latest of them, and says in the same answer what is asked in words that stand alone.
            warn: Whether a failure is a :class:`TransformWarning` too; ``problem`` says it in any case.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
            TransformError: It has more than ``MAX_QUESTION_LENGTH`` characters, and ``on_failure="raise"``; the model
                is not asked.
            LLMCallError: The model raised or answered nothing, and ``on_failure="raise"``.
            LLMAnswerError: No answer was a logical query, and ``on_failure="raise"``.
        """
        return _announced([self._transform(check_question(question), check_history(history))], warn)[0]

    async def atransform(self, question: str, *, history: Sequence[Message] = (), warn: bool = True) -> Transformation:
        """Asynchronous twin of :meth:`transform`."""
        return _announced([await self._atransform(check_question(question), check_history(history))], warn)[0]

    def batch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY, warn: bool = True
    ) -> list[Transformation]:
        """Turn several questions into queries, in order; identical questions are asked once.

        Args:
            questions: The questions; none gives an empty list.
            max_concurrency: Most threads asking at the same time, at least 1; None for one per question. Use 1 for
                a model that must not be called from several threads.
            warn: As for :meth:`transform`.

        Raises:
            InvalidArgumentError: ``questions`` is not a sequence of strings, or ``max_concurrency`` is below 1.
            EmptyQuestionError: A question has no visible character; nothing has been asked then.
            TransformError: As for :meth:`transform`; questions not yet asked are not asked any more.
        """
        distinct, limit = _checked_batch(questions, max_concurrency)
        pool = ThreadPoolExecutor(limit, thread_name_prefix="logical-retriever-ask")
        try:
            calls = [pool.submit(copy_context().run, self._transform, question) for question in distinct]
            results = {one.question: one for one in _announced([call.result() for call in calls], warn)}
        finally:
            pool.shutdown(cancel_futures=True)
        return [results[question] for question in questions]

    async def abatch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY, warn: bool = True
    ) -> list[Transformation]:
        """Asynchronous twin of :meth:`batch`; the limit is on tasks."""
        distinct, limit = _checked_batch(questions, max_concurrency)
        gate = asyncio.Semaphore(limit)

        async def transform(question: str) -> Transformation:
            async with gate:
                return await self._atransform(question)

        tasks = [asyncio.ensure_future(transform(question)) for question in distinct]
        try:
            results = {one.question: one for one in _announced(await asyncio.gather(*tasks), warn)}
        finally:
            for task in tasks:
                task.cancel()
        return [results[question] for question in questions]

    def _transform(self, question: str, history: Sequence[Message] = ()) -> Transformation:
        answers: list[str] = []
        try:
            return within(self._timeout, lambda: completed(self._dialogue(question, history, answers, blocking=True)))
        except TransformError as error:
            return self._failed(question, history, answers, error)

    async def _atransform(self, question: str, history: Sequence[Message] = ()) -> Transformation:
        answers: list[str] = []
        try:
            return await awithin(self._timeout, self._dialogue(question, history, answers))
        except TransformError as error:
            return self._failed(question, history, answers, error)

    async def _dialogue(
        self, question: str, history: Sequence[Message], answers: list[str], *, blocking: bool = False
    ) -> Transformation:
        """Ask until an answer can be read; ``answers`` collects all of them, oldest first."""
        if problem := too_long(question):
            raise TransformError(
                problem, hint="Shorten the question: what is sought, and what is not wanted, in a sentence or two."
            )
        in_form = self._structured is not False and fills_forms(self._llm) and not self.prompt.examples
        form = form_class(bool(history), self.fields is not None) if in_form else None
        note = self._note(in_form=in_form)
        key = (question, told(history), self.prompt, form, note)
        if (remembered := self.cache.get(key)) is not None:
            return replace(remembered, cached=True)
        messages = self.prompt.messages(question, in_form=in_form, note=note, history=history)
        while True:
            answers.append(await ask(self._llm, messages, form, blocking=blocking))
            try:
                standalone, query = self._read(answers[-1], question, history)
            except (LogicalQueryError, InvalidArgumentError, LLMAnswerError) as error:
                if len(answers) > self._max_repairs:
                    raise LLMAnswerError(
                        f"No logical query in {len(answers)} answers of the model to {shown(question)}. The last "
                        f"problem: {error.message}",
                        hint='Use a stronger model or add examples; on_failure="dense" uses the plain question.',
                        answers=tuple(answers),
                    ) from error
                messages += _repair(answers[-1], error, in_form=in_form)
            else:
                result = Transformation(question, query, "llm", tuple(answers), standalone=standalone)
                self.cache.put(key, result)
                return result

    def _note(self, *, in_form: bool) -> str:
        """Instructions about conditions on the fields, for the model."""
        if self.fields is None:
            return ""
        sampled = "\nThey were seen in a sample; there may be more values." if self.fields.sampled else ""
        text = load_text("conditions_form" if in_form else "conditions")
        return text.replace("{fields}", f"{self.fields}{sampled}").replace("{today}", f"{date.today():%Y-%m-%d, a %A}")

    def _read(self, answer: str, question: str, history: Sequence[Message]) -> tuple[str | None, LogicalQuery]:
        standalone, query = read_answer(answer, question, history)
        if self.fields is not None:
            return standalone, self.fields.checked(query)
        if conditions := query.conditions():
            raise LLMAnswerError(
                f"The answer has the condition {conditions[0]}, and no fields are known.",
                hint="Write what is sought as terms in double quotes.",
                answers=(answer,),
            )
        return standalone, query

    def _failed(
        self, question: str, history: Sequence[Message], answers: Sequence[str], error: TransformError
    ) -> Transformation:
        """The last answer without the conditions that do not go with the fields, or the policy for a failure."""
        if self.fields is not None and answers:
            try:
                standalone, query = read_answer(answers[-1], question, history)
            except (LogicalQueryError, InvalidArgumentError, LLMAnswerError):
                pass
            else:
                left, problems = self.fields.honest(query)
                query = Term(standalone or question) if left is None else left
                return Transformation(question, query, "llm", tuple(answers), " ".join(problems), standalone=standalone)
        if self._on_failure == "raise":
            raise error
        return Transformation(question, Term(question), "dense", tuple(answers), problem=str(error))


def _repair(
    answer: str, error: LogicalQueryError | InvalidArgumentError | LLMAnswerError, *, in_form: bool
) -> list[Message]:
    """The answer and the request for a better one."""
    problem = str(error).removesuffix(f"\nMore: {error.section}")  # a model does not look into docs
    return [
        {"role": "assistant", "content": answer[:10_000]},
        {"role": "user", "content": load_text("repair_form" if in_form else "repair").replace("{problem}", problem)},
    ]


def _checked_batch(questions: Sequence[str], max_concurrency: int | None) -> tuple[list[str], int]:
    """The distinct questions in order of first occurrence, and how many to ask at the same time."""
    distinct = list(dict.fromkeys(check_questions(questions)))
    limit = len(distinct) if max_concurrency is None else check_count("max_concurrency", max_concurrency, 1)
    return distinct, max(1, min(limit, len(distinct)))


def _announced(results: list[Transformation], warn: bool) -> list[Transformation]:
    """Warn about each failure, in the caller's own thread, so that its warning filters decide."""
    for result in results:
        if warn and result.problem is not None:
            warnings.warn(
                f"{'Not all of the answer' if result.method == 'llm' else 'The plain question'} is used for "
                f"{shown(result.question)}. {result.problem}",
                TransformWarning,
                stacklevel=3,
            )
    return results
