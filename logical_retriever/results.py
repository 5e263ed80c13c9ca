"""What a search returns: plain frozen data, convertible to either framework's types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RankedDocument:
    """A document with its place in the answer and the reasons for it.

    Attributes:
        id: Identity within the store.
        text: The document's text.
        metadata: The store's metadata; treat as read-only.
        score: Score under the semantics; higher is better. The range is the semantics' own.
        truth_values: For each term of the query, its truth value in [0, 1] for this document.
        values: For each sub-query in canonical text, what it contributed; terms as in ``truth_values``.
        cosines: For each term of the query, the cosine in [-1, 1] the truth value was made of.
        native: The framework's own object, or None.
    """

    id: str
    text: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    truth_values: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    cosines: Mapping[str, float] = field(default_factory=dict)
    native: Any = None


@dataclass(frozen=True)
class Plan:
    """How a query is searched for, decided before the store is asked.

    Attributes:
        strategy: "scan" (every document is scored), "union" (the nearest documents of each positive term are) or
            "dense" (one term: the store's own nearest documents).
        reason: Why, in one sentence.
        texts: Texts that are encoded.
        fetch_k: Candidates asked for per positive term; None when scanning.
        evidence: What the scores are made of, in words.
        lexical_k: How many of the best candidates by vectors have their texts read for lexical evidence; None where
            vectors are the only evidence.
    """

    strategy: str
    reason: str
    texts: tuple[str, ...]
    fetch_k: int | None
    evidence: str = "vectors"
    lexical_k: int | None = None


@dataclass(frozen=True)
class SearchResult:
    """A ranking and how complete it is.

    Attributes:
        documents: Best first; ties by document id.
        exact: Whether these are the true top k of the store's documents under the semantics.
        candidates: How many documents were scored.
        plan: What was done.
    """

    documents: tuple[RankedDocument, ...]
    exact: bool
    candidates: int
    plan: Plan
