"""Question to query with a language model: ask, read, ask once more with the parser's message, give up politely."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import copy
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
from logical_retriever.query import Fields, Term
from logical_retriever.transform.answer import read_answer
from logical_retriever.transform.asking import ask, check_llm, completed, fills_forms
from logical_retriever.transform.base import (
    ChatModel,
    Message,
    Transformation,
    TransformWarning,
    check_count,
    check_question,
    shown,
)
from logical_retriever.transform.conversation import check_history, told
from logical_retriever.transform.forms import form_class
from logical_retriever.transform.prompt import load_prompt, load_text

MOST_ANSWERS: Final = 2
"""How often a model is asked about a question: an answer that cannot be used is sent back once."""

OnFailure = Literal["dense", "raise"]
"""After a failure: use the plain question, with a warning; or raise."""


class LogicalQueryTransformer:
    """Turns questions into logical queries by asking a language model.

    A model that says it can (``structured``) fills a form of alternatives, each with what is wanted and unwanted. Any
    other writes the query in the grammar. Both are held to the same rules.

    The question is asked as it is; the answer must keep the bounds of the language. An answer that cannot be read is
    shown to the model once more with the parser's message; so is one with a term that has nothing to do with the
    question. A model that raises, or answers nothing, is not asked again. Only queries that were read are cached.

    A query of one term means that the question holds no logic; it is then the question itself, word for word.

    Calls of one instance may come from several threads; the model must allow what the caller does. How long a call may
    take is the model's own setting.

    Args:
        llm: Anything with ``complete(messages) -> str``. With a coroutine method ``acomplete`` as well, the
            asynchronous methods use that; without it they run ``complete`` in a thread.
        prompt: "default" (decides the scope of a negation), "itlr" (of the ITLR paper), or a text that contains
            ``{question}`` once, after a line ``[user]`` where a line ``[system]`` and a system message come first.
        on_failure: "dense" warns with :class:`TransformWarning` and uses the plain question; "raise" raises.
        cache: How many questions are remembered; 0 for none.
        fields: Fields of metadata that conditions may name, as :class:`~logical_retriever.query.Fields` takes
            them; the model is shown them, and today's date. An answer with conditions on others is sent back, and then
            none. None for no conditions.

    Attributes:
        prompt: The texts that the model is told.

    Raises:
        InvalidArgumentError: An argument is none of these.
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
        self._cache: BoundedCache[Any, Transformation] = BoundedCache(check_count("cache", cache))

    def over(self, llm: ChatModel) -> LogicalQueryTransformer:
        """This transformer, with its settings and its cache, over another way to the same model."""
        other = copy(self)
        other._llm = llm
        return other

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
            LLMCallError: The model raised or answered nothing, and ``on_failure="raise"``.
            LLMAnswerError: No answer was a logical query, and ``on_failure="raise"``.
        """
        return _announced(completed(self._answered(question, history, blocking=True)), warn)

    async def atransform(self, question: str, *, history: Sequence[Message] = (), warn: bool = True) -> Transformation:
        """Asynchronous twin of :meth:`transform`."""
        return _announced(await self._answered(question, history), warn)

    async def _answered(self, question: str, history: Sequence[Message], *, blocking: bool = False) -> Transformation:
        messages, answers = check_history(history), list[str]()
        try:
            return await self._dialogue(check_question(question), messages, answers, blocking=blocking)
        except TransformError as error:
            if self._on_failure == "raise":
                raise
            return Transformation(question, Term(question), "dense", tuple(answers), problem=str(error))

    async def _dialogue(
        self, question: str, history: Sequence[Message], answers: list[str], *, blocking: bool
    ) -> Transformation:
        """Ask until an answer can be read; ``answers`` collects all of them, oldest first."""
        in_form = fills_forms(self._llm)
        form, note = form_class(bool(history), self.fields is not None) if in_form else None, self._note(in_form)
        key = (question, told(history), self.prompt, form, note)
        if (remembered := self._cache.get(key)) is not None:
            return replace(remembered, cached=True)
        messages = self.prompt.messages(question, in_form=in_form, note=note, history=history)
        while True:
            answers.append(await ask(self._llm, messages, form, blocking=blocking))
            try:
                standalone, query = read_answer(answers[-1], question, history)
                query = (Fields(()) if self.fields is None else self.fields).checked(query)
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
                messages.append({"role": "assistant", "content": answers[-1][:10_000]})
                messages.append({"role": "user", "content": repair})
            else:
                result = Transformation(question, query, "llm", tuple(answers), standalone=standalone)
                self._cache.put(key, result)
                return result

    def _note(self, in_form: bool) -> str:
        """Instructions about conditions on the fields, for the model."""
        if self.fields is None:
            return ""
        sampled = "\nThey were seen in a sample; there may be more values." if self.fields.sampled else ""
        text = load_text("conditions_form" if in_form else "conditions")
        return text.replace("{fields}", f"{self.fields}{sampled}").replace("{today}", f"{date.today():%Y-%m-%d, a %A}")


def _announced(result: Transformation, warn: bool) -> Transformation:
    """Warn about a failure, in the caller's own thread, so that its warning filters decide."""
    if warn and result.problem is not None:
        warnings.warn(
            f"The plain question is used for {shown(result.question)}. {result.problem}",
            TransformWarning,
            stacklevel=3,
        )
    return result
