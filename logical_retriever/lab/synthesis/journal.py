"""The append-only journal of answers: what was asked once is not asked again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.transform.base import Message

FORMAT: Final = "logical-retriever synthesis journal 1"


def answer_key(model: str, messages: Sequence[Message]) -> str:
    """Content hash of a request: the model's name and the whole conversation, so that changed prompts ask anew."""
    content = [model, [[message["role"], message["content"]] for message in messages]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


class Journal:
    """Answers of a language model on disk, one JSON object a line, each flushed before it is used.

    The first line says which run the journal belongs to. A last line without its end, as a killed process leaves
    it, is cut off; any other damage is an error, because an answer that was paid for would be lost without a word.

    Args:
        path: The file; made with its folder if missing.
        run: What must be the same for a run to be continued.

    Attributes:
        answers: Key -> answer.
        repaired: Whether a line without its end was cut off.

    Raises:
        InvalidArgumentError: The file belongs to a run with other settings.
        CorpusError: A line is damaged; it names file and line.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self.path = path
        self.answers: dict[str, str] = {}
        self.repaired = False
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        self._read(whole, run)
        if len(whole) < len(content):
            self.repaired = True
            os.truncate(path, len(whole))
        self._file: BinaryIO = path.open("ab")
        if not whole:
            self._write({"format": FORMAT, "run": dict(run)})

    def add(self, key: str, answer: str) -> None:
        """Keep an answer; it is on disk when this returns."""
        self._write({"key": key, "answer": answer})
        self.answers[key] = answer

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, record: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, content: bytes, run: Mapping[str, Any]) -> None:
        for number, line in enumerate(content.splitlines(), start=1):
            try:
                record = json.loads(line)
                if number == 1:
                    self._same_run(record["format"], record["run"], run)
                else:
                    self.answers[str(record["key"])] = str(record["answer"])
            except (ValueError, KeyError, TypeError) as error:
                if isinstance(error, InvalidArgumentError):
                    raise
                raise CorpusError(
                    "not a line of the journal",
                    path=str(self.path),
                    line=number,
                    hint="Delete the line to ask that question again, or choose another output folder.",
                ) from error

    def _same_run(self, form: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        if form != FORMAT:
            raise InvalidArgumentError(
                f"{self.path} has the form {form!r}, not {FORMAT!r}.", hint="Choose another output folder."
            )
        other = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
        if other:
            shown = ", ".join(f"{name} was {found.get(name)!r}, now {wanted.get(name)!r}" for name in other)
            raise InvalidArgumentError(
                f"{self.path} belongs to another run: {shown}.",
                hint="Give the settings of that run to continue it, or another output folder.",
            )
