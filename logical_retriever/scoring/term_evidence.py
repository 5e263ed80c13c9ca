"""Calibrated evidence for the terms of one query, from vectors and from words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery, Not, Term, negative_terms, positive_terms
from logical_retriever.scoring.evidence import Array, BagOfWords, Evidence


@dataclass(frozen=True)
class CalibratedConstants:
    """Constants of calibrated evidence and its composition; evidence is in standard deviations of chance.

    Attributes:
        lexical: Deviations of a cosine that one deviation of words is worth, a pure number.
        asked: Weight of the whole question as further evidence of every wanted term, a pure number.
        asked_lexical: Added to it where words are evidence.
        onset: Evidence at which a wanted term begins to count in full.
        onset_lexical: Added to it where words are evidence: chance puts two sources together above it more often.
        exclusion: Weight of an exclusion beside the wish, a pure number.
        lack: Log odds added for something to lack, beside a wish, where a verifier read: only a denial is nearly free.
    """

    lexical: float = 1.4
    asked: float = 0.3
    asked_lexical: float = 0.2
    onset: float = 3.0
    onset_lexical: float = 0.5
    exclusion: float = 0.6
    lack: float = 3.0


class TermEvidence:
    """Evidence of N documents for the terms of a query, in standard deviations of chance.

    With z the calibrated cosine of a term and w the weighted evidence of its words, the evidence is
    ``min(z, 0) + √(max(z, 0)² + w²)`` (Fisher's method); z alone where no text was read.

    Args:
        query: The query; it says which words count for which term.
        evidence: With a row for each term asked for, and null distributions.
        constants: Weights of the sources.
        words: Weight of words beside vectors, in [0, 1].

    Raises:
        SemanticsError: The evidence has no null distributions.
    """

    def __init__(self, query: LogicalQuery, evidence: Evidence, constants: CalibratedConstants, words: float) -> None:
        if evidence.nulls is None:
            raise SemanticsError(
                "Calibrated scores need null distributions, and the evidence has none.",
                hint="Search through LogicalRetriever, or give Evidence(nulls=NullModel.fit(...).of(...)).",
            )
        self.constants, self.evidence, self.nulls = constants, evidence, evidence.nulls
        self.wanted, self.excluded = positive_terms(query), negative_terms(query)
        # Where no text was read, vectors count in full whatever the weight.
        weight = words if evidence.lexical else 0.0
        self.words = words
        self.vector_factor, self.word_factor = min(1.0, 2.0 - 2.0 * weight), min(1.0, 2.0 * weight)
        self.onset = constants.onset + self.word_factor * constants.onset_lexical

    def total(self, text: str) -> Array:
        """Return the evidence for a term, shape (N,)."""
        return self.joined(text, self.bag(text))

    def for_decision(self, text: str) -> TermEvidence:
        """Return the evidence by which an excluded term is judged.

        That is this one; for a standing exclusion or a term that is also wanted, the evidence as if the query excluded
        that term alone.
        """
        if self.evidence.kinds.get(text) != "always" and text not in self.wanted:
            return self
        return TermEvidence(Not(Term(text)), self.evidence, self.constants, self.words)

    def sources(self, text: str) -> tuple[Array, Array] | None:
        """Return the evidence from vectors and from words, shape (N,) each; None if no words were read."""
        bag = self.bag(text)
        return (self.z(text), self.w(bag)) if bag in self.evidence.lexical else None

    @cached_property
    def of_asked(self) -> Array | None:
        """Evidence for the question, shape (N,); None without one."""
        asked = self.evidence.asked
        return None if asked is None else self.joined(asked, asked_bag(asked, self.wanted, self.excluded))

    def bag(self, text: str) -> BagOfWords:
        """Return the words of a term; an excluded term has only its words that no wanted term has."""
        return BagOfWords(text) if text in self.wanted else BagOfWords(text, self.wanted)

    def joined(self, text: str, bag: BagOfWords) -> Array:
        """Return the evidence for a text from both sources, shape (N,)."""
        z = self.z(text)
        if bag not in self.evidence.lexical:
            return z
        w, above = self.w(bag), np.maximum(z, 0.0)
        return np.asarray(np.minimum(z, 0.0) + np.sqrt(above * above + w * w))

    def z(self, text: str) -> Array:
        """Return the evidence from vectors, shape (N,)."""
        # Row by row: arrays of one row are recycled by the allocator, one of all rows is a cost of its own.
        row = self.evidence.row(text)
        mean, deviation = float(self.nulls.means[row]), float(self.nulls.deviations[row])
        return np.asarray((self.evidence.cosines[row] - mean) / deviation * self.vector_factor)

    def w(self, bag: BagOfWords) -> Array:
        """Return the evidence from words, shape (N,), 0 or more."""
        return np.asarray(self.word_factor * self.constants.lexical * self.evidence.lexical[bag])


def asked_bag(asked: str, wanted: tuple[str, ...], excluded: tuple[str, ...]) -> BagOfWords:
    """Return a question's words, without words of excluded terms alone."""
    return BagOfWords(asked) if asked in wanted or not excluded else BagOfWords(asked, excluded, wanted)
