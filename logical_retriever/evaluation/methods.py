"""Retrieval methods by name: the package's own retriever, and baselines that need no logic.

A method says which texts it wants encoded, and gives a score for every document. A new one is a class and a line in
:data:`METHODS`, or ``METHODS[name] = factory``; those of the papers are in :mod:`logical_retriever.lab.methods`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from logical_retriever.evaluation.loading import Question
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.naming import make_named
from logical_retriever.query import LogicalQuery, literals, refuse_conditions
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search.question import effective_query
from logical_retriever.semantics import NullModel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.transform import Transformation


@dataclass(frozen=True)
class QuestionWithQuery:
    """A question with the logical query that stands for it.

    Attributes:
        question: The question and its judgements; methods look at its id and text only.
        query: The logical query; a single term holding the question where there is no other.
        method: What made it, as :class:`~logical_retriever.Transformation` says.
    """

    question: Question
    query: LogicalQuery
    method: str = "recorded"

    def terms(self, *, positive: bool) -> tuple[str, ...]:
        """Terms under an even (positive) or odd number of negations, in the order written, repetitions kept."""
        return tuple(literal.text for literal in literals(self.query) if literal.positive == positive)

    @property
    def negations(self) -> int:
        """Number of negated terms in the query."""
        return len(self.terms(positive=False))

    @property
    def wanted(self) -> str:
        """All positive terms joined with "and"; the question itself where no term is positive.

        Raises:
            InvalidArgumentError: The query has conditions, which no text says.
        """
        refuse_conditions(self.query, "A method that joins terms to a text")
        return " and ".join(self.terms(positive=True)) or self.question.text


Questions: TypeAlias = Sequence[QuestionWithQuery]


class Method(ABC):
    """A way to rank documents for a question.

    Attributes:
        name: Its name in tables and on the command line.
        llm_calls: Calls to a language model made so far.
    """

    name: str
    llm_calls: int = 0

    def prepare(self, prepared: Questions, bench: Workbench) -> None:  # noqa: B027 - most need none
        """Do what is done once before questions are scored: fit to the corpus, ask a language model."""

    @abstractmethod
    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """Texts that are encoded as queries for this question; encoding them is not part of the time measured."""

    @abstractmethod
    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Score n documents.

        Returns:
            Shape (n,); higher is better, ``-inf`` for a document that is not retrieved.

        Raises:
            LogicalRetrieverError: The question cannot be scored; it counts as a failure with an empty ranking.
        """


class PackageRetriever(Method):
    """:class:`~logical_retriever.LogicalRetriever` over an in-memory store of the corpus, with one semantics.

    Calibration and lexical evidence are the retriever's own, so that what is measured is what users get, but for
    documents about what is excluded: they stand where their scores put them, so that rankings are whole
    (``benchmarks/answers.py`` measures what is left out). Its time includes explaining every result. Documents below
    the ``depth`` best are not retrieved. A question with a small corpus of its own is answered over the whole store,
    from which the scores of its documents are taken: a store's statistics need a store.

    Args:
        semantics: Name of a semantics.
        name: Name in tables; by default the semantics' own.
        depth: Documents asked of the retriever, at least 1.
        **settings: Other settings of the retriever.
    """

    def __init__(self, semantics: str, name: str | None = None, depth: int = 200, **settings: Any) -> None:
        self.name = semantics if name is None else name
        self.depth = depth
        self.settings = {"semantics": semantics, "exclusion": "rank", **settings}

    def prepare(self, prepared: Questions, bench: Workbench) -> None:
        """Fill the store, and search once: a store's statistics are taken at the first search and no other."""
        self.retriever = LogicalRetriever(corpus_store(bench), bench, **self.settings)
        if prepared:
            self.retriever.search(transformation_of(prepared[0]), k=1)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts that the semantics asks for once the question is routed."""
        transformation, semantics = transformation_of(prepared), self.retriever.options.composition
        return semantics.texts(
            effective_query(transformation, semantics), None if transformation.written else transformation.question
        )

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The retriever's scores, ``-inf`` for what it did not return."""
        row_of = view.bench.row_of
        k = len(row_of) if len(view.rows) < len(row_of) else self.depth
        scores = np.full(len(row_of), -np.inf)
        for document in self.retriever.search(transformation_of(prepared), k=k).documents:
            scores[row_of[str(document.id)]] = document.score
        return scores[view.rows]


def corpus_store(bench: Workbench) -> InMemoryStore:
    """The benchmark's corpus as a store."""
    documents = [StoredDocument(document.id, document.text) for document in bench.dataset.documents]
    return InMemoryStore(documents, bench.document_vectors)


def transformation_of(prepared: QuestionWithQuery) -> Transformation:
    """The transformation that a transformer would have handed to the retriever for this question."""
    method = prepared.method if prepared.question.asked else "given"
    return Transformation(prepared.question.text, prepared.query, method=method)


class Dense(Method):
    """Cosine of the whole question with every document, in [-1, 1]: what a vector store does by itself."""

    name = "dense"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question."""
        return (prepared.question.text,)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines of the question."""
        return view.cosines(self.texts(prepared)).ravel()


class PositiveOnly(Dense):
    """All positive terms joined with " and " and encoded as one text; negated terms are not looked at.

    The cheapest answer to negation. A question without a positive term is searched for as it is.
    """

    name = "positive-only"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The joined text."""
        return (prepared.wanted,)


class DenseLexical(Dense):
    """``z(q) + 0.2 b(q)`` for the question q, word for word, whatever it excludes: the fair baseline beside dense.

    z is the cosine calibrated against its null distribution over the corpus; b is the question's BM25 score minus its
    mean over the corpus, over its deviation there; b is 0 where no document shares a word with the question.
    """

    name = "dense+bm25"

    def prepare(self, prepared: Questions, bench: Workbench) -> None:  # noqa: ARG002
        """Fit the null model to the corpus and build the index, so that the first question is not charged for them."""
        self.nulls = NullModel.fit(bench.document_vectors)
        bench.lexical("")

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Standard deviations of chance, unbounded."""
        texts = self.texts(prepared)
        z = self.nulls.of(view.bench.vectors(texts)).standardise(view.cosines(texts)).ravel()
        everywhere = view.bench.lexical(prepared.question.text)
        words: Array = (everywhere[view.rows] - everywhere.mean()) / (everywhere.std() or np.inf)
        return z + 0.2 * words


METHODS: dict[str, Callable[[], Method]] = {
    "dense": Dense,
    "dense+bm25": DenseLexical,
    "calibrated": lambda: PackageRetriever("calibrated"),
    "positive-only": PositiveOnly,
}
"""How methods are made, by name. Those of the papers join it when :mod:`logical_retriever.lab.methods` is imported."""

DEFAULT_METHODS = tuple(METHODS)
"""Run where no methods are named."""


def get_method(method: str | Method) -> Method:
    """Look a method up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No method has this name.
    """
    return method if isinstance(method, Method) else make_named(method, METHODS, "method")
