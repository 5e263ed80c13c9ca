"""Logical queries in the engines' own languages: plain data out, no driver loaded."""

from logical_retriever.compile.base import CompiledQuery as CompiledQuery
from logical_retriever.compile.base import Compiler as Compiler
from logical_retriever.compile.base import Fidelity as Fidelity
from logical_retriever.compile.base import Request as Request
from logical_retriever.compile.expression import Expression as Expression
from logical_retriever.compile.expression import evaluate as evaluate
from logical_retriever.compile.lower import Lowered as Lowered
from logical_retriever.compile.lower import lower as lower
from logical_retriever.compile.sql import SqlCompiler as SqlCompiler
from logical_retriever.compile.sql import Table as Table
from logical_retriever.compile.support import Support as Support
from logical_retriever.compile.support import support as support
from logical_retriever.compile.support import support_table as support_table
