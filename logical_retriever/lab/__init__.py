"""The papers' systems, their experiments, and the making of test sets.

``methods`` are the papers' retrieval methods for :func:`logical_retriever.evaluation.evaluate`, ``experiments`` their
tables, ``nsfl`` is a semantics, ``nsir`` a second stage over first-order logic, ``one_vector`` is SQO and DEO,
``synthesis`` makes test sets out of a user's own documents, ``calibrate`` reads labelled pairs, and ``commands`` is the
command line's group ``lab``, the only one that imports this package.

The papers, by the names that they have here:

- ITLR: Faltings, Wei and Bao, "Enhancing Retrieval Systems with Inference-Time Logical Reasoning" (ACL 2025);
- NSFL: "NSFL: A Post-Training Neuro-Symbolic Fuzzy Logic (NSFL) Framework for Boolean Operators in Neural Embeddings";
- DEO: arXiv 2603.09185, which optimises the query's embedding;
- NS-IR: "Logical Consistency is Vital: Neural-Symbolic Information Retrieval for Negative-Constraint Queries"
  (arXiv 2505.22299);
- ComLQ: Xu and others, "ComLQ: Benchmarking Complex Logical Queries in Information Retrieval".
"""
