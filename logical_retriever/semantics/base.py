"""What a semantics is: how the evidence for each term becomes one score per document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError
from logical_retriever.query import LogicalQuery, positive_terms

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Evidence:
    """What is known about N documents for each of T texts.

    Attributes:
        texts: T distinct texts: the query's terms first, then what the semantics asked for beyond them.
        cosines: Shape (T, N), float64, in [-1, 1]: cosine of each text's vector with each document's.
    """

    texts: tuple[str, ...]
    cosines: Array

    def __post_init__(self) -> None:
        if self.cosines.ndim != 2 or len(self.cosines) != len(self.texts):
            raise SemanticsError(
                f"Evidence for {len(self.texts)} texts has cosines of shape {self.cosines.shape}.",
                hint="Give one row of cosines per text: shape (T, N).",
            )


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
    """

    name: ClassVar[str]
    monotone: ClassVar[bool]
    laws: ClassVar[frozenset[str]] = frozenset()

    def texts(self, query: LogicalQuery) -> tuple[str, ...]:
        """All texts whose vectors this semantics needs; the query's terms come first."""
        return query.terms()

    def probes(self, query: LogicalQuery) -> tuple[str, ...]:
        """Texts, out of ``texts(query)``, whose nearest documents are worth scoring: the positive terms, in order.

        A term is positive when it occurs at least once under an even number of negations.
        """
        return positive_terms(query)

    @abstractmethod
    def compose(self, query: LogicalQuery, evidence: Evidence) -> Composition:
        """Score N documents.

        Args:
            query: The query.
            evidence: Rows for at least ``texts(query)``.

        Raises:
            SemanticsError: A needed row is missing.
        """
