"""A real seekdb, started from its wheel in a process of its own, and a connection to it."""

import os
import tempfile
from contextlib import contextmanager

import pytest

os.environ["TELEMETRY_ENABLED"] = "false"  # its server would report to its makers that it was started


@contextmanager
def serving():
    """A server with an empty database, for as long as tests need it: a function that connects to it."""
    seekdb = pytest.importorskip("pylibseekdb", reason="pylibseekdb is not installed")
    pymysql = pytest.importorskip("pymysql", reason="pymysql is not installed")
    with tempfile.TemporaryDirectory(prefix="seekdb") as folder:
        instance = seekdb.open(db_dir=folder)
        try:
            yield lambda **options: pymysql.connect(
                **instance.connection_options(),
                **{"database": "test", "charset": "utf8mb4", "autocommit": True, **options},
            )
        finally:
            instance.close()
