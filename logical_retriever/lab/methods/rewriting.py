"""Methods that search with a text a language model wrote: BRIGHT's reasoning and HyDE's hypothetical passage."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import numpy as np

from logical_retriever.errors import InvalidArgumentError, LLMCallError, SemanticsError
from logical_retriever.evaluation import files as reading
from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.transform import ChatModel


def read_texts(path: str | Path) -> dict[str, str]:
    r"""Read recorded texts: tab-separated query id and text; ``\n``, ``\t`` and ``\\`` stand for what they mean.

    Raises:
        CorpusError: A row does not have two cells.
    """
    unescaped = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
    texts = {}
    for _, (query, text) in reading.rows(Path(path), ("query-id", "text")):
        parts = text.split("\\\\")
        texts[query] = "\\".join(p.replace("\\n", unescaped["\\n"]).replace("\\t", unescaped["\\t"]) for p in parts)
    return texts


class Rewritten(Method):
    """A method over one text a question, recorded earlier or asked of a language model.

    Args:
        chat_model: The language model, or None.
        recorded: Texts by query id, or None; questions that are not among them are asked of the model.

    Raises:
        InvalidArgumentError: Neither is given.
    """

    prompt: str

    def __init__(self, chat_model: ChatModel | None = None, recorded: Mapping[str, str] | None = None) -> None:
        if chat_model is None and recorded is None:
            raise InvalidArgumentError(
                f"The method {self.name!r} needs texts written by a language model.",
                hint=f"Give recorded texts with --texts {self.name}=FILE (query-id, text) or a model with --llm.",
            )
        self.chat_model = chat_model
        self._texts = dict(recorded) if recorded is not None else {}
        self._failed: dict[str, str] = {}

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Ask the model for the texts that are not recorded."""
        del bench  # only questions are rewritten
        missing = [one.question for one in prepared if one.question.id not in self._texts]
        if self.chat_model is None:
            return
        template = files("logical_retriever.lab.methods").joinpath(self.prompt).read_text(encoding="utf-8")
        for done, question in enumerate(missing, start=1):
            content = template.replace("{question}", question.text)
            self.llm_calls += 1
            try:
                answer = self.chat_model.complete([{"role": "user", "content": content}])
            except Exception as error:
                self._failed[question.id] = f"The language model raised {type(error).__name__}: {error}"
            else:
                if answer.strip():
                    self._texts[question.id] = answer
                else:
                    self._failed[question.id] = "The language model answered nothing."
            progress(done, len(missing))

    def written(self, prepared: QuestionWithQuery) -> str | None:
        """The text for a question, or None where there is none."""
        return self._texts.get(prepared.question.id)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines with the vector made of the text.

        Raises:
            LLMCallError: The model failed at this question.
            SemanticsError: No text is recorded for it.
        """
        identity = prepared.question.id
        text = self.written(prepared)
        if text is not None:
            return self.scored(prepared, text, view)
        if identity in self._failed:
            raise LLMCallError(self._failed[identity], hint="Run again, or record a text for this question.")
        raise SemanticsError(
            f"No text is recorded for the question {identity!r}.", hint="Add a row to the file, or give a model."
        )

    @abstractmethod
    def scored(self, prepared: QuestionWithQuery, text: str, view: View) -> Array:
        """Score n documents by the text: shape (n,)."""


class Bright(Rewritten):
    """Reason first, then search with the reasoning in place of the question.

    Source: Su et al., BRIGHT (arXiv 2407.12883), with the prompt of ITLR, appendix D.
    """

    name = "bright"
    prompt = "bright.txt"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The reasoning."""
        text = self.written(prepared)
        return () if text is None else (text,)

    def scored(self, prepared: QuestionWithQuery, text: str, view: View) -> Array:
        """Cosines of the reasoning, in [-1, 1]."""
        del prepared  # the text stands for the question
        scores: Array = view.cosines((text,))[0]
        return scores


class HyDE(Rewritten):
    """Search with the mean of the question's vector and that of a passage written to answer it.

    Source: Gao, Ma, Lin and Callan, "Precise Zero-Shot Dense Retrieval without Relevance Labels" (ACL 2023), its prompt
    for web search, with one passage instead of eight.
    """

    name = "hyde"
    prompt = "hyde.txt"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question."""
        return (prepared.question.text,)

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The passage."""
        text = self.written(prepared)
        return () if text is None else (text,)

    def scored(self, prepared: QuestionWithQuery, text: str, view: View) -> Array:
        """Cosines of the mean vector, in [-1, 1]."""
        question = view.bench.vectors((prepared.question.text,))
        passage = view.bench.vectors((text,), as_documents=True)
        return view.similar_to(np.mean(np.concatenate([question, passage]), axis=0))


REWRITTEN: Mapping[str, type[Rewritten]] = {"bright": Bright, "hyde": HyDE}
