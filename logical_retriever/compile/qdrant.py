"""Qdrant: nested prefetch, rescored by a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from logical_retriever.compile.base import Compiler, Request
from logical_retriever.compile.expression import Cosine, Expression, Maximum, Minimum, Subtract, used_cosines
from logical_retriever.compile.interval import check_score
from logical_retriever.compile.qdrant_formula import MAX_NESTING, MAX_SIZE, FormulaPrinter, Piece
from logical_retriever.compile.versions import Version, parse_version, require_version
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError, require

Body = dict[str, Any]

FORMULA_SINCE: Version = (1, 14)
"""First server that evaluates formulas."""
EXTREMES_SINCE: Version = (1, 20)
"""First server whose formulas have ``min`` and ``max``; before, they are written with ``abs``."""


class QdrantCompiler(FormulaPrinter, Compiler[Body, Piece]):
    """One query request in Qdrant's own JSON, for a collection of cosine distance.

    Candidates are the first ``fetch_k`` points of every wanted text, found by the index. Every text then scores all of
    them, and the formula composes the scores of each: every score is right, and a point that is among the first of no
    text is missing. With ``fetch_k`` of at least the number of points, and ``exact``, none is.

    Limits: scores are 32-bit numbers; equal ones come back in any order, also where k cuts them, so sort what comes
    back by score and id. A point without the vector is no candidate. On a server the lists are made in each shard, so
    a sharded collection looks at more candidates.

    Args:
        using: Name of the vector; None for the one without a name.
        version: The server's version, as it reports it, "1.17.0"; None for any that has formulas.
        exact: Whether lists come from comparing with every point instead of from the index.
        hnsw_ef: How far the index is searched for the lists; None for the collection's own setting.

    Raises:
        UnsupportedByEngineError: The server is too old to evaluate formulas.
        InvalidArgumentError: A version that is none, or ``exact`` with ``hnsw_ef``.
    """

    engine = "Qdrant"
    fidelities = ("superset",)

    def __init__(
        self,
        *,
        using: str | None = None,
        version: str | None = None,
        exact: bool = False,
        hnsw_ef: int | None = None,
    ) -> None:
        if exact and hnsw_ef is not None:
            raise InvalidArgumentError("An exact search has no hnsw_ef.", hint="Give exact=True or hnsw_ef, not both.")
        self.using = using
        self.version = None if version is None else parse_version(version)
        self.exact = exact
        self.hnsw_ef = hnsw_ef
        self.has_extremes = self.version is not None and self.version >= EXTREMES_SINCE
        require_version(self.engine, self.version, FORMULA_SINCE, "formula queries")

    def request(self, request: Request) -> tuple[Body, Mapping[str, Any]]:
        """The body of ``POST /collections/{collection}/points/query``; nothing is bound.

        Raises:
            UnsupportedByEngineError: The formula is nested too deeply or too large for a server, or its scores are.
        """
        assert request.fetch_k is not None  # the only form that fidelities allow
        lowered, fetch_k = request.lowered, request.fetch_k
        vectors = [row.tolist() for row in request.vectors]
        used = used_cosines(lowered.expression)
        formula = self._formula(lowered.expression, used)
        if request.filter is not None and not isinstance(request.filter, Mapping):
            raise InvalidArgumentError(
                f"A filter in Qdrant's JSON is a mapping, got {type(request.filter).__name__}.",
                hint='Of models.Filter: filter.model_dump(mode="json", exclude_none=True).',
            )
        narrowed = {} if request.filter is None else {"filter": dict(request.filter)}
        search = {"exact": True} if self.exact else {"hnsw_ef": self.hnsw_ef}
        searched = {"params": search} if self.exact or self.hnsw_ef is not None else {}
        # Each list says its filter itself, whatever servers make of a filter further out.
        lists = [{**self._nearest(vectors[text], fetch_k), **searched, **narrowed} for text in lowered.wanted]
        # Flat lists would not do: a point outside the first of a text has a default there, and not its score.
        scored = [
            {"prefetch": lists, **self._nearest(vectors[index], fetch_k * len(lists)), "params": {"exact": True}}
            for index in used
        ]
        defaults = {f"$score[{slot}]": 0.0 for slot in range(len(used))}
        body: Body = {
            "prefetch": scored,
            "query": {"formula": formula.data, "defaults": defaults},
            "limit": request.k,
            "with_payload": False,
        }
        return body, {}

    def _formula(self, expression: Expression, used: tuple[int, ...]) -> Piece:
        """The expression over ``$score[0]``, ``$score[1]``, ...: one for each prefetch."""
        slots = {index: slot for slot, index in enumerate(used)}

        def visit(node: Expression, operands: tuple[Expression, ...]) -> Expression:
            if isinstance(node, Cosine):
                return Cosine(slots[node.index])
            if isinstance(node, Subtract) and isinstance(operands[1], Subtract) and operands[0] == operands[1].left:
                return operands[1].right  # 1 - (1 - x): long disjunctions would be as deep as they are long
            return node.rebuilt(operands)

        renumbered = expression.fold(visit)
        formula = self.print(renumbered if self.has_extremes else balanced(renumbered))
        if formula.size > MAX_SIZE or formula.depth > MAX_NESTING:
            newer = " or" if self.has_extremes else " give version=... of a server of 1.20 or newer, or"
            raise UnsupportedByEngineError(
                f"The formula of this query has {formula.size} operations in {formula.depth} levels of JSON; Qdrant "
                f"reads {MAX_NESTING} levels, and {MAX_SIZE} operations are too slow.",
                hint=f"Nest the query less deeply,{newer} search without pushing it down.",
            )
        check_score(self.engine, formula.values)
        return formula

    def _nearest(self, vector: list[float], limit: int) -> Body:
        return {"query": vector, "limit": limit, **({} if self.using is None else {"using": self.using})}


def balanced(expression: Expression) -> Expression:
    """The same minima and maxima, taken in pairs of pairs: what is written twice for each is written less often.

    Examples:
        >>> a, b, c, d = map(Cosine, range(4))
        >>> balanced(Minimum(Minimum(Minimum(a, b), c), d)) == Minimum(Minimum(a, b), Minimum(c, d))
        True
    """

    def visit(node: Expression, parts: tuple[tuple[Expression, ...], ...]) -> tuple[Expression, ...]:
        """Operands of a chain that ends here; a node of another kind is a chain of one."""
        kind = type(node)
        if not parts:
            return (node,)
        if kind not in (Minimum, Maximum):
            return (kind(*(_paired(type(child), part) for child, part in zip(node.children, parts, strict=True))),)
        chain: tuple[Expression, ...] = ()
        for child, part in zip(node.children, parts, strict=True):
            chain += part if type(child) is kind else (_paired(type(child), part),)
        return chain

    return _paired(type(expression), expression.fold(visit))


def _paired(kind: Callable[..., Expression], chain: tuple[Expression, ...]) -> Expression:
    """One expression of a chain of minima or maxima; what is no chain has one part."""
    if len(chain) == 1:
        return chain[0]
    middle = (len(chain) + 1) // 2
    return kind(_paired(kind, chain[:middle]), _paired(kind, chain[middle:]))


def query_request(statement: Mapping[str, Any]) -> Any:
    """A compiled statement as ``qdrant_client``'s own ``QueryRequest``, for ``client.query_batch_points``.

    Raises:
        MissingPackageError: qdrant-client is not installed.
    """
    models = require("qdrant_client.models", "Sending a query to Qdrant", install="pip install qdrant-client")
    return models.QueryRequest(**statement)
