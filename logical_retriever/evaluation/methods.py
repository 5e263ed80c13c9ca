"""Retrieval methods by name: the package's own retriever, and baselines that need no logic.

A method says which texts it wants encoded, and gives a score for every document. A new one is a class and a line in
:data:`METHODS`, or ``METHODS[name] = factory``; those of the papers are in :mod:`logical_retriever.lab.methods`.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.loading import Question
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.query import LogicalQuery, literals
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search.request import effective_query
from logical_retriever.semantics import NullModel, Semantics, get_semantics
from logical_retriever.semantics.truth_functional import TruthMap
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.transform import ChatModel, Transformation


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
        return self._joined(positive=True) or self.question.text

    @property
    def unwanted(self) -> str | None:
        """All negated terms joined with "and", or None."""
        return self._joined(positive=False) or None

    def _joined(self, *, positive: bool) -> str:
        refuse_conditions(self.query, "A method that joins terms to a text")
        return " and ".join(self.terms(positive=positive))


Questions: TypeAlias = Sequence[QuestionWithQuery]
Advance: TypeAlias = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Method(ABC):
    """A way to rank documents for a question.

    Attributes:
        name: Its name in tables and on the command line.
        llm_calls: Calls to a language model made so far.
    """

    name: str
    llm_calls: int = 0

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:  # noqa: B027 - most need none
        """Do what is done once before questions are scored: fit to the corpus, ask a language model."""

    @abstractmethod
    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """Texts that are encoded as queries for this question; encoding them is not part of the time measured."""

    def passages(self, prepared: QuestionWithQuery) -> tuple[str, ...]:  # noqa: ARG002 - most methods have none
        """Texts that are encoded as documents for this question."""
        return ()

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
        semantics: A semantics or its name.
        name: Name in tables; by default the semantics' own.
        depth: Documents asked of the retriever, at least 1.
        **settings: Other settings of the retriever.
    """

    def __init__(self, semantics: str | Semantics, name: str | None = None, depth: int = 200, **settings: Any) -> None:
        self.semantics = get_semantics(semantics)
        self.name = self.semantics.name if name is None else name
        self.depth = depth
        self.settings = {"exclusion": "rank", **settings}

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:  # noqa: ARG002 - a second
        """Fill the store, and search once: a store's statistics are taken at the first search and no other."""
        self.retriever = LogicalRetriever(corpus_store(bench), bench, semantics=self.semantics, **self.settings)
        if prepared:
            self.retriever.search(transformation_of(prepared[0]), k=1)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts that the semantics asks for once the question is routed."""
        return self.semantics.texts(*searched(prepared, self.semantics))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The retriever's scores, ``-inf`` for what it did not return."""
        everything = len(view.bench.row_of)
        k = everything if view.size < everything else min(self.depth, everything)
        scores = np.full(everything, -np.inf)
        for document in self.retriever.search(transformation_of(prepared), k=k).documents:
            scores[view.bench.row_of[str(document.id)]] = document.score
        return scores[view.rows]


def corpus_store(bench: Workbench) -> InMemoryStore:
    """The benchmark's corpus as a store."""
    documents = [StoredDocument(document.id, document.text) for document in bench.dataset.documents]
    return InMemoryStore(documents, bench.document_vectors)


def searched(prepared: QuestionWithQuery, semantics: Semantics) -> tuple[LogicalQuery, str | None]:
    """The query that the retriever searches with, and the question; None where nobody asked one."""
    made = transformation_of(prepared)
    return effective_query(made, semantics), None if made.written else made.question


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
        scores: Array = view.cosines(self.texts(prepared))[0]
        return scores


class PositiveOnly(Dense):
    """All positive terms joined with " and " and encoded as one text; negated terms are not looked at.

    The cheapest answer to negation. A question without a positive term is searched for as it is.
    """

    name = "positive-only"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The joined text."""
        return (prepared.wanted,)


class BM25(Method):
    """BM25 of the question over the corpus; a document that shares no word with it is not retrieved."""

    name = "bm25"

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:  # noqa: ARG002
        """Build the index, so that the first question is not charged for it."""
        bench.lexical("")

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:  # noqa: ARG002
        """None: words are compared, not vectors."""
        return ()

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """BM25 scores, above 0 or ``-inf``."""
        scores = view.lexical(prepared.question.text)
        return np.where(scores > 0, scores, -np.inf)


class DenseLexical(Dense):
    """``z(q) + 0.2 b(q)`` for the question q, word for word, whatever it excludes: the fair baseline beside dense.

    z is the cosine calibrated against its null distribution over the corpus; b is the question's BM25 score minus its
    mean over the corpus, over its deviation there; b is 0 where no document shares a word with the question.
    """

    name = "dense+bm25"

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:  # noqa: ARG002
        """Fit the null model to the corpus and build the index, so that the first question is not charged for them."""
        self.nulls = NullModel.fit(bench.document_vectors)
        bench.lexical("")

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Standard deviations of chance, unbounded."""
        texts = self.texts(prepared)
        z: Array = self.nulls.of(view.bench.vectors(texts)).standardise(view.cosines(texts))[0]
        everywhere = view.bench.lexical(prepared.question.text)
        words: Array = (everywhere[view.rows] - everywhere.mean()) / (everywhere.std() or np.inf)
        return z + 0.2 * words


class Hybrid(Dense):
    """Reciprocal rank fusion of the dense and the BM25 ranking of the question.

    Score ``Σ 1 / (60 + rank)`` with ranks from 1; documents with equal scores share the best of their ranks, a document
    that a ranking does not retrieve gets nothing from it. Source: Cormack, Clarke and Büttcher, "Reciprocal rank
    fusion outperforms Condorcet and individual rank learning methods" (SIGIR 2009), k = 60.
    """

    name = "hybrid"

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Fused scores, in (0, 2/61]."""
        total = np.zeros(view.size)
        for scores in (super().score(prepared, view), BM25().score(prepared, view)):
            ranks = 1 + np.searchsorted(np.sort(-scores), -scores)
            total += np.where(np.isfinite(scores), 1.0 / (60 + ranks), 0.0)
        return total


@dataclass(frozen=True)
class MethodOptions:
    """Beyond the question, some methods need these.

    Attributes:
        chat_model: A language model, or None.
        texts: Recorded texts: method name -> query id -> text.
        calibration: A curve fitted to labelled pairs, or None.
    """

    chat_model: ChatModel | None = None
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    calibration: TruthMap | None = None


METHODS: dict[str, Callable[[MethodOptions], Method]] = {
    "dense": lambda _: Dense(),
    "dense+bm25": lambda _: DenseLexical(),
    "bm25": lambda _: BM25(),
    "hybrid": lambda _: Hybrid(),
    "calibrated": lambda _: PackageRetriever("calibrated"),
    "calibrated-dense": lambda _: PackageRetriever("calibrated", "calibrated-dense", words=0.0),
    "positive-only": lambda _: PositiveOnly(),
}
"""How methods are made, by name. Those of the papers join it when :mod:`logical_retriever.lab.methods` is imported."""

DEFAULT_METHODS = tuple(METHODS)
"""Run where no methods are named."""


def get_method(method: str | Method, options: MethodOptions | None = None) -> Method:
    """Look a method up by name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No method has this name, or it lacks what it needs.
    """
    if isinstance(method, Method):
        return method
    if method not in METHODS:
        close = difflib.get_close_matches(method, METHODS, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise InvalidArgumentError(f"There is no method {method!r}.", hint=f"{hint}Known names: {', '.join(METHODS)}.")
    return METHODS[method](MethodOptions() if options is None else options)
