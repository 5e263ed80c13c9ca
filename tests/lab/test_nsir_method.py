"""NS-IR as a method of the evaluation, with the real encoder."""

import pytest

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import Dataset, Document, Question, QuestionWithQuery, evaluate, get_method
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.nsir import NSIR, SentenceTransformerTokens, Translation, from_query
from logical_retriever.query import parse

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
        Question("q1", QUESTION, form=FORM, relevance={"mood": 1}, violations=frozenset({"bone"})),
        Question("q2", "coffee", form='"coffee"', relevance={"coffee": 1}, candidates=("coffee", "mood")),
    )
    return Dataset("small", documents, questions)


@pytest.fixture(scope="module")
def bench(dataset, embedder):
    return Workbench(dataset, embedder)


def run(method, bench, question):
    one = QuestionWithQuery(question, parse(question.form))
    method.prepare([one], bench)
    return method.score(one, bench.view(one.question))


@pytest.mark.parametrize("name", NAMES)
def test_a_score_is_nsirs_over_the_recorded_form_and_sentence_rules(name, bench, dataset, embedder):
    parts = name.partition("-")[2] or "both"
    nsir = NSIR(encoder=SentenceTransformerTokens(embedder.sentence_transformer), parts=parts)
    asked = Translation(QUESTION, (from_query(parse(FORM)),))
    expected = {p.index: p.score for p in nsir.rank(asked, list(TEXTS.values())).passages}
    found = run(get_method(name), bench, dataset.questions[0])
    assert found == pytest.approx([expected[index] for index in range(len(TEXTS))], abs=1e-5)


def test_a_table_of_the_ablations(dataset, embedder):
    outcome = evaluate(dataset, ("dense", *NAMES), embedder=embedder, cutoffs=(1, 10))
    assert not outcome.failures
    for result in outcome.methods.values():
        assert len(result.rankings["q1"].ids) == 5
        assert result.rankings["q2"].ids == ("coffee", "mood")
