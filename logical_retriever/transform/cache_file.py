"""A cache of transformed questions in a file, for processes that come and go."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Final

from logical_retriever.errors import CacheFileError, InvalidArgumentError, LogicalQueryError
from logical_retriever.query import parse
from logical_retriever.transform.base import NamedChatModel, Transformation, check_count

APPLICATION_ID: Final = 0x4C6F6752
"""By which SQLite files of this cache are known."""
VERSION: Final = 1
"""Of the table; a file of another version is emptied, and the log says so."""
DEFAULT_FILE_ENTRIES: Final = 100_000
"""Questions that a file remembers by default."""
MAX_ENTRY: Final = 64_000
"""Most characters of an entry; a longer one is not kept."""
_WAIT_S: Final = 2.0

_log: Final = logging.getLogger(__name__)


class QueryCacheFile:
    """Transformations in an SQLite file, by prompt, model, conversation and question.

    Questions themselves are kept as digests; queries and the model's answers are kept as text, so the file is as
    confidential as the questions are. Safe to use from several threads and processes. A file that fails later on is a
    cache without entries: the log says so once, and questions are read by the model.

    Args:
        path: The file; made where there is none.
        model: Name of the language model with all that changes its answers, such as "gpt-4o-mini, temperature 0"; by
            default the name that the chat model itself says (:class:`~logical_retriever.transform.NamedChatModel`).
        max_entries: Most transformations kept, at least 1; the oldest go first.

    Raises:
        InvalidArgumentError: An argument is none of these.
        CacheFileError: The file is something else, damaged, or cannot be opened.
    """

    def __init__(self, path: str | Path, *, model: str | None = None, max_entries: int = DEFAULT_FILE_ENTRIES) -> None:
        if model is not None and (not isinstance(model, str) or not model.strip()):
            raise InvalidArgumentError(f"model is {model!r}.", hint="Name the language model: answers are its own.")
        self.path = Path(path)
        self.max_entries = check_count("max_entries", max_entries, 1)
        self.model = model
        self._lock = Lock()
        self._failed = False
        self._open()

    def named_after(self, llm: object) -> str:
        """The name under which a chat model's answers are kept, beside :attr:`model`: its own where none was given.

        Raises:
            InvalidArgumentError: None was given, and the chat model says none.
        """
        if self.model is not None:
            return ""
        name = llm.model_name if isinstance(llm, NamedChatModel) else None
        if name is None:
            raise InvalidArgumentError(
                f"{self.path} keeps answers by the name of the model, and {type(llm).__name__} says none.",
                hint='Give QueryCacheFile(path, model="...").',
            )
        return name

    def __len__(self) -> int:
        rows = self._run("SELECT count(*) FROM entries")
        return int(rows[0][0]) if rows else 0

    def get(self, question: str, prompt_id: str) -> Transformation | None:
        """Return what is stored, marked ``cached=True``, or None."""
        rows = self._run("SELECT query, standalone, answers FROM entries WHERE key = ?", self._key(question, prompt_id))
        if not rows:
            return None
        query, standalone, answers = rows[0]
        try:
            return Transformation(
                question, parse(query), "llm", tuple(json.loads(answers)), cached=True, standalone=standalone
            )
        except (LogicalQueryError, ValueError, TypeError):
            return None

    def put(self, transformation: Transformation, prompt_id: str) -> None:
        """Store a transformation, unless its question is already there."""
        query, answers = str(transformation.query), json.dumps(transformation.answers)
        if len(query) + len(answers) > MAX_ENTRY:
            return
        key = self._key(transformation.question, prompt_id)
        values = (*key, query, transformation.standalone, answers)
        self._run("INSERT OR IGNORE INTO entries (key, query, standalone, answers) VALUES (?, ?, ?, ?)", values)
        # Numbers are never used again, so that this many numbers back are at most this many entries.
        self._run("DELETE FROM entries WHERE number <= (SELECT max(number) FROM entries) - ?", (self.max_entries,))

    def clear(self) -> None:
        """Forget everything, other models' answers too."""
        self._run("DELETE FROM entries")

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            self._connection.close()
            self._process = 0

    def _key(self, question: str, prompt_id: str) -> tuple[str]:
        digest = hashlib.sha256()
        for part in (prompt_id, "" if self.model is None else self.model, question):
            encoded = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(encoded)}:".encode() + encoded)
        return (digest.hexdigest(),)

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
            if tables and known != APPLICATION_ID:
                made.close()
                raise CacheFileError(f"{self.path} is a database of something else.", hint="Name another file.")
            if tables and version != VERSION:
                _log.warning("The cache %s is of version %s and is emptied; this is %s.", self.path, version, VERSION)
                made.execute("DROP TABLE IF EXISTS entries")
            made.execute(
                "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY AUTOINCREMENT,"
                " key TEXT UNIQUE NOT NULL, query TEXT NOT NULL, standalone TEXT, answers TEXT NOT NULL)"
            )
            made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            made.execute(f"PRAGMA user_version = {VERSION}")
            made.execute("COMMIT")
        except sqlite3.Error as error:
            if made is not None:
                made.close()
            raise CacheFileError(f"{self.path} cannot be used as a cache: {error}.", hint=hint) from error
        self._connection, self._process = made, os.getpid()
