"""A run of methods over a benchmark, and its outcome: values per question, means, and tests of the differences."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from logical_retriever import Embedder, Term, parse
from logical_retriever.errors import InvalidArgumentError, LogicalRetrieverError
from logical_retriever.evaluation.loading import Dataset, JudgedQuestion
from logical_retriever.evaluation.measures import Measure, Ranking, default_measures, get_measure, rank
from logical_retriever.evaluation.methods import DEFAULT_METHODS, JudgedQuery, Method, get_method
from logical_retriever.evaluation.workbench import Track, Workbench, require, untracked
from logical_retriever.query import negative_terms
from logical_retriever.reading import QueryTransformer, ReadQuestion, TransformWarning, default_tagger

SHOWN_DOCUMENTS = 3
"""Best documents of each question in the JSON form."""
EXAMPLES = 5
"""Cases of a problem with the files in the JSON form."""
SNIPPET = 200
"""Characters of a document in the JSON form."""


@dataclass(frozen=True)
class MethodResult:
    """Values, rankings and cost of one method.

    Attributes:
        values: Measure -> question id -> value; questions for which the measure is undefined are absent.
        rankings: By question id; a question at which the method failed is absent.
        milliseconds: Mean time to score and rank a question, vectors at hand.
        vectors: Mean number of texts that must be encoded for a question.
        llm_calls: Calls to a language model, without the transformer's.
    """

    values: Mapping[str, Mapping[str, float]]
    rankings: Mapping[str, Ranking]
    milliseconds: float
    vectors: float
    llm_calls: int

    def mean(self, measure: str, questions: Iterable[JudgedQuery]) -> float | None:
        """Return the mean of a measure over these questions; None where it is undefined for all of them."""
        own = self.values[measure]
        values = [own[prepared.question.id] for prepared in questions if prepared.question.id in own]
        return sum(values) / len(values) if values else None


@dataclass(frozen=True)
class Outcome:
    """An evaluation of several methods on one benchmark.

    Attributes:
        bench: The benchmark, with what was encoded.
        prepared: The questions with their logical queries.
        methods: Results by method name, in the order asked for.
        measures: Names of the measures that were computed.
        columns: The measures to show, by name.
        failures: Questions that could not be handled as asked, which stay in the averages. "question" is the id, "type"
            its type, "problem" the error's message. "stage" is "transform", where the plain question was used instead,
            or the name of the method that failed, whose ranking is empty.
        baseline: Method that the others are tested against, or None.
        transformer: Origin of the logical queries: "recorded", "auto" or "llm".
        primary: Measures that get a test.
    """

    bench: Workbench
    prepared: Sequence[JudgedQuery]
    methods: Mapping[str, MethodResult]
    measures: tuple[str, ...]
    columns: Mapping[str, Measure]
    failures: Sequence[Mapping[str, str | None]]
    baseline: str | None
    transformer: str
    primary: tuple[str, ...]

    def test(self, measure: str) -> dict[str, float]:
        """Return Holm-corrected p-values of every method against the baseline, by method name.

        A method is tested on the questions for which it has a value.
        """
        if self.baseline is None:
            return {}
        base = self.methods[self.baseline].values[measure]
        others = {name: result.values[measure] for name, result in self.methods.items() if name != self.baseline}
        return holm({name: wilcoxon(own, base) for name, own in others.items() if own.keys() & base.keys()})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, with every question's values of all measures, best documents and logical form."""
        tests = {measure: self.test(measure) for measure in self.primary}
        return {
            "dataset": self.bench.dataset.name,
            "queries": len(self.prepared),
            "documents": len(self.bench.dataset.documents),
            "measures": list(self.measures),
            "columns": {
                name: {"heading": measure.heading or name, "lower_is_better": measure.lower_is_better}
                for name, measure in self.columns.items()
            },
            "transformer": {
                "name": self.transformer,
                "llm_answers": sum(len(prepared.read.answers) for prepared in self.prepared),
            },
            "encoding": {"texts": self.bench.encoded, "seconds": round(self.bench.seconds_encoding, 3)},
            "baseline": self.baseline,
            "methods": {name: self._method(name, result, tests) for name, result in self.methods.items()},
            "failures": list(self.failures),
            "problems": [
                {"what": what, "count": len(cases), "examples": cases[:EXAMPLES]}
                for what, cases in self.bench.dataset.problems.items()
            ],
            "details": self._details(),
        }

    def _method(self, name: str, result: MethodResult, tests: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
        def grouped(key: Callable[[JudgedQuery], str]) -> dict[str, Any]:
            names = sorted({*map(key, self.prepared)} - {""})
            groups = {group: [prepared for prepared in self.prepared if key(prepared) == group] for group in names}
            return {group: {"queries": len(own), **self._means(result, own)} for group, own in groups.items()}

        return {
            **self._means(result, self.prepared),
            "by_type": grouped(lambda prepared: prepared.question.type or ""),
            "by_negations": grouped(lambda prepared: str(prepared.negations)),
            "p": {measure: own[name] for measure, own in tests.items() if name in own},
            "cost": {
                "milliseconds_per_query": round(result.milliseconds, 4),
                "vectors_per_query": round(result.vectors, 3),
                "llm_calls": result.llm_calls,
            },
            "failed": sum(failure["stage"] == name for failure in self.failures),
        }

    def _means(self, result: MethodResult, questions: Sequence[JudgedQuery]) -> dict[str, float]:
        means = {measure: result.mean(measure, questions) for measure in self.measures}
        return {measure: round(value, 6) for measure, value in means.items() if value is not None}

    def _details(self) -> dict[str, Any]:
        def shown(result: MethodResult, id: str) -> dict[str, Any]:
            own = {measure: round(values[id], 6) for measure, values in result.values.items() if id in values}
            return {**own, "top": list(result.rankings.get(id, Ranking()).ids[:SHOWN_DOCUMENTS])}

        queries: list[dict[str, Any]] = [
            {
                "id": prepared.question.id,
                "text": prepared.question.text,
                "type": prepared.question.type,
                "logical_query": str(prepared.query),
                "negations": prepared.negations,
                "relevant": sorted(prepared.question.relevant),
                "violations": sorted(prepared.question.violations),
                "methods": {name: shown(result, prepared.question.id) for name, result in self.methods.items()},
            }
            for prepared in self.prepared
        ]
        best = dict.fromkeys(id for query in queries for method in query["methods"].values() for id in method["top"])
        texts = {str(document.id): " ".join(document.text.split()) for document in self.bench.dataset.documents}
        cut = {id: f"{texts[id][: SNIPPET - 1]}…" if len(texts[id]) > SNIPPET else texts[id] for id in best}
        return {"queries": queries, "documents": cut}


def evaluate(
    dataset: Dataset,
    methods: Sequence[str | Method] = DEFAULT_METHODS,
    *,
    embedder: Embedder,
    transformer: QueryTransformer | None = None,
    transformer_name: str = "recorded",
    measures: Sequence[str] | None = None,
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
        measures: Names of measures, for example ``["nDCG@5", "P(rel=2)@5", "LSNC@100"]``: those of
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
    if not (questions and chosen and measured):
        raise InvalidArgumentError(
            f"There is nothing to evaluate: {dataset.name} has {len(questions)} questions with relevance judgements; "
            f"{len(chosen)} methods and {len(measured)} measures are named.",
            hint="Name at least one of each, and check that the ids of queries and judgements agree.",
        )
    prepared = [
        JudgedQuery(question, read_question(question, transformer))
        for question in track(questions, "transforming questions")
    ]
    failures = [
        {"question": one.question.id, "stage": "transform", "problem": one.read.problem, "type": one.question.type}
        for one in prepared
        if one.read.problem
    ]
    bench = Workbench(dataset, embedder, track)
    for method in chosen.values():
        method.prepare(prepared, bench)
    bench.encode(text for method in chosen.values() for question in prepared for text in method.texts(question))
    depth = max(SHOWN_DOCUMENTS, *(measure.depth for measure in measured.values()))
    results = {}
    for name, method in chosen.items():
        rankings: dict[str, Ranking] = {}
        seconds = 0.0
        for one in track(prepared, name):
            question, view = one.question, bench.view(one.question)
            ids = view.ids
            started = time.perf_counter()
            try:
                scores = np.asarray(method.score(one, view), dtype=np.float64)
                best = rank(scores, ids, depth)
            except LogicalRetrieverError as error:
                failures.append(
                    {"question": question.id, "stage": name, "problem": error.message, "type": question.type}
                )
                continue
            finally:
                seconds += time.perf_counter() - started
            judged = question.relevant | question.violations
            rankings[question.id] = Ranking(
                best, {id: score for id, score in zip(ids, scores.tolist(), strict=True) if id in judged}
            )
        values = {measure.name: measure.values(questions, rankings) for measure in measured.values()}
        texts = sum(len(set(method.texts(question))) for question in prepared)
        results[name] = MethodResult(
            values, rankings, 1000.0 * seconds / len(prepared), texts / len(prepared), method.llm_calls
        )
    if not any(values for result in results.values() for values in result.values.values()):
        raise InvalidArgumentError(
            f"{', '.join(measured)}: not defined for any question of {dataset.name}.",
            hint="Ask for another measure, or say in violations.tsv which documents are excluded.",
        )
    return Outcome(
        bench=bench,
        prepared=prepared,
        methods=results,
        measures=tuple(measured),
        columns=columns,
        failures=failures,
        baseline=baseline if baseline in results else None,
        transformer=transformer_name,
        primary=tuple(columns) if measures is not None else tuple(columns)[:2],
    )


def read_question(question: JudgedQuestion, transformer: QueryTransformer | None) -> ReadQuestion:
    """Read a question by the transformer, or take the form of the benchmark where there is none.

    A question without a form is a single term. So is one that could not be transformed; its ``problem`` says why.
    """
    plain = ReadQuestion(question.text, Term(question.text), "recorded" if question.asked else "given")
    try:
        if transformer is not None:
            with warnings.catch_warnings():
                # A fallback to the plain question is counted among the failures, where it is seen.
                warnings.simplefilter("ignore", TransformWarning)
                read = transformer.transform(question.text)
            return read if question.asked else replace(read, method="given")
        if question.form is None:
            return plain
        query = parse(question.form)
        kinds = default_tagger().kinds(question.text, negative_terms(query)) if question.asked else None
        return replace(plain, query=query, kinds=kinds)
    except LogicalRetrieverError as error:
        return replace(plain, problem=error.message)


def wilcoxon(values: Mapping[str, float], baseline: Mapping[str, float]) -> float:
    """Compute the two-sided p-value of the paired Wilcoxon signed-rank test over values by question, in [0, 1].

    Questions without a difference or without both values are left out; the value is 1 where no question differs.
    Source: the test of NSFL.

    Raises:
        MissingPackageError: SciPy is not installed.
    """
    # Differences of rounding alone are ties.
    differences = np.round([values[id] - baseline[id] for id in baseline if id in values], 12)
    stats = require("scipy.stats", "A Wilcoxon test")
    return float(stats.wilcoxon(differences[differences != 0.0]).pvalue) if differences.any() else 1.0


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values for the number of comparisons by Holm's correction, in [0, 1].

    The i-th smallest of m values is multiplied by m - i + 1 and raised to the largest before it.
    Source: Holm, "A simple sequentially rejective multiple test procedure" (1979).

    Examples:
        >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
        {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    order = sorted(p_values, key=lambda name: p_values[name])
    scaled = [min(1.0, (len(order) - rank) * p_values[name]) for rank, name in enumerate(order)]
    adjusted = dict(zip(order, np.maximum.accumulate(scaled).tolist(), strict=True))
    return {name: adjusted[name] for name in p_values}
