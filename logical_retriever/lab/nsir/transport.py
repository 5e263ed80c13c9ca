"""How the tokens of a text and of its logic belong together: optimal transport between the two.

Source: NS-IR (arXiv 2505.22299), section 4.2; details as in its public program.
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError, SemanticsError, require
from logical_retriever.vectors import unit

Matrix = npt.NDArray[np.float64]
Transport = Literal["exact", "sinkhorn"]
TRANSPORTS: Final[tuple[Transport, ...]] = get_args(Transport)

DISTORTION: Final = 0.2
"""How much of a similarity two tokens lose that stand at opposite ends of their texts."""
DEFAULT_REGULARIZATION: Final = 0.05
"""Entropic regularisation of Sinkhorn's plan, in units of the cost, which lies in [0, 1]."""

_ITERATIONS: Final = 1_000_000
_SINKHORN_ITERATIONS: Final = 10_000
_TOLERANCE: Final = 1e-6


def cost_matrix(text: npt.ArrayLike, logic: npt.ArrayLike) -> Matrix:
    """Cost of moving each token of a text to each token of its logic.

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


def transport_plan(
    costs: Matrix, transport: Transport = "exact", *, regularization: float = DEFAULT_REGULARIZATION
) -> Matrix:
    """How much of each text token goes to each token of the logic, at the least cost; every token weighs the same.

    Args:
        costs: Shape (m, n).
        transport: "exact" is the earth mover's distance (a linear program; at most m + n - 1 entries are above 0),
            "sinkhorn" its entropic relaxation, whose entries are all above 0.
        regularization: Sinkhorn's, above 0; the smaller, the nearer to the exact plan and the slower.

    Returns:
        Shape (m, n), at least 0; rows sum to 1/m, columns to 1/n.

    Raises:
        InvalidArgumentError: An argument is none of these.
        MissingPackageError: POT is not installed.
        SemanticsError: Sinkhorn's iteration did not end.
    """
    check_transport(transport, regularization)
    rows, columns = costs.shape
    sources, targets = np.full(rows, 1.0 / rows), np.full(columns, 1.0 / columns)
    if rows == 1 or columns == 1:  # the one plan there is
        return np.outer(sources, targets)
    ot = _pot()
    if transport == "exact":
        return np.asarray(ot.emd(sources, targets, costs, numItermax=_ITERATIONS), dtype=np.float64)
    plan = ot.sinkhorn(
        sources,
        targets,
        costs,
        regularization,
        method="sinkhorn_log",
        numItermax=_SINKHORN_ITERATIONS,
        stopThr=_TOLERANCE / 10.0,
        warn=False,
    )
    plan = np.asarray(plan, dtype=np.float64)
    error = max(np.abs(plan.sum(axis=1) - sources).max(), np.abs(plan.sum(axis=0) - targets).max())
    if not error <= _TOLERANCE:
        raise SemanticsError(
            f"Sinkhorn's iteration did not converge in {_SINKHORN_ITERATIONS:,} steps "
            f"(regularization {regularization}, error {error:.1e}).",
            hint='Use a larger regularization, or transport="exact".',
        )
    return plan


def aligned(plan: Matrix, transport: Transport = "exact") -> npt.NDArray[np.bool_]:
    """Which tokens the plan brings together: shape (m, n).

    The exact plan is sparse, and every entry above 0 is a pair. Sinkhorn's entries are all above 0; there a pair has
    more than it would have by chance, 1/(m·n).
    """
    rows, columns = plan.shape
    return np.asarray(plan > (1.0 / (rows * columns) if transport == "sinkhorn" else 0.0))


def check_transport(transport: object, regularization: object) -> None:
    """Refuse arguments that :func:`transport_plan` is not defined for.

    Raises:
        InvalidArgumentError: As for :func:`transport_plan`.
    """
    if transport not in TRANSPORTS:
        raise InvalidArgumentError(f"transport is {transport!r}.", hint=f"Known: {', '.join(TRANSPORTS)}.")
    if (
        not isinstance(regularization, (int, float))
        or isinstance(regularization, bool)
        or not (0.0 < regularization < math.inf)
    ):
        raise InvalidArgumentError(f"regularization is {regularization!r}.", hint="Give a number above 0, as 0.05.")


def _pot() -> Any:
    return require("ot", "Optimal transport (NS-IR)", install='pip install "logical-retriever[rerank]"')
