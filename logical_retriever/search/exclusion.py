"""Which documents are about what the query excludes.

How far a document is about an excluded term is its evidence for it as a share of what the store's best has, the
document that is most about the term: one about bone health has twice the evidence for "bone health" that one about a
person's name has for the name, and both are the best there are. Where the best has less than :data:`LEAST`, nothing in
the store is about the term, and the share is one of that.

Terms alike bring evidence of each other: what is about "causes of inflation" has some for "monetary policy as a cause
of inflation". Of a document's evidence for an excluded term, a wanted term of which it has w brings rho * w, with rho
the smaller of the cosine of both terms and the correlation that their cosines with documents have by chance: all terms
have a high one with some encoders, or in a store of one subject, but not both. The rest is the document's own. One with
less than :data:`OWN` of its own is "perhaps" about the excluded term at most.

A document is left out where the query holds of it only if an excluded term is overridden. On the negation normal form:

- an excluded term blocks a document whose share for it is at least :data:`ABOUT`, or what the caller says;
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

import numpy as np

from logical_retriever.query import And, LogicalQuery, Not, Or, Term, negative_terms, positive_terms
from logical_retriever.results import Aboutness
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.scorer import Array, Scorer
from logical_retriever.semantics import Composition

ABOUT = 0.95
"""Share of the best evidence from which a document is clearly about an excluded term: chosen over all sets with
judgements; docs/answers.md has the trade, and ``benchmarks/answers.py`` prints it."""
PERHAPS = 0.6
"""Share from which it is perhaps about it."""
HOLDS = 0.5
"""Truth value from which a document is about a wanted term of an OR."""
OWN = 3.0
"""Standard deviations of chance that a document must have for an excluded term beyond what wanted terms bring; chosen
with :data:`ABOUT`."""
LEAST = 5.0
"""Evidence, in standard deviations of chance, that the best document of a term is taken to have at least."""

Alike = Mapping[str, Mapping[str, float]]
"""For each excluded term, how much of their evidence the wanted terms bring, in [0, 1]."""


def likeness(query: LogicalQuery, scorer: Scorer, correlations: Array) -> Alike:
    """How much the wanted terms of a query bring to its excluded ones.

    Args:
        query: The query.
        scorer: With the T texts and their vectors.
        correlations: How the texts' cosines with documents go together by chance, shape (T, T).
    """
    units = scorer.vectors / np.linalg.norm(scorer.vectors, axis=1, keepdims=True)
    both = np.clip(np.minimum(correlations, units @ units.T), 0.0, 1.0)
    row = {text: place for place, text in enumerate(scorer.texts)}
    wanted = positive_terms(query)
    return {
        text: {other: float(both[row[text], row[other]]) for other in wanted if other != text}
        for text in negative_terms(query)
    }


def shares_of_best(
    composition: Composition, excluded: Sequence[str], alike: Alike, strongest: Mapping[str, float]
) -> Mapping[str, Array]:
    """Shares of N documents for each excluded term, in [0, 1], shape (N,).

    A share is at most :data:`PERHAPS` where less than :data:`OWN` of the evidence is the document's own.

    Args:
        composition: Of calibrated evidence.
        excluded: The terms.
        alike: From :func:`likeness`; a term that is not there has its evidence for its own.
        strongest: Evidence of the document of the store that is most about each term.
    """
    shares: dict[str, Array] = {}
    for text in excluded:
        evidence = composition.strengths[text]
        best = max(LEAST, strongest.get(text, LEAST), float(evidence.max(initial=LEAST)))
        share = np.clip(evidence / best, 0.0, 1.0)
        brought = [rho * np.maximum(composition.strengths[t], 0.0) for t, rho in alike.get(text, {}).items()]
        own = evidence - np.max([np.zeros(len(evidence)), *brought], axis=0)
        shares[text] = np.where(own < OWN, np.minimum(share, PERHAPS), share)
    return shares


def strongest_of(composition: Composition, candidates: Candidates, excluded: Sequence[str]) -> Mapping[str, float]:
    """Evidence of the document that is most about each excluded term: of the store where all were scored."""
    here = {text: float(composition.strengths[text].max(initial=LEAST)) for text in excluded}
    return {text: max(value, candidates.strongest.get(text, LEAST)) for text, value in here.items()}


@dataclass(frozen=True)
class _Part:
    """A part of a query as seen from one document.

    Attributes:
        blocking: The term that blocks it.
        holds: Whether the part holds.
        truth: How true what it wants is, exclusions aside; None where it only excludes.
    """

    blocking: str | None
    holds: bool
    truth: float | None


def blocking_term(
    normal: LogicalQuery, truths: Mapping[str, float], shares: Mapping[str, float], about: float = ABOUT
) -> str | None:
    """The excluded term for which a document is left out, the first of the query; None where it stays.

    Args:
        normal: The query in negation normal form.
        truths: For each term, its truth value as a wanted one.
        shares: For each excluded term, the document's share of the best evidence, in [0, 1].
        about: Share from which a document is about an excluded term.
    """

    def visit(node: LogicalQuery, parts: tuple[_Part, ...]) -> _Part:
        blocking = next((part.blocking for part in parts if part.blocking is not None), None)
        values = [part.truth for part in parts if part.truth is not None]
        match node:
            case Term():
                return _Part(None, truths[node.text] >= HOLDS, truths[node.text])
            case Not():
                text = node.operand.terms()[0]
                return _Part(text, False, None) if shares[text] >= about else _Part(None, True, None)
            case And():
                return _Part(blocking, all(part.holds for part in parts), min(values, default=None))
            case Or():
                against = max((part.truth for part in parts if part.blocking and part.truth is not None), default=0.0)
                excused = any(part.holds and (part.truth is None or part.truth >= against) for part in parts)
                return _Part(None if excused else blocking, excused, max(values, default=None))
            case _:
                raise TypeError(type(node))

    return normal.fold(visit).blocking


def aboutness(share: float, about: float = ABOUT) -> Aboutness:
    """Whether a document with this share of the best evidence is about an excluded term."""
    return "about" if share >= about else "perhaps" if share >= PERHAPS else "not"
