"""Two vectors for a text with its logic: NS-IR's logic alignment and connective constraint.

Optimal transport says how the tokens of the two belong together. Both vectors depend on the text and its own formulas
alone, not on what it is compared with.

Source: NS-IR (arXiv 2505.22299), sections 4.2 and 4.3; details as in its public program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import ot  # type: ignore[import-untyped]

from lab.nsir.tokens import TokenVectors
from lab.one_vector import unit

Matrix = npt.NDArray[np.float64]

DISTORTION: Final = 0.2
"""How much of a similarity two tokens lose that stand at opposite ends of their texts."""

_ITERATIONS: Final = 1_000_000


def cost_matrix(text: npt.ArrayLike, logic: npt.ArrayLike) -> Matrix:
    """Compute the cost of moving each token of a text to each token of its logic.

    ``C = 1 - minmax((cos + 1)/2 · (1 - 0.2 · (i/(m-1) - k/(n-1))²))``. With a single token on one side positions mean
    nothing and the distortion is left out; where all similarities are equal, so are all costs, and they are 0.

    Args:
        text: Token vectors of the text, shape (m, d), m at least 1.
        logic: Token vectors of its formulas, shape (n, d), n at least 1.

    Returns:
        Shape (m, n), in [0, 1].
    """
    similarity = (unit(text).astype(np.float64) @ unit(logic).astype(np.float64).T + 1.0) / 2.0
    rows, columns = similarity.shape
    if rows > 1 and columns > 1:
        apart = np.arange(rows)[:, None] / (rows - 1) - np.arange(columns)[None, :] / (columns - 1)
        similarity = similarity * (1.0 - DISTORTION * apart**2)
    low, high = similarity.min(), similarity.max()
    if high == low:
        return np.zeros_like(similarity)
    costs: Matrix = 1.0 - (similarity - low) / (high - low)
    return costs


def transport_plan(costs: Matrix) -> Matrix:
    """Compute how much of each text token goes to each token of the logic, at the least cost; all weigh the same.

    This is the earth mover's distance, a linear program: at most m + n - 1 entries are above 0.

    Args:
        costs: Shape (m, n).

    Returns:
        Shape (m, n), at least 0; rows sum to 1/m, columns to 1/n.
    """
    rows, columns = costs.shape
    sources, targets = np.full(rows, 1.0 / rows), np.full(columns, 1.0 / columns)
    if rows == 1 or columns == 1:  # the one plan there is
        return np.outer(sources, targets)
    return np.asarray(ot.emd(sources, targets, costs, numItermax=_ITERATIONS), dtype=np.float64)


@dataclass(frozen=True)
class Signature:
    """A text with its logic.

    Attributes:
        alignment: Shape (d,), of logic alignment.
        constraint: Shape (d,), of connective constraint.
        sentence: Shape (d,), the encoder's vector of the text alone.
    """

    alignment: Matrix
    constraint: Matrix
    sentence: Matrix


def signature(text: TokenVectors, logic: TokenVectors, signs: Sequence[tuple[int, int, int]]) -> Signature:
    """Bring a text and its logic together.

    Args:
        text: The text, m tokens, at least 1.
        logic: Its formulas as one text, n tokens, at least 1.
        signs: Start, end and σ of the connectives in that text.
    """
    tokens, formulas = text.tokens.astype(np.float64), logic.tokens.astype(np.float64)
    plan = transport_plan(cost_matrix(tokens, formulas))
    sentence = text.sentence.astype(np.float64)
    return Signature(
        alignment_vector(tokens, formulas, plan, sentence),
        constraint_vector(tokens, formulas, plan > 0.0, token_signs(logic.offsets, signs)),
        sentence,
    )


def alignment_vector(text: Matrix, logic: Matrix, plan: Matrix, sentence: Matrix) -> Matrix:
    """Compute logic alignment: ``v_j = Σ_ik H_ij P_ik Z_kj · h_j``.

    Args:
        text: H, shape (m, d).
        logic: Z, shape (n, d).
        plan: P, shape (m, n).
        sentence: h, shape (d,).

    Returns:
        Shape (d,).
    """
    moved: Matrix = np.sum(text * (plan @ logic), axis=0) * sentence
    return moved


def constraint_vector(text: Matrix, logic: Matrix, pairs: npt.NDArray[np.bool_], signs: Matrix) -> Matrix:
    """Compute the connective constraint: attention from the logic to the text, where connectives push and pull.

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
    mean: Matrix = attended.mean(axis=0)
    return mean


def token_signs(offsets: npt.NDArray[np.intp], signs: Sequence[tuple[int, int, int]]) -> Matrix:
    """Return σ of each token: that of its connective, 0 outside connectives.

    Args:
        offsets: Shape (n, 2), where the tokens stand.
        signs: Start, end and σ of the connectives.

    Returns:
        Shape (n,).
    """
    sigma = np.zeros(len(offsets))
    for start, end, sign in signs:
        sigma[(offsets[:, 0] < end) & (offsets[:, 1] > start)] = sign
    return sigma


def similarity(left: npt.ArrayLike, right: npt.ArrayLike) -> Matrix:
    """Compute ``(cos + 1)/2``: shapes (a, d) and (b, d) give (a, b), in [0, 1]; 0.5 for a vector of zeros."""
    # The last bits of a matrix product depend on a row's place in its block; those of einsum do not.
    cosines = np.einsum("ad,bd->ab", unit(left).astype(np.float64), unit(right).astype(np.float64))
    scaled: Matrix = (np.clip(cosines, -1.0, 1.0) + 1.0) / 2.0
    return scaled
