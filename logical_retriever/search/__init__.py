"""From a question to its answer.

:func:`~logical_retriever.search.run.run_search` calls the stages in their order. All of them read the question
(:mod:`~logical_retriever.search.question`). The stages are :mod:`~logical_retriever.search.statistics`,
:mod:`~logical_retriever.search.candidates` (what is read of the store), :mod:`~logical_retriever.search.scores` and
:mod:`~logical_retriever.search.selection` (what is shown, and what is left out).
"""
