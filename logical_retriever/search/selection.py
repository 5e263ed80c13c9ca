"""Which documents are shown, and which are left out for what the query excludes.

With ``"a" AND NOT "b"``, a document is left out if the decision on b says so. An OR can keep it, if another part fits
the document at least as well. On the negation normal form:

- an excluded term blocks a document that its decision leaves out (:mod:`~logical_retriever.search.decisions`);
- an AND is blocked if one of its parts is, unless one of its conditions is not fulfilled;
- an OR is blocked if one of its parts is, unless another part holds of the document and is at least as true of it as
  the blocked one would be without its exclusion.

A wanted term holds from a truth value of :data:`HOLDS`, an excluded one if it does not block, a condition if the
metadata fulfils it, an AND if all its parts hold, an OR if one does. An AND is as true as its least wanted part, an OR
as its greatest. A part that only excludes has no truth of its own: it needs only to hold.

With ``("a" AND NOT "b") OR ("c" AND NOT "d")``, a document about b and c stays unless it is more about a than about c.
A document about b alone is left out. ``NOT ("a" AND "b")`` and ``NOT "a" OR NOT "b"`` leave out documents about both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from logical_retriever.query import And, Condition, LogicalQuery, Not, Term, to_nnf
from logical_retriever.results import LeftOut, RankedDocument
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.filters import Outcomes
from logical_retriever.search.question import Question
from logical_retriever.search.scores import Scores

LISTED_PER_K = 3
"""How many times k documents that are left out are named; the others are counted."""
HOLDS = 0.5
"""Truth value from which a document is about a wanted term of an OR."""


class _Part(NamedTuple):
    """A part of a query, as N documents fulfil it.

    Attributes:
        block: Position of the excluded term for which each document is left out, -1 for none.
        holds: Whether the part holds of it.
        truth: How true is what the part wants, exclusions aside; NaN where it wants nothing.
        can: Whether its conditions let it hold.
    """

    block: npt.NDArray[np.intp]
    holds: Flags
    truth: Array
    can: Flags


@dataclass(frozen=True)
class Selection:
    """The documents to show and those to leave out.

    Attributes:
        documents: Documents to show, best first, at most k.
        left_out: Documents left out although they ranked among the first k, or are at least as relevant as the last
            one shown; at most :data:`LISTED_PER_K` times k.
        left_out_more: How many more were left out, by excluded term; they are counted, not listed.
        silent: How many were left out only because they do not say that they lack the thing.
        too_low: Number of the k best-ranked documents that were dropped for a relevance below ``min_relevance``.
        full: Whether no further document can belong to the answer.
        seen: Number of documents, in the order of their scores, down to the last one shown; if fewer than k are shown,
            all that reach ``min_relevance``.
    """

    documents: tuple[RankedDocument, ...]
    left_out: tuple[LeftOut, ...] = ()
    left_out_more: Mapping[str, int] = field(default_factory=dict)
    silent: int = 0
    too_low: int = 0
    full: bool = False
    seen: int = 0


def select(question: Question, candidates: Candidates, scores: Scores) -> Selection:
    """Select the best k documents that stay.

    Args:
        question: The question.
        candidates: The documents.
        scores: Their scores and the decisions on them.
    """
    k, min_relevance = question.options.k, question.options.min_relevance or 0.0
    out_for, stays = left_out_for(question, candidates, scores), list[RankedDocument]()
    capped, too_low, seen = 1.0, 0, 0
    for place, row in enumerate(scores.order):
        if len(stays) == k:
            break
        # Capped, so that no document's relevance is above that of a better-ranked one.
        capped = min(capped, float(scores.relevance[row]))
        if capped >= min_relevance:
            seen = place + 1
            if out_for[row] is None:
                stays.append(scores.explained(candidates, row, capped))
        elif place < k:
            too_low += out_for[row] is None
        else:
            break
    last = max(min_relevance, stays[-1].relevance if len(stays) == k else 0.0)
    out = [
        (row, term)
        for place, row in enumerate(scores.order)
        if (term := out_for[row]) is not None
        and scores.relevance[row] >= min_relevance
        and (place < k or scores.relevance[row] >= last)
    ]
    named = [
        LeftOut(scores.explained(candidates, row, float(scores.relevance[row])), term)
        for row, term in out[: LISTED_PER_K * k]
    ]
    more = Counter(term for _, term in out[LISTED_PER_K * k :])
    return Selection(
        tuple(stays),
        tuple(named),
        left_out_more=more,
        silent=sum(scores.decisions[term].silent(row) for row, term in out),
        too_low=too_low,
        full=len(stays) == k or capped < min_relevance,
        seen=seen,
    )


def left_out_for(question: Question, candidates: Candidates, scores: Scores) -> list[str | None]:
    """Return the excluded term for which each document is left out; None if the document stays."""
    if not scores.decisions or not question.options.leaves_out:
        return [None] * len(candidates.documents)
    query = question.scored
    if question.options.exclusion == "rank":
        standing = tuple([Not(Term(text)) for text in question.options.always_exclude])
        query = standing[0] if len(standing) == 1 else And(standing)
    leave_out = {text: decisions.leave_out for text, decisions in scores.decisions.items()}
    return blocking_terms(query, scores.wanted_truths, leave_out, candidates.evidence.outcomes)


def blocking_terms(
    query: LogicalQuery,
    wanted_truths: Mapping[str, Array],
    leave_out: Mapping[str, Flags],
    outcomes: Outcomes = MappingProxyType({}),
) -> list[str | None]:
    """Return the first excluded term of the query that blocks each of N documents; None if the document stays.

    Args:
        query: The query.
        wanted_truths: Truth value of each wanted term, shape (N,); those of excluded terms are not used.
        leave_out: Whether to leave the documents out for each excluded term, shape (N,).
        outcomes: Whether the documents fulfil each condition, shape (N,).
    """
    texts = list(leave_out)
    if not any(flags.any() for flags in leave_out.values()):
        return [None] * len(next(iter(wanted_truths.values())))

    def visit(node: LogicalQuery, parts: tuple[_Part, ...]) -> _Part:
        if isinstance(node, Term):
            truth = wanted_truths[node.text]
            return _Part(np.full(len(truth), -1), truth >= HOLDS, truth, np.ones(len(truth), bool))
        if isinstance(node, Condition):
            true = outcomes[node]
            return _Part(np.full(len(true), -1), true, np.full(len(true), np.nan), true)
        if isinstance(node, Not):
            if isinstance(node.operand, Condition):
                return parts[0]._replace(holds=~parts[0].holds, can=~parts[0].can)
            text = node.operand.terms()[0]
            flags, size = leave_out[text], len(leave_out[text])
            return _Part(np.where(flags, texts.index(text), -1), ~flags, np.full(size, np.nan), np.ones(size, bool))
        first = reduce(lambda block, other: np.where(block < 0, other, block), [part.block for part in parts])
        truth = (np.fmin if isinstance(node, And) else np.fmax).reduce([part.truth for part in parts])
        if isinstance(node, And):
            can = np.logical_and.reduce([part.can for part in parts])
            return _Part(np.where(can, first, -1), np.logical_and.reduce([part.holds for part in parts]), truth, can)
        most = np.nan_to_num(np.fmax.reduce([np.where(part.block < 0, 0.0, part.truth) for part in parts]))
        excused = np.logical_or.reduce([one.holds & (np.isnan(one.truth) | (one.truth >= most)) for one in parts])
        return _Part(np.where(excused, -1, first), excused, truth, np.logical_or.reduce([part.can for part in parts]))

    return [None if place < 0 else texts[place] for place in to_nnf(query).fold(visit).block]
