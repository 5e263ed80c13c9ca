"""Which documents are shown, and which are left out for being about what the query excludes.

A document is left out where the query holds of it only if an excluded term is overridden. On the negation normal form:

- an excluded term blocks a document whose share of the best evidence for it is at least
  :data:`~logical_retriever.options.ABOUT`, or what the caller says;
- an AND is blocked if one of its parts is;
- an OR is blocked if one of its parts is, unless another part holds of the document and is as true of it as that one
  is, exclusions aside: what a document is most about decides for which part it was found. A wanted term holds from a
  truth value of :data:`HOLDS`, an excluded one where it does not block, an AND where all parts hold, an OR where one
  does; an AND is as true as the least of its wanted parts, an OR as the greatest, and a part that only excludes excuses
  where it holds and asks for nothing where it does not.

So of ``("a" AND NOT "b") OR ("c" AND NOT "d")`` a document about b and c stays unless it is more about a than about c,
and one about b alone goes; ``NOT NOT "a"`` is ``"a"``; ``NOT ("a" AND "b")`` and ``NOT "a" OR NOT "b"`` leave out what
is about both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from logical_retriever.options import ABOUT
from logical_retriever.query import And, LogicalQuery, Not, Term, to_nnf
from logical_retriever.results import Aboutness, DocumentId, LeftOut, RankedDocument, Verdict, id_order
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.candidates import Array, Candidates
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scores import PERHAPS, GroupScores

HOLDS = 0.5
"""Truth value from which a document is about a wanted term of an OR."""

_Part = tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_], Array]
"""A part of a query as seen from N documents: which of its terms blocks each (-1: none), whether it holds, and how true
what it wants is, exclusions aside, NaN where it only excludes."""


@dataclass(frozen=True)
class Ranking:
    """The k documents to show, and the others of the best.

    Attributes:
        documents: Documents that stay, best first, at most k.
        left_out: Documents of the best k that are about something excluded.
        too_low: How many others of the best k are below the least relevance.
        full: Whether no further document can belong to the answer.
    """

    documents: tuple[RankedDocument, ...]
    left_out: tuple[LeftOut, ...] = ()
    too_low: int = 0
    full: bool = False


Verdicts = Mapping[DocumentId, Mapping[str, Verdict]]
"""Of a verifier, by document and term."""


def leave_out(
    request: SearchRequest,
    texts: EncodedTexts,
    candidates: Candidates,
    groups: Sequence[GroupScores],
    verdicts: Verdicts | None = None,
    before: Sequence[GroupScores] = (),
) -> Ranking:
    """The best k documents that stay.

    Args:
        request: The request.
        texts: Its texts.
        candidates: The documents.
        groups: Their scores, and their shares once verdicts are in.
        verdicts: Of a verifier, if one was asked.
        before: The scores before the verdicts; none where there are no verdicts.
    """
    k, about, verdicts = request.options.k, request.about, verdicts or {}
    first = {(group, place) for group, place in in_order(candidates, before or groups)[:k]}
    blocking = [blocked(request, group) for group in groups]
    least, lowest = request.options.min_relevance or 0.0, 1.0
    stays: list[RankedDocument] = []
    left_out: list[LeftOut] = []
    too_low = 0
    for of, place in in_order(candidates, groups):
        group, text = groups[of], blocking[of][place]
        # Relevance is told by the best of a group: no document's is above a better one's.
        lowest = min(lowest, float(group.relevance[place]))
        if text is None and lowest >= least and len(stays) == k:
            continue
        document = candidates.documents[group.rows[place]]
        own = verdicts.get(document.id, {})
        if lowest < least:
            too_low += (of, place) in first and text is None
        elif text is None:
            labels = {excluded: aboutness(float(share[place]), about) for excluded, share in group.shares.items()}
            score = float(before[of].composition.scores[place]) if own else None
            others = {"relevance": lowest, "excluded": labels, "verdicts": own, "unverified_score": score}
            stays.append(group.explained(candidates, texts, place, **others))
        elif (of, place) in first:
            score, share = float(group.composition.scores[place]), float(group.shares[text][place])
            left_out.append(LeftOut(document.id, document.text, score, str(Term(text)), share, lowest, own))
    return Ranking(tuple(stays), tuple(left_out), too_low, len(stays) == k or lowest < least)


def in_order(candidates: Candidates, groups: Sequence[GroupScores]) -> list[tuple[int, int]]:
    """Groups and places of all documents, best first, those of fulfilled groups before all others; ties by id."""
    places = [(of, place) for of, group in enumerate(groups) for place in group.order]
    if len(groups) > 1:
        keys = {
            (of, place): (not groups[of].fulfilled, -groups[of].composition.scores[place], id_order(document.id))
            for of, place in places
            for document in [candidates.documents[groups[of].rows[place]]]
        }
        places.sort(key=keys.__getitem__)
    return places


def blocked(request: SearchRequest, group: GroupScores) -> list[str | None]:
    """For each document of a group, the excluded term for which it is left out; None where it stays."""
    standing = tuple([Not(Term(text)) for text in request.options.always_exclude])
    if not group.shares or group.fulfilled or not request.leaves_out:
        return [None] * len(group.rows)
    query = group.query if request.options.drop_excluded else standing[0] if len(standing) == 1 else And(standing)
    return blocking_terms(query, group.truths, group.shares, request.about)


def blocking_terms(
    query: LogicalQuery, truths: Mapping[str, Array], shares: Mapping[str, Array], about: float = ABOUT
) -> list[str | None]:
    """The excluded term for which each of N documents is left out, the first of the query; None where it stays.

    Args:
        query: Without conditions.
        truths: For each term, its truth value as a wanted one, shape (N,).
        shares: For each excluded term, the documents' share of the best evidence, in [0, 1], shape (N,).
        about: Share from which a document is about an excluded term.
    """
    texts = list(shares)
    if not any((share >= about).any() for share in shares.values()):
        return [None] * len(next(iter(truths.values())))
    return [None if place < 0 else texts[place] for place in _part(to_nnf(query), texts, truths, shares, about)[0]]


def _part(
    node: LogicalQuery,
    texts: Sequence[str],
    truths: Mapping[str, Array],
    shares: Mapping[str, Array],
    about: float,
) -> _Part:
    if isinstance(node, Term):
        truth = truths[node.text]
        return np.full(len(truth), -1), truth >= HOLDS, truth
    if isinstance(node, Not):
        text = node.operand.terms()[0]
        goes = shares[text] >= about
        return np.where(goes, texts.index(text), -1), ~goes, np.full(len(goes), np.nan)
    blocks, holds, values = zip(*[_part(part, texts, truths, shares, about) for part in node.children], strict=True)
    first = reduce(_first, blocks)
    if isinstance(node, And):
        return first, np.logical_and.reduce(holds), np.fmin.reduce(values)
    against = np.fmax.reduce([np.where(block < 0, 0.0, value) for block, value in zip(blocks, values, strict=True)])
    against = np.nan_to_num(against)
    excuses = [held & (np.isnan(value) | (value >= against)) for held, value in zip(holds, values, strict=True)]
    excused = np.logical_or.reduce(excuses)
    return np.where(excused, -1, first), excused, np.fmax.reduce(values)


def _first(one: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    return np.where(one < 0, other, one)


def aboutness(share: float, about: float = ABOUT) -> Aboutness:
    """Whether a document with this share of the best evidence is about an excluded term."""
    return "about" if share >= about else "perhaps" if share >= PERHAPS else "not"
