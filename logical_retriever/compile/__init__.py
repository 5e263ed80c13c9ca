"""Logical queries as SQL of the engines that hold the vectors: plain data out, no driver loaded."""

from logical_retriever.compile.sql import CompiledQuery as CompiledQuery, SqlCompiler as SqlCompiler, Table as Table
