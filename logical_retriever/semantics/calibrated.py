"""The default: calibrated evidence, unsaturated where it is wanted, thresholded where it is excluded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.query import (
    Condition,
    LogicalQuery,
    Not,
    Or,
    Term,
    flatten,
    negative_terms,
    positive_terms,
    to_nnf,
)
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.evidence import Array, BagOfWords, Evidence
from logical_retriever.semantics.relevance import evidence_of_score, relevance_of_evidence, squeezed

CLEAR = 4.0
"""Evidence, in standard deviations of chance, from which an excluded term costs a document its place: its truth value
there is about a third."""


@dataclass(frozen=True)
class CalibratedConstants:
    """Constants of :class:`CalibratedSemantics`; evidence is in units of one standard deviation of null evidence.

    Attributes:
        lexical: Deviations of a cosine that one deviation of words is worth, a pure number.
        exclusion_lexical: How fast evidence from words lowers an excluded term's truth value, per deviation.
        question: Weight of the whole question as further evidence of every wanted term, a pure number.
        question_lexical: Added to it where words are evidence.
        onset: Evidence at which a wanted term begins to count in full.
        onset_lexical: Added to it where words are evidence: chance puts two sources together above it more often.
        threshold: Evidence from vectors at which an excluded term is as likely present as not.
        slope: Steepness of an excluded term's truth value, per standard deviation.
    """

    lexical: float = 1.4
    exclusion_lexical: float = 0.16
    question: float = 0.3
    question_lexical: float = 0.2
    onset: float = 3.0
    onset_lexical: float = 0.5
    threshold: float = 6.0
    slope: float = 0.3


class CalibratedSemantics(Semantics):
    """Log-likelihood-like scores from evidence that means the same for every term, store and query.

    With z the calibrated cosine of a text, w = 1.4 times the evidence of its words (0 where only vectors are looked
    at), q the user's question where there is one, ``e = min(z, 0) + √(max(z, 0)² + w²)``: both are numbers of standard
    deviations, and their squares the logarithms of how improbable they are, which add up (Fisher's method). On the
    negation normal form:

    - one term alone: ``e``: plain retrieval;
    - a wanted term: ``log softplus(e' - 3.5)`` with ``e' = (e + 0.5 e(q)) / 1.5``, e without a question. It never
      saturates: more evidence is always better. By vectors alone 3 stands for 3.5, 0.3 for 0.5 and 1.3 for 1.5;
    - an excluded term: ``log σ(-0.3 (z - 6)) - log(1 + 0.16 w)``, where w counts only the words that no wanted term
      has. It is absent if neither source finds it: their truth values are multiplied. Vectors cost it nothing until
      they are clear, words something from the first on that it has and that is rare;
    - a condition: infinity where a document fulfils it, minus infinity elsewhere;
    - OR: the log of the summed exponentials of its parts; AND: the least value of the parts that want something plus
      the least value of the parts that only exclude.

    The question is looked for without the words that only excluded terms have. The range is unbounded for one term and
    for wanted terms, (-inf, 0] for pure exclusion. Every step is monotone in the evidence of every literal, from either
    source. Constants were chosen once, across all development sets together; the benchmark prints what they reach.
    Scores of different queries are comparable as far as the null distributions are.

    A term's truth value is ``σ(e - 3.5)`` where it is wanted, by vectors alone ``σ(e - 3)``, and
    ``1 - σ(-0.3 (z - 6)) / (1 + 0.16 w)`` where it is excluded, with its own evidence alone.

    Args:
        constants: Other constants than the default ones.
        words: Weight of the words, in [0, 1]; the vectors' is the rest, as in an ensemble of two retrievers. At 0.5
            both count in full; at 0 only vectors count, and no text is read for its words; at 1 only words do. On the
            way to either end the other source fades in proportion: at 0.25 words count half.

    Raises:
        SemanticsError: The weight is not a number from 0 to 1.
    """

    name = "calibrated"
    calibrated = True

    def __init__(self, constants: CalibratedConstants | None = None, *, words: float = 0.5) -> None:
        if isinstance(words, bool) or not isinstance(words, int | float) or not 0.0 <= words <= 1.0:
            raise SemanticsError(
                f"The weight of words must be a number from 0 to 1, got {words!r}.",
                hint="Give words=0 for vectors alone, words=1 for words alone, words=0.5 for both.",
            )
        self.constants = CalibratedConstants() if constants is None else constants
        self.words = float(words)

    def relevance(
        self,
        query: LogicalQuery,
        scores: Array,
        *,
        words: bool,
        close: float | None = None,
    ) -> Array:
        """The curve of docs/answers.md over the evidence that a question without logic would need for the same score.

        That evidence is the score of one term, and what a composed score stands for where something is wanted. Of a
        query that only excludes it is the truth value that none of it is there, ``exp(score)``.
        """
        if isinstance(query.kept(_normal), Term):
            return relevance_of_evidence(scores, close)
        if not positive_terms(query):
            return squeezed(np.exp(scores))  # of several in an OR it can exceed 1
        constants = self.constants
        onset = constants.onset + (min(1.0, 2.0 * self.words) * constants.onset_lexical if words else 0.0)
        return relevance_of_evidence(evidence_of_score(scores, onset), close)

    def plain(self, query: LogicalQuery) -> bool:
        """Without an exclusion, plain retrieval of the question is better than any composition of its parts."""
        return not negative_terms(query)

    def texts(self, query: LogicalQuery, question: str | None = None) -> tuple[str, ...]:
        """The terms, and the question."""
        return _with(query.terms(), question)

    def wanted_texts(self, query: LogicalQuery, question: str | None = None) -> tuple[str, ...]:
        """The wanted terms, and the question where something is wanted."""
        wanted = positive_terms(query)
        return _with(wanted, question) if wanted else ()

    def lexical(self, query: LogicalQuery, question: str | None = None) -> tuple[BagOfWords, ...]:
        """Wanted terms as they are, excluded terms and the question without words of the other side alone."""
        if self.words == 0.0:
            return ()
        wanted, excluded = positive_terms(query), negative_terms(query)
        asked = () if question is None or question in wanted else (_question_bag(question, wanted, excluded),)
        return (*map(BagOfWords, wanted), *asked, *(BagOfWords(text, wanted) for text in excluded))

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents of evidence with null distributions.

        Raises:
            SemanticsError: Rows for ``texts(query, evidence.question)`` or null distributions are missing.
        """
        literals = _Literals(self, query, evidence, recording=True)
        return Composition(self._scores(query, literals), literals.values, literals.strengths, literals.sources)

    def scores(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """As :meth:`compose`, at half the cost."""
        return self._scores(query, _Literals(self, query, evidence, recording=False))

    def strength(self, query: LogicalQuery, text: str, evidence: Evidence) -> Array:
        """Evidence of N documents for one term of a query, as ``compose`` records it in ``strengths``; shape (N,).

        Args:
            query: The query.
            text: A term of it.
            evidence: With a row for the term, and null distributions.
        """
        wanted = positive_terms(query)
        bag = BagOfWords(text) if text in wanted else BagOfWords(text, wanted)
        return _Literals(self, query, evidence, recording=False).joined(text, bag)

    def _scores(self, query: LogicalQuery, literals: _Literals) -> Array:
        normal = query.kept(_normal)
        if isinstance(normal, Term):
            return literals.wanted(normal.text)

        # Operands are functions, so that the term inside a NOT is read as excluded and never as wanted.
        def visit(node: LogicalQuery, operands: tuple[Callable[[], Array], ...]) -> Callable[[], Array]:
            if isinstance(node, Term):
                return lambda: literals.strength(node.text)
            if isinstance(node, Condition):
                return lambda: np.where(literals.evidence.outcome(node), np.inf, -np.inf)
            if isinstance(node, Not) and isinstance(node.operand, Condition):
                return lambda: -operands[0]()
            if isinstance(node, Not):
                return lambda: literals.exclusion(node)
            # Saying the same twice adds nothing.
            parts = {part: operand() for part, operand in zip(node.children, operands, strict=True)}
            if isinstance(node, Or):
                return lambda: reduce(np.logaddexp if node.conditions() else _log_add, parts.values())
            wants = [value for part, value in parts.items() if positive_terms(part)]
            excludes = [value for part, value in parts.items() if part.terms() and not positive_terms(part)]
            decides = [value for part, value in parts.items() if not part.terms()]
            least = [reduce(np.minimum, group) for group in (wants, excludes) if group]
            together = [reduce(_log_multiply, least)] if least else []
            return lambda: reduce(np.minimum, [*decides, *together])

        return normal.fold(visit)()


class _Literals:
    """Values of the literals of one query for N documents, and a record of what they were made of."""

    def __init__(
        self, semantics: CalibratedSemantics, query: LogicalQuery, evidence: Evidence, *, recording: bool
    ) -> None:
        if evidence.nulls is None:
            raise SemanticsError(
                "Calibrated scores need null distributions, and the evidence has none.",
                hint="Search through LogicalRetriever, or give Evidence(nulls=NullModel.fit(...).of(...)).",
            )
        c = self.constants = semantics.constants
        self.evidence, self.all_wanted = evidence, positive_terms(query)
        self.nulls = evidence.nulls
        self.recording = recording
        self.values: dict[LogicalQuery, Array] = {}
        self.strengths: dict[str, Array] = {}
        self.sources: dict[str, tuple[Array, Array]] = {}
        # Where no text was read, vectors count in full whatever the weight.
        share = semantics.words if evidence.lexical else 0.0
        self.vectors, self.words = min(1.0, 2.0 - 2.0 * share), min(1.0, 2.0 * share)
        self.onset = c.onset + self.words * c.onset_lexical
        self.weight = c.question + self.words * c.question_lexical
        self.question: Array | None = None
        if evidence.question is not None:
            excluded = negative_terms(query)
            self.question = self.joined(evidence.question, _question_bag(evidence.question, self.all_wanted, excluded))

    def wanted(self, text: str) -> Array:
        """Evidence that a document is about a wanted text, recorded as its strength."""
        bag = BagOfWords(text)
        own = self.joined(text, bag)
        if self.recording:
            self._record(text, bag, own)
            self.values[Term(text)] = _sigmoid(own - self.onset)
        return own

    def strength(self, text: str) -> Array:
        """Value of a positive literal."""
        own = self.wanted(text)
        blended = own if self.question is None else (own + self.weight * self.question) / (1.0 + self.weight)
        return _log_softplus(blended - self.onset)

    def exclusion(self, node: Not) -> Array:
        """Value of a negative literal."""
        c = self.constants
        text = node.operand.terms()[0]
        bag = BagOfWords(text, self.all_wanted)
        x = c.slope * (self._z(text) - c.threshold)
        small = np.exp(-np.abs(x))  # one exponential for the truth value and its logarithm
        odds = c.exclusion_lexical * self._w(bag)
        value = -(_softplus(x, small) + np.log1p(odds))
        if self.recording:
            absent = (1.0 - _sigmoid(x, small)) / (1.0 + odds)
            # A term that is both wanted and excluded is shown as wanted.
            if text not in self.all_wanted:
                self._record(text, bag, self.joined(text, bag))
                self.values[Term(text)] = 1.0 - absent
            self.values[node] = absent
        return value

    def _record(self, text: str, bag: BagOfWords, strength: Array) -> None:
        self.strengths[text] = strength
        if not isinstance(words := self._w(bag), float):
            self.sources[text] = self._z(text), words

    def joined(self, text: str, bag: BagOfWords) -> Array:
        """Evidence from both sources."""
        z, w = self._z(text), self._w(bag)
        if isinstance(w, float):
            return z
        above = np.maximum(z, 0.0)
        # What is added is lost in rounding, but for 0, where the root has no slope.
        joined: Array = np.minimum(z, 0.0) + np.sqrt(above * above + w * w + 1e-30)
        return joined

    def _z(self, text: str) -> Array:
        # Row by row: arrays of one row are recycled by the allocator, one of all rows is a cost of its own.
        row = self.evidence.row(text)
        scale = self.nulls.deviations[row] / self.vectors if self.vectors > 0.0 else np.inf
        z: Array = (self.evidence.cosines[row] - self.nulls.means[row]) / scale
        return z

    def _w(self, bag: BagOfWords) -> Array | float:
        """Evidence from words, 0 or more; a plain 0 where there is none for any document."""
        found = self.evidence.lexical.get(bag)
        return 0.0 if found is None else self.words * self.constants.lexical * found


def _normal(query: LogicalQuery) -> LogicalQuery:
    """The form that is scored."""
    return flatten(to_nnf(query))


def _with(texts: tuple[str, ...], question: str | None) -> tuple[str, ...]:
    return texts if question is None or question in texts else (*texts, question)


def _question_bag(question: str, wanted: tuple[str, ...], excluded: tuple[str, ...]) -> BagOfWords:
    """A question's words, without those that only excluded terms have."""
    if question in wanted or not excluded:
        return BagOfWords(question)
    return BagOfWords(question, excluded, wanted)


# One exponential each, of a number that is never positive: no overflow, and np.logaddexp costs five times as much.
def _softplus(x: Array, small: Array | None = None) -> Array:
    """``log(1 + exp(x))``; ``small`` is ``exp(-abs(x))`` where that is at hand."""
    small = np.exp(-np.abs(x)) if small is None else small
    value: Array = np.maximum(x, 0.0) + np.log1p(small)
    return value


def _log_add(x: Array, y: Array) -> Array:
    """``log(exp(x) + exp(y))``."""
    value: Array = np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y)))
    return value


def _log_multiply(x: Array, y: Array) -> Array:
    """``x + y``, where infinity, which only conditions have, says nothing."""
    return np.where(x == np.inf, y, np.where(y == np.inf, x, x + y))


def _sigmoid(x: Array, small: Array | None = None) -> Array:
    """``1 / (1 + exp(-x))``; ``small`` is ``exp(-abs(x))`` where that is at hand."""
    small = np.exp(-np.abs(x)) if small is None else small
    value: Array = np.where(x >= 0.0, 1.0, small) / (1.0 + small)
    return value


def _log_softplus(x: Array) -> Array:
    """``log(log(1 + exp(x)))``: x itself far below 0, log(x) far above."""
    # Below -30 softplus(x) is exp(x) to double precision, and its logarithm x; the floor keeps log's argument positive.
    return np.where(x < -30.0, x, np.log(np.maximum(_softplus(x), 1e-300)))
