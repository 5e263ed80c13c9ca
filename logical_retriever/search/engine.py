"""Scores computed where the documents are: one request to the store's engine instead of candidates pulled out of it.

Chosen where the engine can say the query, and the store is outside this process and too large to be scanned, or where
the caller wants it always. The answer is exact where the engine scores every document and its roundings cannot have
exchanged the last of the best and what comes after them; what an index had found first is said to be approximate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from logical_retriever.compile.registry import get_compiler
from logical_retriever.errors import StoreCapabilityError, StoreError, UnsupportedByEngineError
from logical_retriever.moved import renamed
from logical_retriever.query import Term
from logical_retriever.results import DocumentId, Plan
from logical_retriever.search.access import Pool, Reader, as_engine
from logical_retriever.search.options import SCAN_LIMIT, SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.search.reading import Candidates, Reading
from logical_retriever.search.words import planned_words
from logical_retriever.stores.base import Filter, PushdownStore, Store
from logical_retriever.vectors import worst_cosine_error

FULL_PASS = 1_000_000
"""Documents up to which a query that an index could shorten is computed for all of them: about a second."""
SUPERSET_FETCH_K = 1000
"""Least length of each list where the engine scores what its index finds: nineteen of twenty of the true best ten."""
MARGIN = 10
"""Documents asked for beyond those wanted: an engine's rounding may exchange neighbours."""

SCORE_ROUNDING = 1e-6
"""How far a score computed in float32 may be off, relative to it: a dozen operations."""


def plan_engine(
    problem: Problem, store: Store, options: SearchOptions, *, filter: Filter, count: int | None
) -> Plan | None:
    """Whether, and how, the store's engine computes the scores; None where it is not to.

    With "auto", only over a store outside this process of more documents than are scanned, and not for a query of one
    term, which the store's own index ranks. An exact answer is taken of any number of documents where every search
    reads them all, and up to :data:`FULL_PASS` where there is an index; beyond, one of what the index finds, since
    lists that are read would end without a proof as well.

    Raises:
        StoreCapabilityError: It is wanted always, and the store cannot.
        UnsupportedByEngineError: It is wanted always, and what the index finds cannot answer the query.
    """
    query, always, length = problem.query, options.pushdown == "always", options.first_length
    if options.pushdown == "never" or options.mode != "exact":
        return None
    if not always:
        small = count is None or count <= max(SCAN_LIMIT, length)
        if small or isinstance(query, Term) or not isinstance(store, PushdownStore) or store.capabilities.in_process:
            return None
    try:
        target = as_engine(store).pushdown_target(filter)
        compiler = get_compiler(target.engine, target.arguments)
    except StoreCapabilityError:
        if always:
            raise
        return None
    exact = "exact" in compiler.fidelities
    if not always and count is not None:
        exact = exact and (count <= FULL_PASS or store.capabilities.exact_search)
        if not exact and (count <= FULL_PASS or "superset" not in compiler.fidelities or problem.open_ended):
            return None
    if not exact and problem.open_ended:
        raise UnsupportedByEngineError(
            f"Documents about none of its terms answer {query}, and {compiler.engine} scores what its index finds.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'; or search with pushdown='auto'.",
        )
    reads_texts = options.evidence == "auto" and bool(problem.bags)
    longest = None if exact else max(length, SUPERSET_FETCH_K)
    what = "every document" if exact else f"the {longest} nearest documents of each positive text"
    return Plan(
        strategy="pushdown",
        reason=f"{compiler.engine} itself scores {what}",
        texts=problem.texts,
        fetch_k=longest,
        evidence="vectors, and words of the best documents' texts" if reads_texts else "vectors",
        lexical_k=length if reads_texts else None,
        words=planned_words(problem, store.capabilities, length) if reads_texts else None,
        wanted_texts=() if exact else problem.wanted_texts,
        count=count,
        question=problem.question,
        k=options.k,
        language=options.language,
        compiler=compiler,
    )


def read_engine(problem: Problem, plan: Plan, reader: Reader) -> Reading:
    """Have the engine find the best documents by vectors, and read these.

    Raises:
        UnsupportedByEngineError: The engine cannot say this query with these vectors.
        StoreError: The engine failed.
    """
    best = plan.k if plan.lexical_k is None else max(plan.k, plan.lexical_k)
    wanted = best + MARGIN
    compiled = plan.compiler.compile(
        problem.query,
        problem.semantics,
        problem.vectors,
        k=wanted,
        nulls=problem.nulls,
        question=problem.question,
        fetch_k=plan.fetch_k,
    )
    try:
        answer = reader.execute(compiled.statement, compiled.parameters)
    except StoreError:
        # Engines say it in words of their own, if at all.
        reader.check_dimension(problem.vectors)
        raise
    pool = Pool(reader, problem.vectors)
    pool.read(answer.ids)
    reading = Reading(pool.candidates(), reason="", statement=answer.statement)
    if compiled.fidelity != "exact":
        reason = f"{compiled.engine} scored only what is among the first {plan.fetch_k} of a positive text"
        return replace(reading, reason=reason)
    reason = f"{compiled.engine} scored every document"
    # Of a part that gave fewer than were asked for, all documents are here.
    cut = [part for part in (answer.parts if answer.parts else (answer.ids,)) if len(part) >= wanted]
    all_given = not cut
    known = not all_given and plan.count is not None
    dropped = max(1, plan.count - len(pool.columns)) if known and plan.count is not None else 0
    told = all_given or _told_apart(best, reading.candidates, cut, problem)
    if not told:
        reason += f", with roundings that may have exchanged the last of the best {best} and what comes after them"
    return replace(reading, reason=reason, proved=told, complete=True, dropped=dropped)


def _told_apart(best: int, candidates: Candidates, cut: Sequence[Sequence[DocumentId]], problem: Problem) -> bool:
    """Whether the engine's roundings are too small to have kept one of the best out of its answer.

    What the engine left out scores, by its own arithmetic, no more than the last that it gave. How far that arithmetic
    may be off is read from the documents it gave: how much their scores rise at most when their cosines are off by what
    float32 may do.

    Args:
        best: How many are wanted.
        candidates: Everything that it gave.
        cut: Its lists that may have left something out, one for each part of the store, at least one.
        problem: What is scored.
    """
    if len(candidates.ids) <= best or not problem.semantics.bounded:
        return False
    error = worst_cosine_error(problem.vectors.shape[1])
    low, high = np.maximum(candidates.cosines - error, -1.0), np.minimum(candidates.cosines + error, 1.0)
    scores = problem.scores(candidates.cosines)
    rise = float((problem.upper_bounds(low, high) - scores).max())
    off = rise + SCORE_ROUNDING * float(np.abs(scores).max())
    scored = dict(zip(candidates.ids, scores.tolist(), strict=True))
    lasts = [min((scored[id] for id in part if id in scored), default=np.inf) for part in cut]
    return bool(np.sort(scores)[-best] - max(lasts) > 2.0 * off)


__getattr__ = renamed(__name__, {"COMPILERS": "logical_retriever.compile.registry:COMPILERS"})
