from __future__ import annotations

import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import (
    METHODS,
    Dataset,
    Document,
    Question,
    QuestionWithQuery,
    evaluate,
    get_method,
    load_dataset,
)
from logical_retriever.evaluation.methods import Method, PackageRetriever
from logical_retriever.evaluation.workbench import Workbench, bm25_of
from logical_retriever.query import parse
from logical_retriever.semantics import NullModel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder
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
    chosen.prepare([one], bench)
    return chosen.score(one, bench.view(one.question))


def test_dense_is_the_cosine_of_the_question(bench):
    assert scores("dense", bench) == pytest.approx([0.8, 0.6, 0.96, 0.0])


def test_positive_only_leaves_the_negated_term_out(bench):
    assert scores("positive-only", bench) == pytest.approx([1.0, 0.0, 0.6, 0.0])


@pytest.fixture
def words():
    texts = {"d1": "green tea and health", "d2": "green tea and brewing", "d3": "black coffee", "d4": ""}
    documents = tuple(Document(identity, text) for identity, text in texts.items())
    return Workbench(Dataset("words", documents, ()), HashingEmbedder())


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


def test_the_shipped_retriever_scores_as_its_semantics(bench):
    assert scores(PackageRetriever("itlr"), bench) == pytest.approx(scores("itlr", bench))
    assert np.isneginf(scores(PackageRetriever("itlr", depth=1), bench)).sum() == 3


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


def test_dense_and_bm25_of_the_question_are_added(words):
    method = get_method("dense+bm25")
    one = QuestionWithQuery(Question("q", "green tea brewing"), parse('"tea" AND NOT "brewing"'))
    view = words.view(one.question)
    method.prepare([one], words)
    nulls = NullModel.fit(words.document_vectors).of(words.vectors([one.question.text]))
    lexical = words.lexical(one.question.text)
    z = (view.cosines([one.question.text])[0] - nulls.means[0]) / nulls.deviations[0]
    expected = z + 0.2 * (lexical - lexical.mean()) / lexical.std()
    assert method.score(one, view) == pytest.approx(expected)
    own = Question("q", one.question.text, candidates=("d3", "d1"))
    assert method.score(QuestionWithQuery(own, one.query), words.view(own)) == pytest.approx(expected[[2, 0]])


def test_the_default_with_words_and_without(words):
    one = QuestionWithQuery(Question("q", "tea, not brewing"), parse('"green tea" AND NOT "brewing"'))
    scores = {}
    for method in (get_method("calibrated"), PackageRetriever("calibrated", "dense evidence", words=0.0)):
        method.prepare([one], words)
        assert set(method.texts(one)) == {"green tea", "brewing", one.question.text}
        scores[method.name] = method.score(one, words.view(one.question))
    retriever = LogicalRetriever(
        InMemoryStore([StoredDocument(d.id, d.text) for d in words.dataset.documents], words.document_vectors),
        HashingEmbedder(),
        exclusion="rank",
        words=0.0,
    )
    made = Transformation(one.question.text, one.query, method="recorded")
    expected = {document.id: document.score for document in retriever.search(made, k=4).documents}
    assert scores["dense evidence"] == pytest.approx([expected[f"d{i}"] for i in range(1, 5)])
    assert not np.allclose(scores["calibrated"], scores["dense evidence"])


def test_a_question_that_nobody_asked_is_no_evidence(words):
    query = parse('"green tea" AND NOT "brewing"')
    asked = QuestionWithQuery(Question("q", "green tea NOT brewing"), query)
    given = QuestionWithQuery(Question("q", "green tea NOT brewing", asked=False), query)
    method = get_method("calibrated")
    method.prepare([asked, given], words)
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
    monkeypatch.setitem(METHODS, "by-length", ByLength)
    data = evaluate(load_dataset(write()), ("dense", "by-length"), embedder=HashingEmbedder(), cutoffs=(1,)).to_dict()
    assert set(data["methods"]["by-length"]["p"]) == {"nDCG@1", "AP@1"}
    assert data["details"]["queries"][0]["methods"]["by-length"]["top"][0] == "d1"
    with pytest.raises(InvalidArgumentError, match="no method 'by-lenght'") as caught:
        get_method("by-lenght")
    assert "Did you mean 'by-length'" in caught.value.hint
