"""Which documents are looked at for a query, decided from the query and the store's capabilities alone."""

from __future__ import annotations

from typing import Literal

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.results import Plan
from logical_retriever.semantics import Semantics
from logical_retriever.stores.base import Capabilities

SCAN_LIMIT = 1000
"""Stores outside this process are scanned up to this many documents: one request costs less than several."""


EvidenceSource = Literal["auto", "dense"]
"""Where evidence comes from: "auto" reads texts where the semantics has a use for them, "dense" vectors alone."""


def make_plan(
    query: LogicalQuery,
    semantics: Semantics,
    capabilities: Capabilities,
    *,
    count: int,
    k: int,
    fetch_k: int,
    evidence: EvidenceSource = "auto",
) -> Plan:
    """Choose between a scan, the union of nearest documents, and a plain dense search.

    Args:
        query: The query.
        semantics: What will score it.
        capabilities: Of the store.
        count: Documents in the store.
        k: Documents wanted, at least 1.
        fetch_k: Candidates per positive term, at least 1; raised to k where it is smaller.
        evidence: Where evidence comes from.

    Raises:
        StoreCapabilityError: Every document can be an answer, and the store cannot be walked through.
    """
    fetch_k = max(k, fetch_k)
    strategy, reason = _strategy(query, capabilities, count=count, fetch_k=fetch_k)
    reads_texts = evidence == "auto" and bool(semantics.lexical(query))
    return Plan(
        strategy=strategy,
        reason=reason,
        texts=semantics.texts(query),
        fetch_k=None if strategy == "scan" else fetch_k,
        evidence="vectors, and BM25 of the candidates' texts" if reads_texts else "vectors",
        lexical_k=fetch_k if reads_texts else None,
    )


def _strategy(query: LogicalQuery, capabilities: Capabilities, *, count: int, fetch_k: int) -> tuple[str, str]:
    if open_ended(query):
        if not capabilities.scan:
            raise StoreCapabilityError(
                f"Documents about none of its terms answer {query}, and {capabilities.name} cannot be scanned.",
                hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
            )
        return "scan", "documents about none of the terms can be the answer"
    if capabilities.scan and capabilities.in_process:
        return "scan", "the vectors lie in memory"
    if capabilities.scan and count <= max(SCAN_LIMIT, fetch_k):
        return "scan", f"the store has {count} documents"
    if isinstance(query, Term):
        return "dense", "the query has one term, which the store's own index ranks"
    return "union", f"the {fetch_k} nearest documents of each positive term are scored"


def open_ended(query: LogicalQuery) -> bool:
    """Whether a document about none of the terms satisfies the query, as with ``NOT A`` or ``A OR NOT B``.

    Nearest-neighbour lists of the terms cannot find such documents.
    """

    def visit(node: LogicalQuery, operands: tuple[bool, ...]) -> bool:
        match node:
            case Not():
                return not operands[0]
            case And():
                return all(operands)
            case Or():
                return any(operands)
            case _:
                return False

    return query.fold(visit)
