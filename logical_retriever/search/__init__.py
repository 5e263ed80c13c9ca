"""Candidates, plans and rankings: which documents are looked at, and which come out best."""

from logical_retriever.search.plan import EvidenceSource, make_plan, open_ended
from logical_retriever.search.run import DEFAULT_FETCH_K, check_count, plan_search, run_search, top_k
from logical_retriever.search.statistics import CorpusStatistics, StatisticsCache

__all__ = [
    "DEFAULT_FETCH_K",
    "CorpusStatistics",
    "EvidenceSource",
    "StatisticsCache",
    "check_count",
    "make_plan",
    "open_ended",
    "plan_search",
    "run_search",
    "top_k",
]
