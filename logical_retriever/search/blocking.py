"""When a document is left out: the query holds of it only if an excluded term is overridden.

On the negation normal form:

- an excluded term blocks a document whose share for it is at least :data:`ABOUT`, or what the caller says, with
  enough of its own;
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

from collections.abc import Mapping
from dataclasses import dataclass, replace

from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.results import Aboutness, Verdict
from logical_retriever.search.doubt import told

ABOUT = 0.95
"""Share of the best evidence from which a document is clearly about an excluded term: chosen over all sets with
judgements; docs/answers.md has the trade, and ``benchmarks/answers.py`` prints it."""
PERHAPS = 0.6
"""Share from which it is perhaps about it."""
HOLDS = 0.5
"""Truth value from which a document is about a wanted term of an OR."""


@dataclass(frozen=True)
class Known:
    """Evidence of a document for the terms of a query.

    Attributes:
        truths: For each term, its truth value as a wanted one.
        shares: For each excluded term, the document's share of the best evidence, in [0, 1]; at most :data:`PERHAPS`
            where too little of it is the document's own.
    """

    truths: Mapping[str, float]
    shares: Mapping[str, float]

    def after(self, verdicts: Mapping[str, Verdict], weight: float) -> Known:
        """The same with a verifier's verdicts of this weight, on whichever terms it gave some."""
        if not verdicts:
            return self
        shares = {
            text: told(share, verdicts[text], weight, PERHAPS) if text in verdicts else share
            for text, share in self.shares.items()
        }
        return replace(self, shares=shares)


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


def blocking_term(normal: LogicalQuery, known: Known, about: float = ABOUT) -> str | None:
    """The excluded term for which a document is left out, the first of the query; None where it stays.

    Args:
        normal: The query in negation normal form.
        known: Of the document.
        about: Share from which a document is about an excluded term.
    """

    def visit(node: LogicalQuery, parts: tuple[_Part, ...]) -> _Part:
        blocking = next((part.blocking for part in parts if part.blocking is not None), None)
        truths = [part.truth for part in parts if part.truth is not None]
        match node:
            case Term():
                return _Part(None, known.truths[node.text] >= HOLDS, known.truths[node.text])
            case Not():
                text = node.operand.terms()[0]
                return _Part(text, False, None) if known.shares[text] >= about else _Part(None, True, None)
            case And():
                return _Part(blocking, all(part.holds for part in parts), min(truths, default=None))
            case Or():
                against = max((part.truth for part in parts if part.blocking and part.truth is not None), default=0.0)
                excused = any(part.holds and (part.truth is None or part.truth >= against) for part in parts)
                return _Part(None if excused else blocking, excused, max(truths, default=None))
            case _:
                raise TypeError(type(node))

    return normal.fold(visit).blocking


def aboutness(share: float, about: float = ABOUT) -> Aboutness:
    """Whether a document with this share of the best evidence is about an excluded term."""
    return "about" if share >= about else "perhaps" if share >= PERHAPS else "not"
