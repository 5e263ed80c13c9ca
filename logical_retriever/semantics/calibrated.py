"""The default: calibrated evidence, unsaturated where it is wanted, thresholded where it is excluded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, reduce

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
        """The curve of docs/scoring.md over the evidence that a question without logic would need for the same score.

        That evidence is the score of one term, and what a composed score stands for where something is wanted. Of a
        query that only excludes it is the truth value that none of it is there, ``exp(score)``.
        """
        if isinstance(_normal(query), Term):
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
        of_question = () if question is None or question in wanted else (_question_bag(question, wanted, excluded),)
        return (*map(BagOfWords, wanted), *of_question, *(BagOfWords(text, wanted) for text in excluded))

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents of evidence with null distributions.

        Raises:
            SemanticsError: Rows for ``texts(query, evidence.question)`` or null distributions are missing.
        """
        literals, values = _Literals(self, query, evidence), dict[str, Array]()
        strengths, sources = dict[str, Array](), dict[str, tuple[Array, Array]]()
        for text in query.terms():
            # A term that is both wanted and excluded is shown as wanted.
            bag, wanted = literals.bag(text), text in literals.all_wanted
            strengths[text] = own = literals.joined(text, bag)
            values[text] = _sigmoid(own - literals.onset) if wanted else literals.presence(text)
            if bag in evidence.lexical:
                sources[text] = literals.z(text), literals.w(bag)
        return Composition(self.scores(query, evidence), values, strengths, sources)

    def scores(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """As :meth:`compose`, at half the cost."""
        literals = _Literals(self, query, evidence)

        def value(node: LogicalQuery) -> Array:
            if isinstance(node, Term):
                return literals.value(node.text)
            if isinstance(node, Condition):
                return np.where(evidence.outcome(node), np.inf, -np.inf)
            if isinstance(node, Not):
                inner = node.operand
                return -value(inner) if isinstance(inner, Condition) else literals.exclusion(inner.terms()[0])
            parts = {part: value(part) for part in dict.fromkeys(node.children)}  # saying the same twice adds nothing
            if isinstance(node, Or):
                return reduce(np.logaddexp if node.conditions() else _log_add, parts.values())
            wants = [part for node, part in parts.items() if positive_terms(node)]
            excludes = [part for node, part in parts.items() if node.terms() and not positive_terms(node)]
            decides = [part for node, part in parts.items() if not node.terms()]
            least = [reduce(np.minimum, group) for group in (wants, excludes) if group]
            together = [reduce(_log_multiply, least)] if least else []
            return reduce(np.minimum, [*decides, *together])

        normal = _normal(query)
        return literals.joined(normal.text, BagOfWords(normal.text)) if isinstance(normal, Term) else value(normal)

    def strength(self, query: LogicalQuery, text: str, evidence: Evidence) -> Array:
        """Evidence of N documents for one term of a query, as ``compose`` has it in ``strengths``; shape (N,).

        Args:
            query: The query.
            text: A term of it.
            evidence: With a row for the term, and null distributions.
        """
        literals = _Literals(self, query, evidence)
        return literals.joined(text, literals.bag(text))


class _Literals:
    """Values of the literals of one query for N documents."""

    def __init__(self, semantics: CalibratedSemantics, query: LogicalQuery, evidence: Evidence) -> None:
        if evidence.nulls is None:
            raise SemanticsError(
                "Calibrated scores need null distributions, and the evidence has none.",
                hint="Search through LogicalRetriever, or give Evidence(nulls=NullModel.fit(...).of(...)).",
            )
        c = self.constants = semantics.constants
        self.evidence, self.nulls = evidence, evidence.nulls
        self.all_wanted, self.all_excluded = positive_terms(query), negative_terms(query)
        # Where no text was read, vectors count in full whatever the weight.
        share = semantics.words if evidence.lexical else 0.0
        self.vectors, self.words = min(1.0, 2.0 - 2.0 * share), min(1.0, 2.0 * share)
        self.onset = c.onset + self.words * c.onset_lexical

    @cached_property
    def question(self) -> Array | None:
        """Evidence for the question, where there is one."""
        question = self.evidence.question
        if question is None:
            return None
        return self.joined(question, _question_bag(question, self.all_wanted, self.all_excluded))

    def bag(self, text: str) -> BagOfWords:
        """Words that are evidence of a term."""
        return BagOfWords(text) if text in self.all_wanted else BagOfWords(text, self.all_wanted)

    def value(self, text: str) -> Array:
        """Value of a positive literal."""
        own, weight = self.joined(text, BagOfWords(text)), self.constants.question
        weight += self.words * self.constants.question_lexical
        blended = own if self.question is None else (own + weight * self.question) / (1.0 + weight)
        return _log_softplus(blended - self.onset)

    def exclusion(self, text: str) -> Array:
        """Value of a negative literal."""
        x, odds = self._against(text)
        return -(_softplus(x) + np.log1p(odds))

    def presence(self, text: str) -> Array:
        """Truth value of an excluded term."""
        x, odds = self._against(text)
        return 1.0 - _sigmoid(-x) / (1.0 + odds)

    def joined(self, text: str, bag: BagOfWords) -> Array:
        """Evidence from both sources."""
        z = self.z(text)
        if bag not in self.evidence.lexical:
            return z
        w, above = self.w(bag), np.maximum(z, 0.0)
        # The last summand is lost in rounding, but for 0, where the root has no slope.
        joined: Array = np.minimum(z, 0.0) + np.sqrt(above * above + w * w + 1e-30)
        return joined

    def z(self, text: str) -> Array:
        """Evidence from vectors."""
        # Row by row: arrays of one row are recycled by the allocator, one of all rows is a cost of its own.
        row = self.evidence.row(text)
        mean, deviation = float(self.nulls.means[row]), float(self.nulls.deviations[row])
        z: Array = (self.evidence.cosines[row] - mean) / (deviation / self.vectors if self.vectors > 0.0 else math.inf)
        return z

    def w(self, bag: BagOfWords) -> Array:
        """Evidence from words, 0 or more."""
        w: Array = self.words * self.constants.lexical * self.evidence.lexical[bag]
        return w

    def _against(self, text: str) -> tuple[Array, Array | float]:
        """Log odds of an excluded term by vectors, and what its words add to the odds."""
        c, bag = self.constants, BagOfWords(text, self.all_wanted)
        odds = c.exclusion_lexical * self.w(bag) if bag in self.evidence.lexical else 0.0
        return c.slope * (self.z(text) - c.threshold), odds


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
def _softplus(x: Array) -> Array:
    """``log(1 + exp(x))``."""
    value: Array = np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))
    return value


def _log_add(x: Array, y: Array) -> Array:
    """``log(exp(x) + exp(y))``."""
    value: Array = np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y)))
    return value


def _log_multiply(x: Array, y: Array) -> Array:
    """``x + y``, where infinity, which only conditions have, says nothing."""
    return np.where(x == np.inf, y, np.where(y == np.inf, x, x + y))


def _sigmoid(x: Array) -> Array:
    """``1 / (1 + exp(-x))``."""
    small = np.exp(-np.abs(x))
    value: Array = np.where(x >= 0.0, 1.0, small) / (1.0 + small)
    return value


def _log_softplus(x: Array) -> Array:
    """``log(log(1 + exp(x)))``: x itself far below 0, log(x) far above."""
    # Below -30 softplus(x) is exp(x) to double precision, and its logarithm x; the floor keeps log's argument positive.
    return np.where(x < -30.0, x, np.log(np.maximum(_softplus(x), np.finfo(x.dtype).tiny)))
