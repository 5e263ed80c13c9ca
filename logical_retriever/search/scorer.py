"""A query with all that its documents are scored by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.lexical import LexicalModel, WordIndex, distinct_words
from logical_retriever.query import And, LogicalQuery, Not, Or, Term, flatten, to_nnf
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics import (
    BagOfWords,
    CalibratedSemantics,
    Composition,
    Evidence,
    NullDistributions,
    Semantics,
)
from logical_retriever.semantics.relevance import SEEN, closeness
from logical_retriever.vectors import Vectors

Array = npt.NDArray[np.float64]
Lexical = Mapping[BagOfWords, Array]
"""Evidence of N documents' words, shape (N,) for each bag of words."""
MAX_CONJUNCTS = 16
"""Most conjuncts of a query that get a list of their own."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores documents for one query without conditions.

    Attributes:
        query: The query that is searched for.
        semantics: Composes the scores.
        question: The user's question, where the query was made of one and the semantics may look at it.
        texts: T texts that are compared with documents; the query's terms come first.
        vectors: Shape (T, d), float32, one per text; shape (0, 0) until the texts are encoded.
        nulls: Null distributions of the T texts, for calibrated semantics.
        words: Statistics of the store's words, where words are evidence.
        unrelated: Mean and deviation of cosines of unrelated texts, for calibrated semantics.
    """

    query: LogicalQuery
    semantics: Semantics
    question: str | None
    texts: tuple[str, ...]
    vectors: Vectors
    nulls: NullDistributions | None = None
    words: LexicalModel | None = None
    unrelated: tuple[float, float] | None = None

    @classmethod
    def of(cls, query: LogicalQuery, semantics: Semantics, question: str | None = None) -> Scorer:
        """A scorer whose texts are not encoded yet."""
        refuse_conditions(query, "A scorer")
        return cls(query, semantics, question, semantics.texts(query, question), np.empty((0, 0), np.float32))

    def about(self, query: LogicalQuery, semantics: Semantics | None = None, question: str | None = None) -> Scorer:
        """The scorer of another query over the same texts, which have vectors already."""
        return replace(self, query=query, semantics=semantics or self.semantics, question=question)

    @cached_property
    def wanted_texts(self) -> tuple[str, ...]:
        """Texts whose nearest documents are worth scoring; see :meth:`Semantics.wanted_texts`."""
        return self.semantics.wanted_texts(self.query, self.question)

    @cached_property
    def bags(self) -> tuple[BagOfWords, ...]:
        """Bags of words that the semantics has a use for."""
        return self.semantics.lexical(self.query, self.question)

    def rows(self, texts: Sequence[str]) -> list[int]:
        """Positions of texts among those of the scorer."""
        return [self.texts.index(text) for text in texts]

    def bag_words(self, bag: BagOfWords) -> list[str]:
        """The words that a bag looks for."""
        language = "en" if self.words is None else self.words.language
        return distinct_words(bag.text, bag.without, bag.keeping, language)

    def lexical(self, texts: Sequence[str] | WordIndex) -> Lexical:
        """Evidence of N texts' words, or of all texts of an index; none where words are no evidence."""
        if self.words is None:
            return {}
        return {bag: self.words.evidence(self.bag_words(bag), texts) for bag in self.bags}

    def evidence(self, cosines: Array, lexical: Lexical, verdicts: Mapping[str, Array] | None = None) -> Evidence:
        """Evidence about N documents.

        Args:
            cosines: Shape (T, N), in [-1, 1].
            lexical: Evidence of their words, shape (N,) each.
            verdicts: Log-odds of a verifier's verdicts by term, shape (N,) each.
        """
        return Evidence(self.texts, cosines, self.nulls, lexical, self.question, verdicts or {})

    def scores(self, cosines: Array, lexical: Lexical) -> Array:
        """Scores of N documents, shape (N,)."""
        return self.semantics.scores(self.query, self.evidence(cosines, lexical))

    def strength(self, text: str, cosines: npt.NDArray[np.floating[Any]], lexical: Lexical) -> Array:
        """Calibrated evidence of N documents for an excluded term, shape (N,).

        Args:
            text: The term.
            cosines: Shape (T, N).
            lexical: Evidence of their words, shape (N,) each.
        """
        if not isinstance(self.semantics, CalibratedSemantics) or self.nulls is None:
            raise SemanticsError(
                f"The semantics {self.semantics.name!r} says nothing of evidence.", hint="Ask a calibrated scorer."
            )
        rows = [self.texts.index(text)]
        nulls = NullDistributions(self.nulls.means[rows], self.nulls.deviations[rows])
        evidence = Evidence((text,), np.asarray(cosines[rows], np.float64), nulls, lexical)
        return self.semantics.strength(self.query, text, evidence)

    def compose(self, evidence: Evidence) -> Composition:
        """Scores of N documents with the values that explain them.

        Raises:
            SemanticsError: The semantics cannot score this evidence, or says nothing of the value of a term.
        """
        composition = self.semantics.compose(self.query, evidence)
        for text in self.query.terms():
            if Term(text) not in composition.values:
                raise SemanticsError(
                    f"The semantics {self.semantics.name!r} gives no value for the term {text!r}.",
                    hint="Return Composition(scores, values), with values[Term(text)] of shape (N,) for every term.",
                )
        return composition

    def relevance(
        self, composition: Composition, cosines: Array, order: Sequence[int], *, words: bool, scores: Array | None = None
    ) -> Array:
        """Relevance in [0, 1]; see :meth:`Semantics.relevance`.

        Args:
            composition: Of N documents.
            cosines: Of each text with them, shape (T, N).
            order: Positions of the best of them, best first.
            words: Whether their words are evidence.
            scores: Scores of the same documents in the same order where verdicts moved them, shape (len(order),).

        Returns:
            Shape (len(order),).
        """
        close = None
        if self.unrelated is not None and len(order):
            first = list(order[: 1 if isinstance(self.query, Term) else SEEN])
            by_term = {term: cosines[self.texts.index(term), first] for term in self.query.terms()}
            by_words = {term: values[first] for term, (_, values) in composition.sources.items()}
            close = closeness(self.query, by_term, by_words, self.unrelated)
        before = composition.scores[list(order)]
        if scores is None or not len(before):
            return self.semantics.relevance(self.query, before, words=words, close=close)
        return self.semantics.relevance(self.query, scores, words=words, close=close, best=float(before.max()))

    def conjunct_vectors(self) -> list[tuple[int, Vectors]]:
        """For each conjunct with two or more wanted terms, their number and the sum of unit(v) / deviation.

        An AND of unrelated texts has its best documents in no list of one of them; this vector's nearest documents are
        those of the greatest sum of evidence.
        """
        sums = []
        for terms in conjuncts(self.query):
            if len(terms) > 1:
                rows = self.rows(sorted(terms))
                units = self.vectors[rows] / np.linalg.norm(self.vectors[rows], axis=1, keepdims=True)
                weights = np.ones(len(rows)) if self.nulls is None else 1.0 / self.nulls.deviations[rows]
                sums.append((len(rows), (weights[:, None] * units).sum(axis=0).astype(np.float32)))
        return sums


def conjuncts(query: LogicalQuery) -> list[frozenset[str]]:
    """Wanted terms of each conjunct of a query's disjunctive form, the first :data:`MAX_CONJUNCTS` of them.

    Examples:
        >>> from logical_retriever.query import parse
        >>> [sorted(terms) for terms in conjuncts(parse('("a" OR "b") AND "c" AND NOT "d"'))]
        [['a', 'c'], ['b', 'c']]
    """
    nothing: frozenset[str] = frozenset()

    def visit(node: LogicalQuery, parts: tuple[list[frozenset[str]], ...]) -> list[frozenset[str]]:
        if isinstance(node, Term):
            return [frozenset({node.text})]
        if isinstance(node, Or):
            return list(dict.fromkeys(terms for part in parts for terms in part))[:MAX_CONJUNCTS]
        if isinstance(node, And):
            joined = [nothing]
            for part in parts:
                joined = [left | right for left in joined for right in part][:MAX_CONJUNCTS]
            return list(dict.fromkeys(joined))
        return [nothing]

    return flatten(to_nnf(query)).fold(visit)


def open_ended(query: LogicalQuery) -> bool:
    """Whether a document about none of the terms satisfies the query, as with ``NOT A`` or ``A OR NOT B``.

    Nearest-neighbour lists of the terms cannot find such documents.
    """

    def visit(node: LogicalQuery, operands: tuple[bool, ...]) -> bool:
        match node:
            case Not():
                return not operands[0]
            case And():
                return all(operands)
            case Or():
                return any(operands)
            case _:
                return False

    return query.fold(visit)
