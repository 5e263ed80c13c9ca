"""Logical queries in the engines' own languages: plain data out, no driver loaded."""

from logical_retriever.compile.base import (
    CompiledQuery,
    Compiler,
    Fidelity,
    Request,
)
from logical_retriever.compile.expression import Expression, evaluate
from logical_retriever.compile.lower import Lowered, lower
from logical_retriever.compile.sql import SqlCompiler, Table
from logical_retriever.compile.support import Support, support, support_table

__all__ = [
    "CompiledQuery",
    "Compiler",
    "Expression",
    "Fidelity",
    "Lowered",
    "Request",
    "SqlCompiler",
    "Support",
    "Table",
    "evaluate",
    "lower",
    "support",
    "support_table",
]
