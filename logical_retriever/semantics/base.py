"""A semantics: how the evidence for each term becomes one score per document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from logical_retriever.query import LogicalQuery, has_logic, positive_terms
from logical_retriever.semantics.evidence import Array, BagOfWords, Evidence
from logical_retriever.semantics.relevance import squeezed


@dataclass(frozen=True)
class Composition:
    """Scores with the values they were composed of, so that explaining never computes anything again.

    Attributes:
        scores: Shape (N,); higher is better. The range is the semantics' own, see its docstring.
        values: For each term of the query, its truth value in [0, 1], shape (N,).
        strengths: For terms of calibrated semantics, shape (N,): evidence in standard deviations of chance.
        sources: For the same terms, where words were looked at: what came from vectors and what from words, shape (N,)
            each, in the same unit.
    """

    scores: Array
    values: Mapping[str, Array] = field(default_factory=dict)
    strengths: Mapping[str, Array] = field(default_factory=dict)
    sources: Mapping[str, tuple[Array, Array]] = field(default_factory=dict)


class Semantics(ABC):
    """A way to score documents: what AND, OR and NOT make of the evidence for each term, for many documents at once.

    Subclasses state formula, range and source in their docstring.

    Attributes:
        name: Its name in tables and on the command line.
        calibrated: Whether ``compose`` reads the null distributions of the evidence.
    """

    name: str
    calibrated: ClassVar[bool] = False

    def plain(self, query: LogicalQuery) -> bool:
        """Whether a query made of a question is better left to the question as it stands.

        A question without logic gains nothing from being restated.
        """
        return not has_logic(query)

    # The question is an argument for those semantics that look at it.
    def texts(self, query: LogicalQuery, question: str | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """All texts whose vectors this semantics needs; the query's terms come first."""
        return query.terms()

    def wanted_texts(self, query: LogicalQuery, question: str | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """Texts, out of ``texts(...)``, that documents should be about: a search looks among their nearest documents.

        By default the query's positive terms in order: those that stand under an even number of negations somewhere.
        """
        return positive_terms(query)

    # The other arguments are for semantics that look at them.
    def relevance(
        self,
        query: LogicalQuery,  # noqa: ARG002  see above
        scores: Array,
        *,
        words: bool,  # noqa: ARG002  see above
        close: float | None = None,  # noqa: ARG002  see above
    ) -> Array:
        """Relevance of the best N documents in [0, 1] from their scores, in the order of these.

        By default the score itself where it lies in [0, 1], as truth values do, to a thousandth. What it means then
        depends on the encoder; that of calibrated semantics does not.

        Args:
            query: The query.
            scores: Shape (N,), of :meth:`compose` for this query, the best one of the search among them; minus infinity
                for what is certainly none.
            words: Whether the scores have evidence from words in them.
            close: How close the best come to what the query wants, in deviations of unrelated texts; None where the
                semantics is not calibrated, or nothing is wanted.

        Returns:
            Shape (N,): equal where scores are equal, and greater where they are.
        """
        return squeezed(scores)

    def lexical(self, query: LogicalQuery, question: str | None = None) -> tuple[BagOfWords, ...]:  # noqa: ARG002
        """Bags of words whose evidence ``compose`` reads where there is any; none by default."""
        return ()

    def scores(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """Scores of ``compose`` alone, shape (N,), for searches, which explain few of the documents they score.

        Override it where scores are cheaper to have without the values that explain them.
        """
        return self.compose(query, evidence).scores

    @abstractmethod
    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents from evidence that has rows for at least ``texts(query)``.

        Raises:
            SemanticsError: A needed row is missing.
        """
