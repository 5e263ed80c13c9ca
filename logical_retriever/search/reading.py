"""The result of a way to search: candidates, and how far these are proved to hold the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from logical_retriever.results import Convergence, DocumentId
from logical_retriever.semantics import BagOfWords
from logical_retriever.stores.base import StoredDocument

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Candidates:
    """N documents that may be in the answer.

    Attributes:
        ids: N identities.
        cosines: Shape (T, N), in [-1, 1]; complete, whichever list a document came from.
        documents: The documents by id where they have been read, else None.
    """

    ids: tuple[DocumentId, ...]
    cosines: Array
    documents: Mapping[DocumentId, StoredDocument] | None = None

    def subset(self, rows: Sequence[int]) -> Candidates:
        """Some of them, in the order given."""
        return replace(self, ids=tuple(self.ids[i] for i in rows), cosines=self.cosines[:, rows])


@dataclass(frozen=True)
class Reading:
    """Documents read for a problem, and the proof that comes with them.

    Attributes:
        candidates: Everything read, or the best of it where every document was scored.
        reason: Why reading stopped, in one sentence.
        proved: Whether the k best of them are the best of all that the store's search can give.
        complete: Whether every document was read.
        bound: Most that a document that was not read can score; None where there is none, or no bound.
        gap: How far the bound lies above the k-th best score; None where proved or unknown.
        assumes_length: Whether the bound holds only if vectors that were not read are as long as those that were.
        depths: Entries read of each list; the lists of the least similar documents are named "NOT text", those in a
            direction of several texts by the weighted sum, as in ``0.81 "text" - 0.55 "other text"``.
        rounds: How many times lists were asked for.
        dropped: How many documents were scored and are no candidates any more, because others are better.
        convergence: How the vector was optimised that was searched with; None where none was.
        scores: Shape (N,), in [-1, 1]: cosines with the one vector that the candidates are ranked by; None where the
            semantics ranks them.
        statement: What was sent to the engine, where it computed the scores.
        lexical: Evidence of the candidates' words, where it is known without reading their texts.
        with_words: Whether the candidates are the best by vectors and words together, and not by vectors alone.
    """

    candidates: Candidates
    reason: str
    proved: bool = False
    complete: bool = False
    bound: float | None = None
    gap: float | None = None
    assumes_length: bool = False
    depths: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 0
    dropped: int = 0
    convergence: Convergence | None = None
    scores: Array | None = None
    statement: str | None = None
    with_words: bool = False
    lexical: Mapping[BagOfWords, Array] | None = None

    @property
    def count(self) -> int:
        """How many documents were scored."""
        return len(self.candidates.ids) + self.dropped
