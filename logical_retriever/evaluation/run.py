"""A run of methods over a benchmark."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from logical_retriever import Embedder, Term, parse
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.evaluation.loading import Dataset, JudgedQuestion
from logical_retriever.evaluation.measures import Measure, Ranking, default_measures, get_measure, rank
from logical_retriever.evaluation.methods import DEFAULT_METHODS, JudgedQuery, Method, get_method
from logical_retriever.evaluation.outcome import SHOWN_DOCUMENTS, Failure, MethodResult, Outcome
from logical_retriever.evaluation.workbench import Track, Workbench, untracked
from logical_retriever.reading import QueryTransformer, ReadQuestion, TransformWarning


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
    track: Track = untracked,
) -> Outcome:
    """Evaluate methods on a benchmark, all over the same vectors.

    The texts of all methods are encoded once, before anything is timed. A method's time is that of scoring and ranking.

    Args:
        dataset: The benchmark.
        methods: Names from :data:`~logical_retriever.evaluation.methods.METHODS` or methods, each with its own name.
        embedder: The encoder of the documents' vectors.
        transformer: Makes the logical queries; None takes the forms that the benchmark brings.
        transformer_name: Its name in the output.
        measures: Measures or their text forms, for example ``["nDCG@5", "P(rel=2)@5", "LSNC@100"]``: those of
            ir-measures and of :data:`~logical_retriever.evaluation.measures.MEASURES`. All of them are shown and
            tested. None for the usual ones at the cutoffs.
        cutoffs: The k of nDCG@k and the like where no measures are named, each at least 1.
        limit: Evaluate the first so many questions only; None for all.
        baseline: Method that the others are tested against where it is among them, or None.
        track: Shows progress over a sequence, and yields its items; the text says what is being done.

    Raises:
        InvalidArgumentError: An unknown method or measure, a bad cutoff, no question, method or measure, or measures
            that are undefined for every question.
        EmbeddingError: The encoder failed.
        MissingPackageError: A package of the ``evaluation`` extra is not installed.
    """
    computed, shown = default_measures(cutoffs) if measures is None else (measures, None)
    measured = {measure.name: measure for measure in map(get_measure, computed)}
    columns = {name: measured[name] for name in shown or measured}
    chosen = {method.name: method for method in map(get_method, methods)}
    questions = dataset.questions[:limit]
    if not questions:
        raise InvalidArgumentError(
            f"{dataset.name} has no question with relevance judgements.", hint="Check that the ids of both files agree."
        )
    if not chosen or not measured:
        raise InvalidArgumentError("There is nothing to evaluate.", hint="Name at least one method and one measure.")
    readings = [(question, read(question, transformer)) for question in track(questions, "transforming questions")]
    prepared = [JudgedQuery(question, reading.query, reading.method) for question, reading in readings]
    failures = [Failure(question.id, "transform", reading.problem) for question, reading in readings if reading.problem]
    bench = Workbench(replace(dataset, questions=questions), embedder, track)
    for method in chosen.values():
        method.prepare(prepared, bench)
    bench.encode(text for method in chosen.values() for question in prepared for text in method.texts(question))
    depth = max(SHOWN_DOCUMENTS, *(measure.depth for measure in measured.values()))
    results = {}
    for name, method in chosen.items():
        rankings: dict[str, Ranking] = {}
        seconds = 0.0
        for with_query in track(prepared, name):
            question, view = with_query.question, bench.view(with_query.question)
            ids = view.ids
            started = time.perf_counter()
            try:
                scores = np.asarray(method.score(with_query, view), dtype=np.float64)
                best = rank(scores, ids, depth)
            except LogicalRetrieverError as error:
                failures.append(Failure(question.id, name, error.message))
                continue
            finally:
                seconds += time.perf_counter() - started
            judged = question.relevant | question.violations
            judged_scores = {id: score for id, score in zip(ids, scores.tolist(), strict=True) if id in judged}
            rankings[question.id] = Ranking(best, judged_scores)
        values = {measure.name: measure.values(questions, rankings) for measure in measured.values()}
        texts = sum(len(set(method.texts(question))) for question in prepared)
        cost = (1000.0 * seconds / len(prepared), texts / len(prepared), method.llm_calls)
        results[name] = MethodResult(values, rankings, *cost)
    if not any(values for result in results.values() for values in result.values.values()):
        raise InvalidArgumentError(
            f"{', '.join(measured)}: not defined for any question of {dataset.name}.",
            hint="Ask for another measure, or say in violations.tsv which documents are excluded.",
        )
    return Outcome(
        dataset=bench.dataset,
        prepared=prepared,
        methods=results,
        measures=tuple(measured),
        columns=columns,
        failures=tuple(failures),
        baseline=baseline if baseline in results else None,
        transformer=transformer_name,
        transformer_calls=sum(len(reading.answers) for _, reading in readings),
        encoded=bench.encoded,
        seconds_encoding=bench.seconds_encoding,
        primary=tuple(columns) if measures is not None else tuple(columns)[:2],
    )


def read(question: JudgedQuestion, transformer: QueryTransformer | None) -> ReadQuestion:
    """Read a question by the transformer, or take the form of the benchmark where there is none.

    A question without a form is a single term. So is one that could not be transformed; its ``problem`` says why.
    """
    plain = ReadQuestion(question.text, Term(question.text), "recorded")
    try:
        if transformer is not None:
            with warnings.catch_warnings():
                # A fallback to the plain question is counted among the failures, where it is seen.
                warnings.simplefilter("ignore", TransformWarning)
                return transformer.transform(question.text)
        return plain if question.form is None else replace(plain, query=parse(question.form))
    except LogicalRetrieverError as error:
        return replace(plain, problem=error.message)
