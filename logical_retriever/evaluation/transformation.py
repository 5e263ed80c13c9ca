"""Which logical query stands for each question."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.evaluation.dataset import Question
from logical_retriever.evaluation.methods.base import QuestionWithQuery
from logical_retriever.evaluation.optional import silent
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.transform import QueryTransformer, Transformation, TransformWarning


@dataclass(frozen=True)
class Failure:
    """A question that could not be handled as asked; it stays in the averages.

    Attributes:
        question: Id of the question.
        stage: "transform": the plain question was used instead; or the name of the method that failed: its ranking is
            empty.
        problem: What happened.
    """

    question: str
    stage: str
    problem: str


def prepare_questions(
    questions: Sequence[Question],
    transformer: QueryTransformer | None,
    progress: Callable[[int, int], None] = silent,
) -> tuple[list[QuestionWithQuery], list[Failure], int]:
    """Turn every question into a logical query: by the transformer, without one by the form that the benchmark brings.

    A question without a form is a single term, and so is one that could not be transformed, which is among the failures
    as well. The number is that of a language model's answers.
    """
    prepared: list[QuestionWithQuery] = []
    failures: list[Failure] = []
    calls = 0
    for done, question in enumerate(questions, start=1):
        query: LogicalQuery = Term(question.text)
        method = "recorded"
        try:
            if transformer is not None:
                made = _transformed(transformer, question.text)
                query, method, calls = made.query, made.method, calls + len(made.answers)
                if made.problem is not None:
                    failures.append(Failure(question.id, "transform", made.problem))
            elif question.form is not None:
                query = parse(question.form)
        except LogicalRetrieverError as error:
            failures.append(Failure(question.id, "transform", error.message))
        prepared.append(QuestionWithQuery(question, query, method))
        progress(done, len(questions))
    return prepared, failures, calls


def _transformed(transformer: QueryTransformer, question: str) -> Transformation:
    with warnings.catch_warnings():
        # A fallback to the plain question is counted among the failures, where it is seen.
        warnings.simplefilter("ignore", TransformWarning)
        return transformer.transform(question)
