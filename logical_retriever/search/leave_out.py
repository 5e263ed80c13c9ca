"""The k documents to show, and those that are left out for being about something excluded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from logical_retriever.options import SearchOptions
from logical_retriever.query import LogicalQuery, Term, negative_terms, to_nnf
from logical_retriever.results import LeftOut, RankedDocument, SecondOpinion
from logical_retriever.search.exclusion import ABOUT, aboutness, blocking_term
from logical_retriever.search.ranking import Group, Hit, merged
from logical_retriever.search.request import standing_alone
from logical_retriever.search.second_look import SecondLook, share_after, weight_within


@dataclass(frozen=True)
class Answer:
    """A ranking, parted.

    Attributes:
        documents: Documents that stay, best first, at most k.
        left_out: Documents of the best k that are about something excluded.
        too_low: How many others of the best k are below the least relevance.
        full: Whether no further document can belong to the answer.
        second_opinion: Of a verifier; None where none was asked.
    """

    documents: tuple[RankedDocument, ...]
    left_out: tuple[LeftOut, ...] = ()
    too_low: int = 0
    full: bool = False
    second_opinion: SecondOpinion | None = None


class Exclusions:
    """Decides which documents a question leaves out.

    Args:
        options: With what is left out, and who is asked for a second opinion.

    Attributes:
        about: Share of the best evidence from which a document is about an excluded term.
    """

    def __init__(self, options: SearchOptions) -> None:
        drop = options.drop_excluded
        self.about = ABOUT if isinstance(drop, bool) else float(drop)
        self._options = options
        # What is always excluded goes even where a caller keeps the rest.
        self._standing = standing_alone(options.always_exclude)
        self._weight = 0.0 if options.verify is None else weight_within(options.verify.between)

    def needed(self, query: LogicalQuery) -> bool:
        """Whether anything depends on how far documents are about excluded terms."""
        options = self._options
        used = options.drop_excluded or self._standing is not None or options.verify is not None
        return bool(negative_terms(query)) and (bool(used) or options.composition.calibrated)

    def blocking(self, hit: Hit) -> str | None:
        """The excluded term for which a document is left out; None where it stays."""
        group = hit.group
        if not group.shares or group.fulfilled:
            return None
        normal = group.scorer.query if self._options.drop_excluded else self._standing
        if normal is None:
            return None
        shares = {text: self.share(hit, text) for text in group.shares}
        if all(share < self.about for share in shares.values()):
            return None
        truths = {text: float(values[hit.row]) for text, values in group.truths.items()}
        return blocking_term(to_nnf(normal), truths, shares, self.about)

    def share(self, hit: Hit, text: str) -> float:
        """A document's share of the best evidence for an excluded term, after a verdict on it."""
        share = hit.share(text)
        verdict = hit.verdicts.get(text)
        return share if verdict is None else share_after(share, verdict, self._weight)

    def answer(self, groups: Sequence[Group]) -> Answer:
        """The best k documents that stay.

        Args:
            groups: The candidates, scored.
        """
        hits, options = merged(groups), self._options
        first = set(islice((hit.id for hit in hits), options.k))
        lowest = hits[-1].score if hits else 0.0
        opinion = None
        if options.verify is not None and any(group.shares for group in groups):
            look = SecondLook(options.verify, options.k, self.about, lambda hit: self.blocking(hit) is not None)
            hits, opinion = look.at(hits)
        least = 0.0 if options.min_relevance is None else options.min_relevance
        stays: list[RankedDocument] = []
        left_out: list[LeftOut] = []
        too_low = 0
        for hit in hits:
            blocking = self.blocking(hit)
            if hit.relevance < least:
                too_low += hit.id in first and blocking is None
            elif blocking is None:
                if len(stays) < options.k:
                    labels = {text: aboutness(self.share(hit, text), self.about) for text in hit.group.shares}
                    stays.append(replace(hit.ranked(), excluded=labels))
            elif hit.id in first:
                left_out.append(self._left_out(hit, blocking))
        sunk = bool(hits) and hits[-1].relevance < least
        # What a verdict moved below all candidates may stand behind documents that are none.
        settled = all(document.score >= lowest for document in stays)
        return Answer(tuple(stays), tuple(left_out), too_low, sunk or (len(stays) >= options.k and settled), opinion)

    def _left_out(self, hit: Hit, blocking: str) -> LeftOut:
        return LeftOut(
            *(hit.id, hit.text, hit.score, str(Term(blocking)), self.share(hit, blocking)),
            relevance=hit.relevance,
            verdicts=hit.verdicts,
        )
