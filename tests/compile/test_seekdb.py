"""Compiled queries on a real seekdb."""

from itertools import count

import pytest
import seekdb_server

from logical_retriever.compile import Table
from logical_retriever.compile.seekdb import SeekdbCompiler
from logical_retriever.testing.compiler_suite import CompilerSuite


def asked(connection, statement, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall()


def filled(connection, documents, name):
    """A table with names that have everything in them that could end them, and columns like our own aliases."""
    quoted = "`" + name.replace("`", "``") + "`"
    asked(connection, f"CREATE TABLE {quoted} (score VARCHAR(20000), c0 VECTOR(8))")
    rows = [(id, str(vector.tolist())) for id, vector in zip(documents.ids, documents.vectors, strict=True)]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {quoted.replace('%', '%%')} VALUES (%s, %s)", rows)
    return Table(name, id="score", vector="c0", unit=documents.unit)


class TestSeekdb(CompilerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def load(cls):
        numbers = count()
        with seekdb_server.serving() as connect:
            connection = connect()

            def load(corpus):
                table = filled(connection, corpus, f"the `documents`; %(k)s ' -- $1 {next(numbers)}")
                return SeekdbCompiler(table), lambda c: asked(connection, c.statement, dict(c.parameters))

            yield load
            connection.close()
