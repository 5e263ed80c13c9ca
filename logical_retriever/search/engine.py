"""Scores computed where the documents are: one request to the store's engine instead of candidates pulled out of it.

Chosen where the engine can say the query, and the store is outside this process and too large to be scanned, or where
the caller wants it always. The answer is exact where the engine scores every document and its roundings cannot have
exchanged the last of the best and what comes after them; what an index had found first is said to be approximate.

Words are scored here. Where an index has those of every document, the documents with the most are read first, and the
engine ranks all others by the most that they can score, with the words of the first that was not read: what it does not
name cannot score above the last that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from logical_retriever.compile.lower import says_words
from logical_retriever.compile.registry import get_compiler
from logical_retriever.errors import StoreCapabilityError, StoreError, UnsupportedByEngineError
from logical_retriever.query import Term
from logical_retriever.results import Plan
from logical_retriever.search.access import Pool, Reader, as_engine
from logical_retriever.search.known_words import KnownWords, known_words
from logical_retriever.search.options import SCAN_LIMIT, SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.search.ranking import top_k
from logical_retriever.search.reading import Candidates, Reading
from logical_retriever.search.words import planned_words
from logical_retriever.stores.base import Filter, IndexedStore, PushdownStore, Store
from logical_retriever.vectors import worst_cosine_error

FULL_PASS = 1_000_000
"""Documents up to which a query that an index could shorten is computed for all of them: about a second."""
SUPERSET_FETCH_K = 1000
"""Least length of each list where the engine scores what its index finds: nineteen of twenty of the true best ten."""
MARGIN = 10
"""Documents asked for beyond those wanted: an engine's rounding may exchange neighbours."""
FIRST = 60
"""Documents asked for at first where words count as well, of the engine and of the index for each text."""
GROWTH = 4
"""How many times more are asked for where these prove nothing."""

SCORE_ROUNDING = 1e-6
"""How far a score computed in float32 may be off, relative to it: a dozen operations."""


def plan_engine(
    problem: Problem, store: Store, options: SearchOptions, *, filter: Filter, count: int | None
) -> Plan | None:
    """Whether, and how, the store's engine computes the scores; None where it is not to.

    With "auto", only over a store outside this process of more documents than are scanned; and for a query of one term,
    which the store's own index ranks by vectors, only where an index has all words. An exact answer is taken of any
    number of documents where every search reads them all. Where there is an index of vectors, who chose it wants an
    answer as soon: with an index of words beside it, the nearest documents are read, unless a proof is wanted; else an
    exact answer is taken up to :data:`FULL_PASS`, and beyond, one of what the index of vectors finds, since lists that
    are read would end without a proof as well.

    Raises:
        StoreCapabilityError: It is wanted always, and the store cannot.
        UnsupportedByEngineError: It is wanted always, and what the index finds cannot answer the query.
    """
    query, always, length = problem.query, options.pushdown == "always", options.first_length
    reads_words, can = options.evidence == "auto" and bool(problem.bags), store.capabilities
    has_index = isinstance(store, IndexedStore) and can.indexes_words
    indexed = reads_words and has_index and says_words(problem.semantics)
    if options.pushdown == "never" or options.mode != "exact":
        return None
    if not always:
        small = count is None or count <= max(SCAN_LIMIT, length)
        one_list = isinstance(query, Term) and not indexed
        lists = options.effort != "proof" and reads_words and has_index and not can.exact_search
        near = lists and problem.semantics.bounded and not problem.open_ended
        if small or one_list or near or not isinstance(store, PushdownStore) or can.in_process:
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
        exact = exact and (count <= FULL_PASS or can.exact_search)
        if not exact and (count <= FULL_PASS or "superset" not in compiler.fidelities or problem.open_ended):
            return None
    if not exact and problem.open_ended:
        raise UnsupportedByEngineError(
            f"Documents about none of its terms answer {query}, and {compiler.engine} scores what its index finds.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'; or search with pushdown='auto'.",
        )
    longest = None if exact else max(length, SUPERSET_FETCH_K)
    what = "every document" if exact else f"the {longest} nearest documents of each positive text"
    indexed = indexed and exact
    evidence, words = "vectors", None
    if indexed:
        evidence, words = "vectors, and words of every text", f"of every document, by {can.words}"
    elif reads_words:
        evidence = "vectors, and words of the best documents' texts"
        words = planned_words(problem, can, length)
    return Plan(
        strategy="pushdown",
        reason=f"{compiler.engine} itself scores {what}",
        texts=problem.texts,
        fetch_k=longest,
        evidence=evidence,
        lexical_k=length if reads_words and not indexed else None,
        words=words,
        wanted_texts=() if exact else problem.wanted_texts,
        count=count,
        max_candidates=options.limit() if indexed else None,
        question=problem.question,
        k=options.k,
        language=options.language,
        compiler=compiler,
        compiled_filter=target.filter,
    )


def read_engine(problem: Problem, plan: Plan, reader: Reader) -> Reading:
    """Have the engine find the best documents, and read these.

    Raises:
        UnsupportedByEngineError: The engine cannot say this query with these vectors.
        StoreError: The engine failed.
    """
    if plan.lexical_k is None and (known := known_words(problem, reader)) is not None:
        return _read_with_words(problem, plan, reader, known)
    unknown = problem.words is not None and plan.lexical_k is None
    best = max(plan.k, FIRST if unknown else 0 if plan.lexical_k is None else plan.lexical_k)
    asked = _Asked(problem, plan, reader, best + MARGIN, None)
    pool = Pool(reader, problem.vectors)
    pool.read(asked.ids)
    reading = asked.judged(pool.candidates(), best, None)
    if unknown:
        reason = (
            f"{reading.reason}, and words were read of the best {len(pool.columns)} alone: their index is not ready"
        )
        return replace(reading, proved=False, reason=reason)
    return reading


def _read_with_words(problem: Problem, plan: Plan, reader: Reader, known: KnownWords) -> Reading:
    """The same by words as well, asking for more until the best are proved or no more may be read."""
    pool, wanted = Pool(reader, problem.vectors), max(plan.k + MARGIN, FIRST)
    while True:
        having, most = known.best(reader, wanted)
        asked = _Asked(problem, plan, reader, wanted, most)
        pool.read((*having, *asked.ids))
        candidates = pool.candidates()
        reading = asked.judged(candidates, plan.k, known)
        wanted *= GROWTH
        if asked.told or (plan.max_candidates is not None and wanted > plan.max_candidates):
            # Words of a few are read again, as they are shown.
            scores = problem.scores(candidates.cosines, known.of(candidates.ids))
            kept = candidates.subset(top_k(scores, candidates.ids, plan.k + MARGIN))
            return replace(reading, candidates=kept, dropped=reading.dropped + len(candidates.ids) - len(kept.ids))


class _Asked:
    """The engine's answer to a request for so many documents.

    Args:
        problem: What is scored.
        plan: With the compiler.
        reader: The store.
        wanted: How many documents.
        most: For each wanted text the most evidence from words of a document that was not read; None without words.

    Attributes:
        told: Whether the best are known from all others, by the engine's cosines and the words that are known.
    """

    def __init__(
        self, problem: Problem, plan: Plan, reader: Reader, wanted: int, most: Mapping[str, float] | None
    ) -> None:
        self.problem, self.plan, self.most, self.told = problem, plan, most, False
        self.compiled = plan.compiler.compile(
            problem.query,
            problem.semantics,
            problem.vectors,
            k=wanted,
            nulls=problem.nulls,
            question=problem.question,
            fetch_k=plan.fetch_k,
            words=most,
            filter=plan.compiled_filter,
        )
        try:
            answer = reader.execute(self.compiled.statement, self.compiled.parameters)
        except StoreError:
            # Engines say it in words of their own, if at all.
            reader.check_dimension(problem.vectors)
            raise
        self.ids, self.statement = answer.ids, answer.statement
        # Of a part that gave fewer than were asked for, all documents are here.
        self.cut = [part for part in (answer.parts if answer.parts else (answer.ids,)) if len(part) >= wanted]

    def judged(self, candidates: Candidates, best: int, known: KnownWords | None) -> Reading:
        """The documents that were read, and whether no other can be among the best.

        Args:
            candidates: All that was read.
            best: How many are wanted.
            known: The words of all documents, where they count.
        """
        plan, engine = self.plan, self.compiled.engine
        reading = Reading(candidates, reason="", statement=self.statement, with_words=known is not None)
        if self.compiled.fidelity != "exact":
            reason = f"{engine} scored only what is among the first {plan.fetch_k} of a positive text"
            return replace(reading, reason=reason)
        reason = f"{engine} scored every document"
        left = 0 if plan.count is None else plan.count - len(candidates.ids)
        dropped = max(1, left) if self.cut and plan.count is not None else 0
        self.told = told = not self.cut or self._told_apart(candidates, best, known)
        if told and known is not None and plan.count not in (None, len(known.ids)):
            reason += ", but documents have come or gone since the index of words was looked at"
            return replace(reading, reason=reason, complete=True, dropped=dropped)
        if known is not None:
            reason += (
                ", and the index of words has those of all"
                if told
                else (
                    f", and words of others may count for more than those of the best {best}: stopped at "
                    f"max_candidates={plan.max_candidates}"
                )
            )
        elif not told:
            reason += f", with roundings that may have exchanged the last of the best {best} and what comes after them"
        return replace(reading, reason=reason, proved=told, complete=True, dropped=dropped)

    def _told_apart(self, candidates: Candidates, best: int, known: KnownWords | None) -> bool:
        """Whether what the engine left out, roundings and words included, scores less than the best.

        What it left out scores, by its own arithmetic, no more than the last that it gave. How far that arithmetic may
        be off is read from the documents it gave: how much their scores rise at most when their cosines are off by what
        float32 may do.
        """
        problem, ids = self.problem, candidates.ids
        if len(ids) <= best or not problem.semantics.bounded:
            return False
        error = worst_cosine_error(problem.vectors.shape[1])
        low, high = np.maximum(candidates.cosines - error, -1.0), np.minimum(candidates.cosines + error, 1.0)
        scores = problem.scores(candidates.cosines, None if known is None else known.of(ids))
        least, most, given = None, None, scores
        if known is not None and self.most is not None:
            least, most = known.limits(self.most, len(ids))
            given = problem.upper_bounds(candidates.cosines, candidates.cosines, least, most)
        rise = float((problem.upper_bounds(low, high, least, most) - given).max())
        off = rise + SCORE_ROUNDING * float(max(np.abs(scores).max(), np.abs(given).max()))
        by_engine = dict(zip(ids, given.tolist(), strict=True))
        lasts = [min((by_engine[id] for id in part if id in by_engine), default=np.inf) for part in self.cut]
        return bool(np.sort(scores)[-best] - max(lasts) > 2.0 * off)
