"""One call that searches a store with given vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.query import LogicalQuery
from logical_retriever.results import SearchResult
from logical_retriever.search import Problem, SearchOptions, StatisticsCache, plan_search, run_search
from logical_retriever.semantics import Semantics, get_semantics
from logical_retriever.stores.base import Filter, Store


def find(
    query: LogicalQuery,
    store: Store,
    terms: Mapping[str, npt.ArrayLike],
    semantics: str | Semantics = "product",
    *,
    k: int = 5,
    filter: Filter = None,
    **options: Any,
) -> SearchResult:
    """Search by vectors alone, one given for each term, without an encoder.

    The options are settings of :class:`logical_retriever.search.SearchOptions`, and ``question``.
    """
    question = options.pop("question", None)
    settings = {"k": k, "evidence": "dense", "pushdown": "never", **options}
    problem = Problem.of(query, get_semantics(semantics), question)
    plan = plan_search(problem, store, SearchOptions(**settings), filter=filter)
    vectors = np.array([terms[text] for text in plan.texts], dtype=np.float32)
    return run_search(problem.encoded(plan.texts, vectors), plan, store, StatisticsCache(), filter)
