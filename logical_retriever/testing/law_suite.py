"""Laws of every answer, tried with random queries, conditions, filters and sizes."""

from __future__ import annotations

import asyncio
import math
import os
import random
import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

from logical_retriever.errors import QueryLimitError, StoreCapabilityError
from logical_retriever.query import And, Condition, LogicalQuery, Not, Or, Term, contradiction, holds, parse
from logical_retriever.results import SearchResult
from logical_retriever.stores import InMemoryStore
from logical_retriever.testing.ranking_suite import MakeStore, RankingSuite, over
from logical_retriever.testing.samples import DIMENSION

CASES, SEED = "LOGICAL_RETRIEVER_CASES", "LOGICAL_RETRIEVER_SEED"
"""Environment variables: the number of cases, 100 by default, and the seed that repeats those of a failure."""
WORDS = ("plum", "jam", "bread", "sea", "night", "tea")
NEAR = 1e-3
"""Most that two equal scores may differ between a store and its twin in memory."""


class LawSuite(RankingSuite):
    """Whatever is asked, an answer keeps to the filter, the conditions, the size and the order, and to its twin's.

    Each run draws new cases; a failure names its seed.

    Attributes:
        share: Of the cases to try, for a store that takes a second for each.
    """

    share: ClassVar[float] = 1.0

    def test_random_answers_keep_the_laws(self, make_store: MakeStore) -> None:
        seed = int(os.environ.get(SEED) or secrets.randbelow(2**32))
        drawn, rng = random.Random(seed), np.random.default_rng(seed)
        texts = [" ".join([*drawn.choices(WORDS, k=drawn.randint(1, 9)), f"number{i}"]) for i in range(40)]
        documents, vectors, store = self.filled(make_store, len(texts), texts=texts)
        metadata = {one.id: one.metadata for one in store.fetch([one.id for one in documents]).documents}
        by_term = {word: rng.normal(size=DIMENSION).astype(np.float32) for word in WORDS}
        retriever, twin = (over(one, by_term, k=4) for one in (store, InMemoryStore(documents, vectors)))
        try:
            filters = {"all": None, "odd": self.equals("kind", "odd")}
        except pytest.skip.Exception:  # the laws hold without a filter too
            filters = {"all": None}
        answered = 0
        for case in range(cases := math.ceil(self.share * int(os.environ.get(CASES) or 100))):
            query, among = _random_query(drawn, 3), drawn.choice(list(filters))
            settings: dict[str, Any] = {
                "k": drawn.choice([1, 2, 5, 50]),
                "exclusion": drawn.choice(["drop", "strict", "rank"]),
                "semantics": drawn.choice(["calibrated", "product"]),
                "verify": False,
            }
            told = f"{SEED}={seed}, case {case}: {query} {settings} {among}"
            try:
                result = retriever.search(query, filter=filters[among], **settings)
                longer = retriever.search(query, filter=filters[among], **{**settings, "k": settings["k"] + 3})
                awaited = result
                if case % 10 == 0:
                    awaited = asyncio.run(retriever.asearch(query, filter=filters[among], **settings))
            except (StoreCapabilityError, QueryLimitError):
                continue  # such as a query of exclusions alone
            except Exception as error:
                raise AssertionError(told) from error
            allowed = {id for id, had in metadata.items() if among == "all" or had["kind"] == "odd"}
            whole = twin.search(query, filter=lambda one, ids=allowed: one.id in ids, **settings)
            broken = list(_broken(query, settings, result, longer, whole, {id: metadata[id] for id in allowed}))
            assert _ids(awaited) == _ids(result), told
            assert not broken, f"{told}: {broken}"
            answered += 1
        assert answered >= cases // 3, f"{SEED}={seed}: {answered} of {cases} cases were answered"


def _broken(
    query: LogicalQuery,
    settings: Mapping[str, Any],
    result: SearchResult,
    longer: SearchResult,
    twin: SearchResult,
    allowed: Mapping[Any, Mapping[str, Any]],
) -> list[str]:
    """Return the laws that an answer breaks, in words."""
    shown, left_out = _ids(result), [one.id for one in result.left_out]
    relevance = [one.relevance for one in result.documents]
    fulfilled = [id in allowed and _truth(query, allowed[id]) is not False for id in (*shown, *left_out)]
    laws = {
        "documents pass the filter and fulfil the conditions": all(fulfilled),
        "at most k, each once": len(set(shown)) == len(shown) <= settings["k"],
        "at most 3 k are left out, none of them is shown": len(left_out) <= 3 * settings["k"]
        and not {*shown, *_ids(longer)} & {*left_out, *(one.id for one in longer.left_out)},
        "relevance falls, from 1 to 0": relevance == sorted(relevance, reverse=True)
        and all(0 <= value <= 1 for value in relevance),
        '"rank" leaves nothing out': settings["exclusion"] != "rank" or not left_out,
        "the text is the query": parse(str(query)) == query,
    }
    if result.exact and longer.exact:
        laws["a smaller k is a prefix"] = _ids(longer)[: len(shown)] == shown
        # Samples, and so calibrated scores and decisions, are a store's own.
        if (settings["semantics"], settings["exclusion"]) == ("product", "rank"):
            scores, expected = ([one.score for one in one_of.documents] for one_of in (result, twin))
            laws[f"an exact answer has the scores of its twin in memory: {scores}, {expected}"] = (
                scores == pytest.approx(expected, abs=NEAR)
            )
    return [law for law, kept in laws.items() if not kept]


def _ids(result: SearchResult) -> list[Any]:
    return [one.id for one in result.documents]


def _random_query(drawn: random.Random, depth: int) -> LogicalQuery:
    """Draw a query of at most ``depth`` levels without a contradiction."""
    while True:
        query = _tree(drawn, depth)
        if contradiction(query) is None:
            return query


def _tree(drawn: random.Random, depth: int) -> LogicalQuery:
    kind = drawn.random()
    if depth == 1 or kind < 0.2:
        rank = Condition("rank", drawn.choice(["<", ">=", "!="]), drawn.randint(0, 40))
        return rank if drawn.random() < 0.15 else Term(drawn.choice(WORDS))
    if kind < 0.45:
        return Not(_tree(drawn, depth - 1))
    parts = tuple(_tree(drawn, depth - 1) for _ in range(drawn.randint(2, 3)))
    return And(parts) if kind < 0.8 else Or(parts)


def _truth(query: LogicalQuery, metadata: Mapping[str, Any]) -> bool | None:
    """Return what conditions alone say of a document; None where it depends on a term."""
    if isinstance(query, Term):
        return None
    if isinstance(query, Condition):
        return holds(query, metadata)
    if isinstance(query, Not):
        inside = _truth(query.operand, metadata)
        return None if inside is None else not inside
    parts = [_truth(part, metadata) for part in query.children]
    deciding = isinstance(query, Or)
    return deciding if deciding in parts else None if None in parts else not deciding
