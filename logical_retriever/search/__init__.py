"""From a question to its answer.

:func:`~logical_retriever.search.run.run_search` is the path, read from top to bottom. What is known of the question is
in :mod:`~logical_retriever.search.question`; then come :mod:`~logical_retriever.search.statistics`,
:mod:`~logical_retriever.search.candidates` (the look at the store), :mod:`~logical_retriever.search.scores` and
:mod:`~logical_retriever.search.selection` (what is shown, and what is left out).
"""
