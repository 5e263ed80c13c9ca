"""Scores computed where the documents are: one request to the engine instead of candidates pulled out of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np

from logical_retriever.compile.lower import lower
from logical_retriever.compile.registry import get_compiler
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, StoreError, UnsupportedByEngineError
from logical_retriever.moved import renamed
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.results import Plan
from logical_retriever.search.candidates import Candidates
from logical_retriever.search.plan import SCAN_LIMIT, EvidenceSource, SearchMode, open_ended
from logical_retriever.search.reader import Pool, Reader, as_engine
from logical_retriever.search.threshold import Reading
from logical_retriever.semantics import Evidence, NullDistributions, Semantics
from logical_retriever.stores.base import PushdownStore, Store
from logical_retriever.vectors import Vectors, worst_cosine_error

Pushdown = Literal["auto", "always", "never"]
"""Whether the engine computes scores: "auto" where that is as good and cheaper, "always" or an error, "never"."""
FULL_PASS = 1_000_000
"""Documents up to which a query that an index could shorten is computed for all of them: about a second."""
SUPERSET_FETCH_K = 1000
"""Least length of each list where the engine scores what its index finds: nineteen of twenty of the true best ten."""
MARGIN = 10
"""Documents asked for beyond those wanted: an engine's rounding may exchange neighbours."""

SCORE_ROUNDING = 1e-6
"""How far a score computed in float32 may be off, relative to it: a dozen operations."""


def check_pushdown(pushdown: object, mode: SearchMode) -> None:
    """Refuse anything but "auto", "always" or "never"; and "always" where one list is asked for, which is no query.

    Raises:
        InvalidArgumentError: Saying what it was.
    """
    if pushdown not in get_args(Pushdown):
        raise InvalidArgumentError(
            f"There is no pushdown {pushdown!r}.", hint=f"Choose one of {', '.join(get_args(Pushdown))}."
        )
    if pushdown == "always" and mode != "exact":
        raise InvalidArgumentError(
            f"The mode {mode!r} asks for one list, whatever the query; nothing of it is computed by an engine.",
            hint="Leave mode or pushdown out.",
        )


def plan_pushdown(
    query: LogicalQuery,
    semantics: Semantics,
    store: Store,
    *,
    pushdown: Pushdown,
    count: int | None,
    k: int,
    fetch_k: int,
    evidence: EvidenceSource = "auto",
    question: str | None = None,
) -> Plan | None:
    """Whether, and how, the store's engine computes the scores.

    With "auto", only over a store outside this process of more documents than are scanned, and not for a query of one
    term, which the store's own index ranks. An exact answer is taken of any number of documents where every search
    reads them all, and up to :data:`FULL_PASS` where there is an index; beyond, one of what the index finds, since
    lists that are read would end without a proof as well.

    Args:
        query: The query.
        semantics: What scores it.
        store: The documents.
        pushdown: What the caller wants.
        count: Documents in the store; None where it cannot tell.
        k: Documents wanted, at least 1.
        fetch_k: How many of the best by vectors have their texts read for lexical evidence, at least k; also the least
            length of each list where the engine scores what its index finds.
        evidence: Where evidence comes from.
        question: The user's question, where the query was made of one.

    Returns:
        The plan; None where the engine is not to compute the scores.

    Raises:
        StoreCapabilityError: It is wanted always, and the store cannot.
        UnsupportedByEngineError: It is wanted always, and the query or semantics cannot be said.
    """
    if pushdown == "never":
        return None
    fetch_k, texts = max(k, fetch_k), semantics.texts(query, question)
    if pushdown == "auto":
        small = count is None or count <= max(SCAN_LIMIT, fetch_k)
        if small or isinstance(query, Term) or not isinstance(store, PushdownStore) or store.capabilities.in_process:
            return None
    try:
        target = as_engine(store).pushdown_target()
        compiler = get_compiler(target.engine, target.arguments)
        # Whether there is a form does not depend on the null distributions, which are known when vectors are.
        lower(query, semantics, NullDistributions(np.zeros(len(texts)), np.ones(len(texts))), question=question)
    except (StoreCapabilityError, UnsupportedByEngineError):
        if pushdown == "always":
            raise
        return None
    wanted_texts = semantics.wanted_texts(query, question)
    exact = "exact" in compiler.fidelities
    if pushdown == "auto" and count is not None:
        exact = exact and (count <= FULL_PASS or store.capabilities.exact_search)
        if not exact and (count <= FULL_PASS or "superset" not in compiler.fidelities or open_ended(query)):
            return None
    if not exact and open_ended(query):
        raise UnsupportedByEngineError(
            f"Documents about none of its terms answer {query}, and {compiler.engine} scores what its index finds.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'; or search with pushdown='auto'.",
        )
    reads_texts = evidence == "auto" and bool(semantics.lexical(query, question))
    length = None if exact else max(fetch_k, SUPERSET_FETCH_K)
    what = "every document" if exact else f"the {length} nearest documents of each positive text"
    return Plan(
        strategy="pushdown",
        reason=f"{compiler.engine} itself scores {what}",
        texts=texts,
        fetch_k=length,
        evidence="vectors, and BM25 of the best documents' texts" if reads_texts else "vectors",
        lexical_k=fetch_k if reads_texts else None,
        wanted_texts=() if exact else wanted_texts,
        count=count,
        question=question,
    )


def read_engine(
    query: LogicalQuery,
    plan: Plan,
    vectors: Vectors,
    reader: Reader,
    *,
    semantics: Semantics,
    nulls: NullDistributions | None,
    k: int,
) -> tuple[Reading, Plan]:
    """Have the engine find the best documents by vectors, and read these.

    Returns:
        What was read, and the plan with the statement that was sent.

    Raises:
        UnsupportedByEngineError: The engine cannot say this query with these vectors.
        StoreError: The engine failed.
    """
    best = k if plan.lexical_k is None else max(k, plan.lexical_k)
    wanted = best + MARGIN
    target = reader.pushdown_target()
    compiler = get_compiler(target.engine, target.arguments)
    compiled = compiler.compile(
        query, semantics, vectors, k=wanted, nulls=nulls, question=plan.question, fetch_k=plan.fetch_k
    )
    try:
        answer = reader.execute(compiled.statement, compiled.parameters)
    except StoreError:
        # Engines say it in words of their own, if at all.
        reader.check_dimension(vectors)
        raise
    pool = Pool(reader, vectors)
    pool.read(answer.ids)
    candidates = pool.candidates()
    if compiled.fidelity == "exact":
        ended = len(answer.ids) < wanted or plan.count is None
        dropped = 0 if ended or plan.count is None else max(1, plan.count - len(candidates.ids))
        reason = f"{compiled.engine} scored every document"
        told = len(answer.ids) < wanted or _told_apart(
            best, candidates, query, plan, semantics, nulls, vectors.shape[1]
        )
        if not told:
            reason += f", with roundings that may have exchanged the last of the best {best} and what comes after them"
        reading = Reading(candidates, proved=told, complete=True, reason=reason, dropped=dropped)
    else:
        reason = f"{compiled.engine} scored only what is among the first {plan.fetch_k} of a positive text"
        reading = Reading(candidates, proved=False, complete=False, reason=reason)
    return reading, replace(plan, statement=answer.statement)


def _told_apart(
    best: int,
    candidates: Candidates,
    query: LogicalQuery,
    plan: Plan,
    semantics: Semantics,
    nulls: NullDistributions | None,
    dimension: int,
) -> bool:
    """Whether the engine's roundings are too small to have kept one of the best out of its answer.

    What the engine left out scores, by its own arithmetic, no more than the last that it gave. How far that arithmetic
    may be off is read from the documents it gave: how much their scores rise at most when their cosines are off by what
    float32 may do.
    """
    if len(candidates.ids) <= best or not semantics.bounded:
        return False
    error = worst_cosine_error(dimension)
    of = partial(Evidence, plan.texts, nulls=nulls, question=plan.question)
    low, high = np.maximum(candidates.cosines - error, -1.0), np.minimum(candidates.cosines + error, 1.0)
    scores = semantics.scores(query, of(candidates.cosines))
    off = float((semantics.upper_bounds(query, of(low), of(high)) - scores).max()) + SCORE_ROUNDING * float(
        np.abs(scores).max()
    )
    ranked = np.sort(scores)[::-1]
    return bool(ranked[best - 1] - ranked[-1] > 2.0 * off)


__getattr__ = renamed(__name__, {"COMPILERS": "logical_retriever.compile.registry:COMPILERS"})
