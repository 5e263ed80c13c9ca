import numpy as np
import pytest
from benches import judged, scores, table_bench, word_bench

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import (
    DEFAULT_METHODS,
    METHODS,
    Dataset,
    JudgedQuery,
    JudgedQuestion,
    Method,
    PackageRetriever,
    Workbench,
    bm25_of,
    evaluate,
    get_method,
    load_dataset,
    smoothed_not,
)
from logical_retriever.evaluation.run import read_question
from logical_retriever.query import parse
from logical_retriever.scoring import NullModel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import GivenEmbedder, HashingEmbedder

QUERY = parse('"green tea" AND NOT "brewing"')


@pytest.fixture
def words():
    return word_bench(["green tea and health", "green tea and brewing", "black coffee", ""])


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("dense", [0.8, 0.6, 0.96, 0.0]),  # the cosine of the question
        ("positive-only", [1.0, 0.0, 0.6, 0.0]),  # without the negated term
        ("itlr", [1.0 * 0.4, 0.0, 0.6 * 0.0, 0.0]),  # one, and not the other
        (PackageRetriever("itlr"), [1.0 * 0.4, 0.0, 0.6 * 0.0, 0.0]),
    ],
)
def test_scores_by_hand(method, expected):
    assert scores(method, table_bench()) == pytest.approx(expected, abs=1e-6)


FUSED = {"a": [0.6], "b": [0.8], "a and b": [0.7], "c": [0.8], "a and b and c": [0.9], "?": [0.3]}


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ('"a" AND NOT "b"', 0.6 - (0.7 - 0.6)),  # the only document is the best one: the confidence is 1
        ('"a" AND "b" AND NOT "c"', 0.7 - (0.9 - 0.7)),
        ('"a" OR "b"', 0.3),  # nothing is negated: plain dense retrieval
        ('NOT "a"', 1.0 - 0.6),  # nothing is wanted
        ('NOT "a" AND NOT "b"', 1.0 - 0.8),
    ],
)
def test_nsfl_leaves_one_smoothed_not_over_fused_texts(form, expected):
    vectors = {text: [cosine, (1 - cosine**2) ** 0.5] for text, (cosine,) in FUSED.items()}
    dataset = Dataset("fused", (StoredDocument("d", "x"),), (), np.array([[1.0, 0.0]], dtype=np.float32))
    found = scores("nsfl-fused", Workbench(dataset, GivenEmbedder(vectors)), form, "?")
    assert found == pytest.approx([expected], abs=1e-6)


@pytest.mark.parametrize(
    ("negated", "together", "expected"),
    [
        # Confidences 1, 0.5 and 0.625; the third fusion is below both (departure).
        ([0.8, 0.4, 0.5], [0.7, 0.5, 0.3], [0.5, 0.65, 0.6]),
        ([0.0, 0.0, 0.0], [0.7, 0.6, 0.9], [0.6, 0.6, 0.6]),
    ],
)
def test_the_smoothed_not_by_hand(negated, together, expected):
    wanted = np.full(3, 0.6)
    assert smoothed_not(wanted, wanted, np.array(negated), np.array(together)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("texts", "question", "expected"),
    [
        (["green tea and health", "black coffee"], "The brewing of tea", [True, False]),
        (["green tea and health", ""], "the of and", [False, False]),
        (["the"], "tea", [False]),
    ],
)
def test_bm25_scores_what_shares_a_word(texts, question, expected):
    assert (bm25_of(texts)(question) > 0).tolist() == expected


def test_copies_of_a_document_tie_exactly():
    class RandomEmbedder:
        def embed_queries(self, texts):
            return np.random.default_rng(1).normal(size=(len(texts), 48)).astype(np.float32)

        embed_documents = embed_queries

    vectors = np.random.default_rng(0).normal(size=(301, 48)).astype(np.float32)
    vectors[300] = vectors[7]
    documents = tuple(StoredDocument(str(row), "x") for row in range(301))
    found = scores("dense", Workbench(Dataset("copies", documents, (), vectors), RandomEmbedder()), '"?"', "?")
    assert found[300] == found[7]
    assert len(set(found)) == 300


def test_dense_and_bm25_of_the_question_are_added(words):
    one, method = judged("green tea brewing", QUERY), get_method("dense+bm25")
    question = one.question
    view = words.view(question)
    method.prepare([one], words)
    nulls = NullModel.fit(words.document_vectors).of(words.vectors([question.text]))
    lexical = words.lexical(question.text)
    z = (view.cosines([question.text])[0] - nulls.means[0]) / nulls.deviations[0]
    expected = z + 0.2 * (lexical - lexical.mean()) / lexical.std()
    assert method.score(one, view) == pytest.approx(expected)
    own = judged(question.text, QUERY, candidates=("d2", "d0"))
    assert method.score(own, words.view(own.question)) == pytest.approx(expected[[2, 0]])


def test_the_default_with_words_and_without(words):
    one = judged("tea, not brewing", QUERY)
    found = {}
    for method in (get_method("calibrated"), PackageRetriever("calibrated", "dense evidence", words=0.0)):
        method.prepare([one], words)
        assert set(method.texts(one)) == {"green tea", "brewing", one.question.text}
        found[method.name] = method.score(one, words.view(one.question))
    store = InMemoryStore(words.dataset.documents, words.document_vectors)
    retriever = LogicalRetriever(store, HashingEmbedder(), exclusion="rank", words=0.0)
    expected = {document.id: document.score for document in retriever.search(one.read, k=4).documents}
    assert found["dense evidence"] == pytest.approx([expected[f"d{i}"] for i in range(4)])
    assert not np.allclose(found["calibrated"], found["dense evidence"])


def test_a_question_that_nobody_asked_is_no_evidence(words):
    text = "green tea NOT brewing"
    questions = [JudgedQuestion("q", text, form=str(QUERY), asked=asked) for asked in (True, False)]
    both = [JudgedQuery(question, read_question(question, None)) for question in questions]
    method = get_method("calibrated")
    method.prepare(both, words)
    assert [method.texts(one) for one in both] == [("green tea", "brewing", text), ("green tea", "brewing")]
    assert not np.allclose(*(method.score(one, words.view(one.question)) for one in both))


class ByLength(Method):
    """A stranger's method: one class."""

    name = "by-length"

    def texts(self, prepared):
        return ()

    def score(self, prepared, view):
        return np.array([len(document.text) for document in view.bench.dataset.documents], dtype=float)


def test_a_method_of_ones_own_is_a_class_and_a_line(write, monkeypatch):
    monkeypatch.setitem(METHODS, "by-length", ByLength)
    data = evaluate(load_dataset(write()), ("dense", "by-length"), embedder=HashingEmbedder(), cutoffs=(1,)).to_dict()
    assert set(data["methods"]["by-length"]["p"]) == {"nDCG@1", "AP@1"}
    assert data["details"]["queries"][0]["methods"]["by-length"]["top"][0] == "d1"
    with pytest.raises(InvalidArgumentError, match="no method 'by-lenght'") as caught:
        get_method("by-lenght")
    assert "Did you mean 'by-length'" in caught.value.hint
    assert [get_method(name).name for name in DEFAULT_METHODS] == list(DEFAULT_METHODS)
