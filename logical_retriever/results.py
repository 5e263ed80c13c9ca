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
        strengths: For each term of the query, evidence in standard deviations of chance, under calibrated semantics.
        native: The framework's own object, or None.
    """

    id: str
    text: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    truth_values: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    cosines: Mapping[str, float] = field(default_factory=dict)
    strengths: Mapping[str, float] = field(default_factory=dict)
    native: Any = None


@dataclass(frozen=True)
class Plan:
    """How a query is searched for, decided before the store is asked; ``print(plan)`` shows it.

    Attributes:
        strategy: "scan" (every document is scored), "threshold" (lists of the nearest documents of each positive
            text are read until no other document can be among the best), "dense" (the same for one term: the
            store's own nearest documents) or "union" (lists of fixed length, because the semantics has no bound).
        reason: Why, in one sentence.
        texts: Texts that are encoded.
        fetch_k: Length of the first list per positive text; None when scanning.
        evidence: What the scores are made of, in words.
        lexical_k: How many of the best candidates by vectors have their texts read for lexical evidence; None where
            vectors are the only evidence.
        probes: Texts, out of ``texts``, whose nearest documents are asked for; none when scanning.
        count: Documents the store had, filters aside; None where it was not asked.
        max_candidates: Most documents that are read by lists; None for no limit. A scan reads them all.
        max_rounds: Most times that lists are asked for, each time twice as long; None for no limit.
        question: The user's question where the query was made of one and the semantics may look at it.
    """

    strategy: str
    reason: str
    texts: tuple[str, ...]
    fetch_k: int | None
    evidence: str = "vectors"
    lexical_k: int | None = None
    probes: tuple[str, ...] = ()
    count: int | None = None
    max_candidates: int | None = None
    max_rounds: int | None = None
    question: str | None = None

    def __str__(self) -> str:
        lines = [f"{self.strategy}: {self.reason}"]
        if self.count is not None:
            lines.append(f"  store     {self.count} documents")
        if self.fetch_k is not None:
            lines.append(f"  lists     {_quoted(self.probes)}; the nearest {self.fetch_k} of each first")
            limits = [
                f"at most {limit} {what}"
                for limit, what in ((self.max_candidates, "documents"), (self.max_rounds, "rounds"))
                if limit is not None
            ]
            lines.append(f"  budget    {', '.join(limits) if limits else 'none'}")
        lines.append(f"  scored    {_quoted(self.texts)}")
        lines.append(f"  evidence  {self.evidence}")
        return "\n".join(lines)


@dataclass(frozen=True)
class SearchResult:
    """A ranking, how complete it is, and what it cost.

    Attributes:
        documents: Best first; ties by document id.
        exact: Whether these are certainly the true top k of the store's documents under the semantics.
        candidates: How many documents were scored.
        plan: What was done.
        proved: Whether no document outside the lists that the store gave can be among these. Over an approximate
            index, whose lists may miss a document, a ranking is proved without being exact.
        reason: Why the ranking is exact, or what keeps it from being so, in one sentence.
        bound: Most that a document that was not read can score by vectors; None where every document was read, or
            where nothing bounds the others.
        gap: How far the bound lies above the k-th best score, at least 0; None where the ranking is proved, or where
            there is no bound.
        depths: For each list, how many entries were read from the top without a gap; under the text whose nearest
            documents it has, or "NOT text" where it has the least similar ones.
        rounds: How many times lists were asked for.
        store_calls: Requests made to the store.
        vectors_read: Document vectors that came back.
    """

    documents: tuple[RankedDocument, ...]
    exact: bool
    candidates: int
    plan: Plan
    proved: bool = False
    reason: str = ""
    bound: float | None = None
    gap: float | None = None
    depths: Mapping[str, int] = field(default_factory=dict)
    rounds: int = 0
    store_calls: int = 0
    vectors_read: int = 0

    @property
    def completeness(self) -> str:
        """One line: whether the ranking is exact or approximate, and the reason."""
        return f"{'exact' if self.exact else 'approximate'}: {self.reason}"


def _quoted(texts: tuple[str, ...]) -> str:
    return ", ".join(repr(text) for text in texts)
