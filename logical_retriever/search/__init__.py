"""Candidates, plans and rankings: which documents are looked at, and which come out best."""

from logical_retriever.search.plan import MAX_CANDIDATES, SCAN_LIMIT, EvidenceSource, make_plan, open_ended
from logical_retriever.search.ranking import check_count, check_limit, top_k
from logical_retriever.search.run import DEFAULT_FETCH_K, plan_search, run_search
from logical_retriever.search.statistics import CorpusStatistics, StatisticsCache

__all__ = [
    "DEFAULT_FETCH_K",
    "MAX_CANDIDATES",
    "SCAN_LIMIT",
    "CorpusStatistics",
    "EvidenceSource",
    "StatisticsCache",
    "check_count",
    "check_limit",
    "make_plan",
    "open_ended",
    "plan_search",
    "run_search",
    "top_k",
]
