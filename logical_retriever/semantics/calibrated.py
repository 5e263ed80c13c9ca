"""The default: calibrated evidence, unsaturated where it is wanted, thresholded where it is excluded."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from logical_retriever.bounded import BoundedCache
from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery, Not, Or, Term, flatten, negative_terms, positive_terms, to_nnf
from logical_retriever.query.rewrite import query_cache
from logical_retriever.semantics.base import Composition, Semantics
from logical_retriever.semantics.evidence import Array, BagOfWords, Evidence


@dataclass(frozen=True)
class CalibratedConstants:
    """Constants of :class:`CalibratedSemantics`; evidence is in units of one standard deviation of null evidence.

    Attributes:
        positive_lexical: Weight of a wanted term's lexical evidence, a pure number.
        negative_lexical: Weight of an excluded term's lexical evidence, a pure number.
        lexical_cap: Most that lexical evidence adds to a wanted term.
        question: Weight of the whole question's cosine as further evidence of every wanted term, a pure number.
        question_lexical: Weight of the question's lexical evidence, a pure number.
        onset: Evidence at which a wanted term begins to count in full.
        threshold: Evidence at which an excluded term is as likely present as not.
        slope: Steepness of an excluded term's truth value, per standard deviation.
        plain_lexical: Weight of lexical evidence where the query is one term, a pure number.
    """

    positive_lexical: float = 0.1
    negative_lexical: float = 0.1
    lexical_cap: float = 5.0
    question: float = 0.3
    question_lexical: float = 0.2
    onset: float = 3.0
    threshold: float = 6.0
    slope: float = 0.3
    plain_lexical: float = 1.0


class CalibratedSemantics(Semantics):
    """Log-likelihood-like scores from evidence that means the same for every term, store and query.

    With z the calibrated cosine and l the standardised BM25 score (0 where only vectors are looked at), q the user's
    question where there is one, cap(u) = 5 tanh(u/5), on the negation normal form:

    - one term alone: ``z + l``: plain retrieval;
    - a wanted term: ``e = (z + cap(0.1 l) + 0.3 z(q) + cap(0.2 l(q))) / 1.3``, value ``log softplus(e - 3)``;
      without a question ``e = z + cap(0.1 l)``. It never saturates: more evidence is always better;
    - an excluded term: ``e = z + 0.1 l'``, value ``log σ(-0.3 (e - 6))``, where l' counts only the words that no
      wanted term has. It costs nothing until evidence is clear;
    - OR: the log of the summed exponentials of its parts; AND: the least value of the parts that want something plus
      the least value of the parts that only exclude.

    The range is unbounded for one term and for wanted terms, (-inf, 0] for pure exclusion. Every step is monotone in
    the evidence of every literal. Constants were chosen once, across all development sets together; the benchmark
    prints what they reach. Scores of different queries are comparable as far as the null distributions are.

    A term's truth value is ``σ(e - 3)`` where it is wanted and ``σ(0.3 (e - 6))`` where it is excluded, with its own
    evidence alone.

    Args:
        constants: Other constants than the default ones.
    """

    name = "calibrated"
    monotone = True
    laws: ClassVar[frozenset[str]] = frozenset({"commutative", "associative", "de-morgan", "involutive"})
    calibrated = True
    differentiable = True

    def __init__(self, constants: CalibratedConstants | None = None) -> None:
        self.constants = CalibratedConstants() if constants is None else constants

    @property
    def clear(self) -> float:
        """Evidence at which an excluded term's truth value is ``σ(-0.6)``, about a third; 4 by default."""
        constants = self.constants
        return constants.threshold - 0.6 / constants.slope if constants.slope > 0.0 else -math.inf

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
        """Wanted terms and the question as they are, excluded terms without the wanted terms' words."""
        wanted = positive_terms(query)
        excluded = tuple(BagOfWords(text, wanted) for text in negative_terms(query))
        return tuple(BagOfWords(text) for text in _with(wanted, question)) + excluded

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents of evidence with null distributions.

        Raises:
            SemanticsError: Rows for ``texts(query, evidence.question)`` or null distributions are missing.
        """
        literals = _Literals(self.constants, evidence, positive_terms(query), recording=True)
        return Composition(self._scores(query, literals), literals.values, literals.strengths)

    def scores(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """As :meth:`compose`, at half the cost."""
        return self._scores(query, _Literals(self.constants, evidence, positive_terms(query), recording=False))

    def _scores(self, query: LogicalQuery, literals: _Literals) -> Array:
        normal = _NORMAL.made(query, lambda query: flatten(to_nnf(query)))
        if isinstance(normal, Term):
            return literals.wanted(normal.text, self.constants.plain_lexical, cap=None)

        # Operands are functions, so that the term inside a NOT is read as excluded and never as wanted.
        def visit(node: LogicalQuery, operands: tuple[Callable[[], Array], ...]) -> Callable[[], Array]:
            if isinstance(node, Term):
                return lambda: literals.strength(node.text)
            if isinstance(node, Not):
                return lambda: literals.exclusion(node)
            # Saying the same twice adds nothing.
            parts = {part: operand() for part, operand in zip(node.children, operands, strict=True)}
            if isinstance(node, Or):
                return lambda: reduce(_log_add, parts.values())
            wants = [value for part, value in parts.items() if positive_terms(part)]
            excludes = [value for part, value in parts.items() if not positive_terms(part)]
            return lambda: reduce(np.add, [reduce(np.minimum, group) for group in (wants, excludes) if group])

        return normal.fold(visit)()


class _Literals:
    """Values of the literals of one query for N documents, and a record of what they were made of."""

    def __init__(
        self, constants: CalibratedConstants, evidence: Evidence, wanted: tuple[str, ...], *, recording: bool
    ) -> None:
        if evidence.nulls is None:
            raise SemanticsError(
                "Calibrated scores need null distributions, and the evidence has none.",
                hint="Search through LogicalRetriever, or give Evidence(nulls=NullModel.fit(...).of(...)).",
            )
        self.constants, self.evidence, self.all_wanted = constants, evidence, wanted
        self.nulls = evidence.nulls
        self.recording = recording
        self.values: dict[LogicalQuery, Array] = {}
        self.strengths: dict[str, Array] = {}
        question, c = evidence.question, constants
        self.question: Array | None = None
        if question is not None:
            lexical = _capped(c.question_lexical * self._lexical(BagOfWords(question)), c.lexical_cap)
            self.question = c.question * self._z(question) + lexical

    def wanted(self, text: str, weight: float, cap: float | None) -> Array:
        """Evidence that a document is about a wanted text, recorded as its strength."""
        own: Array = self._z(text) + _capped(weight * self._lexical(BagOfWords(text)), cap)
        if self.recording:
            self.strengths[text] = own
            self.values[Term(text)] = _sigmoid(own - self.constants.onset)
        return own

    def strength(self, text: str) -> Array:
        """Value of a positive literal."""
        c = self.constants
        own = self.wanted(text, c.positive_lexical, c.lexical_cap)
        blended = own if self.question is None else (own + self.question) / (1.0 + c.question)
        return _log_softplus(blended - c.onset)

    def exclusion(self, node: Not) -> Array:
        """Value of a negative literal."""
        c = self.constants
        text = node.operand.terms()[0]
        own = self._z(text) + c.negative_lexical * self._lexical(BagOfWords(text, self.all_wanted))
        x = c.slope * (own - c.threshold)
        small = np.exp(-np.abs(x))  # one exponential for the truth value and its logarithm
        if self.recording:
            present = _sigmoid(x, small)
            # A term that is both wanted and excluded is shown as wanted.
            if text not in self.all_wanted:
                self.strengths[text], self.values[Term(text)] = own, present
            self.values[node] = 1.0 - present
        return -_softplus(x, small)

    def _z(self, text: str) -> Array:
        # Row by row: arrays of one row are recycled by the allocator, one of all rows is a cost of its own.
        row = self.evidence.row(text)
        z: Array = (self.evidence.cosines[row] - self.nulls.means[row]) / self.nulls.deviations[row]
        return z

    def _lexical(self, bag: BagOfWords) -> Array | float:
        return self.evidence.lexical.get(bag, 0.0)


_NORMAL: BoundedCache[LogicalQuery, LogicalQuery] = query_cache()
"""The forms that are scored."""


def _with(texts: tuple[str, ...], question: str | None) -> tuple[str, ...]:
    return texts if question is None or question in texts else (*texts, question)


def _capped(x: Array | float, cap: float | None) -> Array | float:
    """Close to x while it is small, never beyond the cap: ``cap * tanh(x / cap)``."""
    return x if cap is None else cap * np.tanh(x / cap)


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


def _sigmoid(x: Array, small: Array | None = None) -> Array:
    """``1 / (1 + exp(-x))``; ``small`` is ``exp(-abs(x))`` where that is at hand."""
    small = np.exp(-np.abs(x)) if small is None else small
    value: Array = np.where(x >= 0.0, 1.0, small) / (1.0 + small)
    return value


def _log_softplus(x: Array) -> Array:
    """``log(log(1 + exp(x)))``: x itself far below 0, log(x) far above."""
    # Below -30 softplus(x) is exp(x) to double precision, and its logarithm x; the floor keeps log's argument positive.
    return np.where(x < -30.0, x, np.log(np.maximum(_softplus(x), 1e-300)))
