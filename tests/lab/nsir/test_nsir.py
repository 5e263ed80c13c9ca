"""The whole second stage over the real encoder."""

from collections import Counter

import numpy as np
import pytest

from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.lab.nsir import NSIR, LLMFormulas, RerankWarning, SentenceFormulas
from logical_retriever.lab.nsir.signature import signature, similarity
from logical_retriever.testing import ScriptedChatModel

QUESTION = "vitamin D benefits other than bone health"
PASSAGES = [
    "Vitamin D is good for bone health.",
    "Vitamin D lifts the mood.",
    "Vitamin D does not harm immunity.",
    "Coffee keeps people awake.",
    "tea",
]


def scores(result):
    return {passage.index: passage.score for passage in result.passages}


@pytest.fixture(scope="module")
def nsir(encoder):
    return NSIR(encoder=encoder)


def test_a_score_is_what_its_steps_give(nsir, encoder):
    result = nsir.rank(QUESTION, PASSAGES)
    question = result.question
    assert list(map(str, question.formulas)) == ["vitamin_D_benefits(x) ∧ ¬bone_health(x)"]

    def made(text, translation):
        one, logic = encoder.encode_tokens([text, translation.spelling.text])
        return signature(one, logic, translation.spelling.signs)

    own = made(QUESTION, question)
    for passage in result.passages:
        text = PASSAGES[passage.index]
        other = made(text, SentenceFormulas().passages([text])[0])
        assert passage.alignment == pytest.approx(similarity(own.alignment, other.alignment)[0, 0], abs=1e-5)
        assert passage.constraint == pytest.approx(similarity(own.constraint, other.constraint)[0, 0], abs=1e-5)
        assert passage.score == passage.alignment + passage.constraint
        assert 0.0 <= passage.alignment <= 1.0
        assert 0.0 <= passage.constraint <= 1.0
    ranked = [passage.score for passage in result.passages]
    assert ranked == sorted(ranked, reverse=True)
    assert result.passages[-1].index in (3, 4)


def test_what_is_beyond_k_follows_in_the_first_stages_order(encoder):
    two = NSIR(encoder=encoder, k=2)
    result = two.rank(QUESTION, PASSAGES)
    assert {p.index for p in result.passages[:2]} == {0, 1}
    assert [(p.index, p.score) for p in result.passages[2:]] == [(2, None), (3, None), (4, None)]
    result = two.rank(QUESTION, PASSAGES, first_stage=[0.1, 0.2, 0.9, -0.5, 0.3])
    assert {p.index for p in result.passages[:2]} == {2, 4}
    assert [p.index for p in result.passages[2:]] == [1, 0, 3]


def test_a_passage_without_formulas_keeps_its_first_score_or_the_encoders_cosine(encoder):
    answers = ["Premises:\nGoodFor(VitaminD, Bone)", "Premises:\nA(x", "Premises:\nB ^ C"]
    llm = LLMFormulas(ScriptedChatModel(answers), max_concurrency=1)
    result = NSIR(passages=llm, encoder=encoder).rank(QUESTION, PASSAGES[:2], first_stage=[0.8, 0.5])
    unread = {p.index: p for p in result.passages}[1]
    assert (unread.score, unread.problem) == (pytest.approx(1.5), "unparsable")  # (0.5 + 1)/2 for each part
    llm = LLMFormulas(ScriptedChatModel([RuntimeError("down")]), max_concurrency=1)
    result = NSIR(passages=llm, encoder=encoder).rank(QUESTION, ["Vitamin D benefits.", ""])
    question, passage = (one.sentence for one in encoder.encode_tokens([QUESTION, "Vitamin D benefits."]))
    cosine = question @ passage / np.linalg.norm(question) / np.linalg.norm(passage)
    assert scores(result) == {0: pytest.approx(cosine + 1.0, abs=1e-5), 1: 1.0}
    assert {p.problem for p in result.passages} == {"call failed", "empty"}


def test_a_question_without_logic_keeps_the_order_and_warns(encoder):
    llm = LLMFormulas(ScriptedChatModel(["Conclusion:\nA ^ B"] * 2))
    with pytest.warns(RerankWarning, match="first stage's order is kept"):
        result = NSIR(llm, encoder=encoder).rank(QUESTION, PASSAGES)
    assert [(p.index, p.score) for p in result.passages] == [(n, None) for n in range(5)]
    assert result.question.problem == "unparsable"


def test_one_token_and_over_long_passages_have_scores(nsir):
    result = nsir.rank("tea", ["tea", "coffee", "word " * 1000, "¬"])
    assert all(np.isfinite(p.score) for p in result.passages)
    assert result.passages[0].index == 0
    assert {p.problem for p in result.passages} == {None}


def test_passages_can_be_read_before_anything_is_asked(encoder, nsir):
    class Counting:
        def __init__(self):
            self.texts = Counter()

        def encode_tokens(self, texts):
            self.texts.update(texts)
            return encoder.encode_tokens(texts)

    counting = Counting()
    own = NSIR(encoder=counting)
    read = own.read([*PASSAGES, ""])
    assert [one.translation.problem for one in read] == [None] * 5 + ["empty"]
    first = own.rank(QUESTION, read[:5])
    own.rank("mood", read[4::-1])
    assert {counting.texts[text] for text in PASSAGES} == {1}
    assert scores(first) == pytest.approx(scores(nsir.rank(QUESTION, PASSAGES)), abs=1e-6)


def test_bad_input(nsir):
    for arguments in ({"k": 0}, {"k": True}, {"parts": "neither"}):
        with pytest.raises(InvalidArgumentError):
            NSIR(**arguments)
    with pytest.raises(EmptyQuestionError):
        nsir.rank(" ", PASSAGES)
    for passages in ("text", [1], None):
        with pytest.raises(InvalidArgumentError):
            nsir.rank(QUESTION, passages)
    for first in ([0.1], [0.1] * 4 + [float("nan")], [0.1] * 4 + [7.5]):
        with pytest.raises(InvalidArgumentError, match="no cosines of 5 passages"):
            nsir.rank(QUESTION, PASSAGES, first_stage=first)
