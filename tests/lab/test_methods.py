"""The papers' methods of the evaluation: their arithmetic on small vectors, and what each of them ranks."""

from __future__ import annotations

import numpy as np
import pytest

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.evaluation import (
    METHODS,
    Dataset,
    Document,
    Question,
    QuestionWithQuery,
    evaluate,
    get_method,
)
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.methods import DEFAULT_METHODS, LAB_METHODS, lab_method
from logical_retriever.lab.methods.rewriting import MethodOptions, read_texts
from logical_retriever.lab.methods.scoring import BySemantics, Routed, SphericalOptimum, Subtraction, TwoStage
from logical_retriever.lab.nsfl import NsflSemantics
from logical_retriever.query import parse
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel

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
    vector = np.array(A) - 0.5 * (np.array(B) + np.array(Q)) / 2
    expected = np.array(list(DOCUMENTS.values())) @ vector / np.linalg.norm(vector)
    assert scores(Subtraction(0.5), bench, '"A" AND NOT "B" AND NOT "A not B"') == pytest.approx(expected)


def test_deo_moves_towards_the_positive_and_away_from_the_negative(bench):
    dense, moved = scores("dense", bench), scores("deo", bench)
    assert moved[0] > dense[0]
    assert moved[2] < dense[2]
    assert scores("deo", bench, '"A" AND "B"') == pytest.approx(dense)


def test_deo_ends_where_its_loss_is_least():
    documents = (Document("p", "p"), Document("n", "n"))
    bench = Workbench(Dataset("two", documents, (), np.eye(2, dtype=np.float32)), Plane())
    one = QuestionWithQuery(Question("q", "between"), parse('"p" AND NOT "n"'))
    found = get_method("deo").score(one, bench.view(one.question))
    # In the plane the vector is an angle; p lies at 0, n at 90 and the question at 45 degrees.
    angles = np.linspace(0, np.pi / 2, 9001)
    wanted, unwanted = np.exp(np.cos(angles) / 0.5), np.exp(np.sin(angles) / 0.5)
    away = (np.cos(angles) - np.sqrt(0.5)) ** 2 + (np.sin(angles) - np.sqrt(0.5)) ** 2
    best = angles[np.argmin(-np.log(wanted / (wanted + unwanted)) + 0.25 * away)]
    assert found == pytest.approx([np.cos(best), np.sin(best)], abs=0.01)


class Plane:
    """An encoder that knows three texts of a plane."""

    def embed_queries(self, texts):
        known = {"p": (1.0, 0.0), "n": (0.0, 1.0), "between": (1.0, 1.0)}
        return np.array([known[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


def test_a_routed_method_answers_exclusions_alone(bench):
    routed = Routed(get_method("itlr"), "routed")
    assert scores(routed, bench) == pytest.approx(scores("itlr", bench))
    assert scores(routed, bench, '"A" AND "B"') == pytest.approx(scores("dense", bench))


def test_two_stages_rank_the_pool_alone(bench):
    found = scores(TwoStage(get_method("itlr"), pool=2), bench)
    assert found[[0, 2]] == pytest.approx([0.4, 0.0], abs=1e-6)
    assert np.isneginf(found[[1, 3]]).all()
    assert scores(TwoStage(get_method("itlr"), pool=50), bench) == pytest.approx(scores("itlr", bench))


def test_nsfl_normalises_over_its_pool(bench):
    # S(A) = 1, S(A and B) = 0, S(B) = 0.6 for document a; the best S(B) of all is 1 (ab), of the pool of one 0.6.
    whole = scores("nsfl", bench)
    assert whole[0] == pytest.approx(1.0)  # departure: the fusion is below both
    assert whole[2] == pytest.approx(0.6 - 1.0 * (0.8 - 0.6))
    assert np.isneginf(scores(TwoStage(get_method("nsfl"), pool=1), bench)[[0, 1, 3]]).all()


@pytest.mark.parametrize("semantics", ["calibrated", "product", NsflSemantics()])
def test_the_optimum_alone_is_one_vector(words, semantics):
    found = of_words(SphericalOptimum(semantics), words)
    assert TEXTS[int(np.argmax(found))].startswith("tea")
    assert (np.abs(found) <= 1.0 + 1e-6).all()
    dense = of_words("dense", words, '"tea"', "tea")
    assert of_words(SphericalOptimum(semantics), words, '"tea"', "tea") == pytest.approx(dense, abs=1e-5)


def test_the_optimums_candidates_are_scored_like_all_documents(words):
    whole = of_words("calibrated", words)
    found = of_words(TwoStage(get_method("calibrated"), 4, first=SphericalOptimum()), words)
    nearest = np.argsort(-of_words(SphericalOptimum(), words), kind="stable")[:4]
    assert set(np.flatnonzero(np.isfinite(found))) == set(nearest)
    assert found[nearest] == pytest.approx(whole[nearest])
    assert of_words("sqo", words) == pytest.approx(whole)  # 100 candidates of 12 documents


def test_bright_searches_with_the_reasoning(words):
    model = ScriptedChatModel(["It is about coffee and sleep."])
    method = lab_method("bright", MethodOptions(model))
    found = of_words(method, words, '"drink"', "which drink?")
    assert method.llm_calls == 1
    assert "which drink?" in model.conversations[0][0]["content"]
    assert "(2) Think step by step" in model.conversations[0][0]["content"]
    assert TEXTS[int(np.argmax(found))] == "coffee and sleep"


def test_hyde_averages_question_and_passage(words):
    method = lab_method("hyde", MethodOptions(texts={"hyde": {"q": "coffee and cups"}}))
    found = of_words(method, words, '"tea"', "milk and sleep")
    question, passage = words.vectors(["milk and sleep", "coffee and cups"])
    mean = (question + passage) / 2
    assert found == pytest.approx(words.document_vectors @ (mean / np.linalg.norm(mean)), abs=1e-6)


@pytest.mark.parametrize("name", ["bright", "hyde"])
def test_a_text_that_is_missing_is_said(words, name):
    with pytest.raises(InvalidArgumentError, match="needs texts written by a language model") as caught:
        get_method(name)
    assert f"--texts {name}=FILE" in caught.value.hint
    for options, problem in (
        (MethodOptions(texts={name: {}}), "No text is recorded"),
        (MethodOptions(ScriptedChatModel(["", ""])), "answered nothing"),
        (MethodOptions(ScriptedChatModel([RuntimeError("down")])), "raised RuntimeError"),
    ):
        with pytest.raises(Exception, match=problem):
            of_words(lab_method(name, options), words)


def test_recorded_texts_may_have_several_lines(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("query-id\ttext\nq1\tone\\ntwo \\\\ three\n", encoding="utf-8")
    assert read_texts(path) == {"q1": "one\ntwo \\ three"}
    path.write_text("q1 one\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="expected 2 cells"):
        read_texts(path)


def test_every_method_says_its_name_and_is_known():
    assert set(LAB_METHODS) <= set(METHODS)
    assert {"nsir", "bright", "logistic"}.isdisjoint(DEFAULT_METHODS)
    for name in sorted(set(LAB_METHODS) - {"bright", "hyde", "logistic"}):
        assert get_method(name).name == name
    assert BySemantics("godel").name == "godel"


def test_questions_without_a_text_are_failures_that_count(words):
    questions = tuple(Question(id, "milk?", relevance={"d9": 1}) for id in ("q1", "q2"))
    for options, calls in (
        (MethodOptions(texts={"bright": {"q1": "milk"}}), 0),
        (MethodOptions(ScriptedChatModel(["milk", RuntimeError("busy")])), 2),
    ):
        dataset = Dataset("words", words.dataset.documents, questions)
        outcome = evaluate(dataset, [lab_method("bright", options)], embedder=HashingEmbedder())
        assert [failure.question for failure in outcome.failures] == ["q2"]
        assert outcome.methods["bright"].llm_calls == calls
        assert outcome.methods["bright"].values["nDCG@10"]["q2"] == 0.0
