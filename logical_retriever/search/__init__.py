"""From a logical query and a store to an answer: what is searched for, one look at the store, scores, what is left out.

:func:`~logical_retriever.search.run.run_search` is the path, read from top to bottom:
:mod:`~logical_retriever.search.request` is what it begins with, :mod:`~logical_retriever.search.candidates` the look at
the store, :mod:`~logical_retriever.search.scores` the scores, :mod:`~logical_retriever.search.exclusion` its end.
"""
