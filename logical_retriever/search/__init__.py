"""One question over a store: a plan, a way to look for its best documents, and what that proves.

:class:`Problem` is the question as every way to search sees it; :func:`plan_search` chooses one of the rooms ``scan``,
``lists``, ``one_vector`` and ``engine``; :func:`run_search` has it carried out and scores what it brings back;
:func:`search_cut` leaves out what is about an excluded term, and has longer rankings made until enough stays.
"""

from logical_retriever.search.blocking import (
    ABOUT as ABOUT,
    PERHAPS as PERHAPS,
    Known as Known,
    aboutness as aboutness,
    blocking_term as blocking_term,
)
from logical_retriever.search.counts import CountCache as CountCache
from logical_retriever.search.cut import looked_for as looked_for, search_cut as search_cut
from logical_retriever.search.one_vector import (
    Decomposition as Decomposition,
    moved_vector as moved_vector,
    spherical_optimum as spherical_optimum,
)
from logical_retriever.search.options import (
    DEFAULT_FETCH_K as DEFAULT_FETCH_K,
    MAX_CANDIDATES as MAX_CANDIDATES,
    SCAN_LIMIT as SCAN_LIMIT,
    Effort as Effort,
    EvidenceSource as EvidenceSource,
    Pushdown as Pushdown,
    SearchMode as SearchMode,
    SearchOptions as SearchOptions,
    SearchSettings as SearchSettings,
    as_number as as_number,
    check_count as check_count,
    check_relevance as check_relevance,
)
from logical_retriever.search.plan import make_plan as make_plan, plan_search as plan_search
from logical_retriever.search.problem import Problem as Problem, open_ended as open_ended
from logical_retriever.search.ranking import top_k as top_k
from logical_retriever.search.run import run_search as run_search
from logical_retriever.search.scan import best_scanned as best_scanned, compiled_kernel as compiled_kernel
from logical_retriever.search.statistics import (
    BorrowedStatistics as BorrowedStatistics,
    CorpusStatistics as CorpusStatistics,
    StatisticsCache as StatisticsCache,
    shared_statistics as shared_statistics,
    threads_may_read as threads_may_read,
)
