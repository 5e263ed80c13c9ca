from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import CorpusError, InvalidArgumentError, VectorMismatchError
from logical_retriever.evaluation import (
    METHODS,
    Dataset,
    Document,
    MethodOptions,
    Question,
    QuestionWithQuery,
    evaluate,
    get_method,
    load_dataset,
)
from logical_retriever.evaluation.methods import Method, PackageRetriever
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.lab.methods.rewriting import read_texts
from logical_retriever.lab.methods.scoring import Routed, Subtraction, TwoStage
from logical_retriever.query import parse
from logical_retriever.semantics import NullModel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import Transformation

A, B, Q = (1.0, 0.0, 0.0), (0.6, 0.8, 0.0), (0.8, 0.6, 0.0)
DOCUMENTS = {"a": (1.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0), "ab": (0.6, 0.8, 0.0), "c": (0.0, 0.0, 1.0)}


class Table:
    """An encoder that knows a few texts."""

    def __init__(self, **extra: tuple[float, ...]) -> None:
        self.known = {"A": A, "B": B, "A not B": Q, "A and B": (0.0, 1.0, 0.0), **extra}

    def embed_queries(self, texts):
        return np.array([self.known[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


@pytest.fixture
def bench():
    documents = tuple(Document(name, f"text {name}") for name in DOCUMENTS)
    vectors = np.array(list(DOCUMENTS.values()), dtype=np.float32)
    return Workbench(Dataset("table", documents, (), vectors), Table())


def prepared(form: str, text: str = "A not B") -> QuestionWithQuery:
    return QuestionWithQuery(Question("q", text), parse(form))


def scores(method: str | Method, bench: Workbench, form: str = '"A" AND NOT "B"') -> np.ndarray:
    chosen = get_method(method)
    one = prepared(form)
    chosen.prepare([one], bench, lambda done, total: None)
    return chosen.score(one, bench.view(one.question))


def test_dense_is_the_cosine_of_the_question(bench):
    assert scores("dense", bench) == pytest.approx([0.8, 0.6, 0.96, 0.0])


def test_itlr_is_the_product_of_one_and_one_minus_the_other(bench):
    assert scores("itlr", bench) == pytest.approx([1.0 * 0.4, 0.0, 0.6 * 0.0, 0.0], abs=1e-6)


def test_positive_only_leaves_the_negated_term_out(bench):
    assert scores("positive-only", bench) == pytest.approx([1.0, 0.0, 0.6, 0.0])


def test_positive_only_without_a_positive_term_is_the_question(bench):
    assert scores("positive-only", bench, 'NOT "B"') == pytest.approx([0.8, 0.6, 0.96, 0.0])


def test_projection_removes_the_component_along_the_unwanted(bench):
    # A - (A.B) B = (1 - 0.36, -0.48, 0), of length 0.8.
    assert scores("geometric", bench) == pytest.approx([0.8, -0.6, 0.0, 0.0], abs=1e-6)


def test_projection_of_a_vector_on_itself_leaves_nothing(bench):
    assert scores("geometric", bench, '"A" AND NOT "A"') == pytest.approx([0.0, 0.0, 0.0, 0.0])


def test_addition_subtracts_the_mean_of_the_unwanted(bench):
    vector = np.array(A) - 0.5 * (np.array(B) + np.array(Q)) / 2
    expected = np.array(list(DOCUMENTS.values())) @ vector / np.linalg.norm(vector)
    assert scores(Subtraction(0.5), bench, '"A" AND NOT "B" AND NOT "A not B"') == pytest.approx(expected)


def test_deo_moves_towards_the_positive_and_away_from_the_negative(bench):
    dense, moved = scores("dense", bench), scores("deo", bench)
    assert moved[0] > dense[0]
    assert moved[2] < dense[2]
    assert np.array_equal(moved, scores("deo", bench))


def test_deo_without_a_negation_is_dense(bench):
    assert scores("deo", bench, '"A" AND "B"') == pytest.approx(scores("dense", bench))


def test_deo_ends_where_its_loss_is_least():
    documents = (Document("p", "p"), Document("n", "n"))
    bench = Workbench(Dataset("two", documents, (), np.eye(2, dtype=np.float32)), Table2())
    one = QuestionWithQuery(Question("q", "between"), parse('"p" AND NOT "n"'))
    found = get_method("deo").score(one, bench.view(one.question))
    # In the plane the vector is an angle; p lies at 0, n at 90 and the question at 45 degrees.
    angles = np.linspace(0, np.pi / 2, 9001)
    wanted, unwanted = np.exp(np.cos(angles) / 0.5), np.exp(np.sin(angles) / 0.5)
    away = (np.cos(angles) - np.sqrt(0.5)) ** 2 + (np.sin(angles) - np.sqrt(0.5)) ** 2
    best = angles[np.argmin(-np.log(wanted / (wanted + unwanted)) + 0.25 * away)]
    assert found == pytest.approx([np.cos(best), np.sin(best)], abs=0.01)


class Table2:
    def embed_queries(self, texts):
        known = {"p": (1.0, 0.0), "n": (0.0, 1.0), "between": (1.0, 1.0)}
        return np.array([known[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


@pytest.fixture
def words():
    texts = {"d1": "green tea and health", "d2": "green tea and brewing", "d3": "black coffee", "d4": ""}
    documents = tuple(Document(identity, text) for identity, text in texts.items())
    return Workbench(Dataset("words", documents, ()), HashingEmbedder())


def test_bm25_retrieves_only_what_shares_a_word(words):
    method = get_method("bm25")
    one = QuestionWithQuery(Question("q", "The brewing of tea"), parse('"tea"'))
    found = method.score(one, words.view(one.question))
    assert found[1] > found[0] > 0
    assert np.isneginf(found[2:]).all()


def test_bm25_of_stop_words_alone_retrieves_nothing(words):
    one = QuestionWithQuery(Question("q", "the of and"), parse('"tea"'))
    assert np.isneginf(get_method("bm25").score(one, words.view(one.question))).all()


def test_bm25_of_an_empty_corpus_of_words():
    bench = Workbench(Dataset("empty", (Document("d", "the"),), (), np.ones((1, 256), np.float32)), HashingEmbedder())
    one = QuestionWithQuery(Question("q", "tea"), parse('"tea"'))
    assert np.isneginf(get_method("bm25").score(one, bench.view(one.question))).all()


def test_hybrid_sums_reciprocal_ranks(words):
    one = QuestionWithQuery(Question("q", "green tea brewing"), parse('"tea"'))
    dense = get_method("dense").score(one, words.view(one.question))
    ranks = 1 + np.array([(dense > score).sum() for score in dense])
    lexical = np.array([1 / 62, 1 / 61, 0.0, 0.0])
    assert get_method("hybrid").score(one, words.view(one.question)) == pytest.approx(1 / (60 + ranks) + lexical)


def test_a_routed_method_answers_exclusions_alone(bench):
    routed = Routed(get_method("itlr"), "routed")
    assert scores(routed, bench) == pytest.approx(scores("itlr", bench))
    assert scores(routed, bench, '"A" AND "B"') == pytest.approx(scores("dense", bench))


def test_two_stages_rank_the_pool_alone(bench):
    found = scores(TwoStage(get_method("itlr"), pool=2), bench)
    assert found[[0, 2]] == pytest.approx([0.4, 0.0], abs=1e-6)
    assert np.isneginf(found[[1, 3]]).all()


def test_a_pool_larger_than_the_corpus_is_the_corpus(bench):
    assert scores(TwoStage(get_method("itlr"), pool=50), bench) == pytest.approx(scores("itlr", bench))


def test_nsfl_normalises_over_its_pool(bench):
    # S(A) = 1, S(A and B) = 0, S(B) = 0.6 for document a; the best S(B) of all is 1 (ab), of the pool of one 0.6.
    whole = scores("nsfl", bench)
    assert whole[0] == pytest.approx(1.0)  # departure: the fusion is below both
    assert whole[2] == pytest.approx(0.6 - 1.0 * (0.8 - 0.6))
    assert np.isneginf(scores(TwoStage(get_method("nsfl"), pool=1), bench)[[0, 1, 3]]).all()


def test_the_shipped_retriever_scores_as_its_semantics(bench):
    assert scores(PackageRetriever("itlr"), bench) == pytest.approx(scores("itlr", bench))
    assert np.isneginf(scores(PackageRetriever("itlr", depth=1), bench)).sum() == 3


def test_a_small_corpus_is_scored_like_its_part_of_the_whole(bench):
    whole = scores("itlr", bench)
    question = Question("q", "A not B", candidates=("c", "a"))
    one = QuestionWithQuery(question, parse('"A" AND NOT "B"'))
    assert get_method("itlr").score(one, bench.view(question)) == pytest.approx(whole[[3, 0]])


def test_copies_of_a_document_tie_exactly():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(301, 48)).astype(np.float32)
    vectors[300] = vectors[7]
    documents = tuple(Document(str(row), "x") for row in range(301))
    bench = Workbench(Dataset("copies", documents, (), vectors), RandomEmbedder())
    one = QuestionWithQuery(Question("q", "?"), parse('"?"'))
    found = get_method("dense").score(one, bench.view(one.question))
    assert found[300] == found[7]
    assert len(set(found)) == 300


class RandomEmbedder:
    def embed_queries(self, texts):
        return np.random.default_rng(1).normal(size=(len(texts), 48)).astype(np.float32)

    embed_documents = embed_queries


def test_vectors_of_another_dimension_are_refused():
    bench = Workbench(Dataset("d", (Document("d", "x"),), (), np.ones((1, 3), np.float32)), HashingEmbedder(8))
    with pytest.raises(VectorMismatchError, match="dimension 8, the documents have 3"):
        bench.encode(["tea"])


def test_bright_and_hyde_need_a_model_or_recorded_texts():
    for name in ("bright", "hyde"):
        with pytest.raises(InvalidArgumentError, match="needs texts written by a language model") as caught:
            get_method(name)
        assert "--llm" in caught.value.hint
        assert f"--texts {name}=FILE" in caught.value.hint


def test_bright_searches_with_the_reasoning(words):
    model = ScriptedChatModel(["It is about black coffee."])
    method = get_method("bright", MethodOptions(model))
    one = QuestionWithQuery(Question("q", "which drink?"), parse('"drink"'))
    method.prepare([one], words, lambda done, total: None)
    assert method.llm_calls == 1
    assert "which drink?" in model.conversations[0][0]["content"]
    assert "(2) Think step by step" in model.conversations[0][0]["content"]
    assert np.argmax(method.score(one, words.view(one.question))) == 2


def test_hyde_averages_question_and_passage(words):
    method = get_method("hyde", MethodOptions(texts={"hyde": {"q": "black coffee"}}))
    one = QuestionWithQuery(Question("q", "green tea"), parse('"tea"'))
    method.prepare([one], words, lambda done, total: None)
    question, passage = words.vectors(["green tea", "black coffee"])
    mean = (question + passage) / 2
    expected = words.document_vectors @ (mean / np.linalg.norm(mean))
    assert method.llm_calls == 0
    assert method.score(one, words.view(one.question)) == pytest.approx(expected, abs=1e-6)


def test_recorded_texts_may_have_several_lines(tmp_path: Path):
    path = tmp_path / "texts.tsv"
    path.write_text("query-id\ttext\nq1\tone\\ntwo \\\\n three\n", encoding="utf-8")
    assert read_texts(path) == {"q1": "one\ntwo \\n three"}
    path.write_text("q1 one\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="expected 2 cells"):
        read_texts(path)


def test_a_misspelt_method_gets_the_closest_name():
    with pytest.raises(InvalidArgumentError) as caught:
        get_method("geometrik")
    assert "Did you mean 'geometric'?" in caught.value.hint


def test_every_method_says_its_name(words):
    for name in sorted(set(METHODS) - {"bright", "hyde", "logistic"}):
        assert get_method(name).name == name


def test_dense_and_bm25_of_the_question_are_added(words):
    method = get_method("dense+bm25")
    one = QuestionWithQuery(Question("q", "green tea brewing"), parse('"tea" AND NOT "brewing"'))
    view = words.view(one.question)
    method.prepare([one], words, lambda done, total: None)
    nulls = NullModel.fit(words.document_vectors).of(words.vectors([one.question.text]))
    lexical = view.lexical(one.question.text)
    z = (view.cosines([one.question.text])[0] - nulls.means[0]) / nulls.deviations[0]
    expected = z + 0.2 * (lexical - lexical.mean()) / lexical.std()
    assert method.score(one, view) == pytest.approx(expected)
    own = Question("q", one.question.text, candidates=("d3", "d1"))
    assert method.score(QuestionWithQuery(own, one.query), words.view(own)) == pytest.approx(expected[[2, 0]])


def test_dense_and_bm25_without_a_shared_word_is_dense_evidence(words):
    one = QuestionWithQuery(Question("q", "the of"), parse('"tea"'))
    method = get_method("dense+bm25")
    method.prepare([one], words, lambda done, total: None)
    found = method.score(one, words.view(one.question))
    nulls = NullModel.fit(words.document_vectors).of(words.vectors([one.question.text]))
    assert found == pytest.approx(nulls.standardise(words.view(one.question).cosines([one.question.text]))[0])


def test_calibrated_dense_looks_at_no_text(words):
    one = QuestionWithQuery(Question("q", "tea, not brewing"), parse('"green tea" AND NOT "brewing"'))
    found = {}
    for name in ("calibrated", "calibrated-dense"):
        method = get_method(name)
        method.prepare([one], words, lambda done, total: None)
        found[name] = method.score(one, words.view(one.question))
    texts = get_method("calibrated").texts(one)
    retriever = LogicalRetriever(
        InMemoryStore([StoredDocument(d.id, d.text) for d in words.dataset.documents], words.document_vectors),
        HashingEmbedder(),
        exclusion="rank",
        words=0.0,
    )
    made = Transformation(one.question.text, one.query, method="recorded")
    expected = {document.id: document.score for document in retriever.search(made, k=4).documents}
    assert set(texts) == {"green tea", "brewing", one.question.text}
    assert found["calibrated-dense"] == pytest.approx([expected[f"d{i}"] for i in range(1, 5)])
    assert not np.allclose(found["calibrated"], found["calibrated-dense"])


def test_a_question_that_nobody_asked_is_no_evidence(words):
    query = parse('"green tea" AND NOT "brewing"')
    asked = QuestionWithQuery(Question("q", "green tea NOT brewing"), query)
    given = QuestionWithQuery(Question("q", "green tea NOT brewing", asked=False), query)
    method = get_method("calibrated")
    method.prepare([asked, given], words, lambda done, total: None)
    assert method.texts(asked) == ("green tea", "brewing", "green tea NOT brewing")
    assert method.texts(given) == ("green tea", "brewing")
    assert not np.allclose(
        method.score(asked, words.view(asked.question)), method.score(given, words.view(given.question))
    )


class ByLength(Method):
    """A stranger's method: one class."""

    name = "by-length"

    def texts(self, prepared):
        return ()

    def score(self, prepared, view):
        return np.array([len(document.text) for document in view.bench.dataset.documents], dtype=float)


def test_a_method_of_ones_own_is_a_class_and_a_line(write, monkeypatch):
    monkeypatch.setitem(METHODS, "by-length", lambda options: ByLength())
    data = evaluate(load_dataset(write()), ("dense", "by-length"), embedder=HashingEmbedder(), cutoffs=(1,)).to_dict()
    assert set(data["methods"]["by-length"]["p"]) == {"nDCG@1", "AP@1"}
    assert data["details"]["queries"][0]["methods"]["by-length"]["top"][0] == "d1"
    with pytest.raises(InvalidArgumentError, match="no method 'by-lenght'") as caught:
        get_method("by-lenght")
    assert "Did you mean 'by-length'" in caught.value.hint
