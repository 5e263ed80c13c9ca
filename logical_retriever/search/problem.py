"""One question as every way to search sees it: what is scored, by which formula, with which vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.lexical import LexicalModel, WordIndex, distinct_words
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics import BagOfWords, Composition, Evidence, NullDistributions, Semantics
from logical_retriever.semantics.bounds import original_bag, polarities_apart
from logical_retriever.semantics.relevance import SEEN, closeness
from logical_retriever.vectors import Vectors

Lexical = Mapping[BagOfWords, npt.NDArray[np.float64]]
"""Evidence of N documents' words, shape (N,) for each bag of words."""
Array = npt.NDArray[np.float64]
WordEvidence = dict[tuple[str, ...], Array]
"""Evidence of all texts of an index, shape (N,), by the words looked for."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A query with all that its documents are scored by.

    Attributes:
        query: The query that is searched for.
        semantics: Composes the scores.
        question: The user's question, where the query was made of one and the semantics may look at it.
        texts: T texts that are compared with documents: those of the semantics, the query's terms first, and what a
            search mode asks for beyond them.
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
    def of(cls, query: LogicalQuery, semantics: Semantics, question: str | None = None) -> Problem:
        """The problem before anything is encoded: enough to plan with."""
        refuse_conditions(query, "A search problem")
        return cls(query, semantics, question, semantics.texts(query, question), np.empty((0, 0), np.float32))

    def encoded(self, texts: tuple[str, ...], vectors: Vectors) -> Problem:
        """The same with vectors.

        Args:
            texts: T texts, those of the problem among them.
            vectors: Shape (T, d).
        """
        return replace(self, texts=texts, vectors=vectors)

    @cached_property
    def wanted_texts(self) -> tuple[str, ...]:
        """Texts whose nearest documents are worth scoring; see :meth:`Semantics.wanted_texts`."""
        return self.semantics.wanted_texts(self.query, self.question)

    @cached_property
    def wanted(self) -> tuple[int, ...]:
        """Rows of the wanted texts."""
        return self.rows(self.wanted_texts)

    @cached_property
    def bags(self) -> tuple[BagOfWords, ...]:
        """Bags of words that the semantics has a use for."""
        return self.semantics.lexical(self.query, self.question)

    @cached_property
    def wanted_bags(self) -> tuple[BagOfWords, ...]:
        """Bags of words that documents should hold: those of texts that the query does not have negated."""
        renamed, originals = polarities_apart(self.query)
        found = self.semantics.lexical(renamed, self.question)
        return tuple(original_bag(bag, originals) for bag in found if bag.text not in originals)

    @cached_property
    def open_ended(self) -> bool:
        """Whether a document about none of the terms satisfies the query; see :func:`open_ended`."""
        return open_ended(self.query)

    def rows(self, texts: tuple[str, ...]) -> tuple[int, ...]:
        """Where texts stand among those of the problem."""
        return tuple(self.texts.index(text) for text in texts)

    @property
    def language(self) -> str:
        """Language of the words."""
        return "en" if self.words is None else self.words.language

    def lexical(self, texts: Sequence[str] | WordIndex, known: WordEvidence | None = None) -> Lexical:
        """Evidence of N texts' words, or of all texts of an index; none where words are no evidence.

        Args:
            texts: The texts, or their index.
            known: Of these texts' words, from other problems of the same question; what is new is added.
        """
        if self.words is None:
            return {}
        found, known = {}, WordEvidence() if known is None else known
        for bag in self.bags:
            words = tuple(distinct_words(bag.text, bag.without, bag.keeping, self.language))
            if words not in known:
                known[words] = self.words.evidence(words, texts)
            found[bag] = known[words]
        return found

    def evidence(self, cosines: Array, lexical: Lexical | None = None) -> Evidence:
        """Evidence about N documents.

        Args:
            cosines: Shape (T, N), in [-1, 1].
            lexical: Evidence of their words, shape (N,) each, where texts were read.
        """
        return Evidence(self.texts, cosines, self.nulls, {} if lexical is None else lexical, self.question)

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

    def scores(self, cosines: Array, lexical: Lexical | None = None) -> Array:
        """Scores, shape (N,), of documents with cosines of shape (T, N); by vectors alone without ``lexical``."""
        return self.semantics.scores(self.query, self.evidence(cosines, lexical))

    def relevance(
        self, composition: Composition, cosines: Array, best: Sequence[int], *, words: bool, now: Array | None = None
    ) -> Array:
        """Relevance in [0, 1]; see :meth:`Semantics.relevance`.

        Args:
            composition: Of N documents.
            cosines: Of each text with them, shape (T, N).
            best: Positions of the best of them, the best first.
            words: Whether their words are evidence.
            now: Scores of the best that have changed since, shape (len(best),); None where none has.

        Returns:
            Shape (len(best),).
        """
        close = None
        if self.unrelated is not None and best:
            first = list(best[: 1 if isinstance(self.query, Term) else SEEN])
            by_term = {term: cosines[self.texts.index(term), first] for term in self.query.terms()}
            by_words = {term: found[first] for term, (_, found) in composition.sources.items()}
            close = closeness(self.query, by_term, by_words, self.unrelated)
        scores = composition.scores[list(best)]
        if now is None or not len(scores):
            return self.semantics.relevance(self.query, scores, words=words, close=close)
        return self.semantics.relevance(self.query, now, words=words, close=close, best=float(scores.max()))

    def upper_bounds(self, low: Array, high: Array, least: Lexical | None = None, most: Lexical | None = None) -> Array:
        """Most that N documents can score, shape (N,).

        Args:
            low: Their least cosines, shape (T, N).
            high: Their greatest cosines, shape (T, N).
            least: Their least lexical scores; None to leave words out of account.
            most: Their greatest lexical scores; None where they are as ``least`` says.
        """
        most = least if most is None else most
        return self.semantics.upper_bounds(self.query, self.evidence(low, least), self.evidence(high, most))

    def gradients(self, cosines: Array) -> tuple[Array, Array]:
        """Scores, shape (N,), and how each changes with each of its cosines, shape (T, N)."""
        return self.semantics.gradients(self.query, self.evidence(cosines))


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
