"""A file of remembered answers: an SQLite table that is bounded, and that its user does without where it fails."""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Final

from logical_retriever.errors import CacheFileError, InvalidArgumentError

DEFAULT_FILE_ENTRIES: Final = 100_000
"""Answers that a file remembers by default."""
_WAIT_S: Final = 2.0

_log: Final = logging.getLogger(__name__)


class AnswerFile:
    """Answers in an SQLite file, by a digest of what was asked; the oldest go first.

    Safe to use from several threads and processes. A file that fails later on is a cache without entries: the log says
    so once. Copied and pickled as its path.

    Args:
        path: The file; made where there is none.
        max_entries: Most answers kept, at least 1.

    Attributes:
        application_id: By which SQLite files of this cache are known.
        version: Of the table; a file of another version is emptied, and the log says so.
        columns: Of the table beside the key, as SQL declares them.

    Raises:
        InvalidArgumentError: ``max_entries`` is below 1.
        CacheFileError: The file is something else, damaged, or cannot be opened.
    """

    application_id: ClassVar[int]
    version: ClassVar[int]
    columns: ClassVar[tuple[str, ...]]

    def __init__(self, path: str | Path, *, max_entries: int = DEFAULT_FILE_ENTRIES) -> None:
        if isinstance(max_entries, bool) or not isinstance(max_entries, int) or max_entries < 1:
            raise InvalidArgumentError(f"max_entries is {max_entries!r}.", hint="Give an integer, 1 or more.")
        self.path = Path(path)
        self.max_entries = max_entries
        self._lock = Lock()
        self._failed = False
        self._process = 0
        self._open()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_lock", "_connection")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock(), _process=0)

    def __len__(self) -> int:
        rows = self._run("SELECT count(*) FROM entries")
        return int(rows[0][0]) if rows else 0

    def clear(self) -> None:
        """Forget everything, other models' answers too."""
        self._run("DELETE FROM entries")

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._process:
                self._connection.close()
            self._process = 0

    def _row(self, *asked: str) -> tuple[str, ...] | None:
        """The remembered answer; None where there is none."""
        names = ", ".join(column.split()[0] for column in self.columns)
        rows = self._run(f"SELECT {names} FROM entries WHERE key = ?", (_digest(asked),))
        return rows[0] if rows else None

    def _keep(self, asked: tuple[str, ...], values: tuple[object, ...]) -> None:
        """Remember an answer, unless there is one already."""
        names = ", ".join(("key", *(column.split()[0] for column in self.columns)))
        marks = ", ".join("?" * (len(self.columns) + 1))
        statement = f"INSERT OR IGNORE INTO entries ({names}) VALUES ({marks})"
        self._run(statement, (_digest(asked), *values))
        # Numbers are never used again, so that this many numbers back are at most this many entries.
        self._run("DELETE FROM entries WHERE number <= (SELECT max(number) FROM entries) - ?", (self.max_entries,))

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[str, ...]]:
        try:
            with self._lock:
                if self._process != os.getpid():  # closed, or a connection of the process that this one was forked from
                    self._open()
                return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, CacheFileError) as error:
            if not self._failed:
                _log.warning("The cache %s fails, and is done without: %s", self.path, error)
            self._failed = True
            return []

    def _open(self) -> None:
        hint = "Delete the file, or name another; it holds nothing but answers that can be asked for again."
        made = None
        try:
            # Every statement is a transaction of its own; the lock lets other threads use the connection.
            made = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
            made.execute("BEGIN IMMEDIATE")
            known = made.execute("PRAGMA application_id").fetchone()[0]
            version = made.execute("PRAGMA user_version").fetchone()[0]
            tables = made.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and known != self.application_id:
                made.close()
                raise CacheFileError(f"{self.path} is a database of something else.", hint="Name another file.")
            if tables and version != self.version:
                emptied = "The cache %s is of version %s and is emptied; this is %s."
                _log.warning(emptied, self.path, version, self.version)
                made.execute("DROP TABLE IF EXISTS entries")
            made.execute(
                "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY AUTOINCREMENT,"
                f" key TEXT UNIQUE NOT NULL, {', '.join(self.columns)})"
            )
            made.execute(f"PRAGMA application_id = {self.application_id}")
            made.execute(f"PRAGMA user_version = {self.version}")
            made.execute("COMMIT")
        except sqlite3.Error as error:
            if made is not None:
                made.close()
            raise CacheFileError(f"{self.path} cannot be used as a cache: {error}.", hint=hint) from error
        self._connection, self._process = made, os.getpid()


def _digest(asked: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for part in asked:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(encoded)}:".encode() + encoded)
    return digest.hexdigest()
