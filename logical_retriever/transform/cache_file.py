"""A cache of transformed questions in a file, for processes that come and go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from logical_retriever.answer_file import DEFAULT_FILE_ENTRIES, AnswerFile
from logical_retriever.errors import InvalidArgumentError, LogicalQueryError
from logical_retriever.query import parse
from logical_retriever.transform.base import NamedChatModel, Transformation

MAX_ENTRY: Final = 64_000
"""Most characters of an entry; a longer one is not kept."""


class QueryCacheFile(AnswerFile):
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

    application_id = 0x4C6F6752
    version = 1
    columns = ("query TEXT NOT NULL", "standalone TEXT", "answers TEXT NOT NULL")

    def __init__(self, path: str | Path, *, model: str | None = None, max_entries: int = DEFAULT_FILE_ENTRIES) -> None:
        if model is not None and (not isinstance(model, str) or not model.strip()):
            raise InvalidArgumentError(f"model is {model!r}.", hint="Name the language model: answers are its own.")
        self.model = model
        super().__init__(path, max_entries=max_entries)

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

    def get(self, question: str, prompt_id: str) -> Transformation | None:
        """Return what is stored, marked ``cached=True``, or None."""
        row = self._row(*self._asked(question, prompt_id))
        if row is None:
            return None
        query, standalone, answers = row
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
        self._keep(self._asked(transformation.question, prompt_id), (query, transformation.standalone, answers))

    def _asked(self, question: str, prompt_id: str) -> tuple[str, str, str]:
        return prompt_id, "" if self.model is None else self.model, question
