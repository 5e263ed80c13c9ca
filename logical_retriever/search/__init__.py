"""One question over a store: a plan, a way to look for its best documents, and what that proves.

:class:`Problem` is the question as every way to search sees it; :func:`plan_search` chooses one of the rooms ``scan``,
``lists``, ``one_vector`` and ``engine``; :func:`run_search` has it carried out and scores what it brings back.
"""

from logical_retriever.moved import renamed
from logical_retriever.search.counts import CountCache
from logical_retriever.search.one_vector import Decomposition, moved_vector, spherical_optimum
from logical_retriever.search.options import (
    DEFAULT_FETCH_K,
    MAX_CANDIDATES,
    SCAN_LIMIT,
    EvidenceSource,
    Pushdown,
    SearchMode,
    SearchOptions,
    SearchSettings,
    check_count,
)
from logical_retriever.search.plan import make_plan, plan_search
from logical_retriever.search.problem import Problem, open_ended
from logical_retriever.search.ranking import top_k
from logical_retriever.search.run import run_search
from logical_retriever.search.scan import best_scanned, compiled_kernel
from logical_retriever.search.statistics import BorrowedStatistics, CorpusStatistics, StatisticsCache

__getattr__ = renamed(__name__, {"Census": "CountCache"})

__all__ = [
    "DEFAULT_FETCH_K",
    "MAX_CANDIDATES",
    "SCAN_LIMIT",
    "BorrowedStatistics",
    "CorpusStatistics",
    "CountCache",
    "Decomposition",
    "EvidenceSource",
    "Problem",
    "Pushdown",
    "SearchMode",
    "SearchOptions",
    "SearchSettings",
    "StatisticsCache",
    "best_scanned",
    "check_count",
    "compiled_kernel",
    "make_plan",
    "moved_vector",
    "open_ended",
    "plan_search",
    "run_search",
    "spherical_optimum",
    "top_k",
]
