"""Truth values from labelled pairs of a term and a document: a logistic curve over cosines (ITLR, appendix E)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from scipy import optimize  # type: ignore[import-untyped]

from lab.one_vector import unit
from logical_retriever import Embedder
from logical_retriever.errors import CorpusError, InvalidArgumentError, SemanticsError

Array = npt.NDArray[np.float64]
FORM = 'Each line is {"term": "bone health", "text": "...", "label": 1}; the label is 0 or 1.'
MAX_EXPONENT = 80.0
"""Bound of the exponent: the curve is within 1e-34 of 0 or 1 there."""


class LabelledPair(BaseModel, extra="forbid"):
    """A term, a text, and whether the text is about the term: label 1 or 0; neither text is blank."""

    term: str = Field(pattern=r"\S")
    text: str = Field(pattern=r"\S")
    label: Annotated[Literal[0, 1], BeforeValidator(lambda label: str(label) if isinstance(label, bool) else label)]


@dataclass(frozen=True)
class Logistic:
    """A map from cosine to truth value: ``σ((s - τ) λ)``, in (0, 1), increasing.

    A truth map for semantics that take one: ``TruthFunctional("product", np.multiply, truth=Logistic(0.3, 12.0))``. In
    contrast to :class:`~logical_retriever.scoring.NullModel` it needs labels, and every term gets the same curve.

    Attributes:
        tau: τ, the cosine that is as likely of a document about the term as of any other; finite.
        scale: λ, the steepness, per unit of cosine; finite and above 0.

    Raises:
        InvalidArgumentError: A number outside these ranges.
    """

    tau: float
    scale: float

    def __post_init__(self) -> None:
        if not np.isfinite([self.tau, self.scale]).all() or self.scale <= 0:
            raise InvalidArgumentError(
                f"A logistic curve with τ = {self.tau} and λ = {self.scale} is not defined or does not rise.",
                hint="Give a finite τ, and a finite λ above 0.",
            )

    def __call__(self, cosines: Array) -> Array:
        """Return truth values in [0, 1], of the shape of the cosines."""
        exponents = np.clip((self.tau - cosines) * self.scale, -MAX_EXPONENT, MAX_EXPONENT)
        values: Array = 1.0 / (1.0 + np.exp(exponents))
        return values

    @classmethod
    def fit(cls, cosines: Array, labels: npt.NDArray[np.int_]) -> Logistic:
        """Fit to labelled cosines by maximum likelihood, with SciPy.

        Both labels weigh the same in all, however many pairs there are of each. As Platt proposes ("Probabilistic
        outputs for support vector machines", 1999), the curve aims at ``(N1 + 1) / (N1 + 2)`` for the N1 pairs labelled
        1 and at ``1 / (N0 + 2)`` for the others, so that the fit is finite where a cosine separates the two.

        Args:
            cosines: Shape (P,), in [-1, 1].
            labels: Shape (P,): 1 where the document is about the term, 0 where it is not.

        Raises:
            SemanticsError: Not both labels occur, or documents labelled 1 are on average no more similar to their terms
                than the others.
        """
        about, others = cosines[labels == 1], cosines[labels == 0]
        if not len(about) or not len(others) or about.mean() - others.mean() <= 1e-9:
            raise SemanticsError(
                f"{len(about)} documents labelled 1 are no more similar to their terms than {len(others)} labelled 0.",
                hint="Label documents about their term with 1 and others with 0; both are needed.",
            )
        targets = np.where(labels == 1, (len(about) + 1) / (len(about) + 2), 1 / (len(others) + 2))
        weights = np.where(labels == 1, 0.5 / len(about), 0.5 / len(others))
        standard = (cosines - cosines.mean()) / cosines.std()

        def loss(curve: Array) -> float:
            logits = curve[0] * standard + curve[1]
            return float(weights @ (np.logaddexp(0.0, logits) - targets * logits))

        slope, offset = optimize.minimize(loss, np.zeros(2), tol=1e-8).x
        return cls(float(cosines.mean() - cosines.std() * offset / slope), float(slope / cosines.std()))


def fit_pairs(path: Path, embedder: Embedder) -> tuple[Logistic, float, int]:
    """Fit a curve to the labelled pairs of a file.

    Args:
        path: JSON Lines: objects with "term", "text" and "label" (0 or 1).
        embedder: Encodes terms and texts.

    Returns:
        The curve, the share of pairs on the right side of 0.5, and the number of pairs.

    Raises:
        CorpusError: The file cannot be read, has no pair, or a line is something else; the message names it.
    """
    pairs = read_pairs(path)
    terms = unit(embedder.embed_queries([pair.term for pair in pairs]))
    documents = unit(embedder.embed_documents([pair.text for pair in pairs]))
    cosines: Array = np.clip((terms * documents).sum(axis=1), -1.0, 1.0).astype(np.float64)
    labels = np.array([pair.label for pair in pairs])
    curve = Logistic.fit(cosines, labels)
    return curve, float(((curve(cosines) > 0.5) == (labels == 1)).mean()), len(pairs)


def read_pairs(path: Path) -> list[LabelledPair]:
    """Read labelled pairs from JSON Lines.

    Raises:
        CorpusError: As for :func:`fit_pairs`.
    """
    pairs = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise CorpusError(f"cannot be read ({error}).", path=str(path), line=None, hint=FORM) from error
    for number, line in enumerate(lines, start=1):
        try:
            pairs += [LabelledPair.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            problem = f"{where}: {first['msg']}."
            raise CorpusError(problem, path=str(path), line=number, hint=FORM) from error
    if not pairs:
        raise CorpusError("has no labelled pair.", path=str(path), line=None, hint=FORM)
    return pairs
