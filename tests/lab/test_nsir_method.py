"""NS-IR as a method of the evaluation, with the real encoder."""

import numpy as np
import pytest

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation import (
    DEFAULT_METHODS,
    Dataset,
    Document,
    Question,
    QuestionWithQuery,
    evaluate,
    get_method,
)
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.methods.nsir import NeuroSymbolic
from logical_retriever.lab.nsir import NSIR, SentenceTransformerTokens, Translation, from_query
from logical_retriever.query import parse
from logical_retriever.transform import RecordedQueryTransformer

TEXTS = {
    "bone": "Vitamin D is good for bone health.",
    "mood": "Vitamin D lifts the mood.",
    "immune": "Vitamin D does not harm immunity.",
    "coffee": "Coffee keeps people awake.",
    "empty": "...",
}
QUESTION = "vitamin D benefits other than bone health"
FORM = '"vitamin D benefits" AND NOT "bone health"'
NAMES = ("nsir", "nsir-alignment", "nsir-constraint")


@pytest.fixture(scope="module")
def embedder():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module")
def dataset():
    documents = tuple(Document(name, text) for name, text in TEXTS.items())
    questions = (
        Question("q1", QUESTION, relevance={"mood": 1}, violations=frozenset({"bone"})),
        Question("q2", "coffee", relevance={"coffee": 1}, candidates=("coffee", "mood")),
    )
    return Dataset("small", documents, questions)


@pytest.fixture(scope="module")
def bench(dataset, embedder):
    return Workbench(dataset, embedder)


def run(method, bench, question, form=FORM):
    one = QuestionWithQuery(question, parse(form))
    method.prepare([one], bench, lambda done, total: None)
    return method.score(one, bench.view(one.question))


@pytest.mark.parametrize("name", NAMES)
def test_a_score_is_nsirs_over_the_recorded_form_and_sentence_rules(name, bench, dataset, embedder):
    parts = name.partition("-")[2] or "both"
    nsir = NSIR(encoder=SentenceTransformerTokens(embedder.sentence_transformer), parts=parts)
    made = Translation(QUESTION, (from_query(parse(FORM)),), "query")
    expected = {p.index: p.score for p in nsir.rank(made, list(TEXTS.values())).passages}
    found = run(get_method(name), bench, dataset.questions[0])
    assert found == pytest.approx([expected[index] for index in range(len(TEXTS))], abs=1e-5)


def test_what_is_not_in_the_pool_is_not_retrieved(bench, dataset):
    scores = run(NeuroSymbolic(pool=2), bench, dataset.questions[0])
    dense = run(get_method("dense"), bench, dataset.questions[0])
    assert set(np.flatnonzero(scores > -np.inf)) == set(np.argsort(-dense)[:2])


def test_a_question_with_a_small_corpus_of_its_own(bench, dataset):
    scores = run(NeuroSymbolic(), bench, dataset.questions[1], '"coffee"')
    assert scores.shape == (2,)
    assert scores[0] > scores[1]


def test_passages_are_encoded_once_for_all_three(bench, dataset, monkeypatch):
    run(get_method("nsir"), bench, dataset.questions[0])
    asked = []
    encode = SentenceTransformerTokens.encode_tokens

    def counting(self, texts):
        asked.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(SentenceTransformerTokens, "encode_tokens", counting)
    for name in NAMES:
        run(get_method(name), bench, dataset.questions[0])
    assert not set(asked) & set(TEXTS.values())
    assert asked.count(QUESTION) == 3


def test_a_table_of_the_ablations(dataset, embedder):
    recorded = RecordedQueryTransformer({QUESTION: FORM, "coffee": '"coffee"'})
    outcome = evaluate(dataset, ("dense", *NAMES), embedder=embedder, transformer=recorded, cutoffs=(1, 10))
    assert set(outcome.methods) == {"dense", *NAMES}
    assert not outcome.failures
    for result in outcome.methods.values():
        assert len(result.rankings["q1"].ids) == 5
        assert len(result.rankings["q2"].ids) == 2


def test_they_run_where_they_are_named():
    assert not set(NAMES) & set(DEFAULT_METHODS)


def test_scoring_before_preparing_says_so(bench, dataset):
    with pytest.raises(SemanticsError, match="no passages yet"):
        NeuroSymbolic().score(QuestionWithQuery(dataset.questions[0], parse(FORM)), bench.view(dataset.questions[0]))
