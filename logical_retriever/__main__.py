"""``python -m logical_retriever``: the command line."""

from logical_retriever.cli import main

main()
