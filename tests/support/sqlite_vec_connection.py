"""A connection to SQLite with sqlite-vec, by whichever module of this Python can load extensions."""

import importlib
import sqlite3

import pytest


def connect():
    """A new database in memory, for several threads."""
    sqlite_vec = pytest.importorskip("sqlite_vec", reason="sqlite-vec is not installed")
    module = sqlite3
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        pytest.importorskip("pysqlite3", reason="this Python's sqlite3 loads no extensions, and pysqlite3 is not there")
        module = importlib.import_module("pysqlite3.dbapi2")
    connection = module.connect(":memory:", check_same_thread=False)
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    return connection
