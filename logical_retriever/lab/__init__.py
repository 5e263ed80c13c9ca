"""The papers' systems, their experiments, and the making of test sets.

``methods`` are the papers' retrieval methods for :func:`logical_retriever.evaluation.evaluate`, ``experiments`` their
tables and figures, ``nsir`` is NS-IR, a second stage over first-order logic, ``synthesis`` makes test sets out of a
user's own documents. Nothing of the core imports this package.
"""
