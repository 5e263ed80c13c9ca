"""The result of an evaluation: values per question, their means, and tests of the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from logical_retriever.evaluation.loading import Dataset
from logical_retriever.evaluation.measures import Measure, Ranking
from logical_retriever.evaluation.methods import JudgedQuery
from logical_retriever.evaluation.workbench import require

SHOWN_DOCUMENTS = 3
"""Best documents of each question in the JSON form."""
EXAMPLES = 5
"""Cases of a problem with the files in the JSON form."""
SNIPPET = 200
"""Characters of a document in the JSON form."""


@dataclass(frozen=True)
class Failure:
    """A question that could not be handled as asked; it stays in the averages.

    Attributes:
        question: Id of the question.
        stage: "transform", where the plain question was used instead, or the name of the method that failed, whose
            ranking is empty.
        problem: The error's message.
    """

    question: str
    stage: str
    problem: str


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
        dataset: The benchmark.
        prepared: The questions with their logical queries.
        methods: Results by method name, in the order asked for.
        measures: Names of the measures that were computed.
        columns: The measures to show, by name.
        failures: Questions that could not be handled as asked.
        baseline: Method that the others are tested against, or None.
        transformer: Origin of the logical queries: "recorded", "auto" or "llm".
        transformer_calls: Answers of a language model during read_question.
        encoded: Texts encoded in all.
        seconds_encoding: Time of encoding.
        primary: Measures that get a test.
    """

    dataset: Dataset
    prepared: Sequence[JudgedQuery]
    methods: Mapping[str, MethodResult]
    measures: tuple[str, ...]
    columns: Mapping[str, Measure]
    failures: tuple[Failure, ...]
    baseline: str | None
    transformer: str
    transformer_calls: int
    encoded: int
    seconds_encoding: float
    primary: tuple[str, ...]

    def test(self, measure: str) -> dict[str, float]:
        """Return Holm-corrected p-values of every method against the baseline, by method name.

        A method is tested on the questions for which it has a value.
        """
        if self.baseline is None:
            return {}
        base = self.methods[self.baseline].values[measure]
        own = {name: result.values[measure] for name, result in self.methods.items() if name != self.baseline}
        pairs = {name: [(values[id], base[id]) for id in base if id in values] for name, values in own.items()}
        return holm({name: wilcoxon(*zip(*both, strict=True)) for name, both in pairs.items() if both})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, with every question's values of all measures, best documents and logical form."""
        tests = {measure: self.test(measure) for measure in self.primary}
        types = {prepared.question.id: prepared.question.type for prepared in self.prepared}
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
            "methods": {name: self._method(name, result, tests) for name, result in self.methods.items()},
            "failures": [{**asdict(failure), "type": types[failure.question]} for failure in self.failures],
            "problems": [
                {"what": what, "count": len(cases), "examples": cases[:EXAMPLES]}
                for what, cases in self.dataset.problems.items()
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
            "failed": sum(failure.stage == name for failure in self.failures),
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
        texts = {document.id: " ".join(document.text.split()) for document in self.dataset.documents}
        cut = {id: f"{texts[id][: SNIPPET - 1]}…" if len(texts[id]) > SNIPPET else texts[id] for id in best}
        return {"queries": queries, "documents": cut}


def wilcoxon(values: Sequence[float], baseline: Sequence[float]) -> float:
    """Compute the two-sided p-value of the paired Wilcoxon signed-rank test over two values a question, in [0, 1].

    Questions without a difference are left out; the value is 1 where no question differs. Source: the test of NSFL.

    Raises:
        MissingPackageError: SciPy is not installed.
    """
    # Differences of rounding alone are ties.
    differences = np.round(np.subtract(values, baseline, dtype=np.float64), 12)
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
