"""The result of an evaluation: values per question, averaged on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from logical_retriever.evaluation.dataset import Dataset, Problem
from logical_retriever.evaluation.measures import Measure, Values
from logical_retriever.evaluation.methods.base import QuestionWithQuery
from logical_retriever.evaluation.ranking import Ranking
from logical_retriever.evaluation.statistics import confidence_interval, holm, wilcoxon
from logical_retriever.evaluation.transformation import Failure

SHOWN_DOCUMENTS = 3
"""Best documents of each question that the JSON form keeps, so that a report shows why a method won."""
IN_SIGHT = 10
"""Best documents of each question that somebody would look at."""
SNIPPET = 200
"""Characters of a document that the JSON form keeps."""


@dataclass(frozen=True)
class Cost:
    """The cost of a method per question.

    Attributes:
        milliseconds: Mean time to score and rank, vectors at hand.
        vectors: Mean number of texts that must be encoded.
        llm_calls: Calls to a language model in all, those of the transformer aside.
    """

    milliseconds: float
    vectors: float
    llm_calls: int

    def to_dict(self) -> dict[str, float]:
        """The JSON form."""
        return {
            "milliseconds_per_query": round(self.milliseconds, 4),
            "vectors_per_query": round(self.vectors, 3),
            "llm_calls": self.llm_calls,
        }


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
    cost: Cost

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
        columns: Those that are shown, by name; the first is shown by groups too.
        failures: Questions that could not be handled as asked.
        baseline: Method that the others are tested against, or None.
        transformer: How the logical queries were made: "recorded", "auto", "cue" or "llm".
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

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Whatever did not fit together in the benchmark's files."""
        return self.dataset.problems

    def groups(self, key: Callable[[QuestionWithQuery], str | None]) -> dict[str, list[QuestionWithQuery]]:
        """Questions by a key, sorted by it; questions whose key is None are in no group."""
        groups: dict[str, list[QuestionWithQuery]] = {}
        for one in self.prepared:
            name = key(one)
            if name is not None:
                groups.setdefault(name, []).append(one)
        return dict(sorted(groups.items()))

    def test(self, measure: str) -> dict[str, float]:
        """Holm-corrected p-values of every method against the baseline, by method name.

        Questions at which a method failed in such a way that the measure is not defined are left out of its test.
        """
        if self.baseline is None or self.baseline not in self.methods:
            return {}
        base = self.methods[self.baseline].values[measure]
        pairs = {
            name: [(own[question], base[question]) for question in base if question in own]
            for name, own in ((name, result.values[measure]) for name, result in self.methods.items())
            if name != self.baseline
        }
        return holm({name: wilcoxon(*zip(*both, strict=True)) for name, both in pairs.items() if both})

    def moved(self, name: str) -> dict[str, Any]:
        """Judged documents that a method brings among the best of a question, and those that it loses from there.

        Against the baseline, over all questions that both answered: ``{"k": ..., "wanted": {"lost": ..., "gained":
        ...}, "unwanted": {...}}``, with k at most :data:`IN_SIGHT`. Empty for the baseline and without one.
        """
        if self.baseline is None or name == self.baseline:
            return {}
        base, own = self.methods[self.baseline].rankings, self.methods[name].rankings
        k = min(IN_SIGHT, max((len(ranking.ids) for ranking in base.values()), default=0))
        counts = {"wanted": {"lost": 0, "gained": 0}, "unwanted": {"lost": 0, "gained": 0}}
        for question in (one.question for one in self.prepared):
            if question.id not in base or question.id not in own:
                continue
            before, now = set(base[question.id].ids[:k]), set(own[question.id].ids[:k])
            for kind, judged in (("wanted", question.relevant), ("unwanted", question.violations)):
                counts[kind]["lost"] += len(judged & before - now)
                counts[kind]["gained"] += len(judged & now - before)
        return {"k": k, **counts}

    def to_dict(self, *, details: bool = True) -> dict[str, Any]:
        """The JSON form.

        Args:
            details: Whether to keep every question's values of all measures, best documents and logical form.
        """
        tests = {measure: self.test(measure) for measure in self.primary}
        types = {one.question.id: one.question.type for one in self.prepared}
        data: dict[str, Any] = {
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
            "problems": [problem.to_dict() for problem in self.problems],
        }
        if details:
            data["details"] = self._details()
        return data

    def _method(self, result: MethodResult, tests: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
        grouped = {
            "by_type": self.groups(lambda one: one.question.type),
            "by_coarse_type": self.groups(coarse_type),
            "by_negations": self.groups(lambda one: str(one.negations)),
        }
        data: dict[str, Any] = self._means(result, self.prepared)
        for name, groups in grouped.items():
            data[name] = {key: {"queries": len(own), **self._means(result, own)} for key, own in groups.items()}
        data["interval"] = {
            measure: [round(bound, 6) for bound in confidence_interval(values)]
            for measure in self.primary
            if (values := result.of(measure, self.prepared))
        }
        data["p"] = {measure: own[result.name] for measure, own in tests.items() if result.name in own}
        data["moved"] = self.moved(result.name)
        data["cost"] = result.cost.to_dict()
        data["failed"] = sum(failure.stage == result.name for failure in self.failures)
        return data

    def _means(self, result: MethodResult, questions: Sequence[QuestionWithQuery]) -> dict[str, Any]:
        means = {measure: result.mean(measure, questions) for measure in self.measures}
        return {measure: round(value, 6) for measure, value in means.items() if value is not None}

    def _details(self) -> dict[str, Any]:
        text = {document.id: document.text for document in self.dataset.documents}
        shown: dict[str, str] = {}
        queries = []
        for one in self.prepared:
            question, methods = one.question, {}
            for name, result in self.methods.items():
                top = result.rankings.get(question.id, Ranking()).ids[:SHOWN_DOCUMENTS]
                values = {measure: result.values[measure].get(question.id) for measure in self.measures}
                methods[name] = {key: round(own, 6) for key, own in values.items() if own is not None} | {"top": [*top]}
                shown.update((document, text[document]) for document in top)
            row = {
                "id": question.id,
                "text": question.text,
                "type": question.type,
                "logical_query": str(one.query),
                "negations": one.negations,
                "relevant": sorted(question.relevant),
                "violations": sorted(question.violations),
                "methods": methods,
            }
            queries.append(row)
        return {"queries": queries, "documents": {identity: snippet(body) for identity, body in shown.items()}}


def coarse_type(one: QuestionWithQuery) -> str | None:
    """The query type without a variant's number: "2in_1" is "2in"."""
    return None if one.question.type is None else re.sub(r"_\d+$", "", one.question.type)


def snippet(text: str) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else f"{line[: SNIPPET - 1]}…"
