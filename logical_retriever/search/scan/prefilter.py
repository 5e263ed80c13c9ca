"""Documents of a scan that can be among the best, found before anything expensive is computed of all the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from logical_retriever.search.problem import Array, Lexical, Problem
from logical_retriever.search.scan.first_pass import FEW
from logical_retriever.semantics import BagOfWords
from logical_retriever.vectors import Vectors
from logical_retriever.vectors.approximate import ApproximateCosines, Rows

SHARES = (0.001, 0.002, 0.004, 0.008, 0.015, 0.025, 0.04, 0.06, 0.09, 0.13, 0.2)
"""Share of the documents nearest to each wanted text that are composed; the first that is proved to be enough."""
FIRST_SHARE = 0.02
"""Share that is composed while nothing is known of what documents have to reach."""
SAMPLE = 4000
"""Documents from which a share's least cosine is estimated; a bad estimate costs time, never a document."""
ROUNDING = 1e-9
"""How far above the bound a score must be, relative to it: two ways to compute one score may differ by less."""


class Prefilter:
    """Chooses the documents of a block that may score at least as high as the best of the blocks before.

    A score costs many times what a comparison does, and all but a few documents are about none of the wanted texts. One
    whose cosine with each of these texts is below some limit, and the score of each one's words as well, has a score
    below a bound; where as many documents as are wanted have scored above that bound already, it needs no score of its
    own.

    Safe to use from several threads.

    Args:
        problem: Whose semantics bounds its scores.

    Attributes:
        few: Whether the latest choice was of a few documents.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.few = bool(problem.wanted)
        self._known: tuple[_Limits, ...] = ()

    def rows_above(self, wanted: ApproximateCosines, floor: float, words: Lexical | None = None) -> Rows | None:
        """Rows, ascending, of all documents that may score ``floor`` or more, and some others; None for all.

        ``words`` are lexical scores of the same documents, where words count.
        """
        if not self._problem.wanted or floor == -np.inf:
            return None
        for limits in self._limits(wanted, words)[1:]:
            if floor > limits.bound + ROUNDING * abs(limits.bound):
                rows = self._near(wanted, limits, words)
                self.few = len(rows) <= FEW * len(wanted.errors)
                return rows
        self.few = False
        return None

    def first_rows(self, wanted: ApproximateCosines, words: Lexical | None = None) -> Rows | None:
        """Rows, ascending, of the documents nearest to each wanted text; None where they would tell nothing."""
        if not self._problem.wanted:
            return None
        return self._near(wanted, self._limits(wanted, words)[0], words)

    def _near(self, wanted: ApproximateCosines, limits: _Limits, words: Lexical | None) -> Rows:
        """Documents that may have a cosine, or have a lexical score, above a limit."""
        near = np.zeros(len(wanted.errors), dtype=bool)
        for row, limit in zip(wanted.cosines, limits.cosines, strict=True):
            near |= row > limit - wanted.errors
        for bag, least in limits.words.items():
            if words is not None:
                near |= words[bag] > least
        return np.flatnonzero(near)

    def _limits(self, wanted: ApproximateCosines, words: Lexical | None) -> tuple[_Limits, ...]:
        """For FIRST_SHARE and each of SHARES, limits that this share of the first block's documents exceeds."""
        if not self._known:
            step = max(1, wanted.cosines.shape[1] // SAMPLE)
            sampled = np.sort(wanted.cosines[:, ::step], axis=1)
            places = [int((1.0 - share) * sampled.shape[1]) for share in (FIRST_SHARE, *SHARES)]
            limits = sampled[:, places]
            shape = len(self._problem.texts), len(places)
            low, high = np.full(shape, -1.0), np.ones(shape)
            high[list(self._problem.wanted)] = limits
            least: dict[BagOfWords, Array] | None = None
            most: dict[BagOfWords, Array] | None = None
            if words:
                bags = self._problem.wanted_bags
                least = {bag: np.repeat(floor, len(places)) for bag, floor in self._wordless.items()}
                most = {bag: np.sort(words[bag][::step])[places] if bag in bags else least[bag] for bag in least}
            bounds = self._problem.upper_bounds(low, high, least, most)
            chosen = {bag: row for bag, row in (most or {}).items() if bag in self._problem.wanted_bags}
            self._known = tuple(
                _Limits(limits[:, i], {bag: float(row[i]) for bag, row in chosen.items()}, float(bounds[i]))
                for i in range(len(places))
            )
        return self._known

    @cached_property
    def _wordless(self) -> dict[BagOfWords, Array]:
        """Lexical scores of a text without words: no text has lower ones."""
        return {bag: np.zeros(1) for bag in self._problem.bags}


@dataclass(frozen=True)
class _Limits:
    """Cosine with each wanted text, score of each wanted bag of words, and most that a document without more scores."""

    cosines: Vectors
    words: Mapping[BagOfWords, float]
    bound: float
