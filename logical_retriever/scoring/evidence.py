"""Evidence: all that is known about documents before a score is composed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class NullDistributions:
    """Null distribution of each of T texts: its cosines with unrelated documents.

    Attributes:
        means: Shape (T,), in [-1, 1].
        deviations: Shape (T,), positive.
        correlations: Correlations of the texts' cosines, ``uᵀΣv / √(uᵀΣu vᵀΣv)``, shape (T, T), in [-1, 1]; None if
            unknown.
    """

    means: Array
    deviations: Array
    correlations: Array | None = None

    def standardise(self, cosines: Array) -> Array:
        """Return evidence ``z = (s - mean) / deviation``.

        z = 4 says that the document is four standard deviations more similar to the text than the store's documents
        are on average: chance alone would put 3 in 100,000 documents there if cosines were normally distributed.

        Args:
            cosines: Shape (T, N), in [-1, 1].

        Returns:
            Shape (T, N), in units of one standard deviation, unbounded.
        """
        return np.asarray((cosines - self.means[:, None]) / self.deviations[:, None])


@dataclass(frozen=True)
class BagOfWords:
    """Which words of a text count as evidence of it; :func:`~logical_retriever.lexical.own_words` finds them.

    Attributes:
        text: The text.
        without: Other texts; their words do not count.
        keeping: Texts with words that count all the same, even if one of ``without`` has them.
    """

    text: str
    without: tuple[str, ...] = ()
    keeping: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What is known of N documents before anything is composed: cosines, words, outcomes of conditions.

    Attributes:
        texts: T distinct texts: the query's terms, then further texts of the semantics.
        cosines: Shape (T, N), in [-1, 1]: cosine of each text's vector with each document's.
        nulls: Null distributions of the T texts, for calibrated semantics.
        lexical: Evidence from words, shape (N,) each, 0 or more, in units of one standard deviation of chance; empty
            if only vectors count. See :meth:`logical_retriever.lexical.LexicalModel.evidence`.
        asked: The user's question, one of the texts; None without one.
        outcomes: Whether each document fulfils each condition of the query, shape (N,).
        kinds: How each excluded term was excluded: "topic", "lack", "typed" or "always"; "typed" where unknown.
        cues: 1 where a document asserts an excluded term, -1 where it denies it, 0 where it does not name it, shape
            (N,); all 0 where no text was read.
        strongest: Greatest evidence of any document for a term, as far as it is known beyond the N documents.
        read: Log odds that a document is to be left out for an excluded term, by a verifier's answer, shape (N,); NaN
            where it was not read.
    """

    texts: tuple[str, ...]
    cosines: npt.NDArray[np.floating[Any]]
    nulls: NullDistributions | None = None
    lexical: Mapping[BagOfWords, Array] = field(default_factory=dict)
    asked: str | None = None
    outcomes: Mapping[LogicalQuery, Flags] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    cues: Mapping[str, Array] = field(default_factory=dict)
    strongest: Mapping[str, float] = field(default_factory=dict)
    read: Mapping[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.cosines.ndim != 2 or len(self.cosines) != len(self.texts):
            raise SemanticsError(
                f"Evidence for {len(self.texts)} texts has cosines of shape {self.cosines.shape}.",
                hint="Give one row of cosines per text: shape (T, N).",
            )

    def outcome(self, condition: LogicalQuery) -> Flags:
        """Return whether documents fulfil a condition, shape (N,).

        Raises:
            SemanticsError: Its outcome is unknown.
        """
        if condition not in self.outcomes:
            raise SemanticsError(
                f"Whether documents fulfil {condition} is not known.",
                hint="Search through LogicalRetriever, which decides conditions on documents' metadata.",
            )
        return self.outcomes[condition]

    def row(self, text: str) -> int:
        """Return the position of a text's row.

        Raises:
            SemanticsError: There is no evidence for this text.
        """
        try:
            return self.texts.index(text)
        except ValueError:
            raise SemanticsError(
                f"There is no evidence for the text {text!r}.",
                hint="Give a row of cosines for every text of semantics.texts(query).",
            ) from None
