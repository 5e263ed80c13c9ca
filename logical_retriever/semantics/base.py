"""What a semantics is: how the evidence for each term becomes one score per document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from logical_retriever.query import LogicalQuery, positive_terms
from logical_retriever.semantics.evidence import Array, Evidence, LexicalProbe


@dataclass(frozen=True)
class Composition:
    """Scores with the values they were composed of, so that explaining never computes anything again.

    Attributes:
        scores: Shape (N,); higher is better. The range is the semantics' own, see its docstring.
        values: For sub-queries, the terms at least, shape (N,): what each contributed. A term's value is its truth
            value in [0, 1]; what an operator node's value is, the semantics says.
    """

    scores: Array
    values: Mapping[LogicalQuery, Array] = field(default_factory=dict)


class Semantics(ABC):
    """Composes evidence over a query, vectorised over documents.

    Subclasses state formula, range and source in their docstring.

    Attributes:
        name: Its name in tables and on the command line.
        monotone: Whether the score never falls when the cosine of a positive literal rises or that of a negated
            literal falls, other literals held. Exact top-k search needs it.
        laws: Names of the laws that hold for all truth values ("commutative", "associative", "idempotent",
            "distributive", "de-morgan", "involutive"), so that rewriting uses none that fails.
        calibrated: Whether ``compose`` reads the null distributions of the evidence.
    """

    name: ClassVar[str]
    monotone: ClassVar[bool]
    laws: ClassVar[frozenset[str]] = frozenset()
    calibrated: ClassVar[bool] = False

    def texts(self, query: LogicalQuery) -> tuple[str, ...]:
        """All texts whose vectors this semantics needs; the query's terms come first."""
        return query.terms()

    def probes(self, query: LogicalQuery) -> tuple[str, ...]:
        """Texts, out of ``texts(query)``, whose nearest documents are worth scoring: the positive terms, in order.

        A term is positive when it occurs at least once under an even number of negations.
        """
        return positive_terms(query)

    def lexical(self, query: LogicalQuery) -> tuple[LexicalProbe, ...]:  # noqa: ARG002  # for those that override it
        """Lexical evidence that ``compose`` reads where it is given; none unless said."""
        return ()

    @abstractmethod
    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents.

        Args:
            query: The query.
            evidence: Rows for at least ``texts(query)``.

        Raises:
            SemanticsError: A needed row is missing.
        """
