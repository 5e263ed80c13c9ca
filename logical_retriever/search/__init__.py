"""Candidates, plans and rankings: which documents are looked at, and which come out best."""

from logical_retriever.search.plan import make_plan, open_ended
from logical_retriever.search.run import DEFAULT_FETCH_K, check_count, plan_search, run_search, top_k

__all__ = ["DEFAULT_FETCH_K", "check_count", "make_plan", "open_ended", "plan_search", "run_search", "top_k"]
