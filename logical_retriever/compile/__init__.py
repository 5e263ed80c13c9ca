"""Logical queries in the engines' own languages: plain data out, no driver loaded."""

from logical_retriever.compile.base import (
    CompiledQuery as CompiledQuery,
    Compiler as Compiler,
    Fidelity as Fidelity,
    Request as Request,
)
from logical_retriever.compile.expression import Expression as Expression, evaluate as evaluate
from logical_retriever.compile.lower import Lowered as Lowered, lower as lower
from logical_retriever.compile.sql import SqlCompiler as SqlCompiler, Table as Table
