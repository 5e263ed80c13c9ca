"""The methods of the retriever's modes: what each of them ranks, and by what."""

from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation import Dataset, Document, Question, QuestionWithQuery, get_method
from logical_retriever.evaluation.methods import PackageRetriever
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.methods.optimised import SphericalOptimum
from logical_retriever.lab.methods.reranked import Reranked
from logical_retriever.lab.methods.semantic import BySemantics
from logical_retriever.lab.methods.two_stage import TwoStage
from logical_retriever.query import parse
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.testing import HashingEmbedder

THINGS = ("tea", "coffee", "juice", "milk", "water", "cocoa")
ABOUT = ("health", "brewing", "sleep", "sugar", "history", "cups", "trade", "children", "climate", "prices")
TEXTS = [f"{thing} and {word}" for thing in THINGS for word in ABOUT]
FORM = '"tea" AND NOT "brewing"'


@pytest.fixture
def bench():
    documents = tuple(Document(f"d{i}", text) for i, text in enumerate(TEXTS))
    return Workbench(Dataset("words", documents, ()), HashingEmbedder())


def scores(method, bench, form=FORM, text="tea, but not its brewing"):
    one = QuestionWithQuery(Question("q", text), parse(form))
    method.prepare([one], bench, lambda done, total: None)
    return method.score(one, bench.view(one.question))


def test_candidates_of_the_optimum_are_scored_like_all_documents(bench):
    whole, found = (
        scores(get_method("calibrated"), bench),
        scores(PackageRetriever("calibrated", depth=7, mode="sqo", fetch_k=7), bench),
    )
    kept = np.isfinite(found)
    assert kept.sum() == 7
    assert found[kept] == pytest.approx(whole[kept])
    assert TEXTS[int(np.argmax(found))].startswith("tea")
    assert np.isfinite(scores(get_method("sqo"), bench)).all()  # 100 candidates of 60 documents


@pytest.mark.parametrize("semantics", ["calibrated", "product", NsflSemantics()])
def test_the_optimum_alone_is_one_vector(bench, semantics):
    found = scores(SphericalOptimum(semantics), bench)
    assert TEXTS[int(np.argmax(found))].startswith("tea")
    if semantics == "calibrated":  # the others have nothing against a vector that is at right angles to brewing
        assert found[TEXTS.index("tea and brewing")] < found[TEXTS.index("tea and health")]
    assert (np.abs(found) <= 1.0 + 1e-6).all()
    dense = scores(get_method("dense"), bench, '"tea"', "tea")
    assert scores(SphericalOptimum(semantics), bench, '"tea"', "tea") == pytest.approx(dense, abs=1e-5)


def test_a_calibrated_optimum_needs_the_corpus_first(bench):
    one = QuestionWithQuery(Question("q", "tea without brewing"), parse(FORM))
    for method in (SphericalOptimum(), Reranked("calibrated", "reranked")):
        with pytest.raises(SemanticsError, match="Call prepare before score"):
            method.score(one, bench.view(one.question))


def test_the_first_stage_can_be_another_method(bench):
    optimum, nsfl = SphericalOptimum(NsflSemantics(), "optimum"), BySemantics(NsflSemantics())
    found = scores(TwoStage(nsfl, pool=8, first=optimum), bench)
    nearest = np.argsort(-scores(optimum, bench), kind="stable")[:8]
    assert set(np.flatnonzero(np.isfinite(found))) == set(nearest)


def test_a_reranked_pool_has_the_scores_of_the_whole_corpus(bench):
    method = Reranked("calibrated", "reranked", pool=9)
    found = scores(method, bench)
    pool = np.argsort(-scores(get_method("dense"), bench), kind="stable")[:9]
    assert set(np.flatnonzero(np.isfinite(found))) == set(pool)
    assert found[pool] == pytest.approx(scores(get_method("calibrated"), bench)[pool])


def test_a_reranked_small_corpus_is_its_own_pool(bench):
    question = Question("q", "tea without brewing", candidates=("d1", "d0", "d33"))
    one = QuestionWithQuery(question, parse(FORM))
    method = Reranked("calibrated", "reranked")
    method.prepare([one], bench, lambda done, total: None)
    found = method.score(one, bench.view(question))
    assert np.isfinite(found).all()
    assert found[1] == found.max()
