"""The result of an evaluation: values per question, averaged on demand, with how certain the means are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from logical_retriever.evaluation.loading import Dataset, Question
from logical_retriever.evaluation.measures import Measure, Ranking
from logical_retriever.evaluation.methods import QuestionWithQuery
from logical_retriever.evaluation.workbench import require

Values = dict[str, dict[str, float]]
"""Measure -> question id -> value; a question for which the measure is not defined is absent."""

SHOWN_DOCUMENTS = 3
"""Best documents of each question that the JSON form keeps, so that it shows why a method won."""
IN_SIGHT = 10
"""Best documents of each question that somebody would look at."""
SNIPPET = 200
"""Characters of a document that the JSON form keeps."""


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


@dataclass(frozen=True)
class MethodCost:
    """The cost of a method per question.

    Attributes:
        milliseconds: Mean time to score and rank, vectors at hand.
        vectors: Mean number of texts that must be encoded.
        llm_calls: Calls to a language model in all, those of the transformer aside.
    """

    milliseconds: float
    vectors: float
    llm_calls: int


@dataclass(frozen=True)
class MethodResult:
    """The values and rankings of one method.

    Attributes:
        name: The method's name.
        values: Measure -> question id -> value.
        rankings: By question id; a question at which the method failed is absent.
        cost: What it cost.
    """

    name: str
    values: Values
    rankings: Mapping[str, Ranking]
    cost: MethodCost

    def mean(self, measure: str, questions: Iterable[QuestionWithQuery]) -> float | None:
        """Mean of a measure over the questions it is defined for, or None where there is none."""
        values = self.of(measure, questions)
        return sum(values) / len(values) if values else None

    def of(self, measure: str, questions: Iterable[QuestionWithQuery]) -> list[float]:
        """Values of a measure for some questions, in order; those it is not defined for left out."""
        own = self.values[measure]
        return [own[one.question.id] for one in questions if one.question.id in own]


@dataclass(frozen=True)
class Outcome:
    """An evaluation of several methods on one benchmark.

    Attributes:
        dataset: The benchmark.
        prepared: The questions with their logical queries.
        methods: Results by method name, in the order asked for.
        measures: Names of the measures that were computed.
        columns: Those that are shown, by name.
        failures: Questions that could not be handled as asked.
        baseline: Method that the others are tested against, or None.
        transformer: How the logical queries were made: "recorded", "auto" or "llm".
        transformer_calls: Answers of a language model during transformation.
        encoded: Texts encoded in all.
        seconds_encoding: Time it took.
        primary: Measures that get an interval and a test.
    """

    dataset: Dataset
    prepared: Sequence[QuestionWithQuery]
    methods: Mapping[str, MethodResult]
    measures: tuple[str, ...]
    columns: Mapping[str, Measure]
    failures: tuple[Failure, ...] = ()
    baseline: str | None = None
    transformer: str = "recorded"
    transformer_calls: int = 0
    encoded: int = 0
    seconds_encoding: float = 0.0
    primary: tuple[str, ...] = ()

    def test(self, measure: str) -> dict[str, float]:
        """Holm-corrected p-values of every method against the baseline, by method name.

        Questions at which a method failed in such a way that the measure is not defined are left out of its test.
        """
        if self.baseline is None:
            return {}
        base = self.methods[self.baseline].values[measure]
        pairs = {
            name: [(result.values[measure][id], base[id]) for id in base if id in result.values[measure]]
            for name, result in self.methods.items()
            if name != self.baseline
        }
        return holm({name: wilcoxon(*zip(*both, strict=True)) for name, both in pairs.items() if both})

    def moved(self, name: str) -> dict[str, Any]:
        """Judged documents that a method brings among the best of a question, and those that it loses from there.

        Against the baseline, over all questions that both answered: ``{"k": ..., "wanted": {"lost": ..., "gained":
        ...}, "unwanted": {...}}``, with k at most :data:`IN_SIGHT`. Empty for the baseline and without one.
        """
        if self.baseline in (None, name):
            return {}
        base, own = self.methods[self.baseline or ""].rankings, self.methods[name].rankings
        k = min(IN_SIGHT, max((len(ranking.ids) for ranking in base.values()), default=0))
        both = [one.question for one in self.prepared if one.question.id in base.keys() & own.keys()]
        tops = [(one, set(base[one.id].ids[:k]), set(own[one.id].ids[:k])) for one in both]

        def counts(judged: Callable[[Question], frozenset[str]]) -> dict[str, int]:
            changes = [(judged(one) & before - now, judged(one) & now - before) for one, before, now in tops]
            return {"lost": sum(len(lost) for lost, _ in changes), "gained": sum(len(new) for _, new in changes)}

        return {"k": k, "wanted": counts(lambda one: one.relevant), "unwanted": counts(lambda one: one.violations)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, with every question's values of all measures, best documents and logical form."""
        tests = {measure: self.test(measure) for measure in self.primary}
        types = {one.question.id: one.question.type for one in self.prepared}
        return {
            "dataset": self.dataset.name,
            "queries": len(self.prepared),
            "documents": len(self.dataset.documents),
            "measures": list(self.measures),
            "columns": {
                name: {"heading": measure.heading or name, "lower_is_better": measure.lower_is_better}
                for name, measure in self.columns.items()
            },
            "transformer": {"name": self.transformer, "llm_answers": self.transformer_calls},
            "encoding": {"texts": self.encoded, "seconds": round(self.seconds_encoding, 3)},
            "baseline": self.baseline,
            "methods": {name: self._method(result, tests) for name, result in self.methods.items()},
            "failures": [{**asdict(failure), "type": types[failure.question]} for failure in self.failures],
            "problems": [asdict(problem) for problem in self.dataset.problems],
            "details": self._details(),
        }

    def _method(self, result: MethodResult, tests: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
        def grouped(key: Callable[[QuestionWithQuery], str | None]) -> dict[str, Any]:
            names = sorted({name for one in self.prepared if (name := key(one)) is not None})
            groups = {name: [one for one in self.prepared if key(one) == name] for name in names}
            return {name: {"queries": len(own), **self._means(result, own)} for name, own in groups.items()}

        return {
            **self._means(result, self.prepared),
            "by_type": grouped(lambda one: one.question.type),
            "by_coarse_type": grouped(coarse_type),
            "by_negations": grouped(lambda one: str(one.negations)),
            "interval": {
                measure: [round(bound, 6) for bound in confidence_interval(values)]
                for measure in self.primary
                if (values := result.of(measure, self.prepared))
            },
            "p": {measure: own[result.name] for measure, own in tests.items() if result.name in own},
            "moved": self.moved(result.name),
            "cost": {
                "milliseconds_per_query": round(result.cost.milliseconds, 4),
                "vectors_per_query": round(result.cost.vectors, 3),
                "llm_calls": result.cost.llm_calls,
            },
            "failed": sum(failure.stage == result.name for failure in self.failures),
        }

    def _means(self, result: MethodResult, questions: Sequence[QuestionWithQuery]) -> dict[str, float]:
        means = {measure: result.mean(measure, questions) for measure in self.measures}
        return {measure: round(value, 6) for measure, value in means.items() if value is not None}

    def _details(self) -> dict[str, Any]:
        shown: dict[str, None] = {}

        def told(result: MethodResult, id: str) -> dict[str, Any]:
            top = result.rankings.get(id, Ranking()).ids[:SHOWN_DOCUMENTS]
            shown.update(dict.fromkeys(top))
            own = {measure: round(values[id], 6) for measure, values in result.values.items() if id in values}
            return {**own, "top": list(top)}

        queries = [
            {
                "id": one.question.id,
                "text": one.question.text,
                "type": one.question.type,
                "logical_query": str(one.query),
                "negations": one.negations,
                "relevant": sorted(one.question.relevant),
                "violations": sorted(one.question.violations),
                "methods": {name: told(result, one.question.id) for name, result in self.methods.items()},
            }
            for one in self.prepared
        ]
        text = {document.id: " ".join(document.text.split()) for document in self.dataset.documents}
        cut = {id: text[id] if len(text[id]) <= SNIPPET else f"{text[id][: SNIPPET - 1]}…" for id in shown}
        return {"queries": queries, "documents": cut}


def coarse_type(one: QuestionWithQuery) -> str | None:
    """The query type without a variant's number: "2in_1" is "2in"."""
    return None if one.question.type is None else re.sub(r"_\d+$", "", one.question.type)


def confidence_interval(values: Sequence[float]) -> tuple[float, float]:
    """Percentile bootstrap interval, of 1,000 samples, of the mean of one value a question, at 95 percent.

    The same at every call. There is at least one value.

    Raises:
        MissingPackageError: SciPy is not installed.
    """
    if np.ptp(values) == 0.0:
        return values[0], values[0]
    draw = {"n_resamples": 1000, "batch": 100, "rng": np.random.default_rng(0)}
    stats = require("scipy.stats", "A bootstrap confidence interval")
    made = stats.bootstrap((values,), np.mean, vectorized=True, method="percentile", **draw)
    return float(made.confidence_interval.low), float(made.confidence_interval.high)


def wilcoxon(values: Sequence[float], baseline: Sequence[float]) -> float:
    """Two-sided p-value of the paired Wilcoxon signed-rank test over two values a question, in [0, 1].

    Questions without a difference are left out; 1 where no question differs. NSFL tests per-query average precision
    against its baseline in this way.

    Raises:
        MissingPackageError: SciPy is not installed.
    """
    # Differences of rounding alone are ties.
    differences = np.round(np.subtract(values, baseline, dtype=np.float64), 12)
    differences = differences[differences != 0.0]
    stats = require("scipy.stats", "A Wilcoxon test")
    return float(stats.wilcoxon(differences, method="auto").pvalue) if len(differences) else 1.0


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's correction: p-values adjusted for the number of comparisons, in [0, 1].

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
