"""NS-IR with the real encoder: the vectors of its tokens, and the method of the evaluation."""

import numpy as np
import pytest

from lab.nsir import NeuroSymbolic, SentenceFormulas, SentenceTransformerTokens, Translation, from_query
from lab.nsir.fol import parse as parse_formula, spell
from lab.nsir.signature import signature, similarity
from logical_retriever import SentenceTransformerEmbedder, parse
from logical_retriever.evaluation import Dataset, JudgedQuery, JudgedQuestion, Workbench, evaluate
from logical_retriever.reading import ReadQuestion
from logical_retriever.stores import StoredDocument
from logical_retriever.testing import ScriptedChatModel

TEXTS = {
    "bone": "Vitamin D is good for bone health.",
    "mood": "Vitamin D lifts the mood.",
    "immune": "Vitamin D does not harm immunity.",
    "coffee": "Coffee keeps people awake.",
    "long": "word " * 1000,
    "empty": "...",
}
ASKED = "vitamin D benefits other than bone health"
FORM = '"vitamin D benefits" AND NOT "bone health"'
CONCLUSION = "Conclusion:\nBenefit(x) ∧ ¬Bone(x)"


@pytest.fixture(scope="module")
def dataset():
    documents = tuple(StoredDocument(name, text) for name, text in TEXTS.items())
    questions = (
        JudgedQuestion("q1", ASKED, form=FORM, relevance={"mood": 1}, violations=frozenset({"bone"})),
        JudgedQuestion("q2", "coffee", form='"coffee"', relevance={"coffee": 1}, candidates=("coffee", "mood")),
    )
    return Dataset("small", documents, questions)


@pytest.fixture(scope="module")
def embedder():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module")
def encoder(embedder):
    return SentenceTransformerTokens(embedder.sentence_transformer)


@pytest.fixture(scope="module")
def bench(dataset, embedder):
    return Workbench(dataset, embedder)


def test_tokens_stand_where_they_stand_in_the_text(encoder):
    spelling = spell([parse_formula("Actor(x) ∧ ¬American(x)")])
    (found,) = encoder.encode_tokens([spelling.text])
    pieces = [spelling.text[start:end] for start, end in found.offsets]
    assert pieces == ["Actor", "(", "x", ")", "∧", "¬", "American", "(", "x", ")", "."]
    assert found.tokens.shape == (11, 384)
    assert found.tokens.dtype == np.float32


def test_the_sentence_vector_is_the_models_own(encoder, embedder):
    (found,) = encoder.encode_tokens(["green tea"])
    own = embedder.embed_documents(["green tea"])[0]
    assert found.sentence / np.linalg.norm(found.sentence) == pytest.approx(own, abs=1e-5)


def test_a_text_over_the_models_length_is_read_up_to_there(encoder):
    words = "tea " * 254
    cut, whole = encoder.encode_tokens([words + "coffee and more", words])
    # 256 tokens with [CLS] and [SEP].
    assert len(cut.tokens) == len(whole.tokens) == 254
    assert cut.tokens == pytest.approx(whole.tokens, abs=1e-4)


def run(method, bench, candidates=None):
    question = JudgedQuestion("q", ASKED, candidates=candidates)
    one = JudgedQuery(question, ReadQuestion(ASKED, parse(FORM), "recorded"))
    method.prepare([one], bench)
    return method.score(one, bench.view(question))


def test_a_score_is_what_its_steps_give(bench, encoder):
    def made(translation):
        text, logic = encoder.encode_tokens([translation.text, translation.spelling.text])
        return signature(text, logic, translation.spelling.signs)

    own = made(Translation(ASKED, (from_query(parse(FORM)),)))
    texts = list(TEXTS.values())
    others = list(map(made, SentenceFormulas().passages(texts)))
    alignment = [similarity(own.alignment, other.alignment)[0, 0] for other in others]
    constraint = [similarity(own.constraint, other.constraint)[0, 0] for other in others]
    assert run(NeuroSymbolic("alignment"), bench) == pytest.approx(alignment, abs=1e-5)
    assert run(NeuroSymbolic("constraint"), bench) == pytest.approx(constraint, abs=1e-5)
    both = run(NeuroSymbolic(), bench)
    assert both == pytest.approx(np.add(alignment, constraint), abs=1e-5)
    assert both[list(TEXTS).index("mood")] > both[list(TEXTS).index("coffee")]


def test_a_language_model_writes_the_logic(bench):
    llm = ScriptedChatModel(["Premises:\nGoodFor(VitaminD, Bone)", "Premises:\nLifts(VitaminD, Mood)", CONCLUSION])
    method = NeuroSymbolic(llm=llm)
    method.formulas._max_concurrency = 1
    found = run(method, bench, ("bone", "mood"))
    assert method.llm_calls == 3
    assert (found > 0).all()
    assert not np.allclose(found, run(NeuroSymbolic(), bench, ("bone", "mood")))


@pytest.mark.parametrize(
    ("answers", "known"), [([CONCLUSION], ("mood",)), ([RuntimeError("down")] * 2, ("mood", "coffee"))]
)
def test_passages_or_a_question_without_formulas_keep_their_cosines(bench, answers, known):
    method = NeuroSymbolic(llm=ScriptedChatModel([RuntimeError("down"), *answers]))
    view = bench.view(JudgedQuestion("q", ASKED, candidates=known))
    assert run(method, bench, known) == pytest.approx(view.cosines([ASKED])[0] + 1.0)


def test_a_table_of_the_ablations(dataset, embedder):
    methods = ("dense", *map(NeuroSymbolic, ("both", "alignment", "constraint")))
    outcome = evaluate(dataset, methods, embedder=embedder, cutoffs=(1, 10))
    assert not outcome.failures
    assert list(outcome.methods) == ["dense", "nsir", "nsir-alignment", "nsir-constraint"]
    for result in outcome.methods.values():
        assert len(result.rankings["q1"].ids) == 6
        assert set(result.rankings["q2"].ids) == {"coffee", "mood"}
