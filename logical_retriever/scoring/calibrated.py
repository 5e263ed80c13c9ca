"""The default semantics: unbounded evidence for wanted terms, and a threshold for excluded ones."""

from __future__ import annotations

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
from logical_retriever.scoring.base import Semantics
from logical_retriever.scoring.evidence import Array, BagOfWords, Evidence
from logical_retriever.scoring.exclusion import exclusion_log_odds, probability_of
from logical_retriever.scoring.relevance import (
    evidence_of_score,
    log_softplus,
    relevance_of_evidence,
    softplus,
    squeezed,
)
from logical_retriever.scoring.term_evidence import CalibratedConstants, TermEvidence, asked_bag


class CalibratedSemantics(Semantics):
    """Log-likelihood-like scores from evidence that means the same for every term, store and query.

    With z the calibrated cosine of a text, w = 1.4 times the evidence of its words (0 where only vectors are looked
    at), q the user's question if there is one, and ``e = min(z, 0) + √(max(z, 0)² + w²)``. Both z and w are numbers of
    standard deviations. Their squares measure how improbable they are, on a scale of logarithms, so they add up
    (Fisher's method). On the negation normal form:

    - one term alone: ``e``: plain retrieval;
    - a wanted term: ``log softplus(e' - 3.5)`` with ``e' = (e + 0.5 e(q)) / 1.5``, e without a question. It never
      saturates: more evidence is always better. By vectors alone 3 stands for 3.5, 0.3 for 0.5 and 1.3 for 1.5;
    - an excluded term: ``0.6 log(1 - p)``, with p the probability that the document is to be left out
      (:mod:`~logical_retriever.scoring.exclusion`), after reading where the evidence has it. For something to lack
      beside a wish, what was read has 3 more in its log odds: only a denial is nearly free;
    - a condition: infinity where a document fulfils it, minus infinity elsewhere;
    - OR: the log of the summed exponentials of its parts; AND: the least value of the parts that want something plus
      the least value of the parts that only exclude.

    The question is looked for without the words that only excluded terms have. The range is unbounded for one term and
    for wanted terms, (-inf, 0] for pure exclusion. Every step is monotone in the evidence of every wanted term, from
    either source. Constants were chosen once, across all development sets together; the benchmark prints what they
    reach. Scores of different queries are comparable as far as the null distributions are.

    A term's truth value is ``σ(e - 3.5)`` where it is wanted, by vectors alone ``σ(e - 3)``; and p where it is
    excluded.

    Args:
        constants: Other constants than the default ones.
        words: Weight of words, in [0, 1]; the rest is the weight of vectors. At 0.5 both count in full. Towards 0,
            words fade in proportion: at 0.25 they count half, at 0 no text is read. Towards 1, vectors fade likewise.

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
        words_read: bool,
        close: float | None = None,
    ) -> Array:
        """Return the relevance of the evidence that one term alone would need for the same score.

        The curve is that of docs/scoring.md. For a query that only excludes, it is the probability that
        the document stays.
        """
        if isinstance(_normal(query), Term):
            return relevance_of_evidence(scores, close)
        if not positive_terms(query):
            return squeezed(np.exp(scores / self.constants.exclusion))  # of several in an OR it can exceed 1
        constants = self.constants
        onset = constants.onset + (min(1.0, 2.0 * self.words) * constants.onset_lexical if words_read else 0.0)
        return relevance_of_evidence(evidence_of_score(scores, onset), close)

    def searched_whole(self, query: LogicalQuery) -> bool:
        """Tell whether the question is searched for as it stands: that is best without an exclusion."""
        return not negative_terms(query)

    def texts(self, query: LogicalQuery, asked: str | None = None) -> tuple[str, ...]:
        """Return the terms, and the question."""
        return _with(query.terms(), asked)

    def wanted_texts(self, query: LogicalQuery, asked: str | None = None) -> tuple[str, ...]:
        """Return the wanted terms, and the question where something is wanted."""
        wanted = positive_terms(query)
        return _with(wanted, asked) if wanted else ()

    def bags(self, query: LogicalQuery, asked: str | None = None) -> tuple[BagOfWords, ...]:
        """Return a bag for each wanted term, the question and each excluded term.

        An excluded term has no words of wanted terms, and the question no words that only excluded terms have.
        """
        if self.words == 0.0:
            return ()
        wanted, excluded = positive_terms(query), negative_terms(query)
        of_asked = () if asked is None or asked in wanted else (asked_bag(asked, wanted, excluded),)
        return (*map(BagOfWords, wanted), *of_asked, *(BagOfWords(text, wanted) for text in excluded))

    def compose(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """Score N documents of evidence with null distributions.

        Raises:
            SemanticsError: Rows for ``texts(query, evidence.asked)`` or null distributions are missing.
        """
        term_evidence = self.term_evidence(query, evidence)

        def value(node: LogicalQuery) -> Array:
            if isinstance(node, Term):
                return self._wanted(node.text, term_evidence)
            if isinstance(node, Condition):
                return np.where(evidence.outcome(node), np.inf, -np.inf)
            if isinstance(node, Not):
                inner = node.operand
                return (
                    -value(inner) if isinstance(inner, Condition) else self._excluded(inner.terms()[0], term_evidence)
                )
            values = {part: value(part) for part in dict.fromkeys(node.children)}  # saying the same twice adds nothing
            if isinstance(node, Or):
                return reduce(np.logaddexp if node.conditions() else _log_add, values.values())
            wants = [scores for part, scores in values.items() if positive_terms(part)]
            excludes = [scores for part, scores in values.items() if part.terms() and not positive_terms(part)]
            decides = [scores for part, scores in values.items() if not part.terms()]
            least = [reduce(np.minimum, group) for group in (wants, excludes) if group]
            together = [reduce(_log_multiply, least)] if least else []
            return reduce(np.minimum, [*decides, *together])

        normal = _normal(query)
        return term_evidence.total(normal.text) if isinstance(normal, Term) else value(normal)

    def truth_values(self, query: LogicalQuery, evidence: Evidence) -> dict[str, Array]:
        """Return each term's truth value; a term that is both wanted and excluded is shown as wanted."""
        term_evidence = self.term_evidence(query, evidence)
        return {
            term: probability_of(
                term_evidence.total(term) - term_evidence.onset
                if term in term_evidence.wanted
                else exclusion_log_odds(term, term_evidence)
            )
            for term in query.terms()
        }

    def term_evidence(self, query: LogicalQuery, evidence: Evidence) -> TermEvidence:
        """Return the evidence for the terms of a query, as :meth:`compose` reads it."""
        return TermEvidence(query, evidence, self.constants, self.words)

    def _wanted(self, text: str, term_evidence: TermEvidence) -> Array:
        """Return the value of a positive literal, shape (N,)."""
        own, of_asked = term_evidence.total(text), term_evidence.of_asked
        if of_asked is not None:
            weight = self.constants.asked + term_evidence.word_factor * self.constants.asked_lexical
            own = (own + weight * of_asked) / (1.0 + weight)
        return log_softplus(own - term_evidence.onset)

    def _excluded(self, text: str, term_evidence: TermEvidence) -> Array:
        """Return the value of a negative literal, shape (N,)."""
        log_odds, evidence = exclusion_log_odds(text, term_evidence), term_evidence.evidence
        if text in evidence.read and evidence.kinds.get(text) == "lack" and term_evidence.wanted:
            log_odds = log_odds + self.constants.lack * ~np.isnan(evidence.read[text])
        return -self.constants.exclusion * softplus(log_odds)


def _normal(query: LogicalQuery) -> LogicalQuery:
    """Return the form that is scored."""
    return flatten(to_nnf(query))


def _with(texts: tuple[str, ...], asked: str | None) -> tuple[str, ...]:
    return texts if asked is None or asked in texts else (*texts, asked)


def _log_add(x: Array, y: Array) -> Array:
    """Return ``log(exp(x) + exp(y))``."""
    return np.asarray(np.maximum(x, y) + np.log1p(np.exp(-np.abs(x - y))))


def _log_multiply(x: Array, y: Array) -> Array:
    """Return ``x + y``; infinity, the value of a fulfilled condition, adds nothing."""
    return np.where(x == np.inf, y, np.where(y == np.inf, x, x + y))
