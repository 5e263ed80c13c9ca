"""How certain a mean is, and whether two methods differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.optional import require

RESAMPLES = 1000
LEVEL = 0.95


def confidence_interval(values: Sequence[float]) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean of one value a question, at 95 percent; the same at every call.

    Raises:
        InvalidArgumentError: There is no value.
        MissingPackageError: SciPy is not installed.
    """
    if not values:
        raise InvalidArgumentError("There is no interval of no values.", hint="Give at least one value.")
    data = np.asarray(values, dtype=np.float64)
    if np.ptp(data) == 0.0:
        return float(data[0]), float(data[0])
    stats = require("scipy.stats", "A bootstrap confidence interval")
    interval = stats.bootstrap(
        (data,),
        np.mean,
        confidence_level=LEVEL,
        n_resamples=RESAMPLES,
        method="percentile",
        vectorized=True,
        batch=100,
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def wilcoxon(values: Sequence[float], baseline: Sequence[float]) -> float:
    """Two-sided p-value of the paired Wilcoxon signed-rank test over two values a question, in [0, 1].

    Questions without a difference are left out; 1 where no question differs. NSFL tests per-query average precision
    against its baseline in this way.

    Raises:
        InvalidArgumentError: The two have different lengths.
        MissingPackageError: SciPy is not installed.
    """
    if len(values) != len(baseline):
        raise InvalidArgumentError(
            f"A paired test needs pairs, got {len(values)} and {len(baseline)} values.",
            hint="Give one value a question for both methods.",
        )
    # Differences of rounding alone are ties.
    differences = np.round(np.asarray(values, dtype=np.float64) - np.asarray(baseline, dtype=np.float64), 12)
    differences = differences[differences != 0.0]
    if not len(differences):
        return 1.0
    stats = require("scipy.stats", "A Wilcoxon test")
    return float(stats.wilcoxon(differences, zero_method="wilcox", method="auto").pvalue)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's correction: p-values adjusted for the number of comparisons, in [0, 1].

    The i-th smallest of m values is multiplied by m - i + 1 and raised to the largest before it.
    Source: Holm, "A simple sequentially rejective multiple test procedure" (1979).

    Examples:
        >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
        {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}
