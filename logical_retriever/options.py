"""The settings of a search and their checks, for the core and for every framework."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, TypedDict

from typing_extensions import Unpack

from logical_retriever.errors import InvalidArgumentError, check_choice, check_count, did_you_mean
from logical_retriever.reading.passages import as_verifier
from logical_retriever.scoring import DEFAULT_SEMANTICS, CalibratedSemantics, Semantics, get_semantics

Exclusion = Literal["drop", "strict", "certain", "rank"]
"""Whether documents are left out for an excluded term, and how strictly."""
DEFAULT_FETCH_K = 200
"""Default of ``fetch_k``."""


class SearchSettings(TypedDict, total=False):
    """The settings of :class:`SearchOptions` as optional keyword arguments."""

    k: int | None
    fetch_k: int | None
    words: float | None
    semantics: str | Semantics | None
    exclusion: Exclusion | None
    min_relevance: float | None
    verify: Any
    always_exclude: Sequence[str] | None


@dataclass(frozen=True)
class SearchOptions:
    """Settings of a search, checked when they are made.

    Attributes:
        k: Documents to return, at least 1.
        fetch_k: Number of candidates from an engine with scores of its own; for other stores, the greatest length of a
            first list of nearest documents. At least 1; a number below k counts as k.
        words: Weight of words beside vectors, from 0 (vectors alone, no text is read) over 0.5 (both count in full) to
            1 (words alone); None for the semantics' own weight, 0.5 by default.
        semantics: How AND, OR and NOT compose scores: a name of :data:`~logical_retriever.scoring.SEMANTICS`, or an
            instance.
        exclusion: What happens to documents that have an excluded thing or are about it: "drop" leaves them out, even
            where fewer than k are then returned; "strict" leaves out more, at the cost of some wanted documents;
            "certain" shows only those that deny the thing, as the verifier reads them, and treats topics like "strict";
            "rank" leaves none out and ranks them lower.
        min_relevance: Least relevance of returned documents, in [0, 1]; None or 0 for no limit.
        verify: Who reads the documents about to be shown, to leave out those that have an excluded thing or are about
            it: a :class:`~logical_retriever.Verifier`, or a chat model's name "provider:model"; None for the package's
            own :class:`~logical_retriever.PassageReader`. False for nobody: evidence and cues decide.
        always_exclude: Terms excluded from every question: standing exclusions. A call can add terms, never remove one.

    Raises:
        InvalidArgumentError: A setting has another type or lies outside its range, ``words`` is given for a semantics
            without words, or ``exclusion="certain"`` has no verifier.
    """

    k: int = 4
    fetch_k: int = DEFAULT_FETCH_K
    words: float | None = None
    semantics: Any = DEFAULT_SEMANTICS
    exclusion: Exclusion = "drop"
    min_relevance: float | None = None
    verify: Any = None
    always_exclude: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_choice("A search", "exclusion", self.exclusion, Exclusion)
        checked: dict[str, Any] = {
            "k": check_count("k", self.k),
            "fetch_k": check_count("fetch_k", self.fetch_k),
            "verify": as_verifier(self.verify),
            "always_exclude": check_standing(self.always_exclude),
            "semantics": _with_weight(get_semantics(self.semantics), self.words),
        }
        if self.min_relevance is not None:
            checked["min_relevance"] = check_relevance("min_relevance", self.min_relevance)
        if self.exclusion == "certain" and self.verify is False:
            raise InvalidArgumentError(
                'exclusion="certain" shows what a verifier reads to lack a thing, and verify=False reads nothing.',
                hint='Leave verify out, or use exclusion="strict".',
            )
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def but(self, **changes: Unpack[SearchSettings]) -> SearchOptions:
        """Return the options with some settings changed; None leaves a setting as it is.

        Terms of ``always_exclude`` add to the present ones.

        Raises:
            InvalidArgumentError: As for the class, or an unknown setting.
        """
        merged = merged_settings(vars(self), changes)
        return self if all(value is None for value in changes.values()) else SearchOptions(**merged)

    @property
    def leaves_out(self) -> bool:
        """Whether documents are left out for something excluded."""
        return self.exclusion != "rank" or bool(self.always_exclude)

    @property
    def calibrated_semantics(self) -> CalibratedSemantics:
        """The calibrated semantics, for the evidence of each term and for decisions, whatever composes the scores."""
        return self.semantics if isinstance(self.semantics, CalibratedSemantics) else CalibratedSemantics()


SETTINGS = tuple(field.name for field in fields(SearchOptions))
"""Names of all settings."""
ALIASES = MappingProxyType(
    {
        **dict.fromkeys(("top_k", "similarity_top_k", "limit", "n_results", "top_n"), "k"),
        **dict.fromkeys(("drop_excluded", "exclude", "excluded"), "exclusion"),
        **{"score_threshold": "min_relevance", "threshold": "min_relevance", "filters": "filter"},
    }
)
"""Other libraries' names for a setting."""


def merged_settings(*levels: Mapping[str, Any]) -> dict[str, Any]:
    """Merge settings of several levels into arguments of :class:`SearchOptions`, without checking their values.

    A later level counts more. None leaves a setting as it is, and terms of ``always_exclude`` add up.

    Raises:
        InvalidArgumentError: An unknown setting, or an ``always_exclude`` that is no list of terms.
    """
    merged: dict[str, Any] = {}
    for level in levels:
        check_names(level)
        given = {name: value for name, value in level.items() if value is not None}
        if "always_exclude" in given:
            given["always_exclude"] = (*merged.get("always_exclude", ()), *check_standing(given["always_exclude"]))
        merged.update(given)
    return merged


def check_names(settings: Any) -> None:
    """Reject unknown settings.

    Raises:
        InvalidArgumentError: With the known ones.
    """
    for name in settings:
        if name not in SETTINGS:
            raise InvalidArgumentError(f"There is no search setting {name!r}.", hint=names_hint(name, sorted(SETTINGS)))


def names_hint(name: str, known: Sequence[str]) -> str:
    """Return the hint of an error about an unknown name: the likely one, and all known ones."""
    usual = ALIASES.get(name, name)  # a framework may have another name for the setting itself
    same = next((other for other in known if usual in (other, ALIASES.get(other))), usual)
    return f"{did_you_mean(same, known)}Known: {', '.join(known)}."


def check_standing(terms: object) -> tuple[str, ...]:
    """Return standing exclusions stripped, each once.

    Raises:
        InvalidArgumentError: Not a sequence of texts with a visible character.
    """
    if isinstance(terms, Sequence) and not isinstance(terms, (str, bytes)):
        visible = [term.strip() for term in terms if isinstance(term, str) and term.strip()]
        if len(visible) == len(terms):
            return tuple(dict.fromkeys(visible))
    raise InvalidArgumentError(
        f"always_exclude must be a list of terms, got {terms!r}.", hint='Write always_exclude=["dosage"].'
    )


def check_relevance(name: str, value: object) -> float:
    """Return a number from 0 to 1.

    Raises:
        InvalidArgumentError: Any other value; the message names the argument.
    """
    number: Any = math.nan if isinstance(value, bool) or not isinstance(value, Real) else value
    if not 0.0 <= number <= 1.0:
        raise InvalidArgumentError(
            f"{name} must be a number from 0 to 1, got {value!r}.", hint=f"Set {name}=0.5, or leave it out."
        )
    return float(number)


def _with_weight(semantics: Semantics, words: float | None) -> Semantics:
    """Return the semantics with this weight of words; None keeps its own."""
    if words is None:
        return semantics
    weight = check_relevance("words", words)
    if isinstance(semantics, CalibratedSemantics):
        return CalibratedSemantics(semantics.constants, words=weight)
    raise InvalidArgumentError(
        f"words is {words!r}, and the semantics {semantics.name!r} reads no words.",
        hint="Leave words out, or use semantics='calibrated'.",
    )
