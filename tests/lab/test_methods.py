"""The papers' methods of the evaluation: their arithmetic on small vectors, and what each of them ranks."""

from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.evaluation import (
    METHODS,
    Dataset,
    Document,
    Question,
    QuestionWithQuery,
    get_method,
)
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.methods import DEFAULT_METHODS, LAB_METHODS
from logical_retriever.lab.methods.scoring import BySemantics, Routed, SphericalOptimum, TwoStage
from logical_retriever.lab.nsfl import NsflSemantics
from logical_retriever.query import parse
from logical_retriever.testing import HashingEmbedder

A, B, Q = (1.0, 0.0, 0.0), (0.6, 0.8, 0.0), (0.8, 0.6, 0.0)
DOCUMENTS = {"a": (1.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0), "ab": (0.6, 0.8, 0.0), "c": (0.0, 0.0, 1.0)}
TEXTS = [
    f"{thing} and {word}" for thing in ("tea", "coffee", "milk") for word in ("health", "brewing", "sleep", "cups")
]
FORM = '"tea" AND NOT "brewing"'


class Table:
    """An encoder that knows a few texts."""

    def embed_queries(self, texts):
        known = {"A": A, "B": B, "A not B": Q, "A and B": (0.0, 1.0, 0.0)}
        return np.array([known[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


@pytest.fixture
def bench():
    documents = tuple(Document(name, f"text {name}") for name in DOCUMENTS)
    return Workbench(Dataset("table", documents, (), np.array(list(DOCUMENTS.values()), dtype=np.float32)), Table())


@pytest.fixture
def words():
    documents = tuple(Document(f"d{i}", text) for i, text in enumerate(TEXTS))
    return Workbench(Dataset("words", documents, ()), HashingEmbedder())


def scores(method, bench, form='"A" AND NOT "B"', text="A not B"):
    method = get_method(method)
    one = QuestionWithQuery(Question("q", text), parse(form))
    method.prepare([one], bench)
    return method.score(one, bench.view(one.question))


def of_words(method, words, form=FORM, text="tea, but not its brewing"):
    return scores(method, words, form, text)


def test_itlr_is_the_product_of_one_and_one_minus_the_other(bench):
    assert scores("itlr", bench) == pytest.approx([1.0 * 0.4, 0.0, 0.6 * 0.0, 0.0], abs=1e-6)


def test_projection_removes_the_component_along_the_unwanted(bench):
    # A - (A.B) B = (1 - 0.36, -0.48, 0), of length 0.8.
    assert scores("geometric", bench) == pytest.approx([0.8, -0.6, 0.0, 0.0], abs=1e-6)
    assert scores("geometric", bench, '"A" AND NOT "A"') == pytest.approx([0.0, 0.0, 0.0, 0.0])


def test_addition_subtracts_the_mean_of_the_unwanted(bench):
    vector = np.array(A) - 0.3 * (np.array(B) + np.array(Q)) / 2
    expected = np.array(list(DOCUMENTS.values())) @ vector / np.linalg.norm(vector)
    assert scores("geometric-addition", bench, '"A" AND NOT "B" AND NOT "A not B"') == pytest.approx(expected)


def test_a_routed_method_answers_exclusions_alone(bench):
    routed = Routed(get_method("itlr"), "routed")
    assert scores(routed, bench) == pytest.approx(scores("itlr", bench))
    assert scores(routed, bench, '"A" AND "B"') == pytest.approx(scores("dense", bench))


def test_two_stages_rank_the_pool_alone(bench):
    found = scores(TwoStage(get_method("itlr"), pool=2), bench)
    assert found[[0, 2]] == pytest.approx([0.4, 0.0], abs=1e-6)
    assert np.isneginf(found[[1, 3]]).all()
    assert scores(TwoStage(get_method("itlr"), pool=50), bench) == pytest.approx(scores("itlr", bench))


@pytest.mark.parametrize("semantics", ["calibrated", "product", NsflSemantics()])
def test_the_optimum_alone_is_one_vector(words, semantics):
    found = of_words(SphericalOptimum(semantics), words)
    assert TEXTS[int(np.argmax(found))].startswith("tea")
    assert (np.abs(found) <= 1.0 + 1e-6).all()
    dense = of_words("dense", words, '"tea"', "tea")
    assert of_words(SphericalOptimum(semantics), words, '"tea"', "tea") == pytest.approx(dense, abs=1e-5)


def test_every_method_says_its_name_and_is_known():
    assert set(LAB_METHODS) <= set(METHODS)
    assert "nsir" not in DEFAULT_METHODS
    for name in LAB_METHODS:
        assert get_method(name).name == name
    assert BySemantics("godel").name == "godel"
