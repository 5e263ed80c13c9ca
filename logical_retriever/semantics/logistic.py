"""Truth values from labelled pairs: a logistic curve over cosines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from logical_retriever.errors import InvalidArgumentError, SemanticsError, require
from logical_retriever.files import wrong
from logical_retriever.semantics.evidence import Array

MAX_EXPONENT = 80.0
"""Curves are cut where they are within 1e-34 of 0 or 1, long before any engine's exponential overflows."""
_LEAST_GAP = 1e-9
"""Mean cosines that lie closer are equal as far as any fit goes."""


@dataclass(frozen=True)
class Logistic:
    """Cosine to truth value: ``σ((s - τ) λ)``, in (0, 1), increasing.

    Source: ITLR (arXiv 2503.17860), appendix E. A truth map for semantics that take one:
    ``ProductSemantics(truth=Logistic.load("calibration.json"))``. It belongs to the encoder whose cosines it was
    fitted on. In contrast to :class:`~logical_retriever.semantics.NullModel` it needs labels, and every term gets the
    same curve.

    Attributes:
        tau: τ, the cosine that is as likely of a document about the term as of any other; finite.
        scale: λ, the steepness, per unit of cosine; finite and above 0.
        model: Name of the encoder that it belongs to, where it is known.

    Raises:
        InvalidArgumentError: A number outside these ranges.
    """

    tau: float
    scale: float
    model: str | None = None

    def __post_init__(self) -> None:
        if not np.isfinite([self.tau, self.scale]).all() or self.scale <= 0:
            raise InvalidArgumentError(
                f"A logistic curve with τ = {self.tau} and λ = {self.scale} is not defined or does not rise.",
                hint="Give a finite τ, and a finite λ above 0.",
            )

    def __call__(self, cosines: Array) -> Array:
        """Truth values in [0, 1], of the shape of the cosines."""
        exponents = np.clip((self.tau - cosines) * self.scale, -MAX_EXPONENT, MAX_EXPONENT)
        values: Array = 1.0 / (1.0 + np.exp(exponents))
        return values

    @classmethod
    def fit(cls, cosines: npt.ArrayLike, labels: npt.ArrayLike, *, model: str | None = None) -> Logistic:
        """Fit to labelled cosines by maximum likelihood, with SciPy.

        Both labels have the same weight in all, however many pairs there are of each: a truth value must not depend on
        how many unrelated documents somebody labelled. As Platt proposes ("Probabilistic outputs for support vector
        machines", 1999), the curve aims at ``(N1 + 1) / (N1 + 2)`` for the N1 pairs labelled 1 and at ``1 / (N0 + 2)``
        for the others, so that the fit is finite where a cosine separates the two.

        Args:
            cosines: Shape (P,), in [-1, 1].
            labels: Shape (P,): 1 where the document is about the term, 0 where it is not.
            model: Name of the encoder that the cosines come from.

        Raises:
            InvalidArgumentError: Not one label per cosine, a cosine that is no number or outside [-1, 1], a label
                other than 0 and 1, pairs of one label only.
            SemanticsError: Documents labelled 1 are not more similar to their terms than the others.
            MissingPackageError: SciPy is not installed.
        """
        s, y = _checked(cosines, labels)
        positives, negatives = y.sum(), (1.0 - y).sum()
        targets = np.where(y == 1.0, (positives + 1.0) / (positives + 2.0), 1.0 / (negatives + 2.0))
        weights = np.where(y == 1.0, 0.5 / positives, 0.5 / negatives)
        centre, spread = s.mean(), s.std()
        if s[y == 1.0].mean() - s[y == 0.0].mean() <= _LEAST_GAP:
            raise SemanticsError(
                "Documents labelled 1 are on average no more similar to their terms than those labelled 0 "
                f"(mean cosines {s[y == 1.0].mean():.3f} and {s[y == 0.0].mean():.3f}).",
                hint="Check that 1 means 'about the term', and that the cosines belong to the texts beside them.",
            )
        design = np.stack([(s - centre) / spread, np.ones_like(s)], axis=1)

        def loss(parameters: Array) -> tuple[float, Array]:
            x = design @ parameters
            small = np.exp(-np.abs(x))
            # Cross-entropy of logits: log(1 + exp(x)) - target * x.
            value = weights @ (np.maximum(x, 0.0) + np.log1p(small) - targets * x)
            return float(value), design.T @ (weights * (_sigmoid(x) - targets))

        def curvature(parameters: Array) -> Array:
            p = _sigmoid(design @ parameters)
            hessian: Array = design.T @ (design * (weights * p * (1.0 - p))[:, None])
            return hessian

        install = 'pip install "logical-retriever[evaluation]"'
        optimize = require("scipy.optimize", "Fitting a logistic curve", install=install)
        # Two parameters and a convex loss: Newton steps within a trust region.
        fitted = optimize.minimize(loss, np.zeros(2), jac=True, hess=curvature, method="trust-exact", tol=1e-8)
        slope, offset = fitted.x
        # Rounding can keep the last step from lowering the loss; what counts is that the gradient is as good as 0.
        if np.abs(fitted.jac).max() > 1e-5 or slope <= 0:
            raise SemanticsError(
                f"No rising curve fits the labels ({fitted.message}).",
                hint="Check that 1 means 'about the term'; label more pairs.",
            )
        return cls(tau=float(centre - spread * offset / slope), scale=float(slope / spread), model=model)

    @classmethod
    def load(cls, path: str | Path, *, model: str | None = None) -> Logistic:
        """Read a curve from a file of JSON with its attributes, as ``logical-retriever lab calibrate`` writes it.

        Args:
            path: The file.
            model: Name of the encoder that it will be used with, to be compared with the file's; None not to.

        Raises:
            CorpusError: The file cannot be read, or holds something else.
            InvalidArgumentError: It was fitted for another encoder.
        """
        try:
            curve = TypeAdapter(cls).validate_json(Path(path).read_bytes())
        except (OSError, ValueError) as error:
            hint = "Write it with: logical-retriever lab calibrate PAIRS --output FILE."
            raise wrong(path, None, f"is no curve ({error}).", hint) from error
        if None not in (model, curve.model) and model != curve.model:
            raise InvalidArgumentError(
                f"{path} was fitted on cosines of {curve.model!r}, not of {model!r}.",
                hint="Fit it again with the encoder in use: logical-retriever lab calibrate PAIRS --model NAME.",
            )
        return curve


def _sigmoid(x: Array) -> Array:
    return Logistic(0.0, 1.0)(x)


def _checked(cosines: npt.ArrayLike, labels: npt.ArrayLike) -> tuple[Array, Array]:
    s, y = np.asarray(cosines, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    if s.ndim != 1 or s.shape != y.shape:
        raise InvalidArgumentError(
            f"Cosines of shape {s.shape} and labels of shape {y.shape} are not pairs.",
            hint="Give two sequences of equal length.",
        )
    # A hair beyond 1 is what rounding makes of equal vectors.
    unusable = np.flatnonzero(~(np.abs(s) <= 1.0 + 1e-6))
    if len(unusable):
        raise InvalidArgumentError(
            f"The cosine at position {unusable[0]} is {s[unusable[0]]}.", hint="A cosine is a number in [-1, 1]."
        )
    unknown = np.flatnonzero(~np.isin(y, (0.0, 1.0)))
    if len(unknown):
        raise InvalidArgumentError(f"The label at position {unknown[0]} is {y[unknown[0]]}.", hint="A label is 0 or 1.")
    if y.all() or not y.any():
        raise InvalidArgumentError(
            f"All {len(y)} labels are {int(y[0])}." if len(y) else "There is no labelled pair.",
            hint="Label documents about their term with 1 and others with 0; both are needed.",
        )
    return s, y
