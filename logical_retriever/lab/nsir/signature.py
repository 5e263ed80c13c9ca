"""Two vectors for a text with its logic: NS-IR's logic alignment and connective constraint.

Both depend on the text and its own formulas alone, not on what it is compared with; so those of a corpus can be kept.

Source: NS-IR (arXiv 2505.22299), sections 4.2 and 4.3; details as in its public program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logical_retriever.lab.nsir.tokens import TokenVectors
from logical_retriever.lab.nsir.transport import (
    DEFAULT_REGULARIZATION,
    Matrix,
    Transport,
    aligned,
    cost_matrix,
    transport_plan,
)
from logical_retriever.vectors import unit

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Signature:
    """A text with its logic.

    Attributes:
        alignment: Shape (d,), of logic alignment.
        constraint: Shape (d,), of connective constraint.
        sentence: Shape (d,), the encoder's vector of the text alone.
    """

    alignment: Vector
    constraint: Vector
    sentence: Vector


def signature(
    text: TokenVectors,
    logic: TokenVectors,
    signs: Sequence[tuple[int, int, int]],
    *,
    transport: Transport = "exact",
    regularization: float = DEFAULT_REGULARIZATION,
) -> Signature:
    """Bring a text and its logic together.

    Args:
        text: The text, m tokens, at least 1.
        logic: Its formulas as one text, n tokens, at least 1.
        signs: Start, end and σ of the connectives in that text.
        transport: As for :func:`~logical_retriever.lab.nsir.transport.transport_plan`.
        regularization: The same.
    """
    tokens, formulas = text.tokens.astype(np.float64), logic.tokens.astype(np.float64)
    plan = transport_plan(cost_matrix(tokens, formulas), transport, regularization=regularization)
    sentence = text.sentence.astype(np.float64)
    return Signature(
        alignment_vector(tokens, formulas, plan, sentence),
        constraint_vector(tokens, formulas, aligned(plan, transport), token_signs(logic.offsets, signs)),
        sentence,
    )


def alignment_vector(text: Matrix, logic: Matrix, plan: Matrix, sentence: Vector) -> Vector:
    """Logic alignment: ``v_j = Σ_ik H_ij P_ik Z_kj · h_j``.

    Args:
        text: H, shape (m, d).
        logic: Z, shape (n, d).
        plan: P, shape (m, n).
        sentence: h, shape (d,).

    Returns:
        Shape (d,).
    """
    moved: Vector = np.sum(text * (plan @ logic), axis=0) * sentence
    return moved


def constraint_vector(text: Matrix, logic: Matrix, pairs: npt.NDArray[np.bool_], signs: Vector) -> Vector:
    """Connective constraint: attention from the logic to the text, where connectives push and pull.

    With ``σ_ik = σ_k`` where tokens i and k are no pair and 0 where they are, token k of the logic attends to
    ``h_i + σ_ik z_k`` with weight ``a_ki = softmax_i z_k · (h_i + σ_ik z_k)``; the result is the mean over k of
    ``Σ_i a_ki (h_i + σ_ik z_k)``.

    Args:
        text: H, shape (m, d).
        logic: Z, shape (n, d).
        pairs: Shape (m, n), what the transport plan brings together.
        signs: σ, shape (n,): -1 for ¬, 1 for other connectives and quantifiers, 0 otherwise.

    Returns:
        Shape (d,).
    """
    sigma = np.where(pairs.T, 0.0, signs[:, None])
    logits = logic @ text.T + sigma * np.sum(logic * logic, axis=1)[:, None]
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    attended = weights @ text + np.sum(weights * sigma, axis=1)[:, None] * logic
    mean: Vector = attended.mean(axis=0)
    return mean


def token_signs(offsets: npt.NDArray[np.intp], signs: Sequence[tuple[int, int, int]]) -> Vector:
    """σ of each token: that of the connective it is a part of, else 0.

    Args:
        offsets: Shape (n, 2), where the tokens stand.
        signs: Start, end and σ of the connectives.

    Returns:
        Shape (n,).
    """
    found = np.zeros(len(offsets))
    for start, end, sign in signs:
        found[(offsets[:, 0] < end) & (offsets[:, 1] > start)] = sign
    return found


def similarity(left: npt.ArrayLike, right: npt.ArrayLike) -> Matrix:
    """``(cos + 1)/2`` of vectors: shapes (a, d) and (b, d) give (a, b), in [0, 1]; 0.5 for a vector of zeros."""
    # Vectors one by one would differ in the last bits with their place in a block; see `products` of evaluation.
    cosines = np.einsum("ad,bd->ab", unit(left).astype(np.float64), unit(right).astype(np.float64))
    scaled: Matrix = (np.clip(cosines, -1.0, 1.0) + 1.0) / 2.0
    return scaled
