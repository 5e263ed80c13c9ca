"""The papers' methods that score with the vectors of texts: semantics, two stages, and methods of one vector."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.evaluation import Method, QuestionWithQuery, get_method
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.lab.one_vector import decomposed, moved_vector, spherical_optimum
from logical_retriever.query import LogicalQuery, Term, has_logic
from logical_retriever.semantics import Evidence, NullModel, Semantics, get_semantics
from logical_retriever.vectors import unit


class BySemantics(Method):
    """Scores of a semantics over the logical query, for all documents of the view.

    Args:
        semantics: A semantics or its name.
        name: Name in tables; by default the semantics' own.
    """

    def __init__(self, semantics: str | Semantics, name: str | None = None) -> None:
        self.semantics = get_semantics(semantics)
        self.name = self.semantics.name if name is None else name

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The terms and whatever else the semantics asks for."""
        return self.semantics.texts(prepared.query)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The composed scores; the range is the semantics' own."""
        texts = self.texts(prepared)
        return self.semantics.compose(prepared.query, Evidence(texts, view.cosines(texts))).scores


class Routed(Method):
    """Another method for questions whose logical query has a NOT, the dense retriever for all others.

    Args:
        method: The other method.
        name: Name in tables.
    """

    def __init__(self, method: Method, name: str) -> None:
        self.method = method
        self.name = name
        self._dense = get_method("dense")

    def prepare(self, prepared: Sequence[QuestionWithQuery], bench: Workbench) -> None:
        """Prepare the method for the questions it gets."""
        self.method.prepare([question for question in prepared if question.negations], bench)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The chosen method's texts."""
        return self._chosen(prepared).texts(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The chosen method's scores."""
        return self._chosen(prepared).score(prepared, view)

    def _chosen(self, prepared: QuestionWithQuery) -> Method:
        return self.method if prepared.negations else self._dense


class TwoStage(Method):
    """The dense retriever, or another, takes a pool of candidates; a method ranks the pool. Nothing else is retrieved.

    Source: NSFL, section 8: 2k candidates by the question's similarity, rescored, the top k kept; mAP@100, so that the
    pool has 200 documents.

    Args:
        method: Ranks the pool; normalisations over the candidates see the pool alone.
        pool: Size of the pool, at least 1; a smaller corpus is taken whole.
        name: Name in tables.
        first: Takes the pool; by default the dense retriever.
    """

    def __init__(self, method: Method, pool: int = 200, name: str | None = None, first: Method | None = None) -> None:
        self.method = method
        self.pool = pool
        self.name = f"{method.name}-two-stage" if name is None else name
        self.first = get_method("dense") if first is None else first

    def prepare(self, prepared: Sequence[QuestionWithQuery], bench: Workbench) -> None:
        """Prepare both stages."""
        for stage in (self.first, self.method):
            stage.prepare(prepared, bench)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts of both stages."""
        return tuple(dict.fromkeys((*self.first.texts(prepared), *self.method.texts(prepared))))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The second stage's scores in the pool, ``-inf`` outside."""
        pool = np.sort(np.argsort(-self.first.score(prepared, view), kind="stable")[: self.pool])
        scores = np.full(len(view.rows), -np.inf)
        scores[pool] = self.method.score(prepared, View(view.bench, view.rows[pool]))
        return scores


class OneVector(Method):
    """A method that searches with one vector made of the vectors of the wanted and the unwanted texts."""

    @abstractmethod
    def combined(self, prepared: QuestionWithQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """The query vector, shape (d,), made of the vectors of :meth:`texts`, shape (T, d)."""

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines of the combined vector, in [-1, 1]; all 0 where the vector vanishes."""
        vector = np.asarray(self.combined(prepared, view.bench.vectors(self.texts(prepared))), dtype=np.float32)
        return view.bench.products(unit(vector), view.rows).ravel()


class Projection(OneVector):
    """Gram-Schmidt: the wanted vector without its component along the unwanted one, ``a - (a·b) b``.

    The positive terms joined with "and" are the wanted text, the negated terms joined with "and" the unwanted one.
    Source: the geometric baseline of NSFL, section 8.1.

    Args:
        name: Name in tables.
    """

    def __init__(self, name: str = "geometric") -> None:
        self.name = name

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The wanted text and, if there is one, the unwanted text."""
        return tuple(filter(None, (prepared.wanted, " and ".join(prepared.terms(positive=False)))))

    def combined(self, prepared: QuestionWithQuery, vectors: npt.NDArray[np.float32]) -> Any:  # noqa: ARG002
        """The projected vector."""
        wanted, *unwanted = vectors
        return wanted - sum(((wanted @ vector) * vector for vector in unwanted), np.zeros_like(wanted))


class Subtraction(OneVector):
    """Normalised addition: the wanted vector minus 0.3 times the mean of the negated terms' vectors.

    Source: normalised vector addition of NSFL, section 8.1, with the negative weight of common practice.
    """

    name = "geometric-addition"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The wanted text and each negated term."""
        return (prepared.wanted, *prepared.terms(positive=False))

    def combined(self, prepared: QuestionWithQuery, vectors: npt.NDArray[np.float32]) -> Any:  # noqa: ARG002
        """The sum."""
        return vectors[0] - 0.3 * vectors[1:].mean(axis=0) if len(vectors) > 1 else vectors[0]


class DirectEmbeddingOptimization(OneVector):
    """DEO: cosine with the question's vector after :func:`~logical_retriever.lab.one_vector.moved_vector` moved it.

    A question without negated terms is searched for as it is, since the loss has nothing to contrast.
    """

    name = "deo"

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question, and every term where one is negated."""
        anchor, positives, negatives = decomposed(prepared.query, prepared.question.text)
        return (anchor, *positives, *negatives) if negatives else (anchor,)

    def combined(self, prepared: QuestionWithQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """The optimised vector."""
        split = 1 + len(decomposed(prepared.query, prepared.question.text)[1])
        return moved_vector(vectors[0], vectors[1:split], vectors[split:]).vector


class SphericalOptimum(OneVector):
    """SQO alone: cosine with the unit vector that a semantics would score highest, and no rescoring of what it finds.

    "Optimise only" of NSFL, section 8.2. A question without logic is searched for as it is.

    Args:
        semantics: A semantics or its name.
        name: Name in tables.
    """

    def __init__(self, semantics: str | Semantics = "calibrated", name: str = "sqo-only") -> None:
        self.semantics = get_semantics(semantics)
        self.name = name
        self._nulls: NullModel | None = None

    def prepare(self, prepared: Sequence[QuestionWithQuery], bench: Workbench) -> None:  # noqa: ARG002
        """Measure what cosines mean in this corpus, where the semantics wants to know."""
        self._nulls = NullModel.fit(bench.document_vectors) if self.semantics.calibrated else None

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts that the semantics asks for."""
        return self.semantics.texts(*_searched(prepared))

    def combined(self, prepared: QuestionWithQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """The optimum."""
        query, question = _searched(prepared)
        nulls = None if self._nulls is None else self._nulls.of(vectors)
        return spherical_optimum(query, self.semantics, vectors, nulls=nulls, question=question).vector


def _searched(prepared: QuestionWithQuery) -> tuple[LogicalQuery, str | None]:
    """The query that is optimised for, and the question; None where nobody asked one."""
    text = prepared.question.text
    if not prepared.question.asked:
        return prepared.query, None
    return prepared.query if has_logic(prepared.query) else Term(text), text
