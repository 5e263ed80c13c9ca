"""Question to query with a language model: ask, read, ask once more with the parser's message, give up politely."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final, Literal

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError, LogicalQueryError, TransformError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.query.fields import Fields
from logical_retriever.transform.alternatives import InForm, LogicalQueryForm, in_form
from logical_retriever.transform.answer import read_answer
from logical_retriever.transform.base import (
    AsyncChatModel,
    ChatModel,
    Message,
    StructuredChatModel,
    Transformation,
    TransformWarning,
    check_count,
    check_question,
    check_questions,
    shown,
    too_long,
)
from logical_retriever.transform.cache import DEFAULT_CACHE_SIZE, QueryCache, cache_from
from logical_retriever.transform.conditions import ConditionRules, refuse_unasked
from logical_retriever.transform.conversation import (
    StandaloneForm,
    check_history,
    digest_of,
    read_in_conversation,
    with_history,
)
from logical_retriever.transform.deadline import awithin, check_timeout, within
from logical_retriever.transform.dialogue import Dialogue, aask_all, ask_all, check_llm
from logical_retriever.transform.prompt import Prompt, load_prompt, load_text
from logical_retriever.transform.subject import check_subject

DEFAULT_CONCURRENCY: Final = 8
"""Questions of a batch that are asked at the same time."""

_Answer = tuple[str | None, LogicalQuery]


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
        cache: How many questions are remembered; True for the default, False or 0 for none; or a
            :class:`QueryCache`, which must not be shared between different models.
        structured: Whether the model fills a form; None where it says that it can.
        timeout: Most seconds that a question may take, repairs included; None for no bound of this package's.
        own_words: Whether each term must share a word with the question; False for a prompt that translates.
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
        on_failure: Literal["dense", "raise"] = "dense",
        cache: bool | int | QueryCache = DEFAULT_CACHE_SIZE,
        structured: bool | None = None,
        timeout: float | None = None,
        own_words: bool = True,
        fields: Any = None,
    ) -> None:
        check_llm(llm)
        if structured and not in_form(llm):
            raise InvalidArgumentError(
                f"structured is True, and {type(llm).__name__} does not fill forms.",
                hint="Leave structured out: the model then answers in the grammar.",
            )
        if on_failure not in ("dense", "raise"):
            raise InvalidArgumentError(f"on_failure is {on_failure!r}.", hint='Give "dense" or "raise".')
        self._llm = llm
        self._prompt = load_prompt(prompt).with_examples(() if examples is None else examples)
        self._prompt_id = self._prompt.fingerprint
        self._max_repairs = check_count("max_repairs", max_repairs)
        self._on_failure = on_failure
        self._cache = cache_from(cache)
        self._structured = structured
        self._timeout = check_timeout(timeout)
        self._own_words = own_words
        known = Fields.of(fields)
        self._rules = None if known is None else ConditionRules(known)

    @property
    def fields(self) -> Fields | None:
        """The fields that conditions may name; None for no conditions."""
        return None if self._rules is None else self._rules.fields

    @property
    def prompt(self) -> Prompt:
        """Everything that the model is told, examples included."""
        return self._prompt

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
        distinct, workers = _checked_batch(questions, max_concurrency)
        if workers <= 1:  # in the caller's own thread, for models that mind
            results = [self._transform(question) for question in distinct]
        else:
            results = ask_all(self._transform, distinct, workers)
        by_question = dict(zip(distinct, _announced(results, warn), strict=True))
        return [by_question[question] for question in questions]

    async def abatch(
        self, questions: Sequence[str], *, max_concurrency: int | None = DEFAULT_CONCURRENCY, warn: bool = True
    ) -> list[Transformation]:
        """Asynchronous twin of :meth:`batch`; the limit is on tasks."""
        distinct, workers = _checked_batch(questions, max_concurrency)
        results = await aask_all(self._atransform, distinct, workers)
        by_question = dict(zip(distinct, _announced(results, warn), strict=True))
        return [by_question[question] for question in questions]

    def _transform(self, question: str, history: Sequence[Message] = ()) -> Transformation:
        if (found := self._known(question, history)) is not None:
            return found
        dialogue = self._dialogue(question, history)
        try:
            return self._succeeded(dialogue, within(self._timeout, dialogue.run, self._asked(history)), history)
        except TransformError as error:
            return self._mended(dialogue, history) or self._failed(question, error, *dialogue.answers)

    async def _atransform(self, question: str, history: Sequence[Message] = ()) -> Transformation:
        if (found := self._known(question, history)) is not None:
            return found
        dialogue = self._dialogue(question, history)
        try:
            return self._succeeded(dialogue, await awithin(self._timeout, dialogue.arun(self._asked(history))), history)
        except TransformError as error:
            return self._mended(dialogue, history) or self._failed(question, error, *dialogue.answers)

    def _known(self, question: str, history: Sequence[Message]) -> Transformation | None:
        """The transformation that needs no model: of a question asked before, or of one that is too long."""
        if problem := too_long(question):
            hint = "Shorten the question: what is sought, and what is not wanted, in a sentence or two."
            return self._failed(question, TransformError(problem, hint=hint))
        return None if self._cache is None else self._cache.get(question, self._key(history))

    def _in_form(self) -> bool:
        return in_form(self._llm) if self._structured is None else self._structured

    def _key(self, history: Sequence[Message]) -> str:
        rules = "" if self._rules is None else self._rules.fingerprint
        return f"{self._prompt_id}{'form' if self._in_form() else ''}{digest_of(history)}{rules}"

    def _asked(self, history: Sequence[Message]) -> ChatModel | AsyncChatModel:
        """The model as it is asked: for a filled form, or for text."""
        if self._in_form():
            assert isinstance(self._llm, StructuredChatModel)
            plain = StandaloneForm if history else LogicalQueryForm
            return InForm(self._llm, self._rules.form(in_conversation=bool(history)) if self._rules else plain)
        return self._llm

    def _dialogue(self, question: str, history: Sequence[Message]) -> Dialogue[_Answer]:
        in_form = self._in_form()
        messages = self._prompt.messages(question, in_form=in_form)
        messages = messages if self._rules is None else self._rules.told(messages, in_form=in_form)
        return Dialogue(
            with_history(messages, history, in_form=in_form) if history else messages,
            partial(self._read, question=question, history=history),
            repair=load_text("repair_form" if in_form else "repair"),
            max_repairs=self._max_repairs,
            wanted="logical query",
            about=question,
            hint='Use a stronger model or add examples; on_failure="dense" falls back to the plain question.',
        )

    def _read(self, answer: str, question: str, history: Sequence[Message]) -> _Answer:
        """The query in an answer, whose terms are about the question and whose conditions are on known fields."""
        standalone, query = self._read_freely(answer, question, history)
        if self._rules is None:
            refuse_unasked(query, answer)
            return standalone, query
        return standalone, self._rules.fields.checked(query)

    def _read_freely(self, answer: str, question: str, history: Sequence[Message]) -> _Answer:
        if history:
            return read_in_conversation(answer, question, history, own_words=self._own_words)
        query = read_answer(answer, question)
        if self._own_words:
            check_subject(query, question)
        return None, query

    def _mended(self, dialogue: Dialogue[_Answer], history: Sequence[Message]) -> Transformation | None:
        """The last answer without conditions that the fields do not allow; None where more is wrong with it."""
        if self._rules is None or not dialogue.answers:
            return None
        try:
            standalone, query = self._read_freely(dialogue.answers[-1], dialogue.about, history)
        except (LogicalQueryError, LLMAnswerError):
            return None
        left, problems = self._rules.fields.honest(query)
        query = Term(dialogue.about if standalone is None else standalone) if left is None else left
        answers = tuple(dialogue.answers)
        return Transformation(
            dialogue.about, query, method="llm", answers=answers, problem=" ".join(problems), standalone=standalone
        )

    def _succeeded(self, dialogue: Dialogue[_Answer], read: _Answer, history: Sequence[Message]) -> Transformation:
        standalone, query = read
        answers = tuple(dialogue.answers)
        result = Transformation(dialogue.about, query, method="llm", answers=answers, standalone=standalone)
        if self._cache is not None:
            self._cache.put(result, self._key(history))
        return result

    def _failed(self, question: str, error: TransformError, *answers: str) -> Transformation:
        if self._on_failure == "raise":
            raise error
        return Transformation(question, Term(question), method="dense", answers=answers, problem=str(error))


def _checked_batch(questions: Sequence[str], max_concurrency: int | None) -> tuple[list[str], int]:
    """The distinct questions in order of first occurrence, and how many to ask at the same time."""
    distinct = list(dict.fromkeys(check_questions(questions)))
    limit = len(distinct) if max_concurrency is None else check_count("max_concurrency", max_concurrency, 1)
    return distinct, min(limit, len(distinct))


def _announced(results: list[Transformation], warn: bool) -> list[Transformation]:
    """Warn about each failure, in the caller's own thread, so that its warning filters decide."""
    for result in results:
        if warn and result.problem is not None:
            what = "Not all of the answer" if result.method == "llm" else "The plain question"
            message = f"{what} is used for {shown(result.question)}. {result.problem}"
            warnings.warn(message, TransformWarning, stacklevel=3)
    return results
