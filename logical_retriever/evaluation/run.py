"""Running methods over a benchmark."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from logical_retriever import Embedder, Term, parse
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.evaluation.loading import Dataset, Question
from logical_retriever.evaluation.measures import Measure, Ranking, default_columns, default_measures, get_measure, rank
from logical_retriever.evaluation.methods import (
    DEFAULT_METHODS,
    Advance,
    Method,
    MethodOptions,
    QuestionWithQuery,
    get_method,
)
from logical_retriever.evaluation.outcome import SHOWN_DOCUMENTS, Failure, MethodCost, MethodResult, Outcome
from logical_retriever.evaluation.workbench import Workbench, silent
from logical_retriever.transform import QueryTransformer, Transformation, TransformWarning

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many of it are done, and how many there are."""


def evaluate(
    dataset: Dataset,
    methods: Sequence[str | Method] = DEFAULT_METHODS,
    *,
    embedder: Embedder,
    transformer: QueryTransformer | None = None,
    transformer_name: str = "recorded",
    measures: Sequence[str | Measure] | None = None,
    cutoffs: Sequence[int] = (10, 100),
    limit: int | None = None,
    baseline: str | None = "dense",
    options: MethodOptions | None = None,
    progress: Progress = silent,
) -> Outcome:
    """Evaluate methods on a benchmark, all over the same vectors.

    Every text that any method needs is encoded once, before anything is timed; a method's time is that of scoring all
    documents and ranking them.

    Args:
        dataset: The benchmark.
        methods: Names from :data:`~logical_retriever.evaluation.methods.METHODS` or methods.
        embedder: The encoder the documents' vectors belong to.
        transformer: Makes the logical queries; None takes the forms that the benchmark brings.
        transformer_name: What it is called in the output.
        measures: Measures or their text forms, for example ``["nDCG@5", "P(rel=2)@5", "LSNC@100"]``: those of
            ir-measures and of :data:`~logical_retriever.evaluation.measures.MEASURES`. All of them are shown and
            tested. None for the usual ones at the cutoffs.
        cutoffs: The k of nDCG@k and the like where no measures are asked for, each at least 1.
        limit: Evaluate the first so many questions only, at least 1; None for all.
        baseline: Method that the others are tested against where it is among them, or None.
        options: What methods over a language model need.
        progress: Called as the work goes on.

    Raises:
        InvalidArgumentError: An unknown method or measure, none of either, one of them twice, a bad limit or cutoff,
            no question to evaluate, or none that a measure is defined for.
        EmbeddingError: The encoder failed.
        MissingPackageError: A package of the ``evaluation`` extra is not installed.
    """
    measured = [get_measure(measure) for measure in (default_measures(cutoffs) if measures is None else measures)]
    names = _distinct("measure", [measure.name for measure in measured])
    columns = names if measures is not None else default_columns(cutoffs)
    chosen = [get_method(method, options) for method in methods]
    _distinct("method", [method.name for method in chosen])
    if limit is not None and limit < 1:
        raise InvalidArgumentError(f"The limit is {limit}.", hint="Evaluate at least one question.")
    questions = dataset.questions[:limit]
    if not questions:
        raise InvalidArgumentError(
            f"{dataset.name} has no question with relevance judgements.", hint="Check that the ids of both files agree."
        )
    prepared, failures, calls = prepare_questions(questions, transformer, partial(progress, "transforming questions"))
    bench = Workbench(replace(dataset, questions=questions), embedder, partial(progress, "encoding texts"))
    for method in chosen:
        method.prepare(prepared, bench, partial(progress, f"{method.name}: language model"))
    bench.encode(text for method in chosen for one in prepared for text in method.texts(one))
    bench.encode((text for method in chosen for one in prepared for text in method.passages(one)), as_documents=True)
    depth = max(SHOWN_DOCUMENTS, *(measure.depth for measure in measured))
    results = {}
    for method in chosen:
        rankings, failed, seconds = _ranked(method, prepared, bench, depth, partial(progress, method.name))
        failures += failed
        texts = sum(len(set(method.texts(one))) + len(set(method.passages(one))) for one in prepared)
        results[method.name] = MethodResult(
            method.name,
            {measure.name: measure.values(questions, rankings) for measure in measured},
            rankings,
            MethodCost(1000.0 * seconds / len(prepared), texts / len(prepared), method.llm_calls),
        )
    if not any(values for result in results.values() for values in result.values.values()):
        raise InvalidArgumentError(
            f"{', '.join(names)}: not defined for any question of {dataset.name}.",
            hint="Ask for another measure, or say in violations.tsv which documents are excluded.",
        )
    return Outcome(
        dataset=bench.dataset,
        prepared=prepared,
        methods=results,
        measures=names,
        columns={name: measured[names.index(name)] for name in columns},
        failures=tuple(failures),
        baseline=baseline if baseline in results else None,
        transformer=transformer_name,
        transformer_calls=calls,
        encoded=bench.encoded,
        seconds_encoding=bench.seconds_encoding,
        primary=columns if measures is not None else columns[:2],
    )


def prepare_questions(
    questions: Sequence[Question], transformer: QueryTransformer | None, progress: Advance = silent
) -> tuple[list[QuestionWithQuery], list[Failure], int]:
    """Turn every question into a logical query: by the transformer, without one by the form that the benchmark brings.

    A question without a form is a single term, and so is one that could not be transformed, which is among the failures
    as well. The number is that of a language model's answers.
    """
    prepared: list[QuestionWithQuery] = []
    failures: list[Failure] = []
    calls = 0
    for done, question in enumerate(questions, start=1):
        made = Transformation(question.text, Term(question.text), "recorded")
        try:
            if transformer is not None:
                with warnings.catch_warnings():
                    # A fallback to the plain question is counted among the failures, where it is seen.
                    warnings.simplefilter("ignore", TransformWarning)
                    made = transformer.transform(question.text)
            elif question.form is not None:
                made = replace(made, query=parse(question.form))
            problem = made.problem
        except LogicalRetrieverError as error:
            problem = error.message
        if problem is not None:
            failures.append(Failure(question.id, "transform", problem))
        calls += len(made.answers)
        prepared.append(QuestionWithQuery(question, made.query, made.method))
        progress(done, len(questions))
    return prepared, failures, calls


def _distinct(kind: str, names: Sequence[str]) -> tuple[str, ...]:
    twice = sorted({name for name in names if names.count(name) > 1})
    if not names or twice:
        raise InvalidArgumentError(
            f"The {kind} {twice[0]!r} is named twice." if twice else f"There is no {kind} to evaluate.",
            hint=f"Name every {kind} once.",
        )
    return tuple(names)


def _ranked(
    method: Method, prepared: Sequence[QuestionWithQuery], bench: Workbench, depth: int, progress: Advance
) -> tuple[dict[str, Ranking], list[Failure], float]:
    """Rankings by question id, the failures, and the seconds that scoring and ranking took."""
    rankings: dict[str, Ranking] = {}
    failures: list[Failure] = []
    seconds = 0.0
    for done, one in enumerate(prepared, start=1):
        view = bench.view(one.question)
        started = time.perf_counter()
        try:
            scores = np.asarray(method.score(one, view), dtype=np.float64)
            best = rank(scores, view.ids, depth)
        except LogicalRetrieverError as error:
            failures.append(Failure(one.question.id, method.name, error.message))
            continue
        finally:
            seconds += time.perf_counter() - started
            progress(done, len(prepared))
        judged = {*one.question.relevant, *one.question.violations} & view.place_of.keys()
        rankings[one.question.id] = Ranking(best, {id: float(scores[view.place_of[id]]) for id in judged})
    return rankings, failures, seconds
