"""The papers' methods over vectors: a second stage, and methods that search with one vector."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.one_vector import decomposed, moved_vector, spherical_optimum, unit
from logical_retriever import LogicalQuery, Semantics, Term, get_semantics
from logical_retriever.evaluation import JudgedQuery, Method, View, Workbench, get_method
from logical_retriever.query import has_logic
from logical_retriever.scoring import NullModel

Array = npt.NDArray[np.float64]


class TwoStage(Method):
    """A method that ranks the best documents of another one, and retrieves no others.

    Source: NSFL, section 8: the 2k documents nearest to the question, rescored, the best k kept.

    Args:
        method: Ranks the pool; what it normalises over documents, it normalises over the pool.
        pool: Size of the pool, at least 1; a smaller corpus is taken whole.
        name: Name in tables.
        first: Chooses the pool; by default the dense retriever.
    """

    def __init__(self, method: Method, pool: int = 200, name: str | None = None, first: Method | None = None) -> None:
        self.method = method
        self.pool = pool
        self.name = f"{method.name}-two-stage" if name is None else name
        self.first = get_method("dense") if first is None else first

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:
        """Prepare both stages."""
        for stage in (self.first, self.method):
            stage.prepare(prepared, bench)

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts of both stages."""
        return tuple(dict.fromkeys((*self.first.texts(prepared), *self.method.texts(prepared))))

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the second stage's scores in the pool, ``-inf`` outside."""
        pool = np.sort(np.argsort(-self.first.score(prepared, view), kind="stable")[: self.pool])
        scores = np.full(len(view.rows), -np.inf)
        scores[pool] = self.method.score(prepared, View(view.bench, view.rows[pool]))
        return scores


class OneVector(Method):
    """A method that searches with one vector, made of the vectors of wanted and unwanted texts."""

    @abstractmethod
    def combined(self, prepared: JudgedQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """Combine the vectors of :meth:`texts`, shape (T, d), into the query vector, shape (d,)."""

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the cosines of the combined vector, in [-1, 1]; 0 where that is a vector of zeros."""
        vector = np.asarray(self.combined(prepared, view.bench.vectors(self.texts(prepared))), dtype=np.float32)
        return view.bench.products(unit(vector), view.rows).ravel()


class Projection(OneVector):
    """Gram-Schmidt: the wanted vector without its component along the unwanted one, ``a - (a·b) b``.

    The positive terms joined with "and" are the wanted text, the negated terms the unwanted one.
    Source: the geometric baseline of NSFL, section 8.1.

    Args:
        name: Name in tables.
    """

    def __init__(self, name: str = "geometric") -> None:
        self.name = name

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the wanted text and, where a term is negated, the unwanted text."""
        return tuple(filter(None, (prepared.wanted, prepared.joined(positive=False))))

    def combined(self, prepared: JudgedQuery, vectors: npt.NDArray[np.float32]) -> Any:  # noqa: ARG002
        """Return the projected vector."""
        wanted, *unwanted = vectors
        return wanted - sum(((wanted @ vector) * vector for vector in unwanted), np.zeros_like(wanted))


class Subtraction(OneVector):
    """Normalised addition: the wanted vector minus 0.3 times the mean of the negated terms' vectors.

    Source: normalised vector addition of NSFL, section 8.1, with the negative weight of common practice.
    """

    name = "geometric-addition"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the wanted text and each negated term."""
        return (prepared.wanted, *prepared.terms(positive=False))

    def combined(self, prepared: JudgedQuery, vectors: npt.NDArray[np.float32]) -> Any:  # noqa: ARG002
        """Return the difference."""
        return vectors[0] - 0.3 * vectors[1:].mean(axis=0) if len(vectors) > 1 else vectors[0]


class DirectEmbeddingOptimization(OneVector):
    """DEO: cosine with the question's vector after :func:`~lab.one_vector.moved_vector` moved it.

    A question without negated terms is searched for as it is: the loss has nothing to contrast.
    """

    name = "deo"

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the question, and every term where one is negated."""
        anchor, positives, negatives = decomposed(prepared.query, prepared.question.text)
        return (anchor, *positives, *negatives) if negatives else (anchor,)

    def combined(self, prepared: JudgedQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """Return the optimised vector."""
        split = 1 + len(decomposed(prepared.query, prepared.question.text)[1])
        return moved_vector(vectors[0], vectors[1:split], vectors[split:]).vector


class SphericalOptimum(OneVector):
    """SQO: cosine with the unit vector that a semantics would score highest.

    "Optimise only" of NSFL, section 8.2; :class:`TwoStage` rescores what it finds. A question without logic is searched
    for as it is.

    Args:
        semantics: A semantics or its name.
        name: Name in tables.
    """

    def __init__(self, semantics: str | Semantics = "calibrated", name: str = "sqo-only") -> None:
        self.semantics = get_semantics(semantics)
        self.name = name
        self._nulls: NullModel | None = None

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:  # noqa: ARG002
        """Fit the null model of a calibrated semantics."""
        self._nulls = NullModel.fit(bench.document_vectors) if self.semantics.calibrated else None

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the texts that the semantics needs."""
        return self.semantics.texts(*_searched(prepared))

    def combined(self, prepared: JudgedQuery, vectors: npt.NDArray[np.float32]) -> Any:
        """Return the optimum."""
        query, asked = _searched(prepared)
        nulls = None if self._nulls is None else self._nulls.of(vectors)
        return spherical_optimum(query, self.semantics, vectors, nulls=nulls, asked=asked).vector


def _searched(prepared: JudgedQuery) -> tuple[LogicalQuery, str | None]:
    """Return the query to optimise for, and the question; None where nobody asked one."""
    text = prepared.question.text
    if not prepared.question.asked:
        return prepared.query, None
    return prepared.query if has_logic(prepared.query) else Term(text), text
