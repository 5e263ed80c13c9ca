"""How a retriever searches: every setting with its check, in one place for the core and for every framework."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Literal, TypedDict, get_args

import numpy as np
from typing_extensions import Unpack

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lexical import LANGUAGES
from logical_retriever.verify import as_verification

DEFAULT_FETCH_K = 200
"""Candidates that are read for each wanted term where the store is not scanned."""
MAX_CANDIDATES = 10_000
"""Documents that a search reads at most by default: a second or two over most stores."""

SCAN_LIMIT = 1000
"""Stores outside this process are scanned up to this many documents: one request costs less than several."""

EvidenceSource = Literal["auto", "dense"]
"""Where evidence comes from: "auto" reads texts where the semantics has a use for them, "dense" vectors alone."""
SearchMode = Literal["exact", "sqo", "deo"]
"""How documents are looked for: "exact" until the best k are proved, where the store allows; "sqo" scores what is
nearest to the one vector that the semantics would score highest (spherical query optimisation: NSFL, arXiv 2604.10604);
"deo" ranks by the cosine with the question's vector, moved towards what is wanted and away from what is not (direct
embedding optimisation: DEO, arXiv 2603.09185)."""
Pushdown = Literal["auto", "always", "never"]
"""Whether the engine computes scores: "auto" where that is as good and cheaper, "always" or an error, "never"."""

MOST = 2**31 - 1
"""A count beyond this is this: stores count in 32 bits, and have no more documents."""
COUNTS = ("k", "fetch_k")
LIMITS = ("max_candidates", "max_rounds")
"""Settings that are integers of at least 1; a limit may be None, for none."""
Effort = Literal["balanced", "proof", "one_request"]
"""How far a search over lists goes: "proof" until the best k are proved by vectors, as far as the store allows;
"balanced" reads once what is nearest and, where an index knows the words of all documents, what these may bring among
the best; "one_request" asks the store a single time."""

CHOICES: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    "evidence": ("source of evidence", get_args(EvidenceSource)),
    "mode": ("search mode", get_args(SearchMode)),
    "pushdown": ("pushdown", get_args(Pushdown)),
    "effort": ("effort", get_args(Effort)),
    "language": ("language of words", ("auto", *LANGUAGES)),
}
"""Settings that are one of several names: how messages call the setting, and the names."""


class SearchSettings(TypedDict, total=False):
    """The settings of :class:`SearchOptions` as keyword arguments, each of which may be left out."""

    k: int | None
    fetch_k: int | None
    evidence: EvidenceSource | None
    max_candidates: int | None
    max_rounds: int | None
    mode: SearchMode | None
    pushdown: Pushdown | None
    language: str | None
    effort: Effort | None
    drop_excluded: bool | float | None
    min_relevance: float | None
    verify: Any
    verify_wanted: bool | None
    always_exclude: Sequence[str] | None


@dataclass(frozen=True)
class SearchOptions:
    """Settings of a search, checked when they are made.

    Attributes:
        k: Documents to return, at least 1.
        fetch_k: Candidates per positive term where the store is not scanned, at least 1, raised to k where it is
            smaller; also how many of the best candidates have their texts read for lexical evidence.
        evidence: "auto" reads texts where the semantics has a use for them, "dense" compares vectors alone.
        max_candidates: Most documents read where the store is not scanned, at least 1, raised to k where it is
            smaller; None for no limit. What is found within it is said to be approximate.
        max_rounds: Most times that a store is asked for longer lists, at least 1; None for no limit.
        mode: "exact" looks until the best k are proved, where the store allows it. "sqo" (the NSFL paper's spherical
            query optimisation) asks the store once, for the ``fetch_k`` documents nearest to the one vector that the
            semantics would score highest, and scores these. "deo" (the DEO paper's direct embedding optimisation) asks
            it once for those nearest to the question's vector, moved towards what is wanted and away from what is not,
            and ranks by that alone: its scores are cosines.
        pushdown: Whether the store's engine computes the scores itself, in one request: "auto" where it can as well
            as this process, the store is too large to be scanned, and no index of its vectors is quicker; "always" or
            an error, "never".
        language: How words are told apart and which are forms of one: "auto" by the language that most of a sample of
            the store's texts are in, or a code of :data:`logical_retriever.lexical.LANGUAGES`, such as "de".
        effort: How far a search over lists goes. "balanced" asks the store once or twice where an index has the words
            of all its documents, and is "proof" elsewhere; "one_request" asks once, and finds nothing by its words that
            is not near by its vector. Neither says of an answer that it is exact.
        drop_excluded: Whether documents that are clearly about what the query excludes are left out, even where fewer
            than k are then returned; else they come last. A number above 0 and up to 1 says from which share on of the
            best evidence in the store a document is left out: 1.0 that with the best alone, True is
            :data:`~logical_retriever.search.ABOUT`.
        min_relevance: Least relevance of a document that is returned, in [0, 1]; None, or 0, for none.
        verify: Who is asked whether documents in doubt are about excluded terms: a
            :class:`~logical_retriever.verify.Verifier`, its name, or a
            :class:`~logical_retriever.verify.Verification` with a budget of its own. None, or False, for nobody.
        verify_wanted: Whether it is asked the same about wanted terms.
        always_exclude: Terms that every question excludes whatever it says, and that no other setting keeps; a call can
            add to them, and never take one away.

    Raises:
        InvalidArgumentError: A count or limit is not an integer of at least 1, a name is none of the choices, pushdown
            is "always" in a mode that asks for one list, drop_excluded is neither True, False nor such a number,
            or min_relevance is no number from 0 to 1; or verify, verify_wanted or always_exclude is none of these.
    """

    k: int = 4
    fetch_k: int = DEFAULT_FETCH_K
    evidence: EvidenceSource = "auto"
    max_candidates: int | None = MAX_CANDIDATES
    max_rounds: int | None = None
    mode: SearchMode = "exact"
    pushdown: Pushdown = "auto"
    language: str = "auto"
    effort: Effort = "balanced"
    drop_excluded: bool | float = True
    min_relevance: float | None = None
    verify: Any = None
    verify_wanted: bool = False
    always_exclude: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in (*COUNTS, *LIMITS):
            if name in COUNTS or getattr(self, name) is not None:
                object.__setattr__(self, name, check_count(name, getattr(self, name)))
        for name, (what, choices) in CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidArgumentError(
                    f"There is no {what} {getattr(self, name)!r}.", hint=f"Choose one of {', '.join(choices)}."
                )
        object.__setattr__(self, "drop_excluded", check_drop(self.drop_excluded))
        if self.min_relevance is not None:
            object.__setattr__(self, "min_relevance", check_relevance("min_relevance", self.min_relevance))
        object.__setattr__(self, "verify", as_verification(self.verify))
        object.__setattr__(self, "always_exclude", check_standing(self.always_exclude))
        if not isinstance(self.verify_wanted, bool):
            raise InvalidArgumentError(
                f"verify_wanted must be True or False, got {self.verify_wanted!r}.", hint="Give the verifier as verify."
            )
        if self.verify_wanted and self.verify is None:
            raise InvalidArgumentError(
                "verify_wanted is True, and there is no verifier.", hint="Give verify=..., or leave verify_wanted out."
            )
        if self.pushdown == "always" and self.mode != "exact":
            raise InvalidArgumentError(
                f"The mode {self.mode!r} asks for one list, whatever the query; no engine computes anything of it.",
                hint="Leave mode or pushdown out.",
            )

    def but(self, **changes: Unpack[SearchSettings]) -> SearchOptions:
        """The same with some settings changed; a setting given as None stays as it is, but a limit goes.

        The least relevance is no limit in this sense: 0 takes it away for a call.

        Raises:
            InvalidArgumentError: As for the class, or there is no setting of that name.
        """
        known = {field.name for field in fields(self)}
        for name in changes:
            if name not in known:
                raise InvalidArgumentError(
                    f"There is no search setting {name!r}.", hint=f"Known: {', '.join(sorted(known))}."
                )
        given = {name: value for name, value in changes.items() if value is not None or name in LIMITS}
        if given.get("verify") is False:
            given.setdefault("verify_wanted", False)
        if "always_exclude" in given:  # nothing that is always excluded is taken back for a call
            given["always_exclude"] = (*self.always_exclude, *check_standing(given["always_exclude"]))
        return replace(self, **given) if given else self  # type: ignore[arg-type]  # checked when it is made

    def limit(self) -> int | None:
        """Most documents read by lists: never fewer than k; None for no limit."""
        return None if self.max_candidates is None else max(self.k, self.max_candidates)

    @property
    def first_length(self) -> int:
        """Length of the first list per positive text, and number of texts read for words: never less than k."""
        return max(self.k, self.fetch_k)


def check_standing(terms: object) -> tuple[str, ...]:
    """Terms that are always excluded, each once.

    Raises:
        InvalidArgumentError: They are no sequence of texts with a visible character.
    """
    if isinstance(terms, Sequence) and not isinstance(terms, (str, bytes)):
        visible = [term.strip() for term in terms if isinstance(term, str) and term.strip()]
        if len(visible) == len(terms):
            return tuple(dict.fromkeys(visible))
    raise InvalidArgumentError(
        f"always_exclude must be a list of terms, got {terms!r}.", hint='Write always_exclude=["dosage"].'
    )


def check_count(name: str, value: object) -> int:
    """An integer of at least 1, of Python or of NumPy.

    Raises:
        InvalidArgumentError: It is anything else: saying which argument, and what it was.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidArgumentError(f"{name} must be an integer of at least 1, got {value!r}.", hint=f"Set {name}=4.")
    return min(int(value), MOST)


def check_relevance(name: str, value: object) -> float:
    """A number from 0 to 1.

    Raises:
        InvalidArgumentError: It is anything else: saying which argument, and what it was.
    """
    number = as_number(value)
    if not 0.0 <= number <= 1.0:
        raise InvalidArgumentError(
            f"{name} must be a number from 0 to 1, got {value!r}.", hint=f"Set {name}=0.5, or leave it out."
        )
    return number


def check_drop(value: object) -> bool | float:
    """A value of ``drop_excluded``, as Python's own type.

    Raises:
        InvalidArgumentError: It is neither True, False nor a number above 0 and up to 1.
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    number = as_number(value)
    if isinstance(value, Integral) or not 0.0 < number <= 1.0:  # is 1 a yes or a share?
        raise InvalidArgumentError(
            f"drop_excluded must be True, False or a number above 0 and up to 1, got {value!r}.",
            hint="True leaves out what is about an excluded term, False ranks it last, 0.7 leaves out more.",
        )
    return number


def as_number(value: object) -> float:
    """A number of Python, of NumPy or a decimal; NaN for what is none, a truth value and a text among them."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):  # a signalling NaN, or a whole number that no float reaches
        return math.nan
