"""A semantics: how the evidence for each term becomes one score per document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from logical_retriever.query import LogicalQuery, has_logic, positive_terms
from logical_retriever.scoring.evidence import Array, BagOfWords, Evidence
from logical_retriever.scoring.relevance import squeezed


class Semantics(ABC):
    """A way to score documents: :meth:`compose` makes one score of the evidence for each term.

    Subclasses state formula, range and source in their docstring. The other methods have defaults for functions of
    truth values.

    Attributes:
        name: Its name in tables and on the command line.
        calibrated: Whether its scores are calibrated evidence, so that relevance has one meaning for all stores.
    """

    name: str
    calibrated: ClassVar[bool] = False

    @abstractmethod
    def compose(self, query: LogicalQuery, evidence: Evidence) -> Array:
        """Score N documents.

        Args:
            query: The query.
            evidence: With rows for at least ``texts(query)``.

        Returns:
            Shape (N,); higher is better. The range is the semantics' own.

        Raises:
            SemanticsError: A needed row is missing.
        """

    def truth_values(self, query: LogicalQuery, evidence: Evidence) -> Mapping[str, Array]:
        """Return each term's truth value, shape (N,), for explanations: by default the cosine, clipped to [0, 1]."""
        return {text: evidence.cosines[evidence.row(text)].clip(0.0, 1.0) for text in query.terms()}

    def searched_whole(self, query: LogicalQuery) -> bool:
        """Tell whether the question is searched for as it stands: by default if its query has no logic."""
        return not has_logic(query)

    # What the user asked is an argument for those semantics that look at it.
    def texts(self, query: LogicalQuery, asked: str | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """Return all texts to encode; the query's terms come first."""
        return query.terms()

    def wanted_texts(self, query: LogicalQuery, asked: str | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """Return those of ``texts(...)`` for lists of nearest documents: by default the positive terms."""
        return positive_terms(query)

    def bags(self, query: LogicalQuery, asked: str | None = None) -> tuple[BagOfWords, ...]:  # noqa: ARG002
        """Return the bags of words to look for in the documents: by default none."""
        return ()

    # The other arguments are for semantics that look at them.
    def relevance(
        self,
        query: LogicalQuery,  # noqa: ARG002  see above
        scores: Array,
        *,
        words_read: bool,  # noqa: ARG002  see above
        close: float | None = None,  # noqa: ARG002  see above
    ) -> Array:
        """Return the relevance of N documents in [0, 1], rising with their scores.

        By default it is the score itself up to a thousandth, if that lies in [0, 1] as truth values do. Its meaning
        then depends on the encoder; under calibrated semantics it does not.

        Args:
            query: The query.
            scores: Shape (N,), of :meth:`compose` for this query, the best of the search among them; minus infinity
                for certain non-answers.
            words_read: Whether words are part of the scores.
            close: How close the best come to what the query wants, in deviations of unrelated texts; None if nothing is
                wanted.

        Returns:
            Shape (N,): equal for equal scores, greater for greater scores.
        """
        return squeezed(scores)
