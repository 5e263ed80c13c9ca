"""Which documents are looked at for a query, decided from the query and the store's capabilities alone."""

from __future__ import annotations

from typing import Literal, get_args

from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.results import Plan
from logical_retriever.search.deo import Decomposition
from logical_retriever.semantics import Semantics
from logical_retriever.stores.base import Capabilities

SCAN_LIMIT = 1000
"""Stores outside this process are scanned up to this many documents: one request costs less than several."""
MAX_CANDIDATES = 10_000
"""Documents that a search reads at most, unless told otherwise: a second or two over most stores."""


EvidenceSource = Literal["auto", "dense"]
"""Where evidence comes from: "auto" reads texts where the semantics has a use for them, "dense" vectors alone."""
SearchMode = Literal["exact", "sqo", "deo"]
"""How documents are looked for: "exact" until the best k are proved, where the store allows; "sqo" scores what is
nearest to the one vector that the semantics would score highest; "deo" ranks by the cosine with the question's vector,
moved towards what is wanted and away from what is not."""


def make_plan(
    query: LogicalQuery,
    semantics: Semantics,
    capabilities: Capabilities,
    *,
    count: int | None,
    k: int,
    fetch_k: int,
    evidence: EvidenceSource = "auto",
    max_candidates: int | None = MAX_CANDIDATES,
    max_rounds: int | None = None,
    question: str | None = None,
    mode: SearchMode = "exact",
) -> Plan:
    """Choose between a scan, the threshold algorithm, the union of fixed lists, a plain dense search and one vector.

    Args:
        query: The query.
        semantics: What will score it.
        capabilities: Of the store.
        count: Documents in the store; None where it cannot tell.
        k: Documents wanted, at least 1.
        fetch_k: Length of the first list per positive text, at least 1; raised to k where it is smaller.
        evidence: Where evidence comes from.
        max_candidates: Most documents read by lists, at least 1, raised to k where it is smaller; None for no limit.
        max_rounds: Most times that lists are asked for, at least 1; None for no limit.
        question: The user's question, where the query was made of one.
        mode: How documents are looked for. A query that no vector stands for is scanned in every mode.

    Raises:
        SemanticsError: The mode is "sqo" and the semantics has no gradients.
        StoreCapabilityError: Every document can be an answer, and the store cannot be walked through.
    """
    fetch_k = max(k, fetch_k)
    texts, moved = semantics.texts(query, question), Decomposition.of(query, question).texts
    if mode == "sqo":
        semantics.check_differentiable()
    if mode == "sqo" and not open_ended(query):
        strategy, reason = "sqo", "what is nearest to the vector of the highest score is scored"
    elif mode == "deo" and moved:
        strategy, reason = "deo", "documents are ranked by their cosine with one moved vector"
        texts = tuple(dict.fromkeys((*texts, *moved)))
    else:
        strategy, reason = _strategy(query, semantics, capabilities, count=count, k=k, fetch_k=fetch_k)
    reads_texts = strategy != "deo" and evidence == "auto" and bool(semantics.lexical(query, question))
    lists = strategy != "scan"
    most = fetch_k if capabilities.max_results is None else min(fetch_k, capabilities.max_results)
    return Plan(
        strategy=strategy,
        reason=reason,
        texts=texts,
        fetch_k=most if lists else None,
        evidence="vectors, and BM25 of the candidates' texts" if reads_texts else "vectors",
        lexical_k=fetch_k if reads_texts else None,
        wanted_texts=semantics.wanted_texts(query, question) if lists else (),
        count=count,
        max_candidates=max(k, max_candidates) if lists and max_candidates is not None else None,
        max_rounds=max_rounds if lists else None,
        question=question,
    )


def check_mode(mode: object) -> None:
    """Refuse anything but the name of a mode.

    Raises:
        InvalidArgumentError: Saying what it was, and which there are.
    """
    if mode not in get_args(SearchMode):
        raise InvalidArgumentError(
            f"There is no search mode {mode!r}.", hint=f"Choose one of {', '.join(get_args(SearchMode))}."
        )


def check_evidence(evidence: object) -> None:
    """Refuse anything but the name of a source of evidence.

    Raises:
        InvalidArgumentError: Saying what it was, and which there are.
    """
    if evidence not in get_args(EvidenceSource):
        raise InvalidArgumentError(
            f"There is no source of evidence {evidence!r}.",
            hint=f"Choose one of {', '.join(get_args(EvidenceSource))}.",
        )


def _strategy(
    query: LogicalQuery, semantics: Semantics, capabilities: Capabilities, *, count: int | None, k: int, fetch_k: int
) -> tuple[str, str]:
    reads_both_ends = capabilities.exact_search and capabilities.cosine_order and semantics.bounded
    if open_ended(query) and not (reads_both_ends and not capabilities.scan):
        if not capabilities.scan:
            raise StoreCapabilityError(
                f"Documents about none of its terms answer {query}, and {capabilities.name} cannot be scanned.",
                hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
            )
        return "scan", "documents about none of the terms can be the answer"
    if capabilities.scan and capabilities.in_process:
        return "scan", "the vectors lie in memory"
    if capabilities.scan and count is not None and count <= max(SCAN_LIMIT, fetch_k):
        return "scan", f"the store has {count} documents"
    if not semantics.bounded:
        return (
            "union",
            f"the {fetch_k} nearest documents of each positive text are scored; {semantics.name} has no bound",
        )
    if isinstance(query, Term):
        return "dense", "the query has one term, which the store's own index ranks"
    return "threshold", f"nearest documents are read until no other can be among the best {k}"


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
