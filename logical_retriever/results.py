"""Answers of a search: plain frozen data, convertible to either framework's types."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

DocumentId: TypeAlias = Any
"""Identity of a document: the store's own key with its own type (text, number, UUID, date, bytes), never its text form.

Hashable; not typed as such, so that a store whose keys are all texts may say so."""


Strategy = Literal["scan", "threshold", "dense", "union", "sqo", "deo", "pushdown", "listing"]
"""How documents are looked for; see :class:`Plan`."""


def id_order(id: DocumentId) -> tuple[str, Any]:
    """Sort key of an identity: by type, then in the type's own order, by its representation where it has none."""
    kind = type(id).__name__
    if isinstance(id, datetime) and id.tzinfo is not None:
        kind += " with a zone"  # not to be compared with one that has none
    try:
        id < id  # noqa: B015  whether it can be compared at all
    except TypeError:
        return f"{kind}*", repr(id)
    return kind, id


Aboutness = Literal["about", "perhaps", "not"]
"""Whether a document is clearly, perhaps or not about an excluded term."""


VerdictLabel = Literal["about", "mentions", "not"]
"""Whether a passage is about a term, mentions it in passing, or neither."""


@dataclass(frozen=True)
class Verdict:
    """A verifier's answer about one term and one passage.

    Attributes:
        label: Whether the passage is about the term.
        probability: That it is, in [0, 1]; None where the verifier has none.
    """

    label: VerdictLabel
    probability: float | None = None


@dataclass(frozen=True)
class SecondOpinion:
    """A verifier's part in a search.

    Attributes:
        verifier: Its name.
        documents: Documents that it was to look at.
        calls: How many times it was called, retries included; 0 where all its verdicts were remembered.
        remembered: Verdicts, one for a term and a passage, that were remembered from another search.
        milliseconds: Time spent on it.
        problems: What went wrong, or was left out for want of budget, in sentences; where a verdict is missing the
            scores decide alone.
    """

    verifier: str
    documents: int
    calls: int = 0
    remembered: int = 0
    milliseconds: float = 0.0
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        looked = "1 document" if self.documents == 1 else f"{self.documents} documents"
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        kept = f", {self.remembered} verdicts remembered" if self.remembered else ""
        return " ".join([f"{self.verifier} looked at {looked} ({calls}{kept}).", *self.problems])


@dataclass(frozen=True)
class Sources:
    """Where the evidence of a document for one term came from, in standard deviations of chance.

    Attributes:
        vectors: From its vector; below 0 where it is less alike than most.
        words: From its words, 0 or more.
    """

    vectors: float
    words: float


@dataclass(frozen=True)
class RankedDocument:
    """A document with its place in the answer and the reasons for it.

    Attributes:
        id: Identity within the store: its own key, with its own type.
        text: The document's text.
        metadata: The store's metadata; treat as read-only.
        score: Score under the semantics; higher is better. The range is the semantics' own.
        truth_values: For each term of the query, how far the document is about it, in [0, 1].
        values: For sub-queries in canonical text, terms at least, what each contributed; terms as in ``truth_values``.
        cosines: For each term of the query, the cosine in [-1, 1] the truth value was made of.
        strengths: For each term of the query, how many standard deviations the document's evidence for it lies above
            what documents picked by chance have; only calibrated semantics, such as the default, tell.
        native: The framework's own object, or None.
        sources: For each term of the query, what of its strength came from vectors and what from words; empty where
            words were not looked at.
        relevance: How relevant the document is, in [0, 1], monotone in the score. Under calibrated semantics, such as
            the default, it means the same for every question, store and encoder.
        excluded: For each term that the query excludes, whether the document is about it; empty where nothing is left
            out for that and the semantics is not calibrated.
        verdicts: Of a verifier, for the terms that it was asked about.
        unverified_score: The score before them; None where there are none.
    """

    id: DocumentId
    text: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    truth_values: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    cosines: Mapping[str, float] = field(default_factory=dict)
    strengths: Mapping[str, float] = field(default_factory=dict)
    native: Any = None
    sources: Mapping[str, Sources] = field(default_factory=dict)
    relevance: float = 0.0
    excluded: Mapping[str, Aboutness] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    unverified_score: float | None = None


Rescored: TypeAlias = Callable[[Mapping[DocumentId, Mapping[str, float]]], Mapping[DocumentId, RankedDocument]]
"""Documents of a search by id, scored again with log-odds of verdicts for some terms of some of them."""


@dataclass(frozen=True)
class LeftOut:
    """A document that would be among the answers, were it not clearly about an excluded term.

    Attributes:
        id: Identity within the store.
        text: The document's text.
        score: Score under the semantics, as of a ranked document.
        term: Canonical text of the excluded term; the first of the query where it is about several.
        truth_value: How far it is about that term, in [0, 1]: 1 for what is most about it in the store.
        relevance: As of a ranked document.
        verdicts: As of a ranked document.
    """

    id: DocumentId
    text: str
    score: float
    term: str
    truth_value: float
    relevance: float
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How a query is searched for, decided before the store is asked; ``print(plan)`` shows it.

    Attributes:
        strategy: "scan" (every document is scored), "threshold" (lists of the nearest documents of each positive
            text are read until no other document can be among the best), "dense" (the same for one term: the
            store's own nearest documents), "union" (lists of fixed length, because the semantics has no bound), or, in
            the mode of this name, "sqo" (spherical query optimisation, of the NSFL paper: what is nearest to the vector
            that the semantics would score highest is scored) or "deo" (direct embedding optimisation, of the DEO paper:
            documents are ranked by their cosine with a vector moved towards what is wanted); or "pushdown" (the store's
            engine scores documents itself, and only the best are read); or "listing" (the query has conditions alone,
            and the documents that fulfil them are listed).
        reason: Why, in one sentence.
        texts: Texts that are encoded.
        fetch_k: Length of the first list per positive text, or of the one list in the modes "sqo" and "deo"; None when
            every document is scored.
        evidence: What the scores are made of, in words.
        lexical_k: How many of the best candidates by vectors have their texts read for lexical evidence, and how many
            documents each list of words has; None where vectors are the only evidence, or an index has all words.
        words: How words find candidates, in words; None where they are no evidence.
        statistics: What was made of the store's statistics in a file, in words; None where there is no file, or none
            were needed.
        wanted_texts: Texts, out of ``texts``, whose nearest documents are asked for, or that pull the one vector; none
            when scanning.
        count: Documents the store had, filters aside; None where it was not asked.
        max_candidates: Most documents that are read by lists; None for no limit. A scan reads them all.
        max_rounds: Most times that lists are asked for, longer ones or others; None for no limit.
        question: The user's question where the query was made of one and the semantics may look at it.
        statement: What was sent to the engine, in its own language, where the strategy is "pushdown" and the search
            has been carried out.
        cost: How the store comes by vectors that it does not keep, and what that has cost so far, in words; None where
            it keeps them.
        k: Documents looked for: more than wanted where some of the best may be left out.
        language: Of the words: "auto" where it was told from a sample of the texts when the plan was carried out.
        effort: How far a search over lists goes: "balanced", "proof" or "one_request".
        compiler: Writes the request to the engine, where the strategy is "pushdown".
        compiled_filter: What that request says of the filter, where it does.
        told: Conditions that the store's own filter says, beside the caller's filter; None for none.
        checked: Conditions that are decided on the metadata of documents that were found; None for none. Where a query
            has conditions under OR, those of each kind of documents, with " | " between.
        device: Of the store, that compared all vectors first, or why it did not, in words; None where it has none.
    """

    strategy: Strategy
    reason: str
    texts: tuple[str, ...]
    fetch_k: int | None = None
    evidence: str = "vectors"
    lexical_k: int | None = None
    wanted_texts: tuple[str, ...] = ()
    count: int | None = None
    max_candidates: int | None = None
    max_rounds: int | None = None
    question: str | None = None
    statement: str | None = None
    cost: str | None = None
    k: int = 4
    words: str | None = None
    language: str = "auto"
    effort: str = "proof"
    compiler: Any = field(default=None, repr=False, compare=False)
    compiled_filter: Any = field(default=None, repr=False, compare=False)
    told: str | None = None
    checked: str | None = None
    statistics: str | None = None
    device: str | None = None

    @property
    def probes(self) -> tuple[str, ...]:
        """The old name of ``wanted_texts``; it goes with the next release."""
        warnings.warn("Plan.probes is now wanted_texts.", DeprecationWarning, stacklevel=2)
        return self.wanted_texts

    @property
    def one_vector(self) -> bool:
        """Whether the store is asked once, with an optimised vector."""
        return self.strategy in ("sqo", "deo")

    def __str__(self) -> str:
        lines = [f"{self.strategy}: {self.reason}"]
        if self.count is not None:
            lines.append(f"  store     {self.count} documents")
        lines += [f"  filter    {self.told}"] if self.told is not None else []
        lines += [f"  checked   {self.checked}, on documents' metadata"] if self.checked is not None else []
        if self.strategy == "listing":
            return "\n".join(lines)
        if self.one_vector:
            lines.append(f"  vector    optimised from {_quoted(self.texts)}; its nearest {self.fetch_k}")
        elif self.strategy == "pushdown" and self.fetch_k is not None:
            lines.append(f"  lists     {_quoted(self.wanted_texts)}; the nearest {self.fetch_k} of each")
        elif self.fetch_k is not None:
            lines.append(f"  lists     {_quoted(self.wanted_texts)}; the nearest {self.fetch_k} of each first")
            limits = [
                f"at most {limit} {what}"
                for limit, what in ((self.max_candidates, "documents"), (self.max_rounds, "rounds"))
                if limit is not None
            ]
            lines.append(f"  budget    {', '.join(limits) if limits else 'none'}")
        lines.append(f"  scored    {_quoted(self.texts)}")
        lines.append(f"  evidence  {self.evidence}")
        if self.words is not None:
            lines.append(f"  words     {self.words}")
        if self.statistics is not None:
            lines.append(f"  chance    {self.statistics}")
        if self.cost is not None:
            lines.append(f"  vectors   by {self.cost}")
        if self.device is not None:
            lines.append(f"  device    {self.device}")
        if self.statement is not None:
            lines.extend(f"  | {line}" for line in self.statement.splitlines())
        return "\n".join(lines)


@dataclass(frozen=True)
class Convergence:
    """How a query vector was optimised.

    Attributes:
        objective: Value at the vector that was used: the semantics' score, or the negative loss.
        gradient_norm: Length of the gradient there, projected on the sphere; 0 at a smooth optimum.
        iterations: How many times the objective was evaluated, for all starts at once.
        starts: Points that were climbed from.
        converged: Whether the climb from the start that was used ended by itself, at an optimum or at a corner where no
            direction leads up, and not because it had used up its iterations.
    """

    objective: float
    gradient_norm: float
    iterations: int
    starts: int
    converged: bool

    def __str__(self) -> str:
        how = "converged" if self.converged else "not converged"
        starts = "1 start" if self.starts == 1 else f"{self.starts} starts"
        return (
            f"{how}: objective {self.objective:.4g}, gradient {self.gradient_norm:.2g}, "
            f"{self.iterations} iterations from {starts}"
        )


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
            documents it has, "NOT text" where it has the least similar ones, or a weighted sum of texts, as in
            ``0.81 "text" - 0.55 "other text"``, where it has those nearest to that combination.
        rounds: How many times lists were asked for.
        store_calls: Requests made to the store.
        vectors_read: Document vectors that came back.
        convergence: How the query vector was optimised; None where none was.
        searched: Canonical text of the query that was searched for: the logical one, or the question word for word.
        missing: Documents that the store named, and did not bring back when they were read: the ranking is then not
            exact, since one of them might have been in it.
        milliseconds: Time of each stage, in order: "read" (the question), "plan", "encode", "statistics" (of the store,
            read once), "scan", "lists", "one vector" or "engine", "words" (of texts, and lists of documents by them),
            "compose", "documents" (the best ones) and "cut" (what is left out).
        store_milliseconds: Of these, time that was spent waiting for the store.
        left_out: Documents of the best k that are about something excluded.
        too_low: How many others of the best k are below the least relevance.
        second_opinion: Of a verifier; None where none was asked.
        always_excluded: Canonical texts of the caller's standing exclusions that hold for this answer.
        barred: Whether the question wants nothing but what is always excluded, so that nothing is answered.
        rescored: The documents again with verdicts, as log-odds by document and term: for the search itself, which
            leaves None here.
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
    convergence: Convergence | None = None
    searched: str = ""
    missing: tuple[DocumentId, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    too_low: int = 0
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    store_milliseconds: float = field(default=0.0, compare=False)
    second_opinion: SecondOpinion | None = None
    always_excluded: tuple[str, ...] = ()
    barred: bool = False
    rescored: Rescored | None = field(default=None, repr=False, compare=False)

    @property
    def note(self) -> str:
        """How many documents were left out and why, and what a verifier could not say; empty where nothing was."""
        parts = []
        conditions = [text for text in (self.plan.told, self.plan.checked) if text]
        if conditions and not self.candidates:
            parts.append(f"no document fulfils {' and '.join(conditions)}")
        if self.barred:
            parts.append(f"the question wants nothing but what is always excluded: {', '.join(self.always_excluded)}")
        for always in (False, True):
            out = [one.term for one in self.left_out if (one.term in self.always_excluded) == always]
            if out:
                what = "what is always excluded" if always else "what is excluded"
                terms = ", ".join(dict.fromkeys(out))
                parts.append(f"{_counted(len(out))} left out, being about {what}: {terms}")
        if self.too_low:
            parts.append(f"{_counted(self.too_low)} below the least relevance")
        if self.second_opinion is not None and self.second_opinion.problems:
            parts.append(str(self.second_opinion))
        return "; ".join(parts)

    @property
    def completeness(self) -> str:
        """One line: whether the ranking is exact or approximate, and the reason."""
        return f"{'exact' if self.exact else 'approximate'}: {self.reason}"


def _quoted(texts: tuple[str, ...]) -> str:
    return ", ".join(repr(text) for text in texts)


def _counted(count: int) -> str:
    return "1 document was" if count == 1 else f"{count} documents were"
