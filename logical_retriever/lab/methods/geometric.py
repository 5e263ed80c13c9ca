"""One query vector by plain geometry: project the unwanted out, or subtract it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from logical_retriever.evaluation.methods.base import Method, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, Vectors, View


class OneVector(Method):
    """A method that searches with one vector made of the vectors of the wanted and the unwanted texts."""

    @abstractmethod
    def combined(self, prepared: QuestionWithQuery, view: View) -> Vectors:
        """The query vector: shape (d,)."""

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """Cosines of the combined vector, in [-1, 1]; all 0 where the vector vanishes."""
        return view.similar_to(self.combined(prepared, view))


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
        return (prepared.wanted,) if prepared.unwanted is None else (prepared.wanted, prepared.unwanted)

    def combined(self, prepared: QuestionWithQuery, view: View) -> Vectors:
        """The projected vector."""
        vectors = view.bench.vectors(self.texts(prepared))
        wanted: Vectors = vectors[0]
        if len(vectors) == 1:
            return wanted
        unwanted = vectors[1]
        return np.asarray(wanted - (wanted @ unwanted) * unwanted, dtype=np.float32)


class Subtraction(OneVector):
    """Normalised addition: the wanted vector minus 0.3 times the mean of the negated terms' vectors.

    Source: normalised vector addition of NSFL, section 8.1, with the negative weight of common practice.

    Args:
        weight: Weight of the mean of the negated vectors, at least 0.
    """

    name = "geometric-addition"

    def __init__(self, weight: float = 0.3) -> None:
        self.weight = weight

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The wanted text and each negated term."""
        return (prepared.wanted, *prepared.terms(positive=False))

    def combined(self, prepared: QuestionWithQuery, view: View) -> Vectors:
        """The sum."""
        vectors = view.bench.vectors(self.texts(prepared))
        wanted: Vectors = vectors[0]
        if len(vectors) == 1:
            return wanted
        return np.asarray(wanted - self.weight * vectors[1:].mean(axis=0), dtype=np.float32)
