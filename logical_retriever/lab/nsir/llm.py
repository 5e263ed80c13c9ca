"""First-order logic of questions and passages by a language model: ask, parse, ask once more with what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from logical_retriever.errors import CallLimitError, InvalidArgumentError, LLMAnswerError, TransformError
from logical_retriever.lab.nsir.answer import read_formulas
from logical_retriever.lab.nsir.base import Problem, Progress, Translation, is_empty, translations
from logical_retriever.lab.nsir.cache import FormulaCache, version_of
from logical_retriever.lab.nsir.fol import Formula
from logical_retriever.transform.base import AsyncChatModel, ChatModel, check_count, check_question
from logical_retriever.transform.dialogue import CallBudget, Dialogue, aask_all, ask_all, check_llm
from logical_retriever.transform.prompt import Prompt, split_prompt

DEFAULT_CONCURRENCY: Final = 8
"""Texts that are asked about at the same time."""

Kind = Literal["question", "passage"]

_HEADINGS: Final[dict[Kind, str]] = {"question": "conclusion", "passage": "premises"}
_HINT: Final = "Use a stronger model; a text without formulas keeps its first-stage score."


class LLMFormulas:
    """Asks a language model for the formulas of questions and passages.

    One call for each text: the answer lists predicates, then the conclusion of a question or the premises of a
    passage. An answer that cannot be parsed is sent back with the parser's message, ``max_repairs`` times. A text that
    has no formulas after that is not asked about again as long as it is remembered (the last 64 MB); after a failed
    call it is.

    Safe to use from several threads; the model must allow what the caller does.

    Args:
        llm: Anything with ``complete(messages) -> str``, and ``acomplete`` where there is one.
        model: The model's name; needed with ``cache``, since formulas of different models must not mix.
        cache: A folder, or a :class:`FormulaCache`, that keeps formulas from one run to the next; None keeps them in
            memory alone.
        max_calls: Most calls of the model in the life of this instance; None for no bound. Texts beyond it keep their
            first-stage score. What is in the cache costs no call.
        max_repairs: How often an unreadable answer is sent back, at least 0.
        max_concurrency: Passages asked about at the same time, at least 1.
        question_prompt: A text with ``{question}`` once, or a Prompt; None for the one that ships.
        passage_prompt: A text with ``{passage}`` once, or a Prompt with the slot "passage"; None for the one that
            ships.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(
        self,
        llm: ChatModel | AsyncChatModel,
        *,
        model: str | None = None,
        cache: str | Path | FormulaCache | None = None,
        max_calls: int | None = None,
        max_repairs: int = 1,
        max_concurrency: int = DEFAULT_CONCURRENCY,
        question_prompt: str | Prompt | None = None,
        passage_prompt: str | Prompt | None = None,
    ) -> None:
        check_llm(llm)
        if cache is not None and not model:
            raise InvalidArgumentError(
                "A cache was given without the model's name.",
                hint='Name the model: model="provider:name"; formulas of different models must not mix.',
            )
        self._llm = llm
        self._cache = cache if cache is None or isinstance(cache, FormulaCache) else FormulaCache(cache)
        self._budget = CallBudget(max_calls)
        self._max_repairs = check_count("max_repairs", max_repairs)
        self._max_concurrency = check_count("max_concurrency", max_concurrency, 1)
        self._prompts: dict[Kind, Prompt] = {
            "question": _load("question", question_prompt),
            "passage": _load("passage", passage_prompt),
        }
        self._versions: dict[Kind, str] = {
            kind: version_of(model or "", kind, prompt.fingerprint) for kind, prompt in self._prompts.items()
        }
        self._known = translations()

    @property
    def calls(self) -> int:
        """Calls of the model so far, repairs included."""
        return self._budget.calls

    def question(self, text: str) -> Translation:
        """The conclusion that stands for a question.

        Raises:
            EmptyQuestionError: The question has no visible character.
        """
        return self._translate("question", check_question(text))

    async def aquestion(self, text: str) -> Translation:
        """Asynchronous twin of :meth:`question`."""
        return await self._atranslate("question", check_question(text))

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> list[Translation]:
        """The premises that stand for passages, in order; a text that occurs twice is asked about once.

        Args:
            texts: The passages.
            progress: Called as passages are done.
        """
        distinct = list(dict.fromkeys(texts))
        made = ask_all(partial(self._translate, "passage"), distinct, self._max_concurrency, _staged(progress))
        found = dict(zip(distinct, made, strict=True))
        return [found[text] for text in texts]

    async def apassages(self, texts: Sequence[str], progress: Progress | None = None) -> list[Translation]:
        """Asynchronous twin of :meth:`passages`; the limit is on tasks."""
        distinct = list(dict.fromkeys(texts))
        ask = partial(self._atranslate, "passage")
        made = await aask_all(ask, distinct, self._max_concurrency, _staged(progress))
        found = dict(zip(distinct, made, strict=True))
        return [found[text] for text in texts]

    def _translate(self, kind: Kind, text: str) -> Translation:
        if (found := self._found(kind, text)) is not None:
            return found
        dialogue = self._dialogue(kind, text)
        try:
            formulas = dialogue.run(self._llm)
        except TransformError as error:
            return self._failed(kind, text, dialogue, error)
        return self._succeeded(kind, text, dialogue, formulas)

    async def _atranslate(self, kind: Kind, text: str) -> Translation:
        if (found := self._found(kind, text)) is not None:
            return found
        dialogue = self._dialogue(kind, text)
        try:
            formulas = await dialogue.arun(self._llm)
        except TransformError as error:
            return self._failed(kind, text, dialogue, error)
        return self._succeeded(kind, text, dialogue, formulas)

    def _found(self, kind: Kind, text: str) -> Translation | None:
        if is_empty(text):
            return Translation(text, (), "llm", problem="empty", explanation="There is no visible text.")
        known: Translation | None = self._known.get((kind, text))
        if known is not None:
            return known
        formulas = None if self._cache is None else self._cache.get(text, self._versions[kind])
        return None if formulas is None else self._remember(kind, Translation(text, formulas, "llm", cached=True))

    def _dialogue(self, kind: Kind, text: str) -> Dialogue[tuple[Formula, ...]]:
        heading = _HEADINGS[kind]
        return Dialogue(
            self._prompts[kind].messages(text),
            partial(read_formulas, heading=heading),
            repair=_text("repair").replace("{heading}", heading.capitalize()),
            max_repairs=self._max_repairs,
            wanted="first-order logic",
            about=text,
            hint=_HINT,
            budget=self._budget,
        )

    def _succeeded(
        self, kind: Kind, text: str, dialogue: Dialogue[tuple[Formula, ...]], formulas: tuple[Formula, ...]
    ) -> Translation:
        if self._cache is not None:
            self._cache.put(text, self._versions[kind], formulas)
        return self._remember(kind, Translation(text, formulas, "llm", answers=tuple(dialogue.answers)))

    def _failed(
        self, kind: Kind, text: str, dialogue: Dialogue[tuple[Formula, ...]], error: TransformError
    ) -> Translation:
        made = Translation(
            text,
            (),
            "llm",
            problem=_problem(error),
            explanation=error.message,
            answers=tuple(dialogue.answers),
        )
        # A failed call may succeed later; the same answer to the same prompt is not worth another call.
        return self._remember(kind, made) if made.problem == "unparsable" else made

    def _remember(self, kind: Kind, made: Translation) -> Translation:
        self._known.put((kind, made.text), made)
        return made


def _problem(error: TransformError) -> Problem:
    if isinstance(error, CallLimitError):
        return "budget"
    return "unparsable" if isinstance(error, LLMAnswerError) else "call failed"


def _load(kind: Kind, prompt: str | Prompt | None) -> Prompt:
    if isinstance(prompt, Prompt):
        if prompt.slot != kind:
            raise InvalidArgumentError(
                f"The prompt {prompt.name!r} has the slot {prompt.slot!r}, not {kind!r}.",
                hint=f'Give Prompt(..., slot="{kind}").',
            )
        return prompt
    if prompt is None:
        return split_prompt(kind, _text(kind), slot=kind)
    if not isinstance(prompt, str):
        raise InvalidArgumentError(f"The {kind} prompt is {prompt!r}.", hint="Give a text or a Prompt.")
    return split_prompt("custom", prompt, slot=kind)


def _text(name: str) -> str:
    folder = files("logical_retriever.lab.nsir").joinpath("prompts")
    return folder.joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def _staged(progress: Progress | None) -> Callable[[int, int], None] | None:
    return None if progress is None else partial(progress, "translating passages")
