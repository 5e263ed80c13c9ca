import logical_retriever.lab.methods  # noqa: F401  makes the papers' methods known by name
