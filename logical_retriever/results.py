"""Answers of a search: plain frozen data, convertible to either framework's types."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from numbers import Real
from typing import Any, Literal, TypeAlias, cast

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery, Term, necessary_condition

DocumentId: TypeAlias = Any
"""Identity of a document: the store's own key with its own type (text, number, UUID, date, bytes), never its text form.

Hashable; not typed as such, so that a store whose keys are all texts may say so."""


_SLACK = 0.02
"""Most by which the states of a :class:`Verdict` may miss a sum of 1."""
Strategy = Literal["all", "nearest", "engine", "listing"]
"""How documents were found; see :class:`Cost`."""


def id_order(id: DocumentId) -> tuple[str, Any]:
    """Return the sort key of an identity: its type, then itself, or its representation where the type has no order."""
    kind = type(id).__name__
    if isinstance(id, datetime) and id.tzinfo is not None:
        kind += " with a zone"  # not to be compared with one that has none
    try:
        id < id  # noqa: B015  whether it can be compared at all
    except TypeError:
        return f"{kind}*", repr(id)
    return kind, id


_NAMED = 0.5
"""Probability in a verdict from which a document is said to have the thing, or to deny it."""


@dataclass(frozen=True)
class Verdict:
    """A reading of one passage for one term, as five probabilities.

    The first four are of states that exclude each other and add up to 1; ``about`` stands beside them. A sum that is
    off by .02 at most, as of rounded numbers, is divided out.

    Attributes:
        has: The passage has the thing, in the term's words or in others ("heated pool").
        denies: It says that the thing is not there ("no pool").
        open: It mentions the thing of something else, or leaves it open ("the neighbour's pool").
        absent: It does not mention the thing.
        about: The thing is what the passage deals with, whatever it says of it ("how to clean a pool").

    Raises:
        InvalidArgumentError: A value that is no number in [0, 1], or a sum that is off by more.
    """

    has: float
    denies: float
    open: float
    absent: float
    about: float

    def __post_init__(self) -> None:
        # NaN stands for anything but a number in [0, 1].
        *states, about = [
            float(value) if isinstance(value, Real) and 0.0 <= cast("float", value) <= 1.0 else math.nan
            for value in vars(self).values()
        ]
        total = sum(states)
        if not (abs(total - 1.0) <= _SLACK and about >= 0.0):
            raise InvalidArgumentError(
                f"A verdict has five probabilities, and its first four add up to 1; got {self!r}.",
                hint="Give has, denies, open and absent as a softmax returns them, and about from 0 to 1.",
            )
        for name, value in zip(vars(self), [*(state / total for state in states), about], strict=True):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class SecondOpinion:
    """A verifier's part in a search.

    Attributes:
        verifier: Its name.
        documents: Number of documents read.
        calls: Number of calls, retries included.
        problems: What went wrong, in sentences; without a verdict, the evidence decides alone.
    """

    verifier: str
    documents: int
    calls: int = 0
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        looked = "1 document" if self.documents == 1 else f"{self.documents} documents"
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return " ".join([f"{self.verifier} looked at {looked} ({calls}).", *self.problems])


@dataclass(frozen=True)
class Decision:
    """Whether to leave a document out for one excluded term, and why.

    Attributes:
        probability: Of that it is to be left out, in [0, 1].
        leave_out: Whether to leave it out: the probability reaches the threshold of the setting ``exclusion``, or
            .5 where a verifier gave a bare number; or it is ``silent``. Nothing lifts a standing exclusion. After any
            other, an OR or ``exclusion="rank"`` may still show the document.
        kind: How the term was excluded: "topic", "lack", "typed", or "always" for a standing exclusion.
        cue: "asserted" or "denied" where the document names the term, "absent" where it does not or no text was read.
        sentence: The sentence that names it, at most 160 characters; empty where none does.
        parts: What each feature adds to the log odds of the probability; empty for a verifier's own probability.
        verdict: A verifier's verdict; None without one.
        quoted: Whether a verifier chose the sentence.
        silent: Whether it is left out only because it does not say that it lacks the thing: ``exclusion="certain"``.
    """

    probability: float
    leave_out: bool
    kind: str = "typed"
    cue: Literal["asserted", "denied", "absent"] = "absent"
    sentence: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    verdict: Verdict | None = None
    quoted: bool = False
    silent: bool = False

    def __str__(self) -> str:
        """Return the decision for people, with the sentence that says so."""
        if self.silent:
            return "does not say that it has none"
        denies = self.cue == "denied" if self.verdict is None else self.verdict.denies >= _NAMED
        has = self.cue == "asserted" if self.verdict is None else self.verdict.has >= _NAMED
        if self.leave_out:
            reason = "has it" if has and self.kind != "topic" else "is about it"
        else:
            reason = "says it has none" if denies else "names it" if self.sentence else "does not name it"
        # Do not quote a denial as the reason for "has it", unless the verifier chose the sentence.
        denied = self.cue == "denied" and not self.quoted
        quotes = self.sentence and not (self.leave_out and denied and self.kind != "topic")
        return f"{reason}: '{self.sentence}'" if quotes else reason


@dataclass(frozen=True)
class Sources:
    """Evidence of a document for one term by source, in standard deviations of chance.

    Attributes:
        vectors: From its vector; below 0 for a document less similar than most.
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
        truth_values: How far the document is about each term of the query, in [0, 1]; under calibrated semantics,
            for an excluded term, the probability that it is to be left out, as read; for a topic, before it was read.
        cosines: Cosine with each term of the query, in [-1, 1].
        evidence: Evidence for each term of the query, in standard deviations above documents picked by chance; empty
            unless the semantics is calibrated, as the default is.
        native: The framework's own object, or None.
        sources: Evidence for each term of the query from vectors and from words; empty if no words were read.
        relevance: How relevant the document is, in [0, 1], monotone in the score. Under calibrated semantics, such as
            the default, it means the same for every question, store and encoder.
        decisions: Whether to leave the document out for each excluded term, and why.
    """

    id: DocumentId
    text: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    truth_values: Mapping[str, float] = field(default_factory=dict)
    cosines: Mapping[str, float] = field(default_factory=dict)
    evidence: Mapping[str, float] = field(default_factory=dict)
    native: Any = None
    sources: Mapping[str, Sources] = field(default_factory=dict)
    relevance: float = 0.0
    decisions: Mapping[str, Decision] = field(default_factory=dict)


@dataclass(frozen=True)
class LeftOut:
    """A document left out for an excluded term.

    Attributes:
        document: The document with its score, evidence and decisions.
        excluded: The excluded term, as the query has it; the first in the query, if there are several.
    """

    document: RankedDocument
    excluded: str

    @property
    def decision(self) -> Decision:
        """The decision on the term."""
        return self.document.decisions[self.excluded]

    @property
    def term(self) -> str:
        """The excluded term as the language writes it, in quotes."""
        return str(Term(self.excluded))

    @property
    def reason(self) -> str:
        """Why it is left out, for people: "has it: '... heated pool ...'"."""
        return str(self.decision)

    @property
    def probability(self) -> float:
        """Probability that it is to be left out, in [0, 1]."""
        return self.decision.probability

    @property
    def verdict(self) -> Verdict | None:
        """A verifier's verdict; None without one."""
        return self.decision.verdict

    @property
    def id(self) -> DocumentId:
        """Identity of the document within the store."""
        return self.document.id

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text


@dataclass(frozen=True)
class Cost:
    """How documents were found, and what that took.

    Attributes:
        strategy: "all" (every document was scored), "nearest" (the documents nearest to the query's texts, and
            those that have its words), "engine" (the store's engine scored every document by its vector and proposed
            the best) or "listing" (the query has conditions alone, and the documents that fulfil them are listed).
        count: Number of documents in the store, filters aside; None if the store cannot tell.
        scored: Number of documents scored.
        requests: Number of requests to the store.
        vectors: Number of document vectors read.
        words: Source of the evidence from words, in short; None if words are no evidence.
        language: Language of the words, one of :data:`~logical_retriever.lexical.LANGUAGES`.
        statement: Statement sent to the engine, without parameters; None if the engine scored nothing.
    """

    strategy: Strategy
    count: int | None = None
    scored: int = 0
    requests: int = 0
    vectors: int = 0
    words: str | None = None
    language: str = "en"
    statement: str | None = None

    def __str__(self) -> str:
        store = "" if self.count is None else f" of {self.count}"
        requests = "1 request" if self.requests == 1 else f"{self.requests} requests"
        return f"{self.strategy}: {self.scored}{store} documents scored, {requests}, {self.vectors} vectors read"


@dataclass(frozen=True)
class SearchResult:
    """The answer to one query.

    Attributes:
        documents: Best first; ties by document id.
        left_out: Documents left out although they ranked among the first k, or are at least as relevant as the last
            one shown; at most 3 * k, best first.
        exact: Whether all documents of the store were scored by their stored vectors.
        reason: Why the answer is exact or not, in one sentence.
        query: The query searched for: the logical one, or the question word for word.
        too_low: Number of the k best-ranked documents that were dropped for a relevance below ``min_relevance``.
        left_out_more: How many more were left out, by canonical text of the term; they are counted, not listed.
        silent: How many were left out only because they do not say that they lack the thing.
        always_excluded: Canonical texts of the standing exclusions of this answer.
        second_opinion: A verifier's part in the search; None without one.
        cost: How documents were found, and what that took.
        barred: Whether the question wants only what is always excluded; the answer is then empty.
        fact: A negation of the question that was read as a fact and excludes nothing; None for none.
        problem: Why the question was not understood; None without a problem.
        remarks: Other sentences of the note: on the question, the filter or the store.
    """

    documents: tuple[RankedDocument, ...]
    left_out: tuple[LeftOut, ...]
    exact: bool
    reason: str
    query: LogicalQuery
    cost: Cost
    too_low: int = 0
    always_excluded: tuple[str, ...] = ()
    second_opinion: SecondOpinion | None = None
    barred: bool = False
    fact: str | None = None
    problem: str | None = None
    remarks: tuple[str, ...] = ()
    left_out_more: Mapping[str, int] = field(default_factory=dict)
    silent: int = 0

    @property
    def left_out_counts(self) -> Mapping[str, int]:
        """Number of documents left out, named or not, by canonical text of the term."""
        return Counter(out.term for out in self.left_out) + Counter(self.left_out_more)

    @property
    def note(self) -> str:
        """What is missing from the answer and why, such as documents left out, and what was read as a fact."""
        parts = [] if self.fact is None else [f'read as a fact: "{self.fact}"']
        if not self.cost.scored and (condition := necessary_condition(self.query)) is not None:
            parts.append(f"no document fulfils {condition}")
        if self.barred:
            parts.append(f"{self.reason}: {', '.join(self.always_excluded)}")
        for always in (False, True):
            if out := {term: n for term, n in self.left_out_counts.items() if (term in self.always_excluded) == always}:
                what = "what is always excluded" if always else "what is excluded"
                parts.append(f"{_counted(sum(out.values()))} left out for {what}: {', '.join(out)}")
        if self.silent:
            parts.append(f"{self.silent} of them only because they do not say that they lack it")
        if self.too_low:
            parts.append(f"{_counted(self.too_low)} below the least relevance")
        if self.second_opinion is not None and self.second_opinion.problems:
            parts.append(str(self.second_opinion))
        return "; ".join((*parts, *self.remarks))

    @property
    def searched(self) -> str:
        """Canonical text of the query."""
        return str(self.query)

    @property
    def completeness(self) -> str:
        """Whether the answer is exact or approximate, and the reason, in one line."""
        return f"{'exact' if self.exact else 'approximate'}: {self.reason}"


def _counted(count: int) -> str:
    return "1 document was" if count == 1 else f"{count} documents were"
