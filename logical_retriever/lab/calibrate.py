"""Truth values from labelled pairs of a term and a document: a logistic curve over cosines (ITLR, appendix E)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from logical_retriever.embedding import Embedder, embed_passages, embed_terms
from logical_retriever.errors import InvalidArgumentError, SemanticsError, require
from logical_retriever.files import json_lines, wrong
from logical_retriever.semantics.evidence import Array
from logical_retriever.vectors import unit

FORM = 'Each line is {"term": "bone health", "text": "...", "label": 1}; the label is 0 or 1.'
MAX_EXPONENT = 80.0
"""Curves are cut where they are within 1e-34 of 0 or 1, long before any engine's exponential overflows."""


class LabelledPair(BaseModel, extra="forbid"):
    """Whether a text is about a term: label 1 where it is, else 0; neither text is blank."""

    term: str = Field(pattern=r"\S")
    text: str = Field(pattern=r"\S")
    label: Annotated[Literal[0, 1], BeforeValidator(lambda label: str(label) if isinstance(label, bool) else label)]


@dataclass(frozen=True)
class Logistic:
    """Cosine to truth value: ``σ((s - τ) λ)``, in (0, 1), increasing.

    A truth map for semantics that take one: ``TruthFunctional("product", np.multiply, truth=Logistic.load(path))``. In
    contrast to :class:`~logical_retriever.semantics.NullModel` it needs labels, and every term gets the same curve.

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
        """Truth values in [0, 1], of the shape of the cosines."""
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
            MissingPackageError: SciPy is not installed.
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

        optimize = require("scipy.optimize", "Fitting a curve", install='pip install "logical-retriever[evaluation]"')
        slope, offset = optimize.minimize(loss, np.zeros(2), tol=1e-8).x
        return cls(float(cosines.mean() - cosines.std() * offset / slope), float(slope / cosines.std()))

    @classmethod
    def load(cls, path: str | Path) -> Logistic:
        """Read a curve from a file of JSON with its attributes, as ``logical-retriever lab calibrate`` writes it.

        Raises:
            CorpusError: The file cannot be read, or holds something else.
        """
        hint = "Write it with: logical-retriever lab calibrate PAIRS --output FILE --model NAME."
        try:
            return TypeAdapter(cls).validate_json(Path(path).read_bytes())
        except (OSError, ValueError) as error:
            raise wrong(path, None, f"is no curve ({error}).", hint) from error


def read_pairs(path: str | Path) -> list[LabelledPair]:
    """Read labelled pairs from JSON Lines: objects with "term", "text" and "label" (0 or 1).

    Raises:
        CorpusError: The file cannot be read, has no pair, or a line is something else; says which.
    """
    pairs = []
    for line, record in json_lines(path, FORM):
        try:
            pairs.append(LabelledPair.model_validate(record))
        except ValidationError as error:
            first = error.errors()[0]
            raise wrong(path, line, f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", FORM) from error
    if not pairs:
        raise wrong(path, None, "has no labelled pair.", FORM)
    return pairs


def cosines_of(pairs: Sequence[LabelledPair], embedder: Embedder) -> Array:
    """Cosine of every pair: shape (P,), in [-1, 1].

    Raises:
        EmbeddingError: The encoder failed.
    """
    terms = unit(embed_terms(embedder, [pair.term for pair in pairs]))
    documents = unit(embed_passages(embedder, [pair.text for pair in pairs]))
    cosines: Array = np.clip((terms * documents).sum(axis=1), -1.0, 1.0).astype(np.float64)
    return cosines
