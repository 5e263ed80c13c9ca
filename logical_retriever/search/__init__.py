"""Candidates, plans and rankings: which documents are looked at, and which come out best."""

from logical_retriever.search.census import Census
from logical_retriever.search.deo import Decomposition, moved_vector
from logical_retriever.search.kernel import compiled_kernel
from logical_retriever.search.plan import (
    MAX_CANDIDATES,
    SCAN_LIMIT,
    EvidenceSource,
    SearchMode,
    check_evidence,
    check_mode,
    make_plan,
    open_ended,
)
from logical_retriever.search.pushdown import Pushdown, check_pushdown
from logical_retriever.search.ranking import check_count, check_limit, top_k
from logical_retriever.search.run import DEFAULT_FETCH_K, plan_search, run_search
from logical_retriever.search.scan import Scoring, best_scanned
from logical_retriever.search.sqo import spherical_optimum
from logical_retriever.search.statistics import CorpusStatistics, StatisticsCache

__all__ = [
    "DEFAULT_FETCH_K",
    "MAX_CANDIDATES",
    "SCAN_LIMIT",
    "Census",
    "CorpusStatistics",
    "Decomposition",
    "EvidenceSource",
    "Pushdown",
    "Scoring",
    "SearchMode",
    "StatisticsCache",
    "best_scanned",
    "check_count",
    "check_evidence",
    "check_limit",
    "check_mode",
    "check_pushdown",
    "compiled_kernel",
    "make_plan",
    "moved_vector",
    "open_ended",
    "plan_search",
    "run_search",
    "spherical_optimum",
    "top_k",
]
