"""From a logical query and a store to an answer: what is searched for, one look at the store, scores, what is left out.

:func:`~logical_retriever.search.run.run_search` is the path; :mod:`~logical_retriever.search.request` what it begins
with; :mod:`~logical_retriever.search.everything`, :mod:`~logical_retriever.search.nearest` and
:mod:`~logical_retriever.search.in_engine` are the three ways to look; :mod:`~logical_retriever.search.leave_out` ends it.
"""
