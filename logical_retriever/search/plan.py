"""How a problem is searched for, decided from the problem and the store's capabilities alone."""

from __future__ import annotations

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import Term
from logical_retriever.results import Plan, Strategy
from logical_retriever.search.counts import CountCache
from logical_retriever.search.engine import plan_engine
from logical_retriever.search.one_vector import Decomposition
from logical_retriever.search.options import SCAN_LIMIT, SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.search.words import planned_words
from logical_retriever.stores.base import Capabilities, Filter, Store


def plan_search(
    problem: Problem,
    store: Store,
    options: SearchOptions,
    *,
    filter: Filter = None,
    counts: CountCache | None = None,
) -> Plan:
    """Decide how to search.

    Args:
        problem: Its texts need not be encoded.
        store: The documents.
        options: The caller's.
        filter: In the store's own language.
        counts: Of the same store; the store is counted each time without it.

    Raises:
        SemanticsError: The mode needs gradients that the semantics does not have.
        StoreCapabilityError: The store cannot answer this query, or not in its engine where that is wanted always.
        UnsupportedByEngineError: The engine is always to compute the scores, and cannot say the query.
    """
    count = store.count() if counts is None else counts.count(store)
    pushed = plan_engine(problem, store, options, filter=filter, count=count)
    return make_plan(problem, store.capabilities, options, count=count) if pushed is None else pushed


def make_plan(problem: Problem, capabilities: Capabilities, options: SearchOptions, *, count: int | None) -> Plan:
    """Decide how to search where the store's engine does not compute the scores.

    Scan when the store is in memory, when it has at most :data:`SCAN_LIMIT` or ``fetch_k`` documents, or when documents
    that are about none of the terms can be answers; else read lists. A mode that looks by one vector does so wherever
    one stands for the query.

    Args:
        problem: Its texts need not be encoded.
        capabilities: Of the store.
        options: The caller's.
        count: Documents in the store; None where it cannot tell.

    Raises:
        SemanticsError: The mode is "sqo" and the semantics has no gradients.
        StoreCapabilityError: Every document can be an answer, and the store cannot be walked through.
    """
    texts, moved = problem.texts, Decomposition.of(problem.query, problem.question).texts
    if options.mode == "sqo":
        problem.semantics.check_differentiable()
    strategy: Strategy
    if options.mode == "sqo" and not problem.open_ended:
        strategy, reason = "sqo", "what is nearest to the vector of the highest score is scored"
    elif options.mode == "deo" and moved:
        strategy, reason = "deo", "documents are ranked by their cosine with one moved vector"
        texts = tuple(dict.fromkeys((*texts, *moved)))
    else:
        strategy, reason = _strategy(problem, capabilities, options, count)
    reads_words = strategy != "deo" and options.evidence == "auto" and bool(problem.bags)
    lists, length = strategy != "scan", options.first_length
    indexed = reads_words and not lists and capabilities.indexes_words and problem.semantics.bounded
    reads_texts = reads_words and not indexed
    evidence, words = "vectors", None
    if indexed:
        evidence, words = "vectors, and words of every text", f"of every document, by {capabilities.words}"
    elif reads_texts:
        evidence, words = "vectors, and words of the candidates' texts", planned_words(problem, capabilities, length)
        if strategy == "sqo":
            words = "of what is nearest to the vector alone"
    longest = length if capabilities.max_results is None else min(length, capabilities.max_results)
    return Plan(
        strategy=strategy,
        reason=reason,
        texts=texts,
        fetch_k=longest if lists else None,
        evidence=evidence,
        lexical_k=length if reads_texts else None,
        words=words,
        wanted_texts=problem.wanted_texts if lists else (),
        count=count,
        max_candidates=options.limit() if lists else None,
        max_rounds=options.max_rounds if lists else None,
        question=problem.question,
        k=options.k,
        language=options.language,
        effort=options.effort,
    )


def _strategy(
    problem: Problem, capabilities: Capabilities, options: SearchOptions, count: int | None
) -> tuple[Strategy, str]:
    bounded, name = problem.semantics.bounded, problem.semantics.name
    if problem.open_ended:
        reads_both_ends = capabilities.exact_search and capabilities.cosine_order and bounded
        if capabilities.scan:
            return "scan", "documents about none of the terms can be the answer"
        if not reads_both_ends:
            raise StoreCapabilityError(
                f"Documents about none of its terms answer {problem.query}, and {capabilities.name} cannot be scanned.",
                hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
            )
    if capabilities.scan and capabilities.in_process:
        return "scan", "the vectors lie in memory"
    if capabilities.scan and count is not None and count <= max(SCAN_LIMIT, options.first_length):
        return "scan", f"the store has {count} documents"
    if not bounded:
        nearest = f"the {options.first_length} nearest documents of each positive text"
        return "union", f"{nearest} are scored; {name} has no bound"
    if isinstance(problem.query, Term):
        return "dense", "the query has one term, which the store's own index ranks"
    return "threshold", f"nearest documents are read until no other can be among the best {options.k}"
