"""The reader that asks a language model: ask, read the answer, ask once more with the parser's message."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import date
from typing import Any, Final, Literal

from logical_retriever.bounded import BoundedCache
from logical_retriever.errors import (
    InvalidArgumentError,
    LLMAnswerError,
    LogicalQueryError,
    TransformError,
    check_choice,
    check_count,
)
from logical_retriever.query import Fields, LogicalQuery, Term
from logical_retriever.reading.base import (
    ChatModel,
    Message,
    ReadQuestion,
    check_history,
    check_question,
    fall_back,
    shown,
)
from logical_retriever.reading.llm_calls import ask, check_llm, completed
from logical_retriever.reading.questions.answer import form_class, read_answer
from logical_retriever.reading.questions.certain import check_certain
from logical_retriever.reading.questions.prompt import as_data, load_prompt, load_text

MOST_ANSWERS: Final = 2
"""Most answers of a model to one question: an unusable answer is sent back once."""

OnFailure = Literal["dense", "raise"]
"""After a failure: use the plain question, with a warning; or raise."""


class LogicalQueryTransformer:
    """A reader that asks a language model for the logical query of a question.

    A model with structured output (``structured``) fills a form of alternatives, each with wanted and unwanted terms.
    Any other model writes the query in the grammar. The same rules hold for both.

    An unusable answer is sent back once: with the parser's message if it cannot be read or is over the bounds of the
    language, with the term that has nothing to do with the question, or with the exclusion that is certain and missing.
    A model that raises, or answers nothing, is not asked again. Only good answers are cached.

    A query of one term means that the question holds no logic. It is then the question itself, word for word.

    Several threads may call one instance if the model allows it. How long a call may take is the model's own setting.

    Args:
        llm: Anything with ``complete(messages) -> str``. With a coroutine method ``acomplete`` as well, the
            asynchronous methods use that; without it they run ``complete`` in a thread.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), or a text with ``{question}``
            once. Such a text may begin with a line ``[system]`` and a system message, followed by a line ``[user]``.
        on_failure: "dense" warns with :class:`TransformWarning` and uses the plain question; "raise" raises.
        cache: Most questions to remember; 0 for none.
        fields: Fields of metadata for conditions, as :class:`~logical_retriever.query.Fields` takes them. The
            model is shown them, and today's date. A condition on another field makes an answer unusable. None for no
            conditions.

    Attributes:
        prompt: The instructions for the model.
        fields: The fields for conditions, or None.

    Raises:
        InvalidArgumentError: An argument has another type or value.
    """

    def __init__(
        self,
        llm: ChatModel,
        *,
        prompt: str = "default",
        on_failure: OnFailure = "dense",
        cache: int = 1024,
        fields: Any = None,
    ) -> None:
        check_llm(llm)
        check_choice("LogicalQueryTransformer", "on_failure", on_failure, OnFailure)
        self.prompt, self.fields = load_prompt(prompt), Fields.of(fields)
        self._llm, self._on_failure = llm, on_failure
        self._cache: BoundedCache[Any, ReadQuestion] = BoundedCache(check_count("cache", cache, 0))

    def over(self, llm: ChatModel) -> LogicalQueryTransformer:
        """Return a copy that asks the same model in another way, with the settings and the cache of this one."""
        other = copy(self)
        other._llm = llm
        return other

    def transform(self, question: str, *, history: Sequence[Message] = ()) -> ReadQuestion:
        """Read one question by asking the model.

        Args:
            question: Any text with a visible character.
            history: The messages of the conversation before the question, oldest first. The model is shown the latest
                of them, and restates the question in words that need no conversation in the same answer.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
            LLMCallError: The model raised or answered nothing, and ``on_failure="raise"``.
            LLMAnswerError: No answer was a logical query, and ``on_failure="raise"``.
        """
        read = completed(self.read(question, history, blocking=True))
        return fall_back(read, read, "plain question")

    async def atransform(self, question: str, *, history: Sequence[Message] = ()) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""
        read = await self.read(question, history)
        return fall_back(read, read, "plain question")

    async def read(
        self,
        question: str,
        history: Sequence[Message],
        *,
        blocking: bool = False,
        certain: LogicalQuery | None = None,
    ) -> ReadQuestion:
        """Read one question like :meth:`transform`, but without a warning; ``problem`` says what failed.

        Args:
            question: Any text with a visible character.
            history: The messages before it.
            blocking: Whether to ask the model in this very thread, so that the coroutine never waits.
            certain: A certain reading, with exclusions that the answer must keep; None without one.
        """
        messages, answers = check_history(history), list[str]()
        try:
            return await self._dialogue(check_question(question), messages, answers, certain, blocking=blocking)
        except TransformError as error:
            if self._on_failure == "raise":
                raise
            return ReadQuestion(question, Term(question), "dense", tuple(answers), problem=str(error))

    async def _dialogue(
        self,
        question: str,
        history: Sequence[Message],
        answers: list[str],
        certain: LogicalQuery | None,
        *,
        blocking: bool,
    ) -> ReadQuestion:
        """Ask until an answer is usable, and collect every answer in ``answers``, oldest first."""
        in_form = bool(getattr(self._llm, "structured", False))
        form, note = form_class(bool(history), self.fields is not None) if in_form else None, self._note(in_form)
        key = (question, as_data(history), self.prompt, form, note, certain)
        if (remembered := self._cache.get(key)) is not None:
            return remembered
        messages = self.prompt.messages(question, in_form=in_form, note=note, history=history)
        while True:
            answers.append(await ask(self._llm, messages, form, blocking=blocking))
            try:
                standalone, query = read_answer(answers[-1], question, history)
                query = (Fields(()) if self.fields is None else self.fields).checked(query)
                if certain is not None:
                    check_certain(query, certain)
            except (LogicalQueryError, InvalidArgumentError, LLMAnswerError) as error:
                if len(answers) == MOST_ANSWERS:
                    raise LLMAnswerError(
                        f"No logical query in {len(answers)} answers of the model to {shown(question)}. The last "
                        f"problem: {error.message}",
                        hint='Use a stronger model or another prompt; on_failure="dense" uses the plain question.',
                        answers=tuple(answers),
                    ) from error
                problem = str(error).removesuffix(f"\nMore: {error.section}")  # a model does not look into docs
                repair = load_text("repair_form" if in_form else "repair").replace("{problem}", problem)
                messages += [
                    Message(role="assistant", content=answers[-1][:10_000]),
                    Message(role="user", content=repair),
                ]
            else:
                result = ReadQuestion(question, query, "llm", tuple(answers), standalone=standalone)
                self._cache.put(key, result)
                return result

    def _note(self, in_form: bool) -> str:
        """Write the instructions about conditions on the fields; empty without fields."""
        if self.fields is None:
            return ""
        sampled = "\nThey were seen in a sample; there may be more values." if self.fields.sampled else ""
        text = load_text("conditions_form" if in_form else "conditions")
        return text.replace("{fields}", f"{self.fields}{sampled}").replace("{today}", f"{date.today():%Y-%m-%d, a %A}")
