"""A small corpus with everything odd in it, random queries and their true answers, for tests of compilers."""

from dataclasses import dataclass
from itertools import pairwise

import hostile_texts
import numpy as np
import oracle

from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.scoring import CalibratedSemantics, Evidence, NullDistributions, NullModel
from logical_retriever.scoring.formula import USUAL, score_formula
from logical_retriever.stores import ScoreExpression
from logical_retriever.vectors import Vectors, unit

DIMENSION, COUNT = 8, 60
LETTERS = ("a", "b", "c", "d")
QUESTION = "the question"
HOSTILE = (*hostile_texts.HOSTILE[:13], "x" * 10_000)


@dataclass(frozen=True)
class Corpus:
    """Distinct ids in an order of their own, and a vector for each, shape (N, d)."""

    ids: tuple[str, ...]
    vectors: Vectors


def corpus():
    """Random directions of lengths that differ by orders of magnitude, with copies, opposites, zeros and odd ids."""
    rng = np.random.default_rng(20)
    rows = rng.normal(size=(COUNT, DIMENSION))
    rows[5], rows[6] = rows[4], 2.0 * rows[4]
    rows[8], rows[9] = -rows[7], rows[7]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows *= 10.0 ** rng.uniform(-2, 2, size=COUNT)[:, None]
    rows[9] = rows[7]
    rows[10] = rows[11] = 0.0
    ids = [f"d{7 * i % COUNT:03}" for i in range(COUNT)]
    ids[: len(HOSTILE)] = [f"{text} {i}" for i, text in enumerate(HOSTILE)]
    ids[20:24] = ["Z", "a", "é", "z"]  # the order of code points, which is no language's
    return Corpus(tuple(ids), rows.astype(np.float32))


def text_vectors():
    """A vector of shape (d,) for each term and the question: one equal to a document's, one near its opposite."""
    rng = np.random.default_rng(5)
    documents = corpus().vectors
    rows = rng.normal(size=(len(LETTERS) + 1, DIMENSION))
    rows[0] = documents[4]
    rows[1] = rng.normal(scale=0.1, size=DIMENSION) - documents[7] / np.linalg.norm(documents[7])
    return dict(zip((*LETTERS, QUESTION), rows.astype(np.float32), strict=True))


def random_query(rng, most=10):
    """A tree of at most so many terms over the letters, negations and repeated terms included."""

    def grown(size):
        if size == 1:
            query = Term(LETTERS[rng.integers(len(LETTERS))])
        else:
            cuts = rng.choice(size - 1, size=min(size - 1, int(rng.integers(1, 3))), replace=False) + 1
            shares = np.diff([0, *sorted(cuts.tolist()), size])
            query = (And, Or)[rng.integers(2)](tuple(grown(int(share)) for share in shares))
        return Not(query) if rng.random() < 0.3 else query

    return grown(int(rng.integers(1, most + 1)))


@dataclass(frozen=True)
class Question:
    """A query with all that compiling it takes: T texts that the score reads, their vectors (T, d) and nulls."""

    query: LogicalQuery
    texts: tuple[str, ...]
    vectors: Vectors
    nulls: NullDistributions
    question: str | None

    @property
    def formula(self):
        """The query's score."""
        return score_formula(self.query, CalibratedSemantics(), self.texts, self.nulls, self.question)

    def scores(self, vectors):
        """True scores of documents (N, d), and how far rounding of cosines to single precision can take each."""
        documents = np.asarray(vectors, dtype=np.float64)
        true = np.array([[oracle.cosine(text, document) for document in documents] for text in self.vectors.tolist()])
        rng = np.random.default_rng(1)
        shifted = [np.clip(true + 4e-7 * rng.choice([-1.0, 1.0], size=true.shape), -1, 1) for _ in range(8)]
        # The engine has not looked yet, and reckons with what the document most about a term usually has.
        most = dict.fromkeys(self.texts, USUAL)
        known = {"asked": self.question, "strongest": most}
        evidence = [Evidence(self.texts, cosines, self.nulls, **known) for cosines in (true, *shifted)]
        exact, *moved = (CalibratedSemantics().compose(self.query, one) for one in evidence)
        return exact, 1e-6 * (1.0 + np.abs(exact)) + 2.0 * np.max(np.abs(np.array(moved) - exact), axis=0)


def ask(query, documents, *, question=None, vectors=None):
    """Everything about a query over a corpus, its null distributions fitted on that corpus.

    The texts' vectors are those of :func:`text_vectors` where no others are given.
    """
    vectors = text_vectors() if vectors is None else vectors
    texts = CalibratedSemantics().texts(query, question)
    rows = np.array([vectors[text] for text in texts], dtype=np.float32)
    nulls = NullModel.fit(unit(documents.vectors)).of(unit(rows))
    deviations = np.maximum(nulls.deviations, 0.05)  # of a text without direction, too
    spread = NullDistributions(nulls.means, deviations, nulls.correlations)
    return Question(query, texts, rows, spread, question)


def engine_scores(store, question, k, filter=None):
    """The k best ids with their scores, as the engine computes them."""
    expression = ScoreExpression(question.formula, question.vectors)
    answer = store.answer(store.compiler.by_score(expression, k, store.passing(filter)))
    return list(zip(answer["lr_id"], map(float, answer["lr_score"]), strict=True))


def questions(count, documents):
    """Random queries, every third with the question it was made of."""
    rng = np.random.default_rng(7)
    return [ask(random_query(rng), documents, question=QUESTION if i % 3 == 0 else None) for i in range(count)]


def assert_true_answer(answer, question, documents, k):
    """Compare an engine's answer, ids and scores, with the true one: every score, every place, equal scores by id.

    Two documents whose true scores are nearer to each other than rounding may stand in either order.
    """
    scores, errors = question.scores(documents.vectors)
    true = {id: (score, error) for id, score, error in zip(documents.ids, scores, errors, strict=True)}
    best = sorted(true.values(), reverse=True)[:k]
    shown = str(question.query)
    assert len(answer) == len(best), shown
    assert len({id for id, _ in answer}) == len(answer), shown
    for (id, score), (expected, error) in zip(answer, best, strict=True):
        own, own_error = true[id]
        assert abs(score - own) <= own_error, f"{shown}: {id[:40]} scores {score}, truly {own}"
        assert abs(own - expected) <= own_error + error, f"{shown}: {id[:40]} is out of its place"
    for (left, first), (right, second) in pairwise(answer):
        assert first > second or (first == second and left < right), f"{shown}: {left[:40]} before {right[:40]}"
