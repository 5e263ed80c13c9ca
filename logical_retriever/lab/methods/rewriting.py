"""Methods that search with a text a language model wrote: BRIGHT's reasoning and HyDE's hypothetical passage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal

import numpy as np

from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError, SemanticsError
from logical_retriever.evaluation import Method, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.files import text_lines, wrong
from logical_retriever.lab.asking import Asker, InvalidAnswer
from logical_retriever.semantics.classic import TruthMap
from logical_retriever.transform import ChatModel


def read_texts(path: str | Path) -> dict[str, str]:
    r"""Read recorded texts: tab-separated query id and text below a header; ``\n``, ``\t`` and ``\\`` are escapes.

    Raises:
        CorpusError: A row does not have two cells.
    """
    texts = {}
    for line, row in text_lines(path):
        cells = row.split("\t")
        if len(cells) != 2:
            problem = f"expected 2 cells (query-id, text) separated by tabs, found {len(cells)}."
            raise wrong(path, line, problem, "Separate the cells with one tab; write a tab or line end as \\t or \\n.")
        texts[cells[0]] = re.sub(r"\\([nt\\])", lambda match: {"n": "\n", "t": "\t"}.get(match[1], "\\"), cells[1])
    texts.pop("query-id", None)
    return texts


@dataclass(frozen=True)
class MethodOptions:
    """Beyond the question, some methods need these.

    Attributes:
        chat_model: A language model, or None.
        texts: Recorded texts: method name -> query id -> text.
        calibration: A curve fitted to labelled pairs, or None.
    """

    chat_model: ChatModel | None = None
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calibration: TruthMap | None = None


class Rewritten(Method):
    """Search with one text a question, recorded earlier or asked of a language model.

    "bright" reasons first, and searches with the reasoning in place of the question. Source: Su et al., BRIGHT (arXiv
    2407.12883), with the prompt of ITLR, appendix D.

    "hyde" searches with the mean of the question's vector and that of a passage written to answer it. Source: Gao, Ma,
    Lin and Callan, "Precise Zero-Shot Dense Retrieval without Relevance Labels" (ACL 2023), its prompt for web search,
    with one passage instead of eight.

    Args:
        name: "bright" or "hyde".
        options: A language model, or texts by query id; questions that have none are asked of the model.

    Raises:
        InvalidArgumentError: There is neither.
    """

    def __init__(self, name: Literal["bright", "hyde"], options: MethodOptions) -> None:
        recorded = options.texts.get(name)
        if options.chat_model is None and recorded is None:
            raise InvalidArgumentError(
                f"The method {name!r} needs texts written by a language model.",
                hint=f"Give recorded texts with --texts {name}=FILE (query-id, text) or a model with --llm.",
            )
        self.name = name
        self._asker = None if options.chat_model is None else Asker(options.chat_model)
        self._texts = dict(recorded or {})
        self._failed: dict[str, LogicalRetrieverError] = {}

    def prepare(self, prepared: Sequence[QuestionWithQuery], bench: Workbench) -> None:
        """Ask the model for the texts that are not recorded, and encode passages."""
        template = files("logical_retriever.lab.methods").joinpath(f"{self.name}.txt").read_text(encoding="utf-8")
        missing = [one.question for one in prepared if one.question.id not in self._texts]
        for question in missing:
            if self._asker is None:
                break
            content = template.replace("{question}", question.text)
            try:
                self._texts[question.id] = self._asker.ask([{"role": "user", "content": content}], _written)
            except LogicalRetrieverError as error:
                self._failed[question.id] = error
            self.llm_calls = self._asker.calls
        bench.encode((text for one in prepared for text in self._passages(one)), as_documents=True)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The reasoning, or the question beside its passage."""
        return (prepared.question.text,) if self.name == "hyde" else self._text(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines of the text's vector, in [-1, 1], or of its mean with the question's.

        Raises:
            LLMCallError: The model failed at this question.
            SemanticsError: No text is recorded for it.
        """
        identity = prepared.question.id
        if identity not in self._texts:
            raise self._failed.get(identity) or SemanticsError(
                f"No text is recorded for the question {identity!r}.", hint="Add a row to the file, or give a model."
            )
        texts = view.bench.vectors(self.texts(prepared))
        passages = view.bench.vectors(self._passages(prepared), as_documents=True)
        return view.similar_to(np.array([*texts, *passages]).mean(axis=0))

    def _passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        return self._text(prepared) if self.name == "hyde" else ()

    def _text(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        text = self._texts.get(prepared.question.id)
        return () if text is None else (text,)


def _written(answer: str) -> str:
    if not answer.strip():
        raise InvalidAnswer("empty", "The language model answered nothing.")
    return answer
