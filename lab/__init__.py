"""The systems of the papers that logical-retriever builds on, beside the package and never published with it.

``python -m lab NAME`` prints the figures of a paper; README.md has all of them in one table. The papers:

- ITLR: Faltings, Wei and Bao, "Enhancing Retrieval Systems with Inference-Time Logical Reasoning" (arXiv 2503.17860);
- NSFL, and in it SQO: "NSFL: A Post-Training Neuro-Symbolic Fuzzy Logic Framework for Boolean Operators in Neural
  Embeddings" (arXiv 2604.10604);
- DEO: direct optimisation of the query's embedding (arXiv 2603.09185);
- NS-IR: "Logical Consistency is Vital: Neural-Symbolic Information Retrieval for Negative-Constraint Queries"
  (arXiv 2505.22299);
- ComLQ, and in it LSNC: Xu and others, "ComLQ: Benchmarking Complex Logical Queries in Information Retrieval"
  (arXiv 2511.12004).
"""
