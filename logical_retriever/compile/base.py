"""The compiler of one engine: it turns a query and its semantics into a request in the engine's own language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from logical_retriever.compile.expression import NODES, Constant, Cosine, Expression, Node
from logical_retriever.compile.lower import Lowered, lower
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError, VectorMismatchError
from logical_retriever.query import LogicalQuery
from logical_retriever.query.conditions import refuse_conditions
from logical_retriever.semantics import NullDistributions, Semantics
from logical_retriever.vectors import Vectors, unit

Fidelity = Literal["exact", "superset"]
"""How far an engine's answer can be trusted.

"exact": the ids and scores of the true best k of all documents. "superset": every score is right,
but only documents among the first ``fetch_k`` of some wanted text took part; better ones can be missing.
"""
S = TypeVar("S")
P = TypeVar("P")


@dataclass(frozen=True)
class Request:
    """A question to an engine, checked and in no engine's language.

    Attributes:
        lowered: Texts and the expression over their cosines.
        vectors: Shape (T, d), float32, rows of length 1 or 0: vector of each text of ``lowered.texts``.
        k: Documents wanted, at least 1.
        fetch_k: Length of the list of each wanted text, at least k; None for the exact form.
        filter: Which documents take part, in the engine's own language; None for all.
    """

    lowered: Lowered
    vectors: Vectors
    k: int
    fetch_k: int | None = None
    filter: Any = None


@dataclass(frozen=True)
class CompiledQuery(Generic[S]):
    """A request in an engine's own language: plain data, to be sent with the engine's own client.

    Attributes:
        engine: Name of the engine.
        statement: Text of a language, or a body of the engine's interface.
        parameters: Values by name that the client binds; none of them stands in a statement that is text.
        fidelity: How far the answer can be trusted.
        texts: Texts whose vectors the request holds.
        k: Documents wanted.
    """

    engine: str
    statement: S
    fidelity: Fidelity
    texts: tuple[str, ...]
    k: int
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class Compiler(ABC, Generic[S, P]):
    """Makes requests (``S``) of one engine; expressions are printed as ``P``.

    A subclass has one method for each node of an expression, named like the node in lower case: ``cosine(index)``,
    ``constant(value)``, and the others with their printed operands, ``add(left, right)``, ``exp(operand)``. A node that
    the engine has no word for stands in ``unsupported`` with the reason. One that is in neither is an error when the
    class is defined.

    Attributes:
        engine: Name of the engine.
        fidelities: How far the answers of its requests can be trusted, best first.
        unsupported: Nodes the engine cannot say, each with the reason.

    Raises:
        TypeError: On definition of a subclass: a node has neither a method nor a reason.
    """

    engine: ClassVar[str]
    fidelities: ClassVar[tuple[Fidelity, ...]] = ("exact",)
    unsupported: ClassVar[Mapping[Node, str]] = MappingProxyType({})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        missing = [node.__name__ for node in NODES if node not in cls.unsupported and not hasattr(cls, method(node))]
        if missing:
            msg = f"{cls.__name__} says nothing about {', '.join(missing)}."
            raise TypeError(f"{msg} Write the method, or name the node in `unsupported` with the reason.")

    def compile(
        self,
        query: LogicalQuery,
        semantics: Semantics,
        vectors: npt.ArrayLike,
        *,
        k: int,
        nulls: NullDistributions | None = None,
        question: str | None = None,
        fetch_k: int | None = None,
        words: Mapping[str, float] | None = None,
        filter: Any = None,
    ) -> CompiledQuery[S]:
        """Turn a query into one request that returns ids and scores, best first, equal scores by id.

        Args:
            query: The query.
            semantics: The semantics that scores it.
            vectors: Shape (T, d): vector of each text of ``semantics.texts(query, question)``, of any length.
            k: Documents wanted, at least 1; a store that has fewer returns fewer.
            nulls: Null distributions of the T texts, for semantics that are calibrated.
            question: The user's question, where the query was made of one.
            fetch_k: Length of the list of each wanted text for the form that uses the engine's index, of fidelity
                "superset"; raised to k where it is smaller. None for the exact form.
            words: For each wanted text, the most evidence from its words that a document may have: scores are then the
                most that its cosines can give with such words. None to score by vectors alone.
            filter: Which documents take part, in the engine's own language: SQL with bound parameters
                (:class:`~logical_retriever.stores.SqlFilter`), or JSON of a search engine or Qdrant; written by the
                developer, never made of a user's text. None for all. Of conditions in a query, a store's ``narrowed``
                makes one.

        Raises:
            UnsupportedByEngineError: The semantics, an operator or the form cannot be said in this engine's language.
            InvalidArgumentError: k or fetch_k below 1.
            VectorMismatchError: Not one vector per text.
            SemanticsError: Null distributions are needed and missing.
        """
        refuse_conditions(query, "A compiler")
        for name, value in (("k", k), ("fetch_k", fetch_k)):
            if value is not None and value < 1:
                raise InvalidArgumentError(f"{name} is {value}.", hint=f"Give {name} of at least 1.")
        fidelity: Fidelity = "exact" if fetch_k is None else "superset"
        if fidelity not in self.fidelities:
            raise UnsupportedByEngineError(
                f"{self.engine} has no request of fidelity {fidelity!r}; it has {', '.join(self.fidelities)}.",
                hint="Leave fetch_k out." if fetch_k is not None else "Give fetch_k, the length of each term's list.",
            )
        lowered = lower(query, semantics, nulls, question=question, words=words)
        if fetch_k is not None and not lowered.wanted:
            raise UnsupportedByEngineError(
                f"Documents about none of its terms answer {query}; no list of an index holds them.",
                hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'; or ask for the exact form.",
            )
        rows = _checked_vectors(vectors, len(lowered.texts))
        longer = fetch_k if fetch_k is None else max(k, fetch_k)
        request = Request(lowered, rows, k, longer, filter)
        statement, parameters = self.request(request)
        return CompiledQuery(self.engine, statement, fidelity, lowered.texts, k, MappingProxyType(dict(parameters)))

    @abstractmethod
    def request(self, request: Request) -> tuple[S, Mapping[str, Any]]:
        """The engine's statement, and the values that its client binds."""

    def print(self, expression: Expression) -> P:
        """Print an expression in the engine's language.

        Raises:
            UnsupportedByEngineError: It has a node that the engine has no word for.
        """

        def visit(node: Expression, operands: tuple[P, ...]) -> P:
            kind = type(node)
            if kind in self.unsupported:
                raise UnsupportedByEngineError(
                    f"{self.engine} cannot say {kind.__name__}: {self.unsupported[kind]}.",
                    hint="Choose another semantics, or search without pushing the query down.",
                )
            leaf = {Cosine: "index", Constant: "value"}.get(kind)
            given = operands if leaf is None else (getattr(node, leaf),)
            written: P = getattr(self, method(kind))(*given)
            return written

        return expression.fold(visit)


def method(node: Node) -> str:
    """Name of the method that prints a node: the node's own in lower case, "log1p" of ``Log1p``."""
    return node.__name__.lower()


def _checked_vectors(vectors: npt.ArrayLike, count: int) -> Vectors:
    with np.errstate(over="ignore"):  # a vector that single precision cannot hold is unusable, and becomes zeros
        rows = np.asarray(vectors, dtype=np.float32)
    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:
        raise VectorMismatchError(
            f"{count} texts have vectors of shape {rows.shape}.",
            hint="Give one vector per text of semantics.texts(query, question): shape (T, d).",
        )
    return unit(rows)
