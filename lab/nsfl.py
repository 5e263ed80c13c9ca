"""NSFL: fuzzy operators made of what fusing two texts changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from logical_retriever import And, LogicalQuery, Not, Semantics, Term
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import smoothed_not
from logical_retriever.query import refuse_conditions
from logical_retriever.scoring import Evidence

Array = npt.NDArray[np.float64]
Wording = Literal["and", "that are also"]
_Similarity = Callable[[str], Array]
"""Shape (N,): S of a text with every document."""


@dataclass(frozen=True)
class _Part:
    """A sub-query: terms under an even and an odd number of negations, scores, and whether an AND subtracts it."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    value: Array
    negated: bool = False


class NsflSemantics(Semantics):
    """Neuro-symbolic fuzzy logic: scores of fused texts ``A∘B`` ("A and B") corrected by what the fusion changed.

    ``S`` is ``max(0, cosine)``, a choice that the paper leaves open; the equations, over one document, are

    - AND of n: ``S(A∘B∘...)`` where it reaches the sum of the atoms' scores (reinforcement); else that plus, for every
      atom but the dominant one, what it adds to the fusion of the others, ``S(all) - S(all but it)``;
    - NOT: ``A AND NOT B`` is ``S(A) - Ŝ(B)·(S(A∘B) - S(A))``, ``Ŝ(B) = S(B) / max S(B)`` over the documents scored; it
      stays ``S(A)`` where ``S(A∘B)`` is below both (departure);
    - AND with NOT: ``AND(A, B) - Ŝ(C)·(S(A∘B∘C) - S(A∘B))``;
    - OR: ``max(S(A), S(B), S(A∘B), S(q))``; where ``S(A∘B)`` is below both atoms, their minimum.

    Source: "NSFL: A Post-Training Neuro-Symbolic Fuzzy Logic Framework for Boolean Operators in Neural Embeddings",
    sections 6.1 to 6.5. It covers two and three atoms; the generalisation to any tree is this package's: several
    negated terms of an AND are fused into one; nested parts enter by their value and, in fusions, by their wanted
    terms; ``S(q)`` is the score of the wanted terms joined with "or", since a semantics does not see the question;
    an OR with a NOT inside is the maximum alone, because a fusion would let the negated term back in; a NOT with
    nothing wanted beside it is ``1 - S``. Scores lie near [0, 1] and can leave it.

    Values of parts: a term's is ``S``, an operator's its score by the equations; a NOT inside an AND has ``1 - S``.

    Args:
        wording: How two texts are fused: "A and B", or "A that are also B".

    Raises:
        InvalidArgumentError: Another wording.
    """

    name = "nsfl"
    pointwise = False  # the NOT is smoothed by the best of all documents

    def __init__(self, wording: Wording = "and") -> None:
        if wording not in get_args(Wording):
            raise InvalidArgumentError(f"NSFL has no wording {wording!r}.", hint=f"Choose of {get_args(Wording)}.")
        self.wording = wording

    def texts(self, query: LogicalQuery, asked: str | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """Return the terms, then every fused text that the equations need."""
        texts: dict[str, None] = dict.fromkeys(query.terms())

        def record(text: str) -> Array:
            texts.setdefault(text)
            return np.zeros(1)

        self._composed(query, record)
        return tuple(texts)

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """Score N documents; ``Ŝ`` is relative to the best of them."""
        values = np.clip(evidence.cosines, 0.0, 1.0)
        return self._composed(query, lambda text: values[evidence.row(text)])

    def _composed(self, query: LogicalQuery, similarity: _Similarity) -> Array:
        """Compose with any source of S; one that records its calls tells :meth:`texts` what is needed."""
        refuse_conditions(query, "NSFL")

        def visit(node: LogicalQuery, parts: tuple[_Part, ...]) -> _Part:
            match node:
                case Term():
                    part = _Part((node.text,), (), similarity(node.text))
                case Not():
                    (inner,) = parts
                    part = _Part(inner.unwanted, inner.wanted, 1.0 - inner.value, negated=not inner.negated)
                case And():
                    part = self._and(parts, similarity)
                case _:
                    part = self._or(parts, similarity)
            return part

        return query.fold(visit).value

    def _and(self, parts: Sequence[_Part], similarity: _Similarity) -> _Part:
        """Compose the positive parts by AND, then subtract everything negated by the smoothed NOT."""
        positive = [part for part in parts if not part.negated]
        negative = [part for part in parts if part.negated]
        subtracted = tuple(term for part in negative for term in part.unwanted)
        wanted = tuple(term for part in (*positive, *negative) for term in part.wanted)
        unwanted = tuple(term for part in (*positive, *negative) for term in part.unwanted)
        if not positive:
            # Nothing to fuse with: the least of the complements.
            return _Part(wanted, unwanted, reduce(np.minimum, [part.value for part in negative]), negated=True)
        context = tuple(term for part in positive for term in part.wanted)
        fused = similarity(self._fuse(context))
        score = self._without(self._together(positive, similarity), fused, context, subtracted, similarity)
        return _Part(wanted, unwanted, score)

    def _together(self, parts: Sequence[_Part], similarity: _Similarity) -> Array:
        """Compose n parts by AND: equations 7, 8, 15 and 16."""
        if len(parts) == 1:
            return parts[0].value
        texts = [self._fuse(part.wanted) for part in parts]
        fused = similarity(self._fuse(texts))
        atoms = [similarity(text) for text in texts]
        added = [fused - similarity(self._fuse(texts[:i] + texts[i + 1 :])) for i in range(len(texts))]
        best, dominant = atoms[0], added[0]
        for atom, own in zip(atoms[1:], added[1:], strict=True):
            dominant = np.where(atom > best, own, dominant)
            best = np.maximum(best, atom)
        score = np.where(fused >= reduce(np.add, atoms), fused, fused + reduce(np.add, added) - dominant)
        # What negations inside a part took from it, it loses here as well.
        for part, atom in zip(parts, atoms, strict=True):
            score = score + (part.value - atom if part.unwanted else 0.0)
        return score

    def _without(
        self, score: Array, fused: Array, wanted: Sequence[str], unwanted: Sequence[str], similarity: _Similarity
    ) -> Array:
        """Subtract what the unwanted terms add to the wanted ones."""
        if not unwanted:
            return score
        negated, together = similarity(self._fuse(unwanted)), similarity(self._fuse((*wanted, *unwanted)))
        return smoothed_not(score, fused, negated, together)

    def _or(self, parts: Sequence[_Part], similarity: _Similarity) -> _Part:
        """Compose n parts by OR: equations 13 and 14."""
        values = [part.value for part in parts]
        wanted = tuple(term for part in parts for term in part.wanted)
        unwanted = tuple(term for part in parts for term in part.unwanted)
        score = reduce(np.maximum, values)
        if not unwanted:
            fused = similarity(self._fuse(wanted))
            best = np.maximum(np.maximum(score, fused), similarity(" or ".join(wanted)))
            least = reduce(np.minimum, values)
            score = np.where(fused < least, least, best)
        return _Part(wanted, unwanted, score, negated=not wanted)

    def _fuse(self, texts: Sequence[str]) -> str:
        return f" {self.wording} ".join(texts)
