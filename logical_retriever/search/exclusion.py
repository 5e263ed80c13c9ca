"""Which documents are shown, and which are left out for being about what the query excludes.

A document is left out where the query holds of it only if an excluded term is overridden. On the negation normal form:

- an excluded term blocks a document that is about it (:mod:`~logical_retriever.search.judgement`);
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

from collections.abc import Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from logical_retriever.query import And, LogicalQuery, Not, Term, to_nnf
from logical_retriever.results import DocumentId, LeftOut, RankedDocument, id_order
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.candidates import Array, Candidates
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scores import GroupScores

NAMES, ABOUT = "names it", "as much about it as anything here"
READ = "the verifier read it as being about it"
"""Reasons for leaving a document out."""
HOLDS = 0.5
"""Truth value from which a document is about a wanted term of an OR."""

Flags = npt.NDArray[np.bool_]
_Part = tuple[npt.NDArray[np.intp], Flags, Array]
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


def leave_out(
    request: SearchRequest,
    texts: EncodedTexts,
    candidates: Candidates,
    groups: Sequence[GroupScores],
    read: AbstractSet[tuple[DocumentId, str]] = frozenset(),
) -> Ranking:
    """The best k documents that stay.

    Args:
        request: The request.
        texts: Its texts.
        candidates: The documents.
        groups: Their scores and judgements.
        read: Documents and excluded terms that a verifier read them as being about.
    """
    k, least, lowest = request.options.k, request.options.min_relevance or 0.0, 1.0
    places = in_order(candidates, groups)
    first, blocking = set(places[:k]), [blocked(request, group) for group in groups]
    stays: list[RankedDocument] = []
    left_out: list[LeftOut] = []
    too_low = 0
    for of, place in places:
        group, text = groups[of], blocking[of][place]
        # Relevance falls with the score: no document's is above a better one's.
        lowest = min(lowest, float(group.relevance[place]))
        if text is None and lowest >= least and len(stays) == k:
            continue
        if lowest < least:
            too_low += (of, place) in first and text is None
        elif text is None:
            about = tuple([term for term, judgement in group.judgements.items() if judgement.about[place]])
            stays.append(group.explained(candidates, texts, place, relevance=lowest, about=about))
        elif (of, place) in first:
            document, judgement = candidates.documents[group.rows[place]], group.judgements[text]
            reason = READ if (document.id, text) in read else NAMES if judgement.named[place] else ABOUT
            score, share = float(group.composition.scores[place]), float(judgement.share[place])
            left_out.append(LeftOut(document.id, document.text, score, str(Term(text)), reason, share, lowest))
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
    standing = [Not(Term(text)) for text in request.options.always_exclude]
    if not group.judgements or group.fulfilled or not request.leaves_out:
        return [None] * len(group.rows)
    query = group.query
    if request.options.exclusion == "rank":
        query = standing[0] if len(standing) == 1 else And(tuple(standing))
    about = {text: judgement.about for text, judgement in group.judgements.items()}
    return blocking_terms(query, group.truths, about)


def blocking_terms(query: LogicalQuery, truths: Mapping[str, Array], about: Mapping[str, Flags]) -> list[str | None]:
    """The excluded term for which each of N documents is left out, the first of the query; None where it stays.

    Args:
        query: Without conditions.
        truths: For each term, its truth value as a wanted one, shape (N,).
        about: For each excluded term, whether the documents are about it, shape (N,).
    """
    texts = list(about)
    if not any(flags.any() for flags in about.values()):
        return [None] * len(next(iter(truths.values())))
    return [None if place < 0 else texts[place] for place in _part(to_nnf(query), texts, truths, about)[0]]


def _part(node: LogicalQuery, texts: Sequence[str], truths: Mapping[str, Array], about: Mapping[str, Flags]) -> _Part:
    if isinstance(node, Term):
        truth = truths[node.text]
        return np.full(len(truth), -1), truth >= HOLDS, truth
    if isinstance(node, Not):
        text = node.operand.terms()[0]
        return np.where(about[text], texts.index(text), -1), ~about[text], np.full(len(about[text]), np.nan)
    blocks, holds, values = zip(*[_part(part, texts, truths, about) for part in node.children], strict=True)
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
