"""Retrieval methods by name: the package's own retriever, baselines, and the published methods beside them.

A method says which texts it wants encoded, and gives a score for every document. A new one is a class and a line in
:data:`METHODS`, or ``METHODS[name] = factory``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, did_you_mean
from logical_retriever.evaluation.loading import JudgedQuestion
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.query import LogicalQuery, Term, literals, refuse_conditions
from logical_retriever.reading import ReadQuestion
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.scoring import Evidence, NullModel, Semantics, get_semantics
from logical_retriever.stores import InMemoryStore


@dataclass(frozen=True)
class JudgedQuery:
    """A judged question as it was read.

    Attributes:
        question: The question and its judgements; methods look at its id and text only.
        read: What a retriever gets from a reader. The question is a single term where there is no other query.
    """

    question: JudgedQuestion
    read: ReadQuestion

    @property
    def query(self) -> LogicalQuery:
        """The logical query."""
        return self.read.query

    def terms(self, *, positive: bool) -> tuple[str, ...]:
        """Return the terms under an even (positive) or odd number of negations, as written, repetitions included."""
        return tuple(literal.text for literal in literals(self.query) if literal.positive == positive)

    @property
    def negations(self) -> int:
        """Number of negated terms."""
        return len(self.terms(positive=False))

    @property
    def wanted(self) -> str:
        """All positive terms joined with "and"; the question itself where no term is positive.

        Raises:
            InvalidArgumentError: The query has conditions, which no text expresses.
        """
        return self.joined(positive=True) or self.question.text

    def joined(self, *, positive: bool) -> str:
        """Join the terms of one sign with "and"; an empty text where there are none.

        Raises:
            InvalidArgumentError: The query has conditions, which no text expresses.
        """
        refuse_conditions(self.query, "A method that joins terms to a text")
        return " and ".join(self.terms(positive=positive))


class Method(ABC):
    """A way to rank documents for a question.

    Attributes:
        name: Its name in tables and on the command line.
        llm_calls: Calls to a language model made so far.
    """

    name: str
    llm_calls: int = 0

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:  # noqa: B027 - most need none
        """Prepare once for all questions, such as fitting a model to the corpus; nothing by default."""

    @abstractmethod
    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts to encode as queries for this question, before the time is measured."""

    @abstractmethod
    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Score n documents.

        Returns:
            Shape (n,); higher is better, ``-inf`` for a document that is not retrieved.

        Raises:
            LogicalRetrieverError: The question cannot be scored; it counts as a failure with an empty ranking.
        """


RETRIEVED = 200
"""Documents asked of the package's retriever over a whole corpus; the others are not retrieved."""


class PackageRetriever(Method):
    """:class:`~logical_retriever.LogicalRetriever` over an in-memory store of the corpus, with one semantics.

    Everything is as users get it, except that documents about an excluded term stay in the ranking
    (``exclusion="rank"``), so that measures see all of it; the method "drop" leaves them out. The time includes the
    explanation of each result. A question with a small corpus of its own is answered over the whole store, since
    calibration needs one, and the scores of its documents are taken from there.

    Args:
        semantics: Name of a semantics.
        name: Name in tables; by default the semantics' own.
        **settings: Other settings of the retriever.
    """

    def __init__(self, semantics: str, name: str | None = None, **settings: Any) -> None:
        self.name = semantics if name is None else name
        self.settings = {"semantics": semantics, "exclusion": "rank", **settings}

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:
        """Fill the store, and search once: the first search computes the store's statistics."""
        store = InMemoryStore(bench.dataset.documents, bench.document_vectors)
        self.retriever = LogicalRetriever(store, bench, **self.settings)
        self.retriever.search(prepared[0].read, k=1)

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts that the semantics needs, the question alone where that is searched for as it stands."""
        query: LogicalQuery = prepared.query
        semantics: Semantics = self.retriever.options.semantics
        if prepared.read.written:
            return semantics.texts(query)
        text = prepared.question.text
        return semantics.texts(Term(text) if semantics.searched_whole(query) else query, text)

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the retriever's scores, ``-inf`` for documents not retrieved."""
        row_of = view.bench.row_of
        k = len(row_of) if len(view.rows) < len(row_of) else RETRIEVED
        scores = np.full(len(row_of), -np.inf)
        for document in self.retriever.search(prepared.read, k=k).documents:
            scores[row_of[document.id]] = document.score
        return scores[view.rows]


class Dense(Method):
    """Cosine of the whole question with every document, in [-1, 1]: plain dense retrieval."""

    name = "dense"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the question."""
        return (prepared.question.text,)

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the cosines of the text."""
        return view.cosines(self.texts(prepared)).ravel()


class PositiveOnly(Dense):
    """Cosine of the positive terms joined with "and", the cheapest answer to a negation.

    Negated terms are ignored. A question without a positive term is searched for as it is.
    """

    name = "positive-only"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the joined terms."""
        return (prepared.wanted,)


class DenseLexical(Dense):
    """``z(q) + 0.2 b(q)`` for the whole question q: hybrid search, the fair baseline beside dense.

    z is the cosine calibrated against its null distribution over the corpus; b is the question's BM25 score minus its
    mean over the corpus, over its deviation there; b is 0 where no document shares a word with the question.
    """

    name = "dense+bm25"

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:  # noqa: ARG002
        """Fit the null model and build the index of words, outside the measured time."""
        self.nulls = NullModel.fit(bench.document_vectors)
        bench.lexical("")

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the sum, in standard deviations, unbounded."""
        texts = self.texts(prepared)
        z = self.nulls.of(view.bench.vectors(texts)).standardise(view.cosines(texts)).ravel()
        everywhere = view.bench.lexical(prepared.question.text)
        words: Array = (everywhere[view.rows] - everywhere.mean()) / (everywhere.std() or np.inf)
        return z + 0.2 * words


class BySemantics(Method):
    """Scores of a semantics without calibration over the logical query, for every document.

    Args:
        semantics: A semantics or its name.
        name: Name in tables; by default the semantics' own.
    """

    def __init__(self, semantics: str | Semantics, name: str | None = None) -> None:
        self.semantics = get_semantics(semantics)
        self.name = self.semantics.name if name is None else name

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts that the semantics needs."""
        return self.semantics.texts(prepared.query)

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the composed scores; the range is the semantics' own."""
        texts = self.texts(prepared)
        return self.semantics.compose(prepared.query, Evidence(texts, view.cosines(texts)))


class FusedTexts(Dense):
    """NSFL's smoothed NOT over fused texts; plain dense retrieval for questions without a negation.

    The wanted terms joined with "and" are one text, the negated terms another, all of them a third, and
    :func:`smoothed_not` composes the three. A query that wants nothing is scored by ``godel``. Source: NSFL (arXiv
    2604.10604), section 6.3.
    """

    name = "nsfl-fused"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the terms and the fused texts, or the question."""
        if not prepared.negations:
            return super().texts(prepared)
        return tuple(dict.fromkeys((*prepared.query.terms(), *self._fused(prepared))))

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the composed scores, near [0, 1]."""
        if not prepared.negations:
            return super().score(prepared, view)
        if not (fused := self._fused(prepared)):
            return BySemantics("godel").score(prepared, view)
        wanted, negated, together = np.clip(view.cosines(fused), 0.0, 1.0)
        return smoothed_not(wanted, wanted, negated, together)

    def _fused(self, prepared: JudgedQuery) -> tuple[str, ...]:
        wanted, negated = prepared.joined(positive=True), prepared.joined(positive=False)
        return (wanted, negated, f"{wanted} and {negated}") if wanted else ()


def smoothed_not(score: Array, wanted: Array, negated: Array, together: Array) -> Array:
    """Subtract from scores what the negated text adds to the wanted one, by the confidence that it is there.

    ``score - Ŝ(B)·(S(A∘B) - S(A))`` with ``Ŝ(B) = S(B) / max S(B)`` over the N documents. Where ``S(A∘B)`` is below
    both ``S(A)`` and ``S(B)``, the score stays as it is (departure). Source: NSFL, equations 10 to 12 and 17.

    Args:
        score: Shape (N,), from which is subtracted.
        wanted: ``S(A)``, shape (N,), in [0, 1].
        negated: ``S(B)``, shape (N,), in [0, 1].
        together: ``S(A∘B)``, of the text that fuses both, shape (N,), in [0, 1].
    """
    confidence = negated / (negated.max(initial=0.0) or np.inf)
    departed = (together < wanted) & (together < negated)
    return np.where(departed, score, score - confidence * (together - wanted))


METHODS: dict[str, Callable[[], Method]] = {
    "dense": Dense,
    "dense+bm25": DenseLexical,
    "itlr": partial(BySemantics, "itlr"),
    "positive-only": PositiveOnly,
    "nsfl-fused": FusedTexts,
    "calibrated": partial(PackageRetriever, "calibrated"),
    "drop": partial(PackageRetriever, "calibrated", "drop", exclusion="drop"),
}
"""Factories of methods, by name."""

DEFAULT_METHODS = tuple(METHODS)
"""Methods of an evaluation that names none."""


def get_method(method: str | Method) -> Method:
    """Make the method of a name; an instance is returned as it is.

    Raises:
        InvalidArgumentError: No method has this name.
    """
    if isinstance(method, Method):
        return method
    if method not in METHODS:
        raise InvalidArgumentError(
            f"There is no method {method!r}.",
            hint=f"{did_you_mean(method, METHODS)}Known names: {', '.join(METHODS)}.",
        )
    return METHODS[method]()
